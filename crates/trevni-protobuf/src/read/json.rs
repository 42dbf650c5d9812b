//! The text of `google.protobuf.Struct`, `Value` and `ListValue`.

use crate::error::Misfit;
use prost_reflect::{DynamicMessage, SerializeOptions};
use serde_json::{Map, Value};

/// The JSON of a message, with the keys of objects in order.
pub(super) fn text(message: &DynamicMessage) -> Result<String, Misfit> {
    let value = message
        .serialize_with_options(serde_json::value::Serializer, &SerializeOptions::new())
        .map_err(|error| Misfit::new(error.to_string()))?;
    Ok(sorted(value).to_string())
}

fn sorted(value: Value) -> Value {
    match value {
        Value::Object(object) => {
            let mut entries: Vec<(String, Value)> = object.into_iter().collect();
            entries.sort_unstable_by(|one, other| one.0.cmp(&other.0));
            Value::Object(entries.into_iter().map(|(key, value)| (key, sorted(value))).collect::<Map<_, _>>())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}
