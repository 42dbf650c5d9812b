//! An Arrow schema from JSON. JSON that is no schema is left out: the types then follow from the rows.

use super::{key, types};
use arrow_schema::{Field, FieldRef, Schema};
use serde_json::{Map, Value};
use std::collections::HashMap;
use std::sync::Arc;
use trevni::shape::MAX_DEPTH;

/// The schema that a text describes. Dictionaries have an order only where their values are kept.
pub(crate) fn read(text: &str, has_order: bool) -> Option<Schema> {
    let value: Value = serde_json::from_str(text).ok()?;
    let object = value.as_object()?;
    let mut rest = object.get(key::FIELDS)?.as_array()?.iter();
    let mut fields: Vec<FieldRef> = Vec::new();
    while rest.len() > 0 {
        fields.push(Arc::new(field(&mut rest, has_order, 1)?));
    }
    Some(Schema::new_with_metadata(fields, metadata(object)?))
}

fn metadata(object: &Map<String, Value>) -> Option<HashMap<String, String>> {
    let Some(metadata) = object.get(key::METADATA) else {
        return Some(HashMap::new());
    };
    let text = |(key, value): (&String, &Value)| Some((key.clone(), value.as_str()?.to_owned()));
    metadata.as_object()?.iter().map(text).collect()
}

/// The next field, with the fields within it.
fn field<'v>(rest: &mut impl Iterator<Item = &'v Value>, has_order: bool, depth: usize) -> Option<Field> {
    if depth > 2 * MAX_DEPTH {
        return None;
    }
    let object = rest.next()?.as_object()?;
    let is = |key| object.get(key).is_some_and(|value| *value == Value::Bool(true));
    let count = object.get(key::CHILDREN).map_or(Some(0), Value::as_u64)?;
    // Ends where there are no more, whatever the number says.
    let children =
        (0..count).map(|_| field(rest, has_order, depth + 1).map(Arc::new)).collect::<Option<Vec<_>>>()?;
    let data_type = types::read(object.get(key::TYPE)?, children)?;
    let name = object.get(key::NAME)?.as_str()?;
    let mut made = Field::new(name, data_type, is(key::NULLABLE)).with_metadata(metadata(object)?);
    if has_order && is(key::ORDERED) {
        made = made.with_dict_is_ordered(true);
    }
    Some(made)
}
