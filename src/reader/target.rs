//! Walks from the rows of a batch to the values at the end of a path.

use super::column::mismatch;
use crate::convert::Conversion;
use crate::error::Result;
use crate::shape::Shape;
use crate::shape::join::{Rules, join};
use crate::tree::NodeId;
use crate::vector::{Offsets, UnionVector, Vector};

/// Values of one batch at the end of a path.
#[derive(Debug)]
pub struct Target<'a> {
    /// The node of the shape.
    node: NodeId,
    shape: &'a Shape,
    vector: &'a Vector,
    /// Numbers of several variants of a union, as those of one type.
    numbers: Option<(Shape, Vector)>,
    /// Which values; `None` for all.
    pub(super) positions: Option<Vec<Option<u32>>>,
    pub(super) lengths: Vec<Vec<u32>>,
}

impl<'a> Target<'a> {
    pub(super) fn all(shape: &'a Shape, vector: &'a Vector) -> Self {
        Self { node: 0, shape, vector, numbers: None, positions: None, lengths: Vec::new() }
    }

    /// The shape of the values.
    pub(super) fn shape(&self) -> &Shape {
        self.numbers.as_ref().map_or(self.shape, |(shape, _)| shape)
    }

    /// The values.
    pub(super) fn vector(&self) -> &Vector {
        self.numbers.as_ref().map_or(self.vector, |(_, vector)| vector)
    }

    /// About how many bytes the values take that have `size` in their own place, with the lengths around them.
    pub(super) fn weight(&self, size: usize) -> u64 {
        let values = self.positions.as_ref().map_or(self.vector().len(), Vec::len);
        let texts = match self.vector() {
            Vector::String(texts) => texts.data().len(),
            Vector::Bytes(bytes) => bytes.data().len(),
            _ => 0,
        };
        let lengths: usize = self.lengths.iter().map(Vec::len).sum();
        (values.saturating_mul(size) + texts + lengths * size_of::<u32>()) as u64
    }

    /// Goes down to the values of a node, and on to what is in lists and optionals there. The shape has nothing
    /// beside them, but for the other halves of maps.
    pub(super) fn descend(self, end: NodeId) -> Result<Self> {
        let Self { node, shape, vector, positions, mut lengths, numbers } = self;
        let below = node + 1;
        match (shape, vector) {
            (Shape::Record(record), Vector::Record(fields)) => {
                match (record.fields.as_slice(), fields.fields.first()) {
                    ([field], Some(vector)) if node < end => {
                        Self { node: below, shape: &field.shape, vector, positions, lengths, numbers }
                            .descend(end)
                    }
                    _ => Err(mismatch("a record", "a value")),
                }
            }
            (Shape::Optional(optional), Vector::Optional(list)) => {
                let positions = through(positions, list.offsets.len(), |at| {
                    list.offsets.range(at).filter(|range| !range.is_empty()).map(|range| range.start as u32)
                });
                let (shape, vector) = (&optional.item, &list.item);
                Self { node: below, shape, vector, positions: Some(positions), lengths, numbers }.descend(end)
            }
            (Shape::List(item), Vector::List(list)) => {
                lengths.push(list_lengths(positions.as_deref(), &list.offsets));
                Self { node: below, shape: item, vector: &list.item, positions: None, lengths, numbers }
                    .descend(end)
            }
            (Shape::Map(_), Vector::Map(_)) if node >= end => {
                Err(mismatch("a map", "a value: name its key or value"))
            }
            (Shape::Map(map), Vector::Map(values)) => {
                lengths.push(list_lengths(positions.as_deref(), &values.offsets));
                let value = below.saturating_add(u32::try_from(map.key.node_count()).unwrap_or(u32::MAX));
                let (node, shape, vector) = match end < value {
                    true => (below, &map.key, &values.key),
                    false => (value, &map.value, &values.value),
                };
                Self { node, shape, vector, positions: None, lengths, numbers }.descend(end)
            }
            (Shape::Union(variants), Vector::Union(union))
                if variants.len() > 1 && variants.iter().all(Shape::is_number) =>
            {
                let numbers = Some(as_numbers(variants, union)?);
                Ok(Self { node, shape, vector, positions, lengths, numbers })
            }
            (Shape::Union(variants), Vector::Union(union)) => {
                let ([shape], [vector]) = (variants.as_slice(), union.variants.as_slice()) else {
                    return Err(mismatch("a union", "a value: name a variant"));
                };
                let positions = through(positions, union.tags.len(), |at| union.positions.get(at).copied());
                Self { node: below, shape, vector, positions: Some(positions), lengths, numbers }.descend(end)
            }
            (shape, vector) => Ok(Self { node, shape, vector, positions, lengths, numbers }),
        }
    }
}

/// Numbers of the variants of a union, in the order of the entries, as those of one type.
///
/// # Errors
///
/// An integer beside floats that no float equals.
fn as_numbers(variants: &[Shape], union: &UnionVector) -> Result<(Shape, Vector)> {
    let joined = variants.iter().cloned().reduce(|one, two| join(&one, &two, Rules::TABLE));
    let shape = match joined.unwrap_or(Shape::Null) {
        // Integers of 128 bits with a sign and without.
        Shape::Union(_) => return Err(mismatch("a union", "a value: name a variant")),
        shape => shape,
    };
    let conversion =
        Conversion::between(&Shape::Union(variants.to_vec()), &Shape::Union(vec![shape.clone()]));
    let converted = conversion.map(|conversion| conversion.apply(union.clone().into())).transpose()?;
    match converted {
        Some(Vector::Union(mut union)) => Ok((shape, union.variants.pop().unwrap_or(Vector::Null(0)))),
        _ => Err(mismatch("a union", "a value: name a variant")),
    }
}

/// Follows positions one node down.
fn through(
    positions: Option<Vec<Option<u32>>>,
    len: usize,
    below: impl Fn(usize) -> Option<u32>,
) -> Vec<Option<u32>> {
    match positions {
        None => (0..len).map(below).collect(),
        Some(positions) => positions.into_iter().map(|at| at.and_then(|at| below(at as usize))).collect(),
    }
}

/// The lengths of lists; one that is missing is empty.
fn list_lengths(positions: Option<&[Option<u32>]>, offsets: &Offsets) -> Vec<u32> {
    match positions {
        None => offsets.lengths().collect(),
        Some(positions) => {
            let length = |at: u32| offsets.range(at as usize).map_or(0, |range| range.len() as u32);
            positions.iter().map(|at| at.map_or(0, length)).collect()
        }
    }
}
