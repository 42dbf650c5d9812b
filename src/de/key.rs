//! Keys of maps: as they are, or as text where text is asked for, as JSON has them.

use super::scalar::Scalar;
use serde::de::value::StrDeserializer;
use serde::de::{Deserializer, Error, IntoDeserializer, Visitor};

/// A value that may be the key of a map.
pub(super) trait KeyValue<'de>: Deserializer<'de> {
    /// Its text, where it is one.
    fn text(&self) -> Result<Option<&str>, Self::Error>;

    /// The number or boolean that it is.
    fn scalar(&self) -> Result<Option<Scalar>, Self::Error>;

    /// Shows a text that no vector has.
    fn show_made<V: Visitor<'de>>(self, text: String, visitor: V) -> Result<V::Value, Self::Error>;
}

/// The key of a map.
pub(super) struct Key<K> {
    pub(super) value: K,
    pub(super) fields: FieldNames,
}

/// A key, deserialized as the name of a field.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldNames {
    /// Its text. A derived struct takes numbers for positions of fields.
    Text,
    /// The key. A derived struct with flattened fields requests a map, and keeps keys for these.
    AsTheyAre,
}

macro_rules! as_text {
    ($($method:ident)*) => {
        $(#[inline]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, K::Error> {
            if self.value.text()?.is_some() {
                return self.value.$method(visitor);
            }
            match self.value.scalar()? {
                Some(scalar) => self.value.show_made(scalar.text(), visitor),
                None => self.value.$method(visitor),
            }
        })*
    };
}

/// For numbers and booleans, also from their text, as JSON has such keys.
macro_rules! from_text {
    ($($method:ident: $kind:ty => $visit:ident;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, K::Error> {
            match self.value.text()?.and_then(|text| text.parse::<$kind>().ok()) {
                Some(value) => visitor.$visit(value),
                None => self.value.$method(visitor),
            }
        })*
    };
}

macro_rules! as_it_is {
    ($($method:ident($($name:ident: $kind:ty),*))*) => {
        $(fn $method<V: Visitor<'de>>(self, $($name: $kind,)* visitor: V) -> Result<V::Value, K::Error> {
            self.value.$method($($name,)* visitor)
        })*
    };
}

impl<'de, K: KeyValue<'de>> Deserializer<'de> for Key<K> {
    type Error = K::Error;

    as_text! { deserialize_str deserialize_string }

    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, K::Error> {
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

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, K::Error> {
        match self.value.text()? {
            Some(_) => visitor.visit_some(self),
            None => self.value.deserialize_option(visitor),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, K::Error> {
        visitor.visit_newtype_struct(self)
    }
}

/// The name of a field or of a variant.
pub(super) trait NameValue<'de>: Sized {
    type Error: Error;

    fn get(&self) -> &str;

    fn show<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error>;
}

/// A name as a value that may be the key of a map.
pub(super) struct NameText<N>(N);

impl<N> Key<NameText<N>> {
    #[inline]
    pub(super) fn from_name(name: N) -> Self {
        Self { value: NameText(name), fields: FieldNames::Text }
    }
}

impl<'de, N: NameValue<'de>> Deserializer<'de> for NameText<N> {
    type Error = N::Error;

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, N::Error> {
        self.0.show(visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, N::Error> {
        let name: StrDeserializer<'_, N::Error> = self.0.get().into_deserializer();
        visitor.visit_enum(name)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}

impl<'de, N: NameValue<'de>> KeyValue<'de> for NameText<N> {
    #[inline]
    fn text(&self) -> Result<Option<&str>, N::Error> {
        Ok(Some(self.0.get()))
    }

    fn scalar(&self) -> Result<Option<Scalar>, N::Error> {
        Ok(None)
    }

    fn show_made<V: Visitor<'de>>(self, text: String, visitor: V) -> Result<V::Value, N::Error> {
        visitor.visit_string(text)
    }
}
