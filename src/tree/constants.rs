//! Fields that have the same value in all rows, and no column: what the names of folders say.

use super::{Leaf, NodeId};
use crate::error::{Error, Result};
use crate::logical::{Pushed, Texts};
use crate::shape::Shape;
use crate::storage::budget::Hold;
use crate::vector::{Binaries, Strings, Vector};

/// A value that all rows have.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Constant {
    shape: Shape,
    /// One value.
    value: Vector,
}

impl Constant {
    /// A text as a value of a shape, or null.
    ///
    /// # Errors
    ///
    /// A text that is no value of the shape, and a shape that is not one of booleans, numbers, strings or logical types.
    pub(crate) fn parse(text: Option<&str>, shape: &Shape) -> Result<Self> {
        let Some(text) = text else { return Ok(Self::from_text(None)) };
        let value = parsed(text, shape).ok_or_else(|| {
            let kind = shape.to_string();
            Error::option(format!("{text:?} is no value of type {kind}"))
        })?;
        Ok(Self { shape: shape.clone(), value })
    }

    /// A text, or null.
    pub(crate) fn from_text(text: Option<&str>) -> Self {
        match text.and_then(|text| strings(text, 1)) {
            Some(value) => Self { shape: Shape::String, value: Vector::String(value) },
            None => Self { shape: Shape::Null, value: Vector::Null(1) },
        }
    }

    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// A vector of the one value.
    pub(crate) fn value(&self) -> &Vector {
        &self.value
    }

    /// A number of values, in the type that the leaf is read as: strings may be read as bytes.
    ///
    /// # Errors
    ///
    /// More than the memory has, or than a vector can hold.
    pub(crate) fn fill(&self, len: usize, leaf: Leaf, memory: &Hold, out: &mut Vector) -> Result<()> {
        let bytes = self.bytes();
        memory.add(bytes.saturating_mul(len as u64))?;
        let repeated = match (&self.value, leaf) {
            (Vector::Boolean(value), _) => numbers(value, len).map(Vector::Boolean),
            (Vector::Int(value), _) => numbers(value, len).map(Vector::Int),
            (Vector::Long(value), _) => numbers(value, len).map(Vector::Long),
            (Vector::Float(value), _) => numbers(value, len).map(Vector::Float),
            (Vector::Double(value), _) => numbers(value, len).map(Vector::Double),
            (Vector::String(value), Leaf::Bytes) => {
                value.get(0).and_then(|value| blobs(value.as_bytes(), len)).map(Vector::Bytes)
            }
            (Vector::String(value), _) => {
                value.get(0).and_then(|value| strings(value, len)).map(Vector::String)
            }
            (Vector::Bytes(value), _) => value.get(0).and_then(|value| blobs(value, len)).map(Vector::Bytes),
            _ => Some(Vector::Null(len)),
        };
        let most = u64::from(u32::MAX);
        *out = repeated.ok_or_else(|| {
            Error::too_large("the values of a field in bytes", bytes.saturating_mul(len as u64), most)
        })?;
        Ok(())
    }

    /// Bytes of memory of a value.
    fn bytes(&self) -> u64 {
        match &self.value {
            Vector::Null(_) => 0,
            Vector::Boolean(_) => 1,
            Vector::Int(_) | Vector::Float(_) => 4,
            Vector::String(value) => 8 + value.data().len() as u64,
            Vector::Bytes(value) => 8 + value.get(0).map_or(0, |value| value.len() as u64),
            _ => 8,
        }
    }
}

fn parsed(text: &str, shape: &Shape) -> Option<Vector> {
    Some(match shape {
        Shape::Boolean => Vector::Boolean(vec![text.parse().ok()?]),
        Shape::Int => Vector::Int(vec![text.parse().ok()?]),
        Shape::Long => Vector::Long(vec![text.parse().ok()?]),
        Shape::U64 => Vector::Long(vec![text.parse::<u64>().ok()?.cast_signed()]),
        Shape::Float => Vector::Float(vec![text.parse().ok()?]),
        Shape::Double => Vector::Double(vec![text.parse().ok()?]),
        Shape::String => Vector::String(strings(text, 1)?),
        Shape::Logical(logical) => {
            let mut vector = Vector::new(&logical.storage);
            let pushed = Texts::from_shape(logical)?.push(text, &mut vector);
            (pushed == Pushed::Yes).then_some(vector)?
        }
        _ => return None,
    })
}

fn numbers<T: Copy>(value: &[T], len: usize) -> Option<Vec<T>> {
    value.first().map(|value| vec![*value; len])
}

fn strings(value: &str, len: usize) -> Option<Strings> {
    let mut all = Strings::default();
    (0..len).all(|_| all.push(value)).then_some(all)
}

fn blobs(value: &[u8], len: usize) -> Option<Binaries> {
    let mut all = Binaries::default();
    (0..len).all(|_| all.push(value)).then_some(all)
}

/// The nodes of a shape that have constants.
#[derive(Clone, Debug, Default)]
pub(crate) struct Constants(Vec<(NodeId, Constant)>);

impl Constants {
    pub(crate) fn push(&mut self, id: NodeId, constant: Constant) {
        self.0.push((id, constant));
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The constant of a node.
    pub(crate) fn get(&self, id: NodeId) -> Option<&Constant> {
        self.0.iter().find(|(own, _)| *own == id).map(|(_, constant)| constant)
    }
}
