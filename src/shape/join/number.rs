//! The number that has the values of two others.

use crate::shape::{Logical, LogicalShape, Shape};

/// Digits of the integers of each width.
const fn digits(shape: &Shape) -> Option<u32> {
    Some(match shape {
        Shape::Int => 10,
        Shape::Long => 19,
        Shape::U64 => 20,
        Shape::I128 | Shape::U128 => 39,
        _ => return None,
    })
}

/// The narrowest integer that has the values of both; none where one is no integer, or none has them all.
fn integer(one: &Shape, two: &Shape) -> Option<Shape> {
    match (one, two) {
        _ if one == two && digits(one).is_some() => Some(one.clone()),
        (Shape::Int | Shape::Long, Shape::Int | Shape::Long) => Some(Shape::Long),
        (Shape::Int | Shape::Long | Shape::I128, Shape::U64 | Shape::I128)
        | (Shape::U64 | Shape::I128, Shape::Int | Shape::Long | Shape::I128) => Some(Shape::I128),
        _ => None,
    }
}

/// The number that has the values of both; integers beside floats only where they are promoted.
pub(super) fn joined(one: &Shape, two: &Shape, promote: bool) -> Option<Shape> {
    let is_float = |shape: &Shape| matches!(shape, Shape::Float | Shape::Double);
    let is_number = |shape: &Shape| is_float(shape) || digits(shape).is_some();
    match (is_float(one), is_float(two)) {
        (true, true) if one == two => Some(one.clone()),
        (true, true) => Some(Shape::Double),
        (false, false) => integer(one, two),
        _ => (promote && is_number(one) && is_number(two)).then_some(Shape::Double),
    }
}

/// The number that has the values of a decimal and of a plain number.
pub(super) fn decimal(logical: &LogicalShape, other: &Shape) -> Option<Shape> {
    let Logical::Decimal { precision, scale } = &logical.logical else {
        return None;
    };
    if matches!(other, Shape::Float | Shape::Double) {
        return Some(Shape::Double);
    }
    let whole = precision.saturating_sub(*scale).max(digits(other)?);
    let logical = Logical::Decimal { precision: whole.checked_add(*scale)?, scale: *scale };
    Some(Shape::Logical(Box::new(LogicalShape::unchecked(logical, Shape::Bytes))))
}
