//! Values of rows that have integers of more than 64 bits, read from the text of the row.

use super::{Context, Plan};
use crate::numbers::{Integer, Number, Wide};
use serde::ser::{Error as _, Serializer};
use serde_json::value::RawValue;

/// Writes an integer from its text; gives the serializer back for a value that a parser shows as it is.
pub(crate) fn write<S: Serializer>(
    plan: &Plan,
    context: &Context,
    raw: &RawValue,
    to: S,
) -> Result<Result<S::Ok, S::Error>, S> {
    let text = raw.get();
    let number = match text.as_bytes().first() {
        Some(b'-' | b'0'..=b'9') => Number::parse(text),
        _ => None,
    };
    let rounds = plan.float().is_some_and(|float| float.rounds);
    Ok(match number {
        Some(Number::Integer(Wide::Signed(value))) if plan.is_integer(value) => match i64::try_from(value) {
            Ok(value) => plan.wrap(&value, to),
            Err(_) => plan.wrap(&value, to),
        },
        Some(Number::Integer(Wide::Large(value))) if plan.integer() == Some(Integer::U128) => {
            plan.wrap(&value, to)
        }
        Some(Number::Integer(_) | Number::TooLarge) if !rounds && may_be_too_large(text) => {
            context.note(format_args!("integer {text} does not fit {plan}"), true);
            Err(S::Error::custom(""))
        }
        _ => return Err(to),
    })
}

/// Whether a parser shows an integer as a float.
fn may_be_too_large(text: &str) -> bool {
    text.parse::<i64>().is_err() && text.parse::<u64>().is_err()
}
