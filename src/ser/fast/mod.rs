//! The fast path, for rows that look like the rows before: each value is pushed to the vector that is
//! next. Whatever is not as expected ends the row, which then takes the slow path.
//!
//! All of it is inlined into the `serialize` of the rows' types, and nothing else is: no shape, no growth,
//! no message.

mod list;
mod logical;
mod map;
mod node;
mod record;
mod union;

pub(super) use node::{Node, Rules};
#[cfg(test)]
pub(super) use record::SEARCHES_MAX;

use super::TUPLE_COLUMNS_MAX;
use crate::miss::FastPathMiss;
use crate::shape::{Form, Null};
use serde::ser::{self, Serialize};

type Result<T> = std::result::Result<T, FastPathMiss>;

/// The result of a push that says whether the value fitted.
#[inline(always)]
fn fitted(pushed: bool) -> Result<()> {
    if pushed { Ok(()) } else { Err(FastPathMiss) }
}

/// Takes an integer where a wider one has been seen.
#[cold]
#[inline(never)]
fn wider(node: &mut Node, value: i128) -> Result<()> {
    match node {
        Node::Long { values, unsigned: false, logical: None } => {
            values.push(i64::try_from(value).map_err(|_| FastPathMiss)?);
            Ok(())
        }
        Node::I128(values) => fitted(values.push(&value.to_be_bytes())),
        _ => Err(FastPathMiss),
    }
}

/// The node of a value of a field that other rows skip. For texts, lists and maps, which rows skip where they are
/// empty; for numbers this look would cost all fields that are never skipped.
#[cold]
fn present(node: &mut Node) -> Result<&mut Node> {
    match node {
        Node::Optional(list) if list.null == Null::Absent => {
            list.offsets.push_one();
            Ok(&mut list.item)
        }
        _ => Err(FastPathMiss),
    }
}

/// A node that takes the next value.
pub(crate) struct Fast<'a>(pub(super) &'a mut Node);

impl<'a> ser::Serializer for Fast<'a> {
    type Ok = ();
    type Error = FastPathMiss;
    type SerializeSeq = list::Items<'a>;
    type SerializeTuple = list::Tuple<'a>;
    type SerializeTupleStruct = list::Tuple<'a>;
    type SerializeTupleVariant = list::Tuple<'a>;
    type SerializeMap = map::Entries<'a>;
    type SerializeStruct = record::Fields<'a>;
    type SerializeStructVariant = record::Fields<'a>;

    #[inline(always)]
    fn serialize_bool(self, value: bool) -> Result<()> {
        let Node::Boolean(values) = self.0 else { return Err(FastPathMiss) };
        values.push(value);
        Ok(())
    }

    #[inline(always)]
    fn serialize_i8(self, value: i8) -> Result<()> {
        self.serialize_i32(i32::from(value))
    }

    #[inline(always)]
    fn serialize_i16(self, value: i16) -> Result<()> {
        self.serialize_i32(i32::from(value))
    }

    #[inline(always)]
    fn serialize_i32(self, value: i32) -> Result<()> {
        match self.0 {
            Node::Int { values, .. } => values.push(value),
            node => return wider(node, value.into()),
        }
        Ok(())
    }

    #[inline(always)]
    fn serialize_i64(self, value: i64) -> Result<()> {
        match self.0 {
            Node::Long { values, unsigned, .. } if value >= 0 || !*unsigned => values.push(value),
            node => return wider(node, value.into()),
        }
        Ok(())
    }

    #[inline(always)]
    fn serialize_i128(self, value: i128) -> Result<()> {
        let Node::I128(values) = self.0 else { return Err(FastPathMiss) };
        fitted(values.push(&value.to_be_bytes()))
    }

    #[inline(always)]
    fn serialize_u8(self, value: u8) -> Result<()> {
        self.serialize_i32(i32::from(value))
    }

    #[inline(always)]
    fn serialize_u16(self, value: u16) -> Result<()> {
        self.serialize_i32(i32::from(value))
    }

    #[inline(always)]
    fn serialize_u32(self, value: u32) -> Result<()> {
        self.serialize_i64(i64::from(value))
    }

    #[inline(always)]
    fn serialize_u64(self, value: u64) -> Result<()> {
        let bits = value.cast_signed();
        match self.0 {
            Node::Long { values, unsigned, .. } if bits >= 0 || *unsigned => values.push(bits),
            node => return wider(node, value.into()),
        }
        Ok(())
    }

    #[inline(always)]
    fn serialize_u128(self, value: u128) -> Result<()> {
        let Node::U128(values) = self.0 else { return Err(FastPathMiss) };
        fitted(values.push(&value.to_be_bytes()))
    }

    #[inline(always)]
    fn serialize_f32(self, value: f32) -> Result<()> {
        let Node::Float(values) = self.0 else { return Err(FastPathMiss) };
        values.push(value);
        Ok(())
    }

    #[inline(always)]
    fn serialize_f64(self, value: f64) -> Result<()> {
        let Node::Double(values) = self.0 else { return Err(FastPathMiss) };
        values.push(value);
        Ok(())
    }

    #[inline(always)]
    fn serialize_char(self, value: char) -> Result<()> {
        self.serialize_str(value.encode_utf8(&mut [0; 4]))
    }

    #[inline(always)]
    fn serialize_str(self, value: &str) -> Result<()> {
        match self.0 {
            Node::String(values) => fitted(values.push(value)),
            node => logical::text(node, value),
        }
    }

    #[inline(always)]
    fn serialize_bytes(self, value: &[u8]) -> Result<()> {
        match self.0 {
            Node::Bytes(values) => fitted(values.push(value)),
            node => logical::bytes(node, value),
        }
    }

    #[inline(always)]
    fn serialize_none(self) -> Result<()> {
        match self.0 {
            Node::Optional(list) if list.null == Null::None => list.offsets.push_empty(),
            _ => return Err(FastPathMiss),
        }
        Ok(())
    }

    #[inline(always)]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<()> {
        let Node::Optional(list) = self.0 else { return Err(FastPathMiss) };
        if list.null == Null::Absent && matches!(list.item, Node::Optional(_) | Node::Null) {
            return Err(FastPathMiss);
        }
        list.offsets.push_one();
        value.serialize(Fast(&mut list.item))
    }

    #[inline(always)]
    fn serialize_unit(self) -> Result<()> {
        fitted(matches!(self.0, Node::Null))
    }

    #[inline(always)]
    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    #[inline(always)]
    fn serialize_unit_variant(self, name: &'static str, index: u32, variant: &'static str) -> Result<()> {
        match self.0 {
            Node::Enum(symbols) => symbols.push(index, variant),
            Node::Union(union) => union.push_symbol(name, index, variant),
            _ => Err(FastPathMiss),
        }
    }

    #[inline(always)]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<()> {
        // As the names of marks do.
        let node =
            if name.as_bytes().first() == Some(&b'$') { logical::marked(self.0, name)? } else { self.0 };
        value.serialize(Fast(node))
    }

    #[inline(always)]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        let Node::Union(union) = self.0 else { return Err(FastPathMiss) };
        let mut field = record::Fields::of_tuple(union.enter(index, variant, Form::NewtypeVariant)?, 1)?;
        field.next(value)
    }

    #[inline(always)]
    fn serialize_seq(self, _len: Option<usize>) -> Result<Self::SerializeSeq> {
        let node = if matches!(self.0, Node::List(_)) { self.0 } else { present(self.0)? };
        let Node::List(list) = node else { return Err(FastPathMiss) };
        Ok(list::Items::new(list))
    }

    #[inline(always)]
    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple> {
        if len > TUPLE_COLUMNS_MAX {
            return self.serialize_seq(Some(len)).map(list::Tuple::Items);
        }
        let Node::Tuple(record) = self.0 else { return Err(FastPathMiss) };
        record::Fields::of_tuple(&mut record.fields, len).map(list::Tuple::Fields)
    }

    #[inline(always)]
    fn serialize_tuple_struct(self, _name: &'static str, len: usize) -> Result<Self::SerializeTupleStruct> {
        self.serialize_tuple(len)
    }

    #[inline(always)]
    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        let Node::Union(union) = self.0 else { return Err(FastPathMiss) };
        let fields = union.enter(index, variant, Form::TupleVariant)?;
        record::Fields::of_tuple(fields, len).map(list::Tuple::Fields)
    }

    #[inline(always)]
    fn serialize_map(self, _len: Option<usize>) -> Result<Self::SerializeMap> {
        let node = if matches!(self.0, Node::Map(_)) { self.0 } else { present(self.0)? };
        let Node::Map(map) = node else { return Err(FastPathMiss) };
        Ok(map::Entries::new(map))
    }

    #[inline(always)]
    fn serialize_struct(self, _name: &'static str, len: usize) -> Result<Self::SerializeStruct> {
        let Node::Record(record) = self.0 else { return Err(FastPathMiss) };
        record::Fields::new(&mut record.fields, len)
    }

    #[inline(always)]
    fn serialize_struct_variant(
        self,
        _name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStructVariant> {
        let Node::Union(union) = self.0 else { return Err(FastPathMiss) };
        record::Fields::new(union.enter(index, variant, Form::StructVariant)?, len)
    }

    /// As on the slow path.
    #[inline(always)]
    fn is_human_readable(&self) -> bool {
        true
    }
}
