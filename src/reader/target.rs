//! Walks from the rows of a batch to the values at the end of a path.

use super::column::mismatch;
use crate::error::Result;
use crate::schema::branch_name;
use crate::schema::path::rest_of;
use crate::shape::Shape;
use crate::vector::{Offsets, Vector};

/// Values of one batch at the end of a path.
pub struct Target<'a> {
    pub(super) shape: &'a Shape,
    pub(super) vector: &'a Vector,
    /// Which values; none for all.
    pub(super) positions: Option<Vec<Option<u32>>>,
    pub(super) lengths: Vec<Vec<u32>>,
}

impl<'a> Target<'a> {
    pub(super) fn all(shape: &'a Shape, vector: &'a Vector) -> Self {
        Self { shape, vector, positions: None, lengths: Vec::new() }
    }

    /// Goes down to the values that the path names; the shape has nothing beside them.
    pub(super) fn descend(self, path: &str) -> Result<Self> {
        let Self { shape, vector, positions, mut lengths } = self;
        match (shape, vector) {
            (Shape::Record(record), Vector::Record(fields)) => {
                let [field] = record.fields.as_slice() else {
                    return Err(mismatch("a record", "a value"));
                };
                match (path.strip_prefix(&*field.name), fields.fields.first()) {
                    (Some(rest), Some(vector)) => {
                        let rest = rest.strip_prefix('.').unwrap_or(rest);
                        Self { shape: &field.shape, vector, positions, lengths }.descend(rest)
                    }
                    _ => Err(mismatch("a record", "a value")),
                }
            }
            (Shape::Optional(optional), Vector::Optional(list)) => {
                let positions = through(positions, list.offsets.len(), |at| {
                    list.offsets.range(at).filter(|range| !range.is_empty()).map(|range| range.start as u32)
                });
                Self { shape: &optional.item, vector: &list.item, positions: Some(positions), lengths }
                    .descend(path)
            }
            (Shape::List(item), Vector::List(list)) => {
                lengths.push(list_lengths(positions.as_deref(), &list.offsets));
                Self { shape: item, vector: &list.item, positions: None, lengths }.descend(path)
            }
            (Shape::Map(map), Vector::Map(values)) => {
                lengths.push(list_lengths(positions.as_deref(), &values.offsets));
                let (shape, vector, rest) = match (path.strip_prefix("key"), path.strip_prefix("value")) {
                    (Some(rest), _) => (&map.key, &values.key, rest),
                    (_, Some(rest)) => (&map.value, &values.value, rest),
                    _ => return Err(mismatch("a map", "a value: name its key or value")),
                };
                let rest = rest.strip_prefix('.').unwrap_or(rest);
                Self { shape, vector, positions: None, lengths }.descend(rest)
            }
            (Shape::Union(variants), Vector::Union(union)) => {
                let ([shape], [vector]) = (variants.as_slice(), union.variants.as_slice()) else {
                    return Err(mismatch("a union", "a value: name a variant"));
                };
                let name = branch_name(shape);
                let rest =
                    rest_of(path, &name.full()).or_else(|| rest_of(path, name.name)).unwrap_or_default();
                let positions = through(positions, union.tags.len(), |at| union.positions.get(at).copied());
                Self { shape, vector, positions: Some(positions), lengths }.descend(rest)
            }
            (shape, vector) => Ok(Self { shape, vector, positions, lengths }),
        }
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
