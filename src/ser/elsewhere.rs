//! What is pushed where the vector is not the one at hand: the shape decides, and may grow.
//!
//! Functions of plain arguments: a [`Cell`] would have to be put into memory before each value, for the
//! rare one that comes here.

use super::grow::{Want, place};
use super::{Cell, Mode, Width, fitted, mismatch};
use crate::error::Result;
use crate::shape::Shape;
use crate::vector::Vector;

#[cold]
pub(super) fn integer(
    shape: &mut Shape,
    vector: &mut Vector,
    mode: Mode,
    value: i64,
    width: Width,
) -> Result<()> {
    Cell { shape, vector, mode }.push_wide(i128::from(value), width)
}

#[cold]
pub(super) fn double(shape: &mut Shape, vector: &mut Vector, mode: Mode, value: f64) -> Result<()> {
    match place(Cell { shape, vector, mode }, &Want::Double)?.vector {
        Vector::Double(values) => values.push(value),
        other => return Err(mismatch(other, "double")),
    }
    Ok(())
}

#[cold]
pub(super) fn float(shape: &mut Shape, vector: &mut Vector, mode: Mode, value: f32) -> Result<()> {
    match place(Cell { shape, vector, mode }, &Want::Float)?.vector {
        Vector::Float(values) => values.push(value),
        Vector::Double(values) => values.push(f64::from(value)),
        other => return Err(mismatch(other, "float")),
    }
    Ok(())
}

#[cold]
pub(super) fn boolean(shape: &mut Shape, vector: &mut Vector, mode: Mode, value: bool) -> Result<()> {
    match place(Cell { shape, vector, mode }, &Want::Boolean)?.vector {
        Vector::Boolean(values) => values.push(value),
        other => return Err(mismatch(other, "boolean")),
    }
    Ok(())
}

#[cold]
pub(super) fn string(shape: &mut Shape, vector: &mut Vector, mode: Mode, value: &str) -> Result<()> {
    let cell = place(Cell { shape, vector, mode }, &Want::String(value))?;
    match (cell.vector, &*cell.shape) {
        (Vector::String(values), _) => fitted(values.push(value)),
        // A given enum takes text too.
        (Vector::Enum(values), Shape::Enum(shape)) => {
            let ordinal = shape.symbols.iter().position(|symbol| symbol == value);
            values.push(ordinal.unwrap_or_default() as i32);
            Ok(())
        }
        (other, _) => Err(mismatch(other, "text")),
    }
}

#[cold]
pub(super) fn bytes(shape: &mut Shape, vector: &mut Vector, mode: Mode, value: &[u8]) -> Result<()> {
    match place(Cell { shape, vector, mode }, &Want::Bytes(value.len()))?.vector {
        Vector::Bytes(values) => fitted(values.push(value)),
        other => Err(mismatch(other, "bytes")),
    }
}
