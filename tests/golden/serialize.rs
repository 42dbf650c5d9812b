//! Rows in Avro's JSON encoding as a value that serde can write.

use crate::json::Json;
use crate::schema::Schema;
use serde::ser::{Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use std::collections::HashSet;
use std::sync::{LazyLock, Mutex};

/// Which of serde's types a row is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Style {
    /// As derived types are: structs, unit variants, and for unions newtype variants with the
    /// names of the branches.
    Derived,
    /// As dynamic values are: maps for records, texts for symbols, options for `["null", T]`.
    Dynamic,
}

/// A value of a schema.
pub(crate) struct Row<'a> {
    pub(crate) schema: &'a Schema,
    pub(crate) value: &'a Json,
    pub(crate) style: Style,
}

impl<'a> Row<'a> {
    fn below(&self, schema: &'a Schema, value: &'a Json) -> Self {
        Self { schema, value, style: self.style }
    }
}

impl Serialize for Row<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = self.value;
        match self.schema {
            Schema::Null => serializer.serialize_unit(),
            Schema::Boolean => serializer.serialize_bool(*value == Json::Boolean(true)),
            Schema::Int => serializer.serialize_i32(value.integer()),
            Schema::Long => serializer.serialize_i64(value.integer()),
            Schema::Float => serializer.serialize_f32(value.float()),
            Schema::Double => serializer.serialize_f64(value.double()),
            Schema::Text => serializer.serialize_str(value.text()),
            Schema::Bytes | Schema::Fixed { .. } => serializer.serialize_bytes(&value.bytes()),
            Schema::Enum { name, symbols } => match self.style {
                Style::Derived => {
                    let symbol = symbols.iter().position(|symbol| symbol == value.text()).unwrap();
                    serializer.serialize_unit_variant(constant(name), symbol as u32, constant(value.text()))
                }
                Style::Dynamic => serializer.serialize_str(value.text()),
            },
            Schema::Record { name, fields } => {
                assert_eq!(fields.len(), value.entries().len());
                let parts =
                    fields.iter().map(|(name, field)| (name, self.below(field, value.get(name).unwrap())));
                match self.style {
                    Style::Derived => {
                        let mut record = serializer.serialize_struct(constant(name), fields.len())?;
                        for (name, part) in parts {
                            record.serialize_field(constant(name), &part)?;
                        }
                        record.end()
                    }
                    Style::Dynamic => {
                        let mut record = serializer.serialize_map(Some(fields.len()))?;
                        for (name, part) in parts {
                            record.serialize_entry(name, &part)?;
                        }
                        record.end()
                    }
                }
            }
            Schema::Array(items) => {
                let mut list = serializer.serialize_seq(Some(value.items().len()))?;
                for item in value.items() {
                    list.serialize_element(&self.below(items, item))?;
                }
                list.end()
            }
            Schema::Map(values) => {
                let mut map = serializer.serialize_map(Some(value.entries().len()))?;
                for (key, value) in value.entries() {
                    map.serialize_entry(key, &self.below(values, value))?;
                }
                map.end()
            }
            Schema::Union(branches) => self.union(branches, serializer),
        }
    }
}

impl Row<'_> {
    fn union<S: Serializer>(&self, branches: &[Schema], serializer: S) -> Result<S::Ok, S::Error> {
        let (branch, value) = Schema::branch(branches, self.value);
        let inner = self.below(branch, value);
        match (branch, self.style) {
            (Schema::Null, _) => serializer.serialize_none(),
            (_, Style::Dynamic) if branches.len() == 2 && branches.contains(&Schema::Null) => {
                serializer.serialize_some(&inner)
            }
            _ => {
                let index = branches.iter().position(|other| other == branch).unwrap_or_default();
                serializer.serialize_newtype_variant("", index as u32, constant(branch.name()), &inner)
            }
        }
    }
}

/// The text with the lifetime that serde wants of names; each is kept once.
fn constant(text: &str) -> &'static str {
    static KEPT: LazyLock<Mutex<HashSet<&'static str>>> = LazyLock::new(Mutex::default);
    let mut kept = KEPT.lock().unwrap();
    if let Some(text) = kept.get(text) {
        return text;
    }
    let text: &'static str = Box::leak(text.to_owned().into_boxed_str());
    kept.insert(text);
    text
}
