//! The defaults of fields in the text of a schema.

use serde_json::{Map, Value};

/// The default of a field.
#[derive(Debug, PartialEq)]
pub(crate) struct FieldDefault {
    /// The namespace and the name of the record, and the name of the field.
    pub(crate) place: [String; 3],
    pub(crate) value: Value,
}

/// All defaults of a schema that can be read.
pub(crate) fn defaults(text: &str) -> Vec<FieldDefault> {
    let mut found = Vec::new();
    if let Ok(schema) = serde_json::from_str(text) {
        add(&schema, "", &mut found);
    }
    found
}

fn add(schema: &Value, namespace: &str, found: &mut Vec<FieldDefault>) {
    match schema {
        Value::Array(branches) => branches.iter().for_each(|branch| add(branch, namespace, found)),
        Value::Object(object) => match object.get("type") {
            Some(Value::String(kind)) => match kind.as_str() {
                "record" | "error" => record(object, namespace, found),
                "array" => object.get("items").into_iter().for_each(|items| add(items, namespace, found)),
                "map" => object.get("values").into_iter().for_each(|values| add(values, namespace, found)),
                _ => {}
            },
            Some(inner) => add(inner, namespace, found),
            None => {}
        },
        _ => {}
    }
}

fn record(object: &Map<String, Value>, around: &str, found: &mut Vec<FieldDefault>) {
    let text = |key: &str| object.get(key).and_then(Value::as_str);
    let name = text("name").unwrap_or_default();
    let (namespace, name) = match name.rsplit_once('.') {
        Some(parts) => parts,
        None => (text("namespace").unwrap_or(around), name),
    };
    let own = text(super::NAME).unwrap_or(name);
    for field in object.get("fields").and_then(Value::as_array).into_iter().flatten() {
        let text = |key: &str| field.get(key).and_then(Value::as_str);
        if let (Some(field_name), Some(value)) = (text(super::NAME).or(text("name")), field.get("default")) {
            let place = [namespace, own, field_name].map(str::to_owned);
            found.push(FieldDefault { place, value: value.clone() });
        }
        field.get("type").into_iter().for_each(|kind| add(kind, namespace, found));
    }
}
