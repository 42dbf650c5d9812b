//! Values without parts: which types can be read as which.

use super::step::{Number, Step};
use std::collections::HashMap;
use trevni::Shape;
use trevni::shape::{EnumShape, Logical};

/// What becomes of values of one type that are wanted as another; `None` where that is not possible.
pub(super) fn step(written: &Shape, is_symbol: bool, wanted: &Shape, default: Option<i32>) -> Option<Step> {
    if !are_alike(written, wanted) {
        return None;
    }
    let from_decimal = is_decimal(written);
    let are_decimals = from_decimal && is_decimal(wanted);
    Some(match (written.storage(), wanted.storage()) {
        (Shape::Enum(written), Shape::Enum(wanted)) => ordinals(written, wanted, default),
        (Shape::Fixed(written), Shape::Fixed(wanted)) if written.size == wanted.size && !from_decimal => {
            Step::Keep
        }
        // Decimals come with as many bytes as hold the integer.
        (Shape::Fixed(_) | Shape::Bytes, Shape::Fixed(wanted)) if are_decimals => Step::Extend(wanted.size),
        (Shape::Fixed(_), Shape::Bytes) if from_decimal => Step::Keep,
        (Shape::Null, Shape::Null)
        | (Shape::Boolean, Shape::Boolean)
        | (Shape::Int, Shape::Int)
        | (Shape::Long, Shape::Long)
        | (Shape::U64, Shape::U64)
        | (Shape::I128, Shape::I128)
        | (Shape::U128, Shape::U128)
        | (Shape::Float, Shape::Float)
        | (Shape::Double, Shape::Double)
        | (Shape::String, Shape::String)
        | (Shape::Bytes, Shape::Bytes) => Step::Keep,
        (Shape::Int, Shape::Long) => Step::Number(Number::Long),
        (Shape::Long, Shape::U64) | (Shape::U64, Shape::Long) => Step::Number(Number::Unsigned),
        (Shape::U64, Shape::Float) => Step::Number(Number::FloatOfUnsigned),
        (Shape::U64, Shape::Double) => Step::Number(Number::DoubleOfUnsigned),
        (Shape::Int | Shape::Long, Shape::Float) => Step::Number(Number::Float),
        (Shape::Int | Shape::Long | Shape::Float, Shape::Double) => Step::Number(Number::Double),
        (Shape::String, Shape::Bytes) => Step::Bytes,
        (Shape::Bytes, Shape::String) if !from_decimal => Step::Text,
        (Shape::String, Shape::Enum(wanted)) if is_symbol => {
            let ordinals = wanted.symbols.iter().enumerate();
            let ordinal = |(ordinal, symbol): (usize, &trevni::shape::Name)| {
                Some((symbol.to_string(), i32::try_from(ordinal).ok()?))
            };
            Step::Symbols { ordinals: ordinals.map(ordinal).collect::<Option<HashMap<_, _>>>()?, default }
        }
        _ => return None,
    })
}

/// Whether values are decimals, stored as bytes or a fixed.
pub(super) fn is_decimal(shape: &Shape) -> bool {
    matches!(shape, Shape::Logical(logical) if matches!(logical.logical, Logical::Decimal { .. }))
}

/// Whether logical types of both let values of one stand for values of the other. One without a logical type is a
/// number, or bytes, as stored; whether a day, an hour or an instant is meant says the wanted type then.
fn are_alike(written: &Shape, wanted: &Shape) -> bool {
    let (Shape::Logical(one), Shape::Logical(two)) = (written, wanted) else {
        return true;
    };
    match (&one.logical, &two.logical) {
        (Logical::Decimal { precision, scale }, Logical::Decimal { precision: more, scale: same }) => {
            scale == same && precision <= more
        }
        // Whether instants are of a zone is for the reader to say.
        (one, two) => one.name().trim_start_matches("local-") == two.name().trim_start_matches("local-"),
    }
}

fn ordinals(written: &EnumShape, wanted: &EnumShape, default: Option<i32>) -> Step {
    let place = |symbol: &trevni::shape::Name| wanted.symbols.iter().position(|known| known == symbol);
    let ordinal = |symbol| place(symbol).and_then(|place| i32::try_from(place).ok()).or(default);
    let symbols = written.symbols.iter().map(ToString::to_string).collect();
    Step::Ordinals { symbols, ordinals: written.symbols.iter().map(ordinal).collect() }
}
