//! `Serialize` of enums in their four taggings: the calls that serde's derive makes.

use crate::flatten::flatten;
use crate::model::{Body, Fields, Tagging};
use crate::serialize::{
    Tags, Typed, fields, serialize_named, serialize_tagged, serialize_tags, serialize_tuple, values_of,
    written,
};
use crate::value::Value;
use serde::ser::{
    Error, Serialize, SerializeMap, SerializeStruct, SerializeStructVariant, SerializeTupleVariant,
    Serializer,
};

pub fn serialize_enum<S: Serializer>(
    of: Typed<'_>,
    tagging: Tagging,
    value: &Value,
    tags: Tags<'_>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let (Body::Enum(_, variants), Value::Variant(number, values)) = (&of.graph_def().body, value) else {
        unreachable!("{value:?} is no variant")
    };
    let (name, index, variant) = (of.graph_def().name, *number as u32, &variants[*number]);
    match (tagging, &variant.fields) {
        (Tagging::External, _) if !tags.is_empty() => {
            let mut map = serializer.serialize_map(Some(1 + tags.len()))?;
            for (tag, variant) in tags {
                map.serialize_entry(tag, variant)?;
            }
            flatten(of, &mut map)?;
            map.end()
        }
        (Tagging::External, Fields::Unit) => serializer.serialize_unit_variant(name, index, variant.name),
        (Tagging::External, Fields::Newtype(ty)) => {
            serializer.serialize_newtype_variant(name, index, variant.name, &of.of(ty, &values[0]))
        }
        (Tagging::External, Fields::Tuple(types)) => {
            let mut tuple = serializer.serialize_tuple_variant(name, index, variant.name, types.len())?;
            for (ty, value) in types.iter().zip(values) {
                tuple.serialize_field(&of.of(ty, value))?;
            }
            tuple.end()
        }
        (Tagging::External, Fields::Named(named)) => {
            let len = written(of, named);
            let mut state = serializer.serialize_struct_variant(name, index, variant.name, len)?;
            fields!(of, named, state);
            state.end()
        }
        (Tagging::Internal(tag), fields) => {
            let tags = [tags, &[(tag, variant.name)]].concat();
            match fields {
                Fields::Unit => {
                    let mut state = serializer.serialize_struct(name, tags.len())?;
                    for (tag, variant) in &tags {
                        state.serialize_field(tag, variant)?;
                    }
                    state.end()
                }
                Fields::Newtype(ty) => serialize_tagged(of.of(ty, &values[0]), &tags, serializer),
                Fields::Named(named) => serialize_named(of, name, named, &tags, serializer),
                Fields::Tuple(_) => unreachable!("the derive refuses internally tagged tuple variants"),
            }
        }
        (Tagging::Adjacent(tag, content), fields) => {
            let len = tags.len() + if matches!(fields, Fields::Unit) { 1 } else { 2 };
            let mut state = serializer.serialize_struct(name, len)?;
            for (tag, variant) in tags {
                state.serialize_field(tag, variant)?;
            }
            state.serialize_field(tag, &AdjacentTag { name, index, variant: variant.name })?;
            match fields {
                Fields::Unit => {}
                Fields::Newtype(ty) => state.serialize_field(content, &of.of(ty, &values[0]))?,
                _ => state.serialize_field(content, &Contents { of, name: variant.name, fields })?,
            }
            state.end()
        }
        (Tagging::Untagged, Fields::Unit) if !tags.is_empty() => serialize_tags(tags, serializer),
        (Tagging::Untagged, Fields::Unit) => serializer.serialize_unit(),
        (Tagging::Untagged, Fields::Newtype(ty)) => serialize_tagged(of.of(ty, &values[0]), tags, serializer),
        (Tagging::Untagged, Fields::Named(named)) => serialize_named(of, name, named, tags, serializer),
        (Tagging::Untagged, Fields::Tuple(_)) if !tags.is_empty() => {
            Err(Error::custom("a tuple cannot be tagged"))
        }
        (Tagging::Untagged, fields) => Contents { of, name, fields }.serialize(serializer),
    }
}

/// The tag of an adjacently tagged enum.
struct AdjacentTag {
    name: &'static str,
    index: u32,
    variant: &'static str,
}

impl Serialize for AdjacentTag {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit_variant(self.name, self.index, self.variant)
    }
}

/// The fields of a variant without its name.
pub struct Contents<'a> {
    pub of: Typed<'a>,
    pub name: &'static str,
    pub fields: &'a Fields,
}

impl Serialize for Contents<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.fields {
            Fields::Named(named) => serialize_named(self.of, self.name, named, &[], serializer),
            Fields::Tuple(types) => serialize_tuple(self.of, types, values_of(self.of.value), serializer),
            _ => unreachable!("a tuple or a struct variant"),
        }
    }
}
