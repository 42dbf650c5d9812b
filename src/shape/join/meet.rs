//! What two shapes are to each other, without a look at what is in them.

use super::Rules;
use crate::shape::{FixedShape, Form, Logical, LogicalShape, RecordShape, Shape, Shown, StringStyle};

/// What values of two shapes become at one place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Meet {
    /// Entries of one node. What is in them is joined.
    Together,
    /// Entries of a node of this shape.
    As(Shape),
    /// Values of logical types become strings, and meet again.
    Strings,
    /// Entries of two variants of a union.
    Apart,
}

impl Meet {
    /// As a node of a shape, which one of both may be already.
    fn as_shape(shape: Shape, one: &Shape, two: &Shape) -> Self {
        if shape == *one && shape == *two { Self::Together } else { Self::As(shape) }
    }
}

/// What values of two shapes, neither of which is null, optional or a union, are to each other.
pub(crate) fn meet(one: &Shape, two: &Shape, rules: Rules) -> Meet {
    match (one, two) {
        (Shape::Logical(one), Shape::Logical(two)) => logicals(one, two, rules),
        (Shape::Logical(logical), plain) | (plain, Shape::Logical(logical)) => beside(logical, plain, rules),
        _ => plain(one, two, rules),
    }
}

/// The same, of shapes that are no logical types.
fn plain(one: &Shape, two: &Shape, rules: Rules) -> Meet {
    if let Some(number) = joined(one, two, rules.promote) {
        return Meet::as_shape(number, one, two);
    }
    match (one, two) {
        (Shape::Boolean, Shape::Boolean)
        | (Shape::String, Shape::String)
        | (Shape::Bytes, Shape::Bytes)
        | (Shape::U128, Shape::U128)
        | (Shape::Enum(_), Shape::Enum(_))
        | (Shape::List(_), Shape::List(_))
        | (Shape::Map(_), Shape::Map(_)) => Meet::Together,
        (Shape::Fixed(one), Shape::Fixed(two)) if one.size == two.size => Meet::Together,
        (Shape::Bytes | Shape::Fixed(_), Shape::Bytes | Shape::Fixed(_)) => Meet::As(Shape::Bytes),
        (Shape::Record(one), Shape::Record(two)) if is_same(one, two) => Meet::Together,
        (Shape::Record(record), map @ Shape::Map(_)) | (map @ Shape::Map(_), Shape::Record(record))
            if is_empty(record) =>
        {
            Meet::As(map.clone())
        }
        (Shape::Record(record), Shape::Map(map)) | (Shape::Map(map), Shape::Record(record))
            if map.open && record.form == Form::Struct =>
        {
            Meet::Together
        }
        (one, two) if rules.promote => promoted(one, two),
        _ => Meet::Apart,
    }
}

/// The wider kind of two that are not numbers.
fn promoted(one: &Shape, two: &Shape) -> Meet {
    let is_string = |shape: &Shape| matches!(shape, Shape::String | Shape::Enum(_));
    let is_bytes = |shape: &Shape| matches!(shape, Shape::Bytes | Shape::Fixed(_));
    match (is_string(one), is_string(two)) {
        (true, true) => Meet::As(Shape::String),
        (true, _) if is_bytes(two) => Meet::As(Shape::Bytes),
        (_, true) if is_bytes(one) => Meet::As(Shape::Bytes),
        _ => Meet::Apart,
    }
}

/// Whether two records are entries of one node.
fn is_same(one: &RecordShape, two: &RecordShape) -> bool {
    one.form == two.form && (!one.form.is_variant() || one.name == two.name)
}

/// Whether a record may be a map without entries.
fn is_empty(record: &RecordShape) -> bool {
    record.form == Form::Struct && record.fields.is_empty()
}

fn logicals(one: &LogicalShape, two: &LogicalShape, rules: Rules) -> Meet {
    let is_same = one.logical == two.logical && one.style == two.style;
    if is_same && is_stored_alike(&one.storage, &two.storage) {
        return Meet::Together;
    }
    if let Some(wider) = wider(one, two, rules.shown) {
        return Meet::As(Shape::Logical(Box::new(wider)));
    }
    match (one.logical.has_texts(), two.logical.has_texts()) {
        (true, true) => Meet::Strings,
        (true, false) => beside(one, &two.storage, rules),
        (false, true) => beside(two, &one.storage, rules),
        (false, false) => stored(plain(&one.storage, &two.storage, rules), &one.storage),
    }
}

/// The logical type that has the values of both. Those whose strings have two styles have no strings in common.
fn wider(one: &LogicalShape, two: &LogicalShape, shown: Shown) -> Option<LogicalShape> {
    let style = match one.style == two.style {
        true => one.style,
        false if shown == Shown::Stored => StringStyle::Iso,
        false => return None,
    };
    let logical = one.logical.wider(&two.logical, shown)?;
    let own = if logical == one.logical { one } else { two };
    let storage = match &logical {
        Logical::Decimal { .. } if !is_stored_alike(&one.storage, &two.storage) => Shape::Bytes,
        Logical::Decimal { .. } if !logical.fits(&own.storage) => Shape::Bytes,
        // Of any family, where both have one.
        wider if *wider != own.logical => wider.storage()?,
        _ => own.storage.clone(),
    };
    logical.fits(&storage).then_some(LogicalShape { logical, storage, style })
}

fn is_stored_alike(one: &Shape, two: &Shape) -> bool {
    match (one, two) {
        (Shape::Fixed(FixedShape { size: one, .. }), Shape::Fixed(FixedShape { size: two, .. })) => {
            one == two
        }
        _ => one == two,
    }
}

/// What values of a logical type are to plain ones.
fn beside(logical: &LogicalShape, other: &Shape, rules: Rules) -> Meet {
    let storage = &logical.storage;
    if let Some(number) = decimal(logical, other).filter(|_| rules.promote) {
        return Meet::As(number);
    }
    if !logical.logical.has_texts() || rules.shown == Shown::Stored && !rules.promote {
        return stored(plain(storage, other, rules), storage);
    }
    let is_string = *other == Shape::String || rules.promote && matches!(other, Shape::Enum(_));
    if is_string || plain(storage, other, rules) != Meet::Apart { Meet::Strings } else { Meet::Apart }
}

/// What values that are taken as they are stored come to.
fn stored(meet: Meet, storage: &Shape) -> Meet {
    if meet == Meet::Together { Meet::As(storage.clone()) } else { meet }
}

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

/// The narrowest integer that has the values of both; `None` where one is no integer, or none has them all.
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
