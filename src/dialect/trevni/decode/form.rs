//! What the values of a column become in memory, and what must hold for them.

use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::vector::{Binaries, Strings, Vector};

/// The form of the vector of a simple shape: small, since there is one for each column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Null,
    Boolean,
    Int,
    Long,
    Float,
    Double,
    String,
    Bytes,
    /// Bytes of a constant number.
    Fixed(usize),
    Enum,
}

impl Form {
    /// The form of a shape that has one column; nothing for others.
    pub(super) fn of(shape: &Shape) -> Self {
        match shape {
            Shape::Boolean => Self::Boolean,
            Shape::Int => Self::Int,
            Shape::Long | Shape::U64 => Self::Long,
            Shape::Float => Self::Float,
            Shape::Double => Self::Double,
            Shape::String => Self::String,
            Shape::Bytes => Self::Bytes,
            Shape::Fixed(fixed) => Self::Fixed(fixed.size),
            Shape::I128 | Shape::U128 => Self::Fixed(16),
            Shape::Enum(_) => Self::Enum,
            _ => Self::Null,
        }
    }

    /// An empty vector of this form.
    pub(super) fn vector(self) -> Vector {
        match self {
            Self::Null => Vector::Null(0),
            Self::Boolean => Vector::Boolean(Vec::new()),
            Self::Int => Vector::Int(Vec::new()),
            Self::Long => Vector::Long(Vec::new()),
            Self::Float => Vector::Float(Vec::new()),
            Self::Double => Vector::Double(Vec::new()),
            Self::String => Vector::String(Strings::default()),
            Self::Bytes | Self::Fixed(_) => Vector::Bytes(Binaries::default()),
            Self::Enum => Vector::Enum(Vec::new()),
        }
    }

    /// Makes `out` an empty vector of this form.
    pub(super) fn prepare(self, out: &mut Vector) {
        let empty = self.vector();
        let same = std::mem::discriminant(out) == std::mem::discriminant(&empty);
        if same { out.clear() } else { *out = empty }
    }

    /// Whether values of this form have the bytes that they must have.
    pub(super) fn check(self, values: &Vector) -> Result<()> {
        match (self, values) {
            (Self::Fixed(size), Vector::Bytes(values)) => {
                let wrong = values.iter().position(|value| value.len() != size);
                match wrong {
                    Some(_) => Err(Error::value(format!("a fixed value has not {size} bytes"))),
                    None => Ok(()),
                }
            }
            _ => Ok(()),
        }
    }
}
