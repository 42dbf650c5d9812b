//! Values as the texts of the golden files have them.

use serde_json::{Value, json};
use trevni::ValueRef;

/// Whether a value is what a text says: numbers by their bits, bytes as hexadecimal digits.
pub(crate) fn is_same(expected: &Value, found: ValueRef<'_>) -> bool {
    match (expected, found) {
        (Value::Null, ValueRef::Null) => true,
        (Value::Bool(expected), ValueRef::Boolean(found)) => *expected == found,
        (expected, ValueRef::Int(found)) => expected.as_i64() == Some(i64::from(found)),
        (expected, ValueRef::Long(found)) => expected.as_i64() == Some(found),
        (expected, ValueRef::Float(found)) => {
            float(expected, str::parse).is_some_and(|expected: f32| same_bits(expected.into(), found.into()))
        }
        (expected, ValueRef::Double(found)) => {
            float(expected, str::parse).is_some_and(|expected: f64| same_bits(expected, found))
        }
        (Value::String(expected), ValueRef::String(found)) => expected == found,
        (Value::String(expected), ValueRef::Bytes(found)) => *expected == hexadecimal(found),
        (Value::Object(_), ValueRef::Bytes(found)) => *expected == timestamp(found),
        (Value::Array(expected), ValueRef::List(found)) => {
            expected.len() == found.len()
                && expected.iter().zip(found.iter()).all(|(expected, found)| is_same(expected, found))
        }
        (Value::Object(expected), ValueRef::Record(found)) => {
            found.iter().count() == expected.len()
                && found.iter().all(|(name, found)| expected.get(name).is_some_and(|own| is_same(own, found)))
        }
        _ => false,
    }
}

fn same_bits(one: f64, two: f64) -> bool {
    one.to_bits() == two.to_bits() || one.is_nan() && two.is_nan()
}

fn float<T, E>(expected: &Value, parse: impl Fn(&str) -> Result<T, E>) -> Option<T> {
    match expected {
        Value::Number(number) => parse(&number.to_string()).ok(),
        Value::String(name) => parse(name).ok(),
        _ => None,
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn timestamp(bytes: &[u8]) -> Value {
    let (nanos, day) = bytes.split_first_chunk::<8>().unwrap();
    json!({"day": u32::from_le_bytes(day.try_into().unwrap()), "nanos": i64::from_le_bytes(*nanos)})
}
