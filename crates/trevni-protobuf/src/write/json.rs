//! The text of JSON as `google.protobuf.Struct`, `Value` and `ListValue`.

use crate::error::Misfit;
use prost_reflect::MessageDescriptor;
use prost_reflect::prost::encoding::{WireType, encode_key, encode_varint};
use serde_json::{Map, Value};

/// Appends the content of the message.
pub(super) fn content(message: &MessageDescriptor, text: &str, out: &mut Vec<u8>) -> Result<(), Misfit> {
    let wrong = |what: String| Misfit::new(format!("no JSON for {}: {what}", message.full_name()));
    let parsed: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
    match (message.name(), &parsed) {
        ("Struct", Value::Object(object)) => fields(object, out),
        ("ListValue", Value::Array(items)) => list(items, out),
        ("Value", parsed) => value(parsed, out),
        _ => Err(wrong("not an object or array".to_owned())),
    }
}

fn fields(object: &Map<String, Value>, out: &mut Vec<u8>) -> Result<(), Misfit> {
    let mut entries: Vec<(&String, &Value)> = object.iter().collect();
    entries.sort_unstable_by_key(|(key, _)| *key);
    entries.into_iter().try_for_each(|(key, own)| {
        sized(1, out, |out| {
            string(1, key, out);
            sized(2, out, |out| value(own, out))
        })
    })
}

fn list(items: &[Value], out: &mut Vec<u8>) -> Result<(), Misfit> {
    items.iter().try_for_each(|item| sized(1, out, |out| value(item, out)))
}

fn value(value: &Value, out: &mut Vec<u8>) -> Result<(), Misfit> {
    match value {
        Value::Null => varint(1, 0, out),
        Value::Number(number) => {
            let float = number.as_f64().filter(|float| is_exact(number, *float));
            let float = float.ok_or_else(|| Misfit::new(format!("{number} is no double")))?;
            encode_key(2, WireType::SixtyFourBit, out);
            out.extend_from_slice(&float.to_le_bytes());
        }
        Value::String(text) => string(3, text, out),
        Value::Bool(value) => varint(4, u64::from(*value), out),
        Value::Object(object) => return sized(5, out, |out| fields(object, out)),
        Value::Array(items) => return sized(6, out, |out| list(items, out)),
    }
    Ok(())
}

/// Whether an integer stays the same as a float.
fn is_exact(number: &serde_json::Number, float: f64) -> bool {
    match (number.as_i64(), number.as_u64()) {
        (Some(integer), _) => float as i128 == i128::from(integer),
        (None, Some(integer)) => float as i128 == i128::from(integer),
        (None, None) => true,
    }
}

fn varint(number: u32, value: u64, out: &mut Vec<u8>) {
    encode_key(number, WireType::Varint, out);
    encode_varint(value, out);
}

fn string(number: u32, text: &str, out: &mut Vec<u8>) {
    encode_key(number, WireType::LengthDelimited, out);
    encode_varint(text.len() as u64, out);
    out.extend_from_slice(text.as_bytes());
}

/// Appends what `content` appends, with key and length before it.
pub(super) fn sized(
    number: u32,
    out: &mut Vec<u8>,
    content: impl FnOnce(&mut Vec<u8>) -> Result<(), Misfit>,
) -> Result<(), Misfit> {
    encode_key(number, WireType::LengthDelimited, out);
    let start = out.len();
    content(out)?;
    let mut length = Vec::with_capacity(10);
    encode_varint((out.len() - start) as u64, &mut length);
    out.splice(start..start, length);
    Ok(())
}
