//! The fast path, for rows that look like the rows before: each value is pushed to the vector that is
//! next. Whatever is not as expected ends the row, which then takes the slow path.
//!
//! All of it is inlined into the `serialize` of the rows' types, and nothing else is: no shape, no growth,
//! no message.

mod list;
mod logical;
mod node;
mod record;
mod recorded;
mod replay;
mod union;

pub(super) use node::{Node, Rules};
#[cfg(test)]
pub(super) use record::SEARCHES_MAX;
pub(super) use recorded::recorded_so_far;
pub(super) use replay::Entry;

use super::TUPLE_COLUMNS_MAX;
use crate::private::{NUMBER, RAW_VALUE};
use crate::ser::miss::FastPathMiss;
use crate::shape::{Form, Null};
use serde::ser::{self, Serialize};

type Result<T> = std::result::Result<T, FastPathMiss>;

/// A variant of an enum.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Variant {
    /// The name of the enum.
    name: &'static str,
    index: u32,
    variant: &'static str,
}

/// The result of a push that says whether the value fitted.
#[inline(always)]
fn fitted(pushed: bool) -> Result<()> {
    if pushed { Ok(()) } else { Err(FastPathMiss) }
}

/// Takes an integer where a wider one has been seen, or records it.
#[cold]
#[inline(never)]
fn wider(node: &mut Node, value: i128, record: impl FnOnce(&mut Node) -> Result<()>) -> Result<()> {
    match (&mut *node, i64::try_from(value)) {
        (Node::Long { values, unsigned: false, logical: None }, Ok(value)) => values.push(value),
        (Node::I128(values), _) => return fitted(values.push(&value.to_be_bytes())),
        _ => return record(node),
    }
    Ok(())
}

/// The node of a value of a field that other rows skip. For strings, lists and maps, which rows skip where they are
/// empty; for numbers this look would cost all fields that are never skipped.
#[cold]
fn present(node: &mut Node) -> &mut Node {
    let is_skipped = matches!(node, Node::Optional(list) if list.null == Null::Absent);
    match (node, is_skipped) {
        (Node::Optional(list), true) => {
            list.offsets.push_one();
            &mut list.item
        }
        (node, _) => node,
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
    type SerializeMap = list::Entries<'a>;
    type SerializeStruct = record::Fields<'a>;
    type SerializeStructVariant = record::Fields<'a>;

    #[inline(always)]
    fn serialize_bool(self, value: bool) -> Result<()> {
        if let Node::Boolean(values) = &mut *self.0 {
            values.push(value);
            return Ok(());
        }
        self.0.record_bool(value)
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
        if let Node::Int { values, .. } = &mut *self.0 {
            values.push(value);
            return Ok(());
        }
        wider(self.0, value.into(), |node| node.record_int(value))
    }

    #[inline(always)]
    fn serialize_i64(self, value: i64) -> Result<()> {
        match self.0 {
            Node::Long { values, unsigned: false, .. } => values.push(value),
            node => return wider(node, value.into(), |node| node.record_long(value)),
        }
        Ok(())
    }

    #[inline(always)]
    fn serialize_i128(self, value: i128) -> Result<()> {
        match self.0 {
            Node::I128(values) => fitted(values.push(&value.to_be_bytes())),
            node => node.record_i128(value),
        }
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
            node => return wider(node, value.into(), |node| node.record_unsigned(value)),
        }
        Ok(())
    }

    #[inline(always)]
    fn serialize_u128(self, value: u128) -> Result<()> {
        match self.0 {
            Node::U128(values) => fitted(values.push(&value.to_be_bytes())),
            node => node.record_u128(value),
        }
    }

    #[inline(always)]
    fn serialize_f32(self, value: f32) -> Result<()> {
        if let Node::Float(values) = &mut *self.0 {
            values.push(value);
            return Ok(());
        }
        self.0.record_float(value)
    }

    #[inline(always)]
    fn serialize_f64(self, value: f64) -> Result<()> {
        if let Node::Double(values) = &mut *self.0 {
            values.push(value);
            return Ok(());
        }
        self.0.record_double(value)
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
            node => return node.record_none(),
        }
        Ok(())
    }

    #[inline(always)]
    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Result<()> {
        let item = match self.0 {
            Node::Optional(list) if !list.is_nested() => {
                list.offsets.push_one();
                &mut list.item
            }
            node => node.record_some()?,
        };
        value.serialize(Fast(item))
    }

    #[inline(always)]
    fn serialize_unit(self) -> Result<()> {
        if let Node::Null(len) = &mut *self.0 {
            *len += 1;
            return Ok(());
        }
        self.0.record_unit()
    }

    #[inline(always)]
    fn serialize_unit_struct(self, _name: &'static str) -> Result<()> {
        self.serialize_unit()
    }

    #[inline(always)]
    fn serialize_unit_variant(self, name: &'static str, index: u32, variant: &'static str) -> Result<()> {
        let pushed = match &mut *self.0 {
            Node::Enum(symbols) => symbols.push(index, variant),
            Node::Union(union) => union.push_symbol(name, index, variant),
            _ => false,
        };
        if pushed { Ok(()) } else { self.0.record_unit_variant(name, index, variant) }
    }

    #[inline(always)]
    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, name: &'static str, value: &T) -> Result<()> {
        // As the names of marks do.
        if name.as_bytes().first() == Some(&b'$') {
            return logical::marked(self.0, name, |node| value.serialize(Fast(node)));
        }
        value.serialize(self)
    }

    #[inline(always)]
    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        value: &T,
    ) -> Result<()> {
        let variant = Variant { name, index, variant };
        let node = match union::enter(self.0, variant, Form::NewtypeVariant, 1) {
            Ok([field, ..]) => &mut field.node,
            Ok([]) => return Err(FastPathMiss),
            Err(node) => node.record_newtype_variant(variant)?,
        };
        value.serialize(Fast(node))
    }

    #[inline(always)]
    fn serialize_seq(self, _len: Option<usize>) -> Result<Self::SerializeSeq> {
        let node = if matches!(self.0, Node::List(_)) { self.0 } else { present(self.0) };
        Ok(list::Items::new(match node {
            Node::List(list) => list,
            node => node.record_list()?,
        }))
    }

    #[inline(always)]
    fn serialize_tuple(self, len: usize) -> Result<Self::SerializeTuple> {
        self.serialize_tuple_struct("", len)
    }

    #[inline(always)]
    fn serialize_tuple_struct(self, name: &'static str, len: usize) -> Result<Self::SerializeTupleStruct> {
        if len > TUPLE_COLUMNS_MAX {
            return self.serialize_seq(Some(len)).map(list::Tuple::Items);
        }
        let is_taken = matches!(self.0, Node::Tuple(record) if record.fields.len() == len + 1);
        match (self.0, is_taken) {
            (Node::Tuple(record), true) => {
                record::Fields::from_tuple(&mut record.fields, len).map(list::Tuple::Fields)
            }
            (node, _) => Ok(list::Tuple::Items(list::Items::new(node.record_tuple(name, len)?))),
        }
    }

    #[inline(always)]
    fn serialize_tuple_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeTupleVariant> {
        let variant = Variant { name, index, variant };
        match union::enter(self.0, variant, Form::TupleVariant, len) {
            Ok(fields) => record::Fields::from_tuple(fields, len).map(list::Tuple::Fields),
            Err(node) => Ok(list::Tuple::Items(list::Items::new(node.record_tuple_variant(variant, len)?))),
        }
    }

    #[inline(always)]
    fn serialize_map(self, len: Option<usize>) -> Result<Self::SerializeMap> {
        let node = if matches!(self.0, Node::Map(_)) { self.0 } else { present(self.0) };
        let map = match node {
            Node::Map(map) => map,
            node => node.record_map()?,
        };
        map.is_open |= len.is_none();
        Ok(list::Entries::new(map))
    }

    #[inline(always)]
    fn serialize_struct(self, name: &'static str, len: usize) -> Result<Self::SerializeStruct> {
        // A number of serde_json is no record, nor is raw JSON. The name is mostly known to the compiler.
        let is_private = name.as_bytes().first() == Some(&b'$');
        if is_private && name == RAW_VALUE {
            return record::Fields::new(logical::enter(self.0)?, 1);
        }
        let is_number = is_private && name == NUMBER;
        let is_taken = matches!(self.0, Node::Record(record) if record.fields.len() > len && !is_number);
        let fields = match (self.0, is_taken) {
            (Node::Record(record), true) => &mut record.fields,
            (node, _) => node.record_struct(name, len)?,
        };
        record::Fields::new(fields, len)
    }

    #[inline(always)]
    fn serialize_struct_variant(
        self,
        name: &'static str,
        index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Self::SerializeStructVariant> {
        let variant = Variant { name, index, variant };
        let fields = match union::enter(self.0, variant, Form::StructVariant, len) {
            Ok(fields) => fields,
            Err(node) => node.record_struct_variant(variant, len)?,
        };
        record::Fields::new(fields, len)
    }

    /// As on the slow path.
    #[inline(always)]
    fn is_human_readable(&self) -> bool {
        true
    }
}
