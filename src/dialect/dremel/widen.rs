//! Rows that were written before their shape grew, as rows of the shape that has grown.

use crate::convert::Conversion;
use crate::error::{Error, Result};
use crate::shape::{Null, Shape};
use crate::vector::Vector;

/// Rows of `old` that have been read from a file, whose shape is settled, as rows of `new`, which has grown from it.
///
/// # Errors
///
/// A shape that has not grown from the other, and values that have no place there.
pub(crate) fn widen(old: &Shape, new: &Shape, vector: Vector) -> Result<Vector> {
    match Conversion::between(&as_read(old), new) {
        Some(conversion) => conversion.apply(vector),
        None => Err(Error::internal(format!("{} cannot become {}", old.kind(), new.kind()))),
    }
}

/// Whether values of `old` are stored in another way in `new`, which has grown from it, though both may have the same columns.
pub(crate) fn is_restated(old: &Shape, new: &Shape) -> bool {
    Conversion::between(&as_read(old), &as_read(new)).is_some_and(|conversion| conversion.changes_values())
}

/// A shape with the form that its rows have in a file: an optional union of one variant is that variant, and what has shown
/// only null is null. What has shown nothing stays unknown.
fn as_read(shape: &Shape) -> Shape {
    match shape {
        Shape::Union(variants) => Shape::Union(variants.iter().map(as_read).collect()),
        Shape::Optional(optional) if optional.null != Null::Absent && optional.item == Shape::Unknown => {
            Shape::Null
        }
        Shape::Optional(optional) => {
            let mut optional = optional.clone();
            optional.item = match &optional.item {
                Shape::Union(variants) if variants.len() == 1 => {
                    variants.first().map_or(Shape::Null, as_read)
                }
                item => as_read(item),
            };
            Shape::Optional(optional)
        }
        Shape::Record(record) => {
            let mut record = record.clone();
            record.fields.iter_mut().for_each(|field| field.shape = as_read(&field.shape));
            Shape::Record(record)
        }
        Shape::List(item) => Shape::list(as_read(item)),
        Shape::Map(map) => Shape::map(as_read(&map.key), as_read(&map.value)),
        leaf => leaf.clone(),
    }
}
