//! Any value of a format that describes itself, as serde's own buffer of such values has it, and how it is
//! made from a deserializer.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

#[derive(Clone, Debug)]
pub enum Content {
    Bool(bool),
    I64(i64),
    U64(u64),
    /// Only in what was never buffered by serde, whose buffer has no such integers.
    I128(i128),
    U128(u128),
    F32(f32),
    F64(f64),
    Char(char),
    Text(String),
    Bytes(Vec<u8>),
    Unit,
    None,
    Some(Box<Content>),
    Newtype(Box<Content>),
    Seq(Vec<Content>),
    Map(Vec<(Content, Content)>),
}

impl Content {
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
            _ => None,
        }
    }

    /// The same with the entries of all maps in the opposite order.
    pub fn reversed(self) -> Self {
        match self {
            Self::Some(content) => Self::Some(Box::new(content.reversed())),
            Self::Newtype(content) => Self::Newtype(Box::new(content.reversed())),
            Self::Seq(items) => Self::Seq(items.into_iter().map(Self::reversed).collect()),
            Self::Map(entries) => {
                let entries = entries.into_iter().rev();
                Self::Map(entries.map(|(key, value)| (key.reversed(), value.reversed())).collect())
            }
            scalar => scalar,
        }
    }
}

/// Makes a buffer.
pub struct Buffer;

impl<'de> DeserializeSeed<'de> for Buffer {
    type Value = Content;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Content, D::Error> {
        deserializer.deserialize_any(self)
    }
}

/// Visits of a scalar that become content.
macro_rules! visits {
    ($($method:ident($kind:ty) $make:expr;)*) => {
        $(fn $method<E: ::serde::de::Error>(self, value: $kind) -> Result<Self::Value, E> {
            Ok($make(value).into())
        })*
    };
}
pub(crate) use visits;

impl<'de> Visitor<'de> for Buffer {
    type Value = Content;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    visits! {
        visit_bool(bool) Content::Bool;
        visit_i64(i64) Content::I64;
        visit_u64(u64) Content::U64;
        visit_f32(f32) Content::F32;
        visit_f64(f64) Content::F64;
        visit_char(char) Content::Char;
        visit_str(&str) |text: &str| Content::Text(text.to_owned());
        visit_bytes(&[u8]) |bytes: &[u8]| Content::Bytes(bytes.to_owned());
    }

    fn visit_unit<E: Error>(self) -> Result<Content, E> {
        Ok(Content::Unit)
    }

    fn visit_none<E: Error>(self) -> Result<Content, E> {
        Ok(Content::None)
    }

    fn visit_some<D: Deserializer<'de>>(self, deserializer: D) -> Result<Content, D::Error> {
        Buffer.deserialize(deserializer).map(|content| Content::Some(Box::new(content)))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, deserializer: D) -> Result<Content, D::Error> {
        Buffer.deserialize(deserializer).map(|content| Content::Newtype(Box::new(content)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Content, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(Buffer)? {
            items.push(item);
        }
        Ok(Content::Seq(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Content, A::Error> {
        let mut entries = Vec::new();
        while let Some(entry) = map.next_entry_seed(Buffer, Buffer)? {
            entries.push(entry);
        }
        Ok(Content::Map(entries))
    }
}

/// The rest of a map that a tag was taken out of.
pub struct Tagged<T> {
    pub tag: &'static str,
    pub seed: T,
}

/// A key: the tag or something else.
struct TagOrOther(&'static str);

impl<'de> DeserializeSeed<'de> for TagOrOther {
    type Value = Option<Content>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Option<Content>, D::Error> {
        let key = Buffer.deserialize(deserializer)?;
        Ok(if key.text() == Some(self.0) { None } else { Some(key) })
    }
}

impl<'de, T: DeserializeSeed<'de>> Visitor<'de> for Tagged<T> {
    type Value = (T::Value, Content);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an internally tagged enum")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let tag = seq.next_element_seed(self.seed)?.ok_or_else(|| Error::missing_field(self.tag))?;
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(Buffer)? {
            items.push(item);
        }
        Ok((tag, Content::Seq(items)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut seed, mut tag) = (Some(self.seed), None);
        let mut entries = Vec::new();
        while let Some(key) = map.next_key_seed(TagOrOther(self.tag))? {
            match (key, seed.take()) {
                (Some(key), unused) => {
                    seed = unused;
                    entries.push((key, map.next_value_seed(Buffer)?));
                }
                (None, Some(seed)) => tag = Some(map.next_value_seed(seed)?),
                (None, None) => return Err(Error::duplicate_field(self.tag)),
            }
        }
        Ok((tag.ok_or_else(|| A::Error::missing_field(self.tag))?, Content::Map(entries)))
    }
}
