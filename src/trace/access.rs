//! What structs, tuples, lists and maps are given.

use super::fault::{Fault, Kind};
use super::node::Node;
use super::record::{Field, Record};
use super::tracer::{Below, Tracer};
use serde::Deserializer;
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess, Visitor};

/// Items of one kind.
pub(super) struct ItemAccess<'t> {
    pub(super) item: &'t mut Node,
    pub(super) left: usize,
    pub(super) below: Below<'t>,
}

impl<'de> SeqAccess<'de> for ItemAccess<'_> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(self.below.tracer(self.item)).map(Some)
    }
}

/// The items of a tuple.
pub(super) struct TupleAccess<'t> {
    fields: std::slice::IterMut<'t, Field>,
    below: Below<'t>,
}

impl<'t> TupleAccess<'t> {
    pub(super) fn new(record: &'t mut Record, below: Below<'t>) -> Self {
        Self { fields: record.fields.iter_mut(), below }
    }
}

impl<'de> SeqAccess<'de> for TupleAccess<'_> {
    type Error = Fault;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Fault> {
        let Some(field) = self.fields.next() else {
            return Ok(None);
        };
        let value = seed.deserialize(self.below.tracer(&mut field.node));
        value.map(Some).map_err(|fault| fault.below(&field.name))
    }
}

/// One entry of a map.
pub(super) struct EntryAccess<'t> {
    pub(super) key: &'t mut Node,
    pub(super) value: &'t mut Node,
    pub(super) given: bool,
    pub(super) below: Below<'t>,
}

impl<'de> MapAccess<'de> for EntryAccess<'_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        if std::mem::replace(&mut self.given, true) {
            return Ok(None);
        }
        let key = seed.deserialize(Key(self.below.tracer(self.key)));
        key.map(Some).map_err(|fault| fault.below("key"))
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        seed.deserialize(self.below.tracer(self.value)).map_err(|fault| fault.below("value"))
    }
}

/// A key of a map. A struct with flattened fields requests one of its fields here.
struct Key<'t>(Tracer<'t>);

macro_rules! forward {
    ($($method:ident($($name:ident: $kind:ty),*))+) => {$(
        fn $method<V: Visitor<'de>>(self, $($name: $kind,)* visitor: V) -> Result<V::Value, Fault> {
            self.0.$method($($name,)* visitor)
        }
    )+};
}

impl<'de> Deserializer<'de> for Key<'_> {
    type Error = Fault;

    forward! {
        deserialize_any() deserialize_bool() deserialize_i8() deserialize_i16() deserialize_i32()
        deserialize_i64() deserialize_i128() deserialize_u8() deserialize_u16() deserialize_u32()
        deserialize_u64() deserialize_u128() deserialize_f32() deserialize_f64() deserialize_char()
        deserialize_str() deserialize_string() deserialize_bytes() deserialize_byte_buf() deserialize_option()
        deserialize_unit() deserialize_seq() deserialize_map() deserialize_ignored_any()
        deserialize_unit_struct(name: &'static str)
        deserialize_newtype_struct(name: &'static str)
        deserialize_tuple(len: usize)
        deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Fault> {
        Err(Fault::untraceable(
            "a struct with flattened fields does not tell all of its fields: write rows without a shape, or make one \
             by hand",
        ))
    }
}

/// A struct, or an adjacently tagged enum, that is given to a visitor.
pub(super) fn visit_struct<'de, V: Visitor<'de>>(
    record: &mut Record,
    below: Below<'_>,
    visitor: V,
) -> Result<V::Value, Fault> {
    let probing = record.is_probing();
    let mut access = StructAccess::new(record, below);
    let result = visitor.visit_map(&mut access);
    match &result {
        Err(Fault { kind: Kind::Twice(name), .. }) if access.note_twice(name) => below.pass.learn(),
        result if probing => {
            below.pass.learn();
            match result {
                Ok(_) => record.note_missing(None),
                Err(Fault { kind: Kind::Missing(name), .. }) => record.note_missing(Some(name)),
                Err(_) => record.require_all(),
            }
        }
        _ => {}
    }
    // It is nothing to the types around.
    result.map_err(Fault::refused)
}

/// The fields of a struct, one by one.
struct StructAccess<'t> {
    record: &'t mut Record,
    order: std::vec::IntoIter<usize>,
    /// The field whose name was given last.
    last: Option<usize>,
    below: Below<'t>,
}

impl<'t> StructAccess<'t> {
    fn new(record: &'t mut Record, below: Below<'t>) -> Self {
        let order = record.order().into_iter();
        Self { record, order, last: None, below }
    }

    /// Notes that the name given last is one more for a field of this name; false where nothing follows from it.
    fn note_twice(&mut self, name: &str) -> bool {
        let Some(field) = self.last.and_then(|last| self.record.fields.get_mut(last)) else {
            return false;
        };
        if field.name != name {
            field.alias = true;
            return true;
        }
        // The other name came before: it comes after this one from now on.
        !std::mem::replace(&mut field.first, true)
    }

    /// Whether the value given last is the tag of an adjacently tagged enum, whose content waits for the next pass.
    fn is_tag(&self) -> bool {
        let field = self.last.and_then(|last| self.record.fields.get(last));
        matches!(field.map(|field| &field.node), Some(Node::Enum(variants)) if variants.is_tag)
    }
}

impl<'de> MapAccess<'de> for StructAccess<'_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        if self.is_tag() {
            return Ok(None);
        }
        self.last = self.order.next();
        match self.last.and_then(|last| self.record.fields.get(last)) {
            Some(field) => seed.deserialize(text(&field.name)).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        let Some(field) = self.last.and_then(|last| self.record.fields.get_mut(last)) else {
            return Err(Fault::untraceable("the type requests a value before its name"));
        };
        let value = seed.deserialize(self.below.tracer(&mut field.node));
        value.map_err(|fault| {
            if fault.kind != Kind::Final && !std::mem::replace(&mut field.refused, true) {
                self.below.pass.learn();
            }
            fault.below(&field.name)
        })
    }
}

/// The name of a field or variant, to be read.
pub(super) fn text(name: &str) -> StrDeserializer<'_, Fault> {
    name.into_deserializer()
}
