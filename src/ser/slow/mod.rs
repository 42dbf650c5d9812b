//! The slow path, for any row: where a value does not fit yet, the shape grows.

mod cell;
mod context;
mod defaults;
mod fit;
mod grow;
mod key;
mod list;
mod map;
mod null;
mod number;
mod record;
mod union;

pub(crate) use cell::Slow;
pub(super) use context::Context;
pub(super) use context::{Growth, Mode};
pub(crate) use defaults::Defaults;

use crate::error::{Error, Result};
use crate::logical::Texts;
use crate::shape::{Null, Shape};
use crate::vector::Vector;
use cell::Incoming;
use cell::{Width, fitted, mismatch, push_text};
use grow::place;
use null::{Entry, null};
use serde::ser::{self, Serialize};

/// The number within a mark of a logical type.
#[cold]
fn marked_number<T: ?Sized + Serialize>(value: &T) -> Result<i64> {
    let number = serde_json::to_value(value).ok().and_then(|value| value.as_i64());
    number.ok_or_else(|| Error::option("a mark of a logical type is around something else than an integer"))
}

impl<'a> ser::Serializer for Slow<'a> {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = list::SeqSerializer<'a>;
    type SerializeTuple = list::TupleSerializer<'a>;
    type SerializeTupleStruct = list::TupleSerializer<'a>;
    type SerializeTupleVariant = list::TupleSerializer<'a>;
    type SerializeMap = map::MapSerializer<'a>;
    type SerializeStruct = number::Struct<'a>;
    type SerializeStructVariant = record::RecordSerializer<'a>;

    #[inline]
    fn serialize_bool(self, value: bool) -> Result<()> {
        let cell = match self.vector {
            Vector::Boolean(_) => self,
            _ => place(self, &Incoming::Boolean)?,
        };
        match cell.vector {
            Vector::Boolean(values) => values.push(value),
            other => return Err(mismatch(other, "boolean")),
        }
        Ok(())
    }

    #[inline]
    fn serialize_i8(self, value: i8) -> Result<()> {
        self.serialize_i32(i32::from(value))
    }

    #[inline]
    fn serialize_i16(self, value: i16) -> Result<()> {
        self.serialize_i32(i32::from(value))
    }

    #[inline]
    fn serialize_i32(self, value: i32) -> Result<()> {
        match (self.shape, self.vector) {
            (Shape::Int, Vector::Int(values)) => {
                values.push(value);
                Ok(())
            }
            (shape, vector) => {
                Slow { shape, vector, mode: self.mode }.push_wide(i128::from(value), Width::Int)
            }
        }
    }

    #[inline]
    fn serialize_i64(self, value: i64) -> Result<()> {
        match (self.shape, self.vector) {
            (Shape::Long, Vector::Long(values)) => {
                values.push(value);
                Ok(())
            }
            (shape, vector) => {
                Slow { shape, vector, mode: self.mode }.push_wide(i128::from(value), Width::Long)
            }
        }
    }

    fn serialize_i128(self, value: i128) -> Result<()> {
        self.push_wide(value, Width::I128)
    }

    #[inline]
    fn serialize_u8(self, value: u8) -> Result<()> {
        self.serialize_i32(i32::from(value))
    }

    #[inline]
    fn serialize_u16(self, value: u16) -> Result<()> {
        self.serialize_i32(i32::from(value))
    }

    #[inline]
    fn serialize_u32(self, value: u32) -> Result<()> {
        self.serialize_i64(i64::from(value))
    }

    #[inline]
    fn serialize_u64(self, value: u64) -> Result<()> {
        let bits = value.cast_signed();
        match (self.shape, self.vector) {
            (shape @ (Shape::Long | Shape::U64), Vector::Long(values))
                if bits >= 0 || *shape == Shape::U64 =>
            {
                values.push(bits);
                Ok(())
            }
            // A plain number, to those who are shown such.
            (Shape::Logical(logical), Vector::Long(values))
                if self.mode.stores() && logical.storage == Shape::U64 =>
            {
                values.push(bits);
                Ok(())
            }
            (shape, vector) => {
                Slow { shape, vector, mode: self.mode }.push_wide(i128::from(value), Width::Long)
            }
        }
    }

    fn serialize_u128(self, value: u128) -> Result<()> {
        match i128::try_from(value) {
            Ok(value) => self.push_wide(value, Width::U128),
            Err(_) => match place(self, &Incoming::LargeU128)?.vector {
                Vector::Bytes(values) => fitted(values.push(&value.to_be_bytes())),
                other => Err(mismatch(other, "a u128")),
            },
        }
    }

    #[inline]
    fn serialize_f32(self, value: f32) -> Result<()> {
        let cell = match self.vector {
            Vector::Float(_) => self,
            _ => place(self, &Incoming::Float)?,
        };
        match cell.vector {
            Vector::Float(values) => values.push(value),
            Vector::Double(values) => values.push(f64::from(value)),
            other => return Err(mismatch(other, "float")),
        }
        Ok(())
    }

    #[inline]
    fn serialize_f64(self, value: f64) -> Result<()> {
        let cell = match self.vector {
            Vector::Double(_) => self,
            _ => place(self, &Incoming::Double(value))?,
        };
        match cell.vector {
            Vector::Double(values) => values.push(value),
            // The float has the digits of the double, or there would be no place for it.
            Vector::Float(values) => values.push(value as f32),
            other => return Err(mismatch(other, "double")),
        }
        Ok(())
    }

    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline]
    fn serialize_str(self, value: &str) -> Result<()> {
        let cell = match self.vector {
            Vector::String(_) => self,
            _ => place(self, &Incoming::String(value))?,
        };
        match (cell.vector, &*cell.shape) {
            (Vector::String(values), _) => fitted(values.push(value)),
            (vector, Shape::Logical(logical)) => push_text(logical, vector, value),
            // A given enum takes text too.
            (Vector::Enum(values), Shape::Enum(shape)) => {
                let ordinal = shape.symbols.iter().position(|symbol| symbol == value);
                values.push(ordinal.unwrap_or_default() as i32);
                Ok(())
            }
            (other, _) => Err(mismatch(other, "string")),
        }
    }

    #[inline]
    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        let cell = match self.shape {
            Shape::Bytes => self,
            _ => place(self, &Incoming::Bytes(value.len()))?,
        };
        match cell.vector {
            Vector::Bytes(values) => fitted(values.push(value)),
            other => Err(mismatch(other, "bytes")),
        }
    }

    #[inline]
    fn serialize_none(self) -> Result<()> {
        match (self.vector, &*self.shape) {
            (Vector::Optional(list), Shape::Optional(shape))
                if shape.null == Null::None && self.mode.somes() == 0 =>
            {
                list.offsets.push_empty();
                Ok(())
            }
            (vector, _) => null(Slow { shape: self.shape, vector, mode: self.mode }, Entry::None),
        }
    }

    #[inline]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<()> {
        value.serialize(self.into_some()?)
    }

    fn serialize_unit(self) -> Result<()> {
        null(self, Entry::Unit)
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        null(self, Entry::Unit)
    }

    #[inline]
    fn serialize_unit_variant(self, name: &'static str, _index: u32, variant: &'static str) -> Result<()> {
        union::push_unit(self, name, variant)
    }

    #[inline]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<()> {
        match Texts::from_mark(name) {
            Some(texts) => self.push_marked(texts, marked_number(value)?),
            None => value.serialize(self),
        }
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        union::push_newtype(self, name, variant, value)
    }

    #[inline]
    fn serialize_seq(self, _len: Option<usize>) -> Result<Self::SerializeSeq> {
        list::SeqSerializer::new(self)
    }

    #[inline]
    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple> {
        list::TupleSerializer::new(self, "", len)
    }

    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Self::SerializeTupleStruct> {
        list::TupleSerializer::new(self, name, len)
    }

    fn serialize_tuple_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        list::TupleSerializer::variant(self, name, variant)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self::SerializeMap> {
        map::MapSerializer::new(self, len)
    }

    #[inline(always)]
    fn serialize_struct(self, name: &'static str, _len: usize) -> Result<Self::SerializeStruct> {
        number::Struct::new(self, name)
    }

    fn serialize_struct_variant(
        self,
        name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Self::SerializeStructVariant> {
        union::struct_variant(self, name, variant)
    }

    /// Text forms are used where a type has two, so that what passes through serde's own buffers
    /// (`flatten`, `untagged`), which always claim to be human readable, comes back.
    fn is_human_readable(&self) -> bool {
        true
    }
}
