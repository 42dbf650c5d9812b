//! Fields as columns of the result.

use crate::rows;
use trevni::Shape;
use trevni_query::paths::{FieldPath, Root};
use trevni_query::{AccessError, Accessor};

/// A column of the result that is a field, or a part of one.
#[derive(Clone, Debug)]
pub(super) struct FieldCell {
    /// The contents of a cell.
    pub(super) path: FieldPath,
    /// The parts of it that are printed.
    pub(super) parts: Vec<FieldPath>,
}

impl FieldCell {
    /// The cells that a path names in rows of a shape: of a record its fields, where cells are to be flat; of
    /// a path into a list or map, the list or map with this part of it only.
    pub(super) fn of(
        shape: &Shape,
        path: &FieldPath,
        exploded: Option<&FieldPath>,
        is_flat: bool,
    ) -> Vec<Self> {
        let mut place = path.clone();
        loop {
            match Accessor::at(Root::Shape(shape), place.names(), exploded) {
                Ok((_, Root::Shape(within))) if is_flat && place == *path => {
                    let fields = rows::fields(within).into_iter();
                    let joined = fields.map(|field| path.joined(&field.path));
                    return joined.map(|path| Self { parts: vec![path.clone()], path }).collect();
                }
                Err(AccessError::Within(_)) if !place.is_row() => place = place.around(),
                _ => return vec![Self { path: place, parts: vec![path.clone()] }],
            }
        }
    }
}
