//! Whether a shape takes a value.

use super::Mode;
use super::cell::Width;
use super::incoming::Incoming;
use crate::logical::{Kind, Texts};
use crate::shape::{Form, LogicalShape, Shape};
use crate::vector::{UnionVector, Vector};

/// How well a shape takes a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fit {
    As,
    /// By what a shape that was given takes beside, for it cannot grow.
    Given,
    /// After the shape has been widened without loss.
    Widened,
    No,
}

/// The position of the variant that a union has for a value, the best fitting first.
pub(super) fn find(
    variants: &[Shape],
    union: &UnionVector,
    incoming: &Incoming<'_>,
    mode: Mode<'_>,
) -> Option<usize> {
    // Avro has one long: an int beside a u64 stays an int.
    let has_long = variants.iter().any(|shape| matches!(shape, Shape::Long | Shape::U64));
    let fit_of = |(shape, vector)| match fit(shape, vector, incoming, mode) {
        Fit::Widened if has_long && *shape == Shape::Int => Fit::No,
        fit => fit,
    };
    let fits: Vec<Fit> = variants.iter().zip(&union.variants).map(fit_of).collect();
    let named = || {
        variants.iter().zip(&fits).position(|(shape, fit)| *fit == Fit::As && has_name_of(shape, incoming))
    };
    let first = |wanted| fits.iter().position(|fit| *fit == wanted);
    named().or_else(|| first(Fit::As)).or_else(|| first(Fit::Given)).or_else(|| first(Fit::Widened))
}

fn has_name_of(shape: &Shape, incoming: &Incoming<'_>) -> bool {
    match (shape, incoming) {
        (Shape::Record(record), Incoming::Record { name, .. }) => record.name == *name,
        (Shape::Enum(shape), Incoming::Symbol { name, .. }) => shape.name == *name,
        _ => false,
    }
}

/// Whether a shape takes a value. A shape that was given is more liberal, for it cannot grow.
pub(super) fn fit(shape: &Shape, vector: &Vector, incoming: &Incoming<'_>, mode: Mode<'_>) -> Fit {
    let given = !mode.grow();
    let yes = |condition: bool| if condition { Fit::As } else { Fit::No };
    let if_given = |condition: bool| if given && condition { Fit::Given } else { Fit::No };
    if let Shape::Logical(logical) = shape
        && let Some(fit) = fit_logical(logical, incoming, mode)
    {
        return fit;
    }
    match (shape.storage(), incoming) {
        (_, Incoming::Marked { value, .. }) => {
            fit(shape, vector, &Incoming::Integer { value: (*value).into(), width: Width::Long }, mode)
        }
        (Shape::Boolean, Incoming::Boolean)
        | (Shape::Float | Shape::Double, Incoming::Float)
        | (Shape::Double, Incoming::Double)
        | (Shape::String, Incoming::String(_))
        | (Shape::Bytes, Incoming::Bytes(_))
        | (Shape::List(_), Incoming::List)
        | (Shape::U128, Incoming::LargeU128) => Fit::As,
        (Shape::Map(_), Incoming::Map { .. }) => Fit::As,
        (Shape::Float, Incoming::Double) => {
            if given {
                Fit::No
            } else {
                Fit::Widened
            }
        }
        (Shape::Int, Incoming::Integer { value, width }) => match width {
            Width::Int => Fit::As,
            _ if given => if_given(i32::try_from(*value).is_ok()),
            Width::Long if u64::try_from(*value).is_ok_and(|v| i64::try_from(v).is_err()) => Fit::No,
            Width::Long => Fit::Widened,
            Width::I128 | Width::U128 => Fit::No,
        },
        (Shape::Long, Incoming::Integer { value, width }) => match width {
            Width::Int | Width::Long if i64::try_from(*value).is_ok() => Fit::As,
            Width::Long if mode.grow() && mode.fresh() && no_negatives(vector) => Fit::Widened,
            Width::I128 | Width::U128 => if_given(i64::try_from(*value).is_ok()),
            _ => Fit::No,
        },
        (Shape::U64, Incoming::Integer { value, width }) => match width {
            Width::Int | Width::Long => yes(u64::try_from(*value).is_ok()),
            Width::I128 | Width::U128 => if_given(u64::try_from(*value).is_ok()),
        },
        (Shape::I128, Incoming::Integer { .. }) => Fit::As,
        (Shape::U128, Incoming::Integer { value, .. }) => yes(*value >= 0),
        (Shape::Float, Incoming::Integer { value, .. }) => if_given(value.unsigned_abs() <= 1 << 24),
        (Shape::Double, Incoming::Integer { value, .. }) => if_given(value.unsigned_abs() <= 1 << 53),
        (Shape::Fixed(fixed), Incoming::Bytes(size)) => yes(fixed.size == *size),
        (Shape::Enum(shape), Incoming::Symbol { symbol, .. }) => {
            yes(mode.grow() || shape.symbols.iter().any(|s| s == symbol))
        }
        (Shape::Enum(shape), Incoming::String(text)) => if_given(shape.symbols.iter().any(|s| s == text)),
        (Shape::String, Incoming::Symbol { .. }) => if_given(true),
        (Shape::Record(record), Incoming::Record { name, form, .. }) => {
            yes(record.form == *form && (!form.is_variant() || record.name == *name))
        }
        (Shape::Record(record), Incoming::Map { record: wanted }) if record.form == Form::Struct => {
            // An empty map that was taken for a record.
            let is_empty = record.name.is_empty() && record.fields.is_empty();
            match *wanted {
                true => Fit::As,
                false if given => Fit::Given,
                false if is_empty => Fit::Widened,
                false => Fit::No,
            }
        }
        (Shape::List(_), Incoming::Record { form: Form::Tuple, .. }) => Fit::As,
        (Shape::Map(_), Incoming::Record { form: Form::Struct, .. }) => if_given(true),
        _ => Fit::No,
    }
}

/// Whether a logical type takes a value that is not as it is stored; none where that is for the storage to say.
fn fit_logical(shape: &LogicalShape, incoming: &Incoming<'_>, mode: Mode<'_>) -> Option<Fit> {
    let own = Texts::of(shape)?;
    let is_taken = match incoming {
        Incoming::Marked { texts, .. } if *texts == own => return Some(Fit::As),
        Incoming::Marked { texts, value } => mode.texts() && texts.convert(*value, own).is_some(),
        Incoming::String(text) => mode.texts() && own.reads(text),
        Incoming::Integer { value, .. } if own.kind() == Kind::Bytes => {
            mode.texts() && own.bytes_of_integer(*value, &mut Vec::new())
        }
        Incoming::Integer { value, .. } if mode.texts() => match own.kind() {
            Kind::Int => i32::try_from(*value).is_ok(),
            _ => i64::try_from(*value).is_ok(),
        },
        _ => return None,
    };
    Some(if is_taken { Fit::Given } else { Fit::No })
}

fn no_negatives(vector: &Vector) -> bool {
    matches!(vector, Vector::Long(values) if values.iter().all(|value| *value >= 0))
}
