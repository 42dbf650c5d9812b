//! Deserializes from buffered content, as serde's own deserializer of its buffer does.

use crate::content::Content;
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use std::marker::PhantomData;
use std::vec::IntoIter;

pub struct Buffered<E> {
    content: Content,
    error: PhantomData<E>,
}

impl<E: Error> Buffered<E> {
    pub fn new(content: Content) -> Self {
        Self { content, error: PhantomData }
    }
}

fn unexpected<T, E: Error>(content: &Content, expected: &str) -> Result<T, E> {
    Err(E::custom(format_args!("invalid type: {content:?}, expected {expected}")))
}

/// Methods that take some kinds of content, all else being an error.
macro_rules! only {
    ($($method:ident: $($kind:ident => $visit:ident)*;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
            match self.content {
                $(Content::$kind(value) => visitor.$visit(value),)*
                other => unexpected(&other, stringify!($method)),
            }
        })*
    };
}

impl<'de, E: Error> Deserializer<'de> for Buffered<E> {
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.content {
            Content::Bool(value) => visitor.visit_bool(value),
            Content::I64(value) => visitor.visit_i64(value),
            Content::U64(value) => visitor.visit_u64(value),
            Content::I128(value) => visitor.visit_i128(value),
            Content::U128(value) => visitor.visit_u128(value),
            Content::F32(value) => visitor.visit_f32(value),
            Content::F64(value) => visitor.visit_f64(value),
            Content::Char(value) => visitor.visit_char(value),
            Content::Text(value) => visitor.visit_string(value),
            Content::Bytes(value) => visitor.visit_byte_buf(value),
            Content::Unit => visitor.visit_unit(),
            Content::None => visitor.visit_none(),
            Content::Some(value) => visitor.visit_some(Self::new(*value)),
            Content::Newtype(value) => visitor.visit_newtype_struct(Self::new(*value)),
            Content::Seq(items) => visitor.visit_seq(Items::new(items)),
            Content::Map(entries) => visitor.visit_map(Entries::new(entries)),
        }
    }

    only! {
        deserialize_bool: Bool => visit_bool;
        deserialize_i8: I64 => visit_i64 U64 => visit_u64;
        deserialize_i16: I64 => visit_i64 U64 => visit_u64;
        deserialize_i32: I64 => visit_i64 U64 => visit_u64;
        deserialize_i64: I64 => visit_i64 U64 => visit_u64;
        deserialize_u8: I64 => visit_i64 U64 => visit_u64;
        deserialize_u16: I64 => visit_i64 U64 => visit_u64;
        deserialize_u32: I64 => visit_i64 U64 => visit_u64;
        deserialize_u64: I64 => visit_i64 U64 => visit_u64;
        deserialize_i128: I128 => visit_i128 U128 => visit_u128;
        deserialize_u128: I128 => visit_i128 U128 => visit_u128;
        deserialize_f32: F32 => visit_f32 F64 => visit_f64 I64 => visit_i64 U64 => visit_u64;
        deserialize_f64: F32 => visit_f32 F64 => visit_f64 I64 => visit_i64 U64 => visit_u64;
        deserialize_char: Char => visit_char Text => visit_string;
        deserialize_str: Text => visit_string Bytes => visit_byte_buf;
        deserialize_string: Text => visit_string Bytes => visit_byte_buf;
        deserialize_identifier: Text => visit_string Bytes => visit_byte_buf U64 => visit_u64;
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.content {
            Content::Text(value) => visitor.visit_string(value),
            Content::Bytes(value) => visitor.visit_byte_buf(value),
            Content::Seq(items) => visitor.visit_seq(Items::new(items)),
            other => unexpected(&other, "bytes"),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.content {
            Content::None => visitor.visit_none(),
            Content::Some(value) => visitor.visit_some(Self::new(*value)),
            Content::Unit => visitor.visit_unit(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.content {
            Content::Unit => visitor.visit_unit(),
            Content::Map(entries) if entries.is_empty() => visitor.visit_unit(),
            other => unexpected(&other, "unit"),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, E> {
        match &self.content {
            Content::Map(entries) if entries.is_empty() => visitor.visit_unit(),
            Content::Seq(items) if items.is_empty() => visitor.visit_unit(),
            _ => self.deserialize_any(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, E> {
        match self.content {
            Content::Newtype(value) => visitor.visit_newtype_struct(Self::new(*value)),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.content {
            Content::Seq(items) => visitor.visit_seq(Items::new(items)),
            other => unexpected(&other, "a sequence"),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, E> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, E> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        match self.content {
            Content::Map(entries) => visitor.visit_map(Entries::new(entries)),
            other => unexpected(&other, "a map"),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        match self.content {
            Content::Seq(items) => visitor.visit_seq(Items::new(items)),
            Content::Map(entries) => visitor.visit_map(Entries::new(entries)),
            other => unexpected(&other, "a struct"),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, E> {
        match self.content {
            Content::Map(entries) if entries.len() == 1 => {
                let (name, value) = entries.into_iter().next().expect("one entry");
                visitor.visit_enum(VariantOf::new(name, Some(value)))
            }
            text @ Content::Text(_) => visitor.visit_enum(VariantOf::new(text, None)),
            other => unexpected(&other, "string or map with a single key"),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, E> {
        visitor.visit_unit()
    }
}

struct Items<E>(IntoIter<Content>, PhantomData<E>);

impl<E> Items<E> {
    fn new(items: Vec<Content>) -> Self {
        Self(items.into_iter(), PhantomData)
    }
}

impl<'de, E: Error> SeqAccess<'de> for Items<E> {
    type Error = E;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, E> {
        self.0.next().map(|item| seed.deserialize(Buffered::new(item))).transpose()
    }
}

struct Entries<E> {
    entries: IntoIter<(Content, Content)>,
    value: Option<Content>,
    error: PhantomData<E>,
}

impl<E> Entries<E> {
    fn new(entries: Vec<(Content, Content)>) -> Self {
        Self { entries: entries.into_iter(), value: None, error: PhantomData }
    }
}

impl<'de, E: Error> MapAccess<'de> for Entries<E> {
    type Error = E;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, E> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        self.value = Some(value);
        seed.deserialize(Buffered::new(key)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, E> {
        seed.deserialize(Buffered::new(self.value.take().expect("a key before")))
    }
}

/// A variant, by its name and what it holds.
pub struct VariantOf<E> {
    name: Content,
    value: Option<Content>,
    error: PhantomData<E>,
}

impl<E> VariantOf<E> {
    pub fn new(name: Content, value: Option<Content>) -> Self {
        Self { name, value, error: PhantomData }
    }
}

impl<'de, E: Error> EnumAccess<'de> for VariantOf<E> {
    type Error = E;
    type Variant = VariantContent<E>;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, VariantContent<E>), E> {
        let name = seed.deserialize(Buffered::new(self.name))?;
        Ok((name, VariantContent(self.value, PhantomData)))
    }
}

pub struct VariantContent<E>(Option<Content>, PhantomData<E>);

impl<'de, E: Error> VariantAccess<'de> for VariantContent<E> {
    type Error = E;

    fn unit_variant(self) -> Result<(), E> {
        self.0.map_or(Ok(()), |value| Deserialize::deserialize(Buffered::new(value)))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, E> {
        match self.0 {
            Some(value) => seed.deserialize(Buffered::new(value)),
            None => Err(E::invalid_type(Unexpected::UnitVariant, &"newtype variant")),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, E> {
        match self.0 {
            Some(Content::Seq(items)) => visitor.visit_seq(Items::new(items)),
            _ => Err(E::custom("invalid type, expected tuple variant")),
        }
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, E> {
        match self.0 {
            Some(Content::Map(entries)) => visitor.visit_map(Entries::new(entries)),
            Some(Content::Seq(items)) => visitor.visit_seq(Items::new(items)),
            _ => Err(E::custom("invalid type, expected struct variant")),
        }
    }
}
