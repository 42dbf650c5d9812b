//! Integers of more than 64 bits, which the parser shows as floats: read from the text of the row.

use super::{Counts, Members};
use crate::numbers::{Number, may_be_integer};
use serde::de::Error as _;
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Adds the numbers of a row that may be such integers, and have been skipped so far.
pub(super) fn add_large(node: &mut Counts, row: &str) -> Result<(), serde_json::Error> {
    add(node, serde_json::from_str(row)?).map_err(|mut error| {
        error.path.reverse();
        let path = if error.path.is_empty() { String::new() } else { error.path.join(".") + ": " };
        serde_json::Error::custom(format!("{path}{}", error.message))
    })
}

struct Located {
    path: Vec<String>,
    message: String,
}

impl Located {
    fn new(message: impl ToString) -> Self {
        Self { path: Vec::new(), message: message.to_string() }
    }

    fn below(mut self, name: &str) -> Self {
        self.path.push(name.to_owned());
        self
    }
}

/// Whether the parser shows a number as a float that may be an integer.
fn is_left_out(number: &str) -> bool {
    let is_short = number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok();
    !is_short && number.parse().is_ok_and(may_be_integer)
}

fn add(node: &mut Counts, raw: &RawValue) -> Result<(), Located> {
    if node.is_given() {
        return Ok(());
    }
    let text = raw.get();
    match text.as_bytes().first() {
        Some(b'{') => {
            let entries: BTreeMap<Cow<'_, str>, &RawValue> =
                serde_json::from_str(text).map_err(Located::new)?;
            for (key, value) in entries {
                let below = match &mut node.members {
                    Members::Fields(fields) => {
                        let place = fields.find(0, &key);
                        place.and_then(|place| fields.fields.get_mut(place)).map(|field| &mut field.node)
                    }
                    Members::Map(value) => Some(&mut **value),
                    Members::None => None,
                };
                if let Some(below) = below {
                    add(below, value).map_err(|error| error.below(&key))?;
                }
            }
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text).map_err(Located::new)?;
            items.into_iter().try_for_each(|item| add(node.item(), item))?;
        }
        Some(b'-' | b'0'..=b'9') if is_left_out(text) => match Number::parse(text) {
            Some(Number::Integer(value)) => node.integers.add_wide(value),
            Some(Number::Float(_)) => node.floats += 1,
            _ => return Err(Located::new(format!("integer {text} has more than 128 bits"))),
        },
        _ => {}
    }
    Ok(())
}
