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

/// A shape with the form that its rows have in a file: what has shown only null is null. What has shown nothing stays
/// unknown.
fn as_read(shape: &Shape) -> Shape {
    let mut shape = stored(shape);
    let is_null = |shape: &Shape| matches!(shape, Shape::Optional(optional) if optional.null != Null::Absent && optional.item == Shape::Unknown);
    shape.replace(&Shape::Null, |_, shape| is_null(shape));
    shape
}

/// The shape whose entries columns are made for: in an optional, a union of one variant is that variant, as in the
/// schema that is read.
pub(crate) fn stored(shape: &Shape) -> Shape {
    let mut stored = shape.clone();
    collapse(&mut stored);
    stored
}

fn collapse(shape: &mut Shape) {
    match shape {
        Shape::Optional(optional) => {
            if let Shape::Union(variants) = &mut optional.item
                && variants.len() == 1
                && let Some(variant) = variants.pop()
            {
                optional.item = variant;
            }
            collapse(&mut optional.item);
        }
        Shape::Record(record) => record.fields.iter_mut().for_each(|field| collapse(&mut field.shape)),
        Shape::List(item) => collapse(item),
        Shape::Map(map) => {
            collapse(&mut map.key);
            collapse(&mut map.value);
        }
        Shape::Union(variants) => variants.iter_mut().for_each(collapse),
        _ => {}
    }
}
