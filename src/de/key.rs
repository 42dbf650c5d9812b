//! Keys of maps: as they are, or as text where text is asked for, as JSON has them.

use super::entry::{at, missing};
use super::{De, Lend, Plan};
use crate::error::{Error, Result};
use crate::vector::Vector;
use serde::Serialize;
use serde::de::value::StrDeserializer;
use serde::de::{Deserializer, IntoDeserializer, Visitor};
use std::fmt::Display;

/// The key of a map.
pub(super) struct Key<'n, 'a, 'v, L> {
    pub(super) value: De<'n, 'a, 'v, L>,
    pub(super) fields: FieldNames,
}

/// What a key is to a type that asks for the name of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldNames {
    /// Its text. A derived struct takes numbers for positions of fields.
    Text,
    /// What it is. A derived struct with flattened fields asks for a map, and keeps keys for these.
    AsTheyAre,
}

impl<L> Key<'_, '_, '_, L> {
    /// The text of a key that is a number or a boolean.
    fn text(&self) -> Result<Option<String>> {
        let Some(value) = self.value.entry().inner()? else {
            return Ok(None);
        };
        let index = value.index;
        Ok(match (value.vector, value.plan) {
            (Vector::Boolean(values), _) => Some(at(values, index)?.to_string()),
            (Vector::Int(values), _) => Some(at(values, index)?.to_string()),
            (Vector::Long(values), Plan::U64) => Some(at(values, index)?.cast_unsigned().to_string()),
            (Vector::Long(values), _) => Some(at(values, index)?.to_string()),
            (Vector::Float(values), _) => Some(float_text(at(values, index)?)),
            (Vector::Double(values), _) => Some(float_text(at(values, index)?)),
            (Vector::Bytes(values), Plan::I128 | Plan::U128) => {
                let bytes = values.get(index).and_then(|bytes| bytes.try_into().ok());
                let value = i128::from_be_bytes(bytes.ok_or_else(missing)?);
                Some(match value.cast_unsigned() {
                    large if value < 0 && matches!(self.value.base.plan, Plan::U128) => large.to_string(),
                    _ => value.to_string(),
                })
            }
            _ => None,
        })
    }
}

/// The text of a float, as serde_json has it; what JSON has no text for is `NaN`, `inf` or `-inf`.
fn float_text(value: impl Serialize + Display + Into<f64> + Copy) -> String {
    match serde_json::to_string(&value) {
        Ok(text) if value.into().is_finite() => text,
        _ => value.to_string(),
    }
}

macro_rules! as_text {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.value.base.vector {
                Vector::String(_) => self.value.$method(visitor),
                _ => match self.text()? {
                    Some(text) => visitor.visit_string(text),
                    None => self.value.$method(visitor),
                },
            }
        })*
    };
}

/// For numbers and booleans, also from their text, as JSON has such keys.
macro_rules! from_text {
    ($($method:ident: $kind:ty => $visit:ident;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            let parsed: Option<$kind> = match self.value.entry().loaded()?.vector {
                Vector::String(values) => values.get(self.value.index).and_then(|text| text.parse().ok()),
                _ => None,
            };
            match parsed {
                Some(value) => visitor.$visit(value),
                None => self.value.$method(visitor),
            }
        })*
    };
}

macro_rules! as_it_is {
    ($($method:ident($($name:ident: $kind:ty),*))*) => {
        $(fn $method<V: Visitor<'de>>(self, $($name: $kind,)* visitor: V) -> Result<V::Value> {
            self.value.$method($($name,)* visitor)
        })*
    };
}

impl<'v, 'de, L: Lend<'v, 'de>> Deserializer<'de> for Key<'_, '_, 'v, L> {
    type Error = Error;

    as_text! { deserialize_str deserialize_string }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.fields {
            FieldNames::Text => self.deserialize_str(visitor),
            FieldNames::AsTheyAre => self.deserialize_any(visitor),
        }
    }

    from_text! {
        deserialize_bool: bool => visit_bool;
        deserialize_i8: i8 => visit_i8;
        deserialize_i16: i16 => visit_i16;
        deserialize_i32: i32 => visit_i32;
        deserialize_i64: i64 => visit_i64;
        deserialize_i128: i128 => visit_i128;
        deserialize_u8: u8 => visit_u8;
        deserialize_u16: u16 => visit_u16;
        deserialize_u32: u32 => visit_u32;
        deserialize_u64: u64 => visit_u64;
        deserialize_u128: u128 => visit_u128;
        deserialize_f32: f32 => visit_f32;
        deserialize_f64: f64 => visit_f64;
    }

    as_it_is! {
        deserialize_any()
        deserialize_char()
        deserialize_bytes()
        deserialize_byte_buf()
        deserialize_unit()
        deserialize_unit_struct(name: &'static str)
        deserialize_seq()
        deserialize_tuple(len: usize)
        deserialize_tuple_struct(name: &'static str, len: usize)
        deserialize_map()
        deserialize_struct(name: &'static str, fields: &'static [&'static str])
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
        deserialize_ignored_any()
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.value.entry().loaded()?.vector {
            Vector::String(_) => visitor.visit_some(self),
            _ => self.value.deserialize_option(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }
}

/// The name of a field as the key of a map: text, or what it stands for where something else is asked for.
#[derive(Clone, Copy)]
pub(super) struct NameKey<'a>(pub(super) &'a str);

macro_rules! from_name {
    ($($method:ident: $kind:ty => $visit:ident;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.0.parse::<$kind>() {
                Ok(value) => visitor.$visit(value),
                Err(_) => visitor.visit_str(self.0),
            }
        })*
    };
}

impl<'de> Deserializer<'de> for NameKey<'_> {
    type Error = Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_str(self.0)
    }

    from_name! {
        deserialize_bool: bool => visit_bool;
        deserialize_i8: i8 => visit_i8;
        deserialize_i16: i16 => visit_i16;
        deserialize_i32: i32 => visit_i32;
        deserialize_i64: i64 => visit_i64;
        deserialize_i128: i128 => visit_i128;
        deserialize_u8: u8 => visit_u8;
        deserialize_u16: u16 => visit_u16;
        deserialize_u32: u32 => visit_u32;
        deserialize_u64: u64 => visit_u64;
        deserialize_u128: u128 => visit_u128;
        deserialize_f32: f32 => visit_f32;
        deserialize_f64: f64 => visit_f64;
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        let name: StrDeserializer<'_, Error> = self.0.into_deserializer();
        visitor.visit_enum(name)
    }

    serde::forward_to_deserialize_any! {
        char str string bytes byte_buf unit unit_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
