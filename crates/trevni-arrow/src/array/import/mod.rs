//! Arrow arrays to vectors.

mod encoded;
mod leaf;
mod nested;
mod union;

use super::select;
use crate::error::{Error, Result};
use crate::schema::VALUE;
use arrow_array::{Array, ArrayRef, RecordBatch};
use arrow_buffer::NullBuffer;
use arrow_schema::DataType;
use std::sync::Arc;
use trevni::vector::{Offsets, RecordVector};
use trevni::{Shape, Vector};

/// The rows of a record batch, whose schema fits the shape.
pub(super) fn rows(shape: &Shape, batch: &RecordBatch) -> Result<Vector> {
    let column =
        |name: &str, shape, array: &ArrayRef| vector(shape, array).map_err(|error| error.in_field(name));
    match (shape, batch.columns()) {
        (Shape::Record(record), columns) if record.fields.len() == columns.len() => {
            let fields = record.fields.iter().zip(columns);
            let fields = fields.map(|(field, array)| column(&field.name, &field.shape, array));
            Ok(RecordVector::new(batch.num_rows(), fields.collect::<Result<_>>()?).into())
        }
        (Shape::Record(_), _) => Err(Error::internal("columns and fields differ in number")),
        (shape, [array]) => column(VALUE, shape, array),
        _ => Err(Error::internal("rows that are not records have one column")),
    }
}

/// The entries of an array, whose type fits the shape.
pub(super) fn vector(shape: &Shape, array: &ArrayRef) -> Result<Vector> {
    if let Some(plain) = encoded::plain(array)? {
        return vector(shape, &plain);
    }
    match (shape, array.data_type()) {
        (shape, DataType::Union(..)) => match shape {
            Shape::Optional(optional) => union::union(&optional.item, array, true),
            shape => union::union(shape, array, false),
        },
        (Shape::Null | Shape::Unknown, DataType::Null) => Ok(Vector::Null(array.len())),
        (Shape::Optional(optional), _) => optional_values(&optional.item, array),
        _ if array.null_count() > 0 => Err(Error::value("a null in a field that is not nullable")),
        _ => value(shape, array, None),
    }
}

/// The entries that are there, and which those are.
fn optional_values(item: &Shape, array: &ArrayRef) -> Result<Vector> {
    let Some(nulls) = array.nulls().filter(|nulls| nulls.null_count() > 0) else {
        let len = u32::try_from(array.len()).map_err(|_| too_many_rows())?;
        let ones = Offsets::try_from((0..=len).collect::<Vec<u32>>())?;
        return Ok(around(ones, value(item, array, None)?));
    };
    u32::try_from(array.len()).map_err(|_| too_many_rows())?;
    let offsets = Offsets::from_lengths(nulls.iter().map(u32::from))?;
    Ok(around(offsets, value(item, array, Some(nulls))?))
}

fn around(offsets: Offsets, item: Vector) -> Vector {
    Vector::Optional(Box::new(trevni::vector::ListVector::new(offsets, item)))
}

fn too_many_rows() -> Error {
    Error::too_many("the entries of an array", u64::from(u32::MAX))
}

/// The values of an array: all, or the valid ones.
fn value(shape: &Shape, array: &ArrayRef, valid: Option<&NullBuffer>) -> Result<Vector> {
    if let Some(leaf) = leaf::values(shape, array, valid)? {
        return Ok(leaf);
    }
    let kept = match valid {
        // What is under a null is no value.
        Some(valid) => select::valid(array, valid)?,
        None => Arc::clone(array),
    };
    nested::values(shape, &kept)
}
