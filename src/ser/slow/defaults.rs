//! The values of fields that do not come, as a given schema has them.

use super::Slow;
use crate::error::Result;
use crate::schema::avro::FieldDefault;
use crate::shape::{Name, RecordShape, Shape};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;
use std::collections::HashMap;

/// The defaults of fields, by the names of their records.
#[derive(Debug)]
pub(crate) struct Defaults(HashMap<Name, Vec<Field>>);

#[derive(Debug)]
struct Field {
    /// The namespace of the record.
    namespace: Name,
    name: Name,
    value: DefaultValue,
}

/// The default of a field, and the shape of the field, by which it is read.
#[derive(Clone, Debug)]
pub(super) struct DefaultValue {
    value: Value,
    shape: Shape,
}

impl Defaults {
    /// The defaults of the fields of a shape; none where it has none but null, which fields that do not come are anyway.
    pub(crate) fn of(shape: &Shape, defaults: Vec<FieldDefault>) -> Option<Self> {
        let mut found = HashMap::new();
        let mut values: HashMap<_, _> =
            defaults.into_iter().map(|field| (field.place, field.value)).collect();
        add(shape, &mut values, &mut found);
        (!found.is_empty()).then_some(Self(found))
    }

    /// The default of a field of a record.
    pub(super) fn get(&self, record: &RecordShape, field: &str) -> Option<&DefaultValue> {
        let fields = self.0.get(&record.name)?;
        let is_it = |own: &&Field| own.name == field && own.namespace == record.namespace;
        fields.iter().find(is_it).map(|field| &field.value)
    }
}

/// Takes the defaults of the records in a shape.
fn add(shape: &Shape, values: &mut HashMap<[String; 3], Value>, found: &mut HashMap<Name, Vec<Field>>) {
    match shape {
        Shape::Record(record) => {
            for field in &record.fields {
                let place = [&record.namespace, &record.name, &field.name].map(|name| (**name).to_owned());
                if let Some(value) = values.remove(&place)
                    && !(value.is_null() && matches!(field.shape, Shape::Optional(_)))
                {
                    let value = DefaultValue { value, shape: field.shape.clone() };
                    let (namespace, name) = (record.namespace.clone(), field.name.clone());
                    found.entry(record.name.clone()).or_default().push(Field { namespace, name, value });
                }
                add(&field.shape, values, found);
            }
        }
        Shape::Union(variants) => variants.iter().for_each(|variant| add(variant, values, found)),
        Shape::Optional(optional) => add(&optional.item, values, found),
        Shape::List(item) => add(item, values, found),
        Shape::Map(map) => [&map.key, &map.value].into_iter().for_each(|part| add(part, values, found)),
        _ => {}
    }
}

impl DefaultValue {
    /// Pushes the value.
    pub(super) fn serialize(&self, cell: Slow<'_>) -> Result<()> {
        Shown { value: &self.value, shape: &self.shape }.serialize(cell)
    }
}

/// JSON as a value of a shape: Avro writes bytes as strings, and a union as a value of its first type.
struct Shown<'a> {
    value: &'a Value,
    shape: &'a Shape,
}

impl Serialize for Shown<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let within = |shape| Self { value: self.value, shape };
        match (self.shape.storage(), self.value) {
            (Shape::Optional(_), Value::Null) => serializer.serialize_none(),
            (Shape::Optional(optional), _) => serializer.serialize_some(&within(&optional.item)),
            (Shape::Union(variants), _) => match variants.first() {
                Some(first) => within(first).serialize(serializer),
                None => self.value.serialize(serializer),
            },
            (Shape::Bytes | Shape::Fixed(_), Value::String(text)) => {
                let bytes: Vec<u8> = text.chars().map(|letter| letter as u32 as u8).collect();
                serializer.serialize_bytes(&bytes)
            }
            (Shape::Record(record), Value::Object(values)) => {
                let field = |name: &String| record.fields.iter().find(|field| field.name == **name);
                let mut map = serializer.serialize_map(None)?;
                for (name, value) in values {
                    match field(name) {
                        Some(field) => map.serialize_entry(name, &Shown { value, shape: &field.shape })?,
                        None => map.serialize_entry(name, value)?,
                    }
                }
                map.end()
            }
            (Shape::Map(map), Value::Object(values)) => serializer
                .collect_map(values.iter().map(|(key, value)| (key, Shown { value, shape: &map.value }))),
            (Shape::List(shape), Value::Array(items)) => {
                serializer.collect_seq(items.iter().map(|value| Shown { value, shape }))
            }
            (_, value) => value.serialize(serializer),
        }
    }
}
