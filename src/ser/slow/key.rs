//! Keys of maps that may be written as records: names of fields, if they are text.

use super::map::Target;
use crate::error::{Error, Result};
use serde::ser::{Serialize, Serializer};

/// Takes a key that is text to where it belongs; says false for a key of another kind.
pub(super) struct KeyText<'k, 'a>(pub(super) &'k mut Target<'a>);

macro_rules! not_text {
    ($ok:ty = $value:expr; $($method:ident($($kind:ty),*);)*) => {
        $(fn $method(self, $(_: $kind),*) -> Result<$ok> {
            Ok($value)
        })*
    };
}

impl Serializer for KeyText<'_, '_> {
    type Ok = bool;
    type Error = Error;
    type SerializeSeq = NotText;
    type SerializeTuple = NotText;
    type SerializeTupleStruct = NotText;
    type SerializeTupleVariant = NotText;
    type SerializeMap = NotText;
    type SerializeStruct = NotText;
    type SerializeStructVariant = NotText;

    not_text! {
        bool = false;
        serialize_bool(bool);
        serialize_i8(i8);
        serialize_i16(i16);
        serialize_i32(i32);
        serialize_i64(i64);
        serialize_i128(i128);
        serialize_u8(u8);
        serialize_u16(u16);
        serialize_u32(u32);
        serialize_u64(u64);
        serialize_u128(u128);
        serialize_f32(f32);
        serialize_f64(f64);
        serialize_bytes(&[u8]);
        serialize_none();
        serialize_unit();
        serialize_unit_struct(&'static str);
        serialize_unit_variant(&'static str, u32, &'static str);
    }

    not_text! {
        NotText = NotText;
        serialize_seq(Option<usize>);
        serialize_tuple(usize);
        serialize_tuple_struct(&'static str, usize);
        serialize_tuple_variant(&'static str, u32, &'static str, usize);
        serialize_map(Option<usize>);
        serialize_struct(&'static str, usize);
        serialize_struct_variant(&'static str, u32, &'static str, usize);
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<bool> {
        self.0.text_key(value).map(|()| true)
    }

    fn serialize_char(self, value: char) -> Result<bool> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    fn serialize_some<T: ?Sized + Serialize>(self, _value: &T) -> Result<bool> {
        Ok(false)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _name: &'static str, value: &T) -> Result<bool> {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        _index: u32,
        _variant: &'static str,
        _value: &T,
    ) -> Result<bool> {
        Ok(false)
    }
}

/// Ignores the parts of a key that is not text.
pub(super) struct NotText;

macro_rules! ignore_parts {
    ($($name:ident: $($method:ident($($key:ty)?)),+;)*) => {
        $(impl serde::ser::$name for NotText {
            type Ok = bool;
            type Error = Error;

            $(fn $method<T: ?Sized + Serialize>(&mut self, $(_key: $key,)? _value: &T) -> Result<()> {
                Ok(())
            })+

            fn end(self) -> Result<bool> {
                Ok(false)
            }
        })*
    };
}

ignore_parts! {
    SerializeSeq: serialize_element();
    SerializeTuple: serialize_element();
    SerializeTupleStruct: serialize_field();
    SerializeTupleVariant: serialize_field();
    SerializeMap: serialize_key(), serialize_value();
    SerializeStruct: serialize_field(&'static str);
    SerializeStructVariant: serialize_field(&'static str);
}
