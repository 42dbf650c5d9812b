//! The values of fields that do not come, as a given schema has them.

use super::Slow;
use crate::error::Result;
use crate::schema::avro::tree::{AvroNode, NodeParts, ShapedNode, read};
use crate::shape::{FieldShape, Name, RecordShape, Shape};
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use serde_json::Value;
use std::collections::{HashMap, HashSet};

/// The defaults of fields, by the names of their records.
#[derive(Debug)]
pub(crate) struct Defaults(HashMap<Name, Vec<DefaultValue>>);

/// The default of a field, which is read by the field's shape.
#[derive(Debug)]
pub(super) struct DefaultValue {
    /// The namespace of the record.
    namespace: Name,
    field: FieldShape,
    value: Value,
}

impl Defaults {
    /// The defaults of the fields of a schema that has this shape; `None` where it has no default but null, which fields that
    /// do not come are anyway.
    pub(crate) fn new(schema: &str, shape: &Shape) -> Option<Self> {
        // A letter of the word could be an escape.
        let may_have = schema.contains("default") || schema.contains('\\');
        let (root, mut found) = (may_have.then(|| read(schema))??, Self(HashMap::new()));
        found.add(ShapedNode::new(&root, shape), &mut HashSet::new());
        (!found.0.is_empty()).then_some(found)
    }

    /// The default of a field of a record.
    pub(super) fn get(&self, record: &RecordShape, field: &str) -> Option<&DefaultValue> {
        let is_it = |own: &&DefaultValue| own.field.name == field && own.namespace == record.namespace;
        self.0.get(&record.name)?.iter().find(is_it)
    }

    /// Takes the defaults of the records in a type, of each record once.
    fn add(&mut self, node: ShapedNode<'_>, seen: &mut HashSet<*const AvroNode>) {
        match (node.parts(), node.shape) {
            (NodeParts::Record(fields), Shape::Record(record)) if seen.insert(node.node) => {
                for ((own, part), field) in fields.into_iter().zip(&record.fields) {
                    if let Some(value) = own.default.clone()
                        && !(value.is_null() && matches!(field.shape, Shape::Optional(_)))
                    {
                        let (namespace, field) = (record.namespace.clone(), field.clone());
                        let fields = self.0.entry(record.name.clone()).or_default();
                        fields.push(DefaultValue { namespace, field, value });
                    }
                    self.add(part, seen);
                }
            }
            (NodeParts::Items(part), _) => self.add(part, seen),
            (NodeParts::Entries(parts), _) => parts.into_iter().for_each(|part| self.add(part, seen)),
            (NodeParts::Union(parts), _) => parts.into_iter().flatten().for_each(|part| self.add(part, seen)),
            _ => {}
        }
    }
}

impl DefaultValue {
    /// Pushes the value.
    pub(super) fn serialize(&self, cell: Slow<'_>) -> Result<()> {
        Shown { value: &self.value, shape: &self.field.shape }.serialize(cell)
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
                let shape = |name| field(name).map_or(&Shape::Unknown, |field| &field.shape);
                let shown = |(name, value)| (name, Shown { value, shape: shape(name) });
                let mut map = serializer.serialize_map(None)?;
                values.iter().map(shown).try_for_each(|(name, value)| map.serialize_entry(name, &value))?;
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
