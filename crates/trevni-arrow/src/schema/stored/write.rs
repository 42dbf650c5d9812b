//! An Arrow schema to JSON.

use super::{key, types};
use arrow_schema::{DataType, Field, FieldRef, Schema};
use serde_json::{Map, Value};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The JSON of a schema: its fields in one list, those within others after them.
pub(crate) fn write(schema: &Schema) -> String {
    let mut fields = Vec::new();
    schema.fields().iter().for_each(|field| write_field(field, &mut fields));
    let mut object = Map::new();
    object.insert(key::FIELDS.to_owned(), Value::Array(fields));
    metadata(schema.metadata(), &mut object);
    Value::Object(object).to_string()
}

fn metadata(metadata: &HashMap<String, String>, object: &mut Map<String, Value>) {
    if !metadata.is_empty() {
        let sorted: BTreeMap<_, _> = metadata.iter().collect();
        let texts = sorted.into_iter().map(|(key, value)| (key.clone(), Value::from(value.as_str())));
        object.insert(key::METADATA.to_owned(), Value::Object(texts.collect()));
    }
}

/// Whether a field is an ordered dictionary.
#[allow(deprecated, reason = "whether a dictionary is ordered is known no other way")]
pub(crate) fn is_ordered(field: &Field) -> bool {
    field.dict_is_ordered() == Some(true)
}

fn write_field(field: &Field, out: &mut Vec<Value>) {
    let children = children(field.data_type());
    let mut object = Map::new();
    object.insert(key::NAME.to_owned(), Value::from(field.name().as_str()));
    object.insert(key::TYPE.to_owned(), types::write(field.data_type()));
    if field.is_nullable() {
        object.insert(key::NULLABLE.to_owned(), Value::Bool(true));
    }
    if is_ordered(field) {
        object.insert(key::ORDERED.to_owned(), Value::Bool(true));
    }
    if !children.is_empty() {
        object.insert(key::CHILDREN.to_owned(), Value::from(children.len()));
    }
    metadata(field.metadata(), &mut object);
    out.push(Value::Object(object));
    children.iter().for_each(|child| write_field(child, out));
}

/// The fields within a type.
pub(crate) fn children(data_type: &DataType) -> Vec<FieldRef> {
    match data_type {
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => vec![Arc::clone(item)],
        DataType::Struct(fields) => fields.to_vec(),
        DataType::Union(fields, _) => fields.iter().map(|(_, field)| Arc::clone(field)).collect(),
        DataType::RunEndEncoded(ends, values) => vec![Arc::clone(ends), Arc::clone(values)],
        DataType::Dictionary(_, values) => {
            vec![Arc::new(Field::new("", DataType::clone(values), false))]
        }
        _ => Vec::new(),
    }
}
