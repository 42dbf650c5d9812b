//! Rows that look like the rows before: values are taken from one tree, with one look for each.
//!
//! What a value of another kind would need is not here, so that all of a row's `Deserialize` becomes one
//! piece of code. Where a value is not what is asked for, the row is [`Stray`], and is read once
//! more the general way, which converts, or says what is wrong and where.

mod access;
mod named;
mod node;

pub(crate) use node::Node;

use super::entry::Entry;
use super::{Context, De, RAW_VALUE, Transient};
use crate::error::Result as TrevniResult;
use crate::stray::Stray;
use access::{Fields, Items};
use node::{Below, Other};
use serde::de::{self, Deserializer as _, Visitor};
use std::marker::PhantomData;

type Result<T> = std::result::Result<T, Stray>;

/// A value on its way to a visitor. Two words, which pass in registers.
#[derive(Clone, Copy)]
pub(crate) struct Straight<'n> {
    pub(crate) node: &'n Node,
    pub(crate) index: usize,
}

impl<'n> Straight<'n> {
    /// All fields of a struct or a tuple.
    #[inline(always)]
    fn fields(self) -> Fields<'n> {
        Fields { nodes: self.node.record.nodes(), index: self.index }
    }

    /// Goes the general way, where the tree ends.
    #[inline(always)]
    fn elsewhere<T>(
        self,
        read: impl for<'e> FnOnce(De<'e, 'e, 'n, Transient>) -> TrevniResult<T>,
    ) -> Result<T> {
        // A place of its own: what the value comes back in is memory that what is read straight would have
        // to pass through too.
        let mut place = None;
        self.general(read, &mut place);
        place.ok_or(Stray)
    }

    #[inline(never)]
    fn general<T>(
        self,
        read: impl for<'e> FnOnce(De<'e, 'e, 'n, Transient>) -> TrevniResult<T>,
        place: &mut Option<T>,
    ) {
        if let Below::Other(other) = &self.node.below {
            let Other { plan, vector } = &**other;
            let context = Context::new(None, false);
            let entry =
                Entry { plan, vector, index: self.index, context: &context, lend: PhantomData::<Transient> };
            *place = read(entry.de()).ok().filter(|_| !context.left_over.get());
        }
    }

    /// A struct that is not known by its address yet, by the names of its fields, or the general way; see
    /// [`Straight::elsewhere`].
    #[inline(never)]
    fn struct_elsewhere<'de, V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
        place: &mut Option<V::Value>,
    ) {
        match &self.node.below {
            Below::Struct(_) => {
                let nodes = self.node.record.of_equal(fields);
                let index = self.index;
                *place = nodes.and_then(|nodes| visitor.visit_seq(Fields { nodes, index }).ok());
            }
            Below::Named(record) => {
                let fields = record.of_struct(fields, self.index);
                *place = fields.and_then(|fields| visitor.visit_map(fields).ok());
            }
            _ => self.general(|value| value.deserialize_struct("", fields, visitor), place),
        }
    }
}

/// Integers: first the width that is mostly meant, then the others.
macro_rules! integers {
    ($($method:ident $visit:ident $kind:ty: $($values:ident)*;)*) => {
        $(#[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            $(if let Some(value) = self.node.$values.get(self.index) {
                return match <$kind>::try_from(*value) {
                    Ok(value) => visitor.$visit(value),
                    Err(_) => Err(Stray),
                };
            })*
            Err(Stray)
        })*
    };
}

macro_rules! simple {
    ($($method:ident $visit:ident $values:ident;)*) => {
        $(#[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.node.$values.get(self.index) {
                Some(value) => visitor.$visit(*value),
                None => Err(Stray),
            }
        })*
    };
}

macro_rules! blobs {
    ($($method:ident $visit:ident $values:ident;)*) => {
        $(#[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.node.$values.get(self.index) {
                Some(value) => visitor.$visit(value),
                None => Err(Stray),
            }
        })*
    };
}

macro_rules! elsewhere {
    ($($method:ident($($name:ident: $kind:ty),*))*) => {
        $(#[inline]
        fn $method<V: Visitor<'de>>(self, $($name: $kind,)* visitor: V) -> Result<V::Value> {
            self.elsewhere(move |value| value.$method($($name,)* visitor))
        })*
    };
}

impl<'de> de::Deserializer<'de> for Straight<'_> {
    type Error = Stray;

    integers! {
        deserialize_i8 visit_i8 i8: ints longs;
        deserialize_i16 visit_i16 i16: ints longs;
        deserialize_i32 visit_i32 i32: ints longs;
        deserialize_i64 visit_i64 i64: longs ints;
        deserialize_u8 visit_u8 u8: ints longs;
        deserialize_u16 visit_u16 u16: ints longs;
        deserialize_u32 visit_u32 u32: longs ints;
        deserialize_u64 visit_u64 u64: longs ints unsigned;
    }

    simple! {
        deserialize_bool visit_bool booleans;
        deserialize_f32 visit_f32 floats;
        deserialize_f64 visit_f64 doubles;
    }

    blobs! {
        deserialize_char visit_str texts;
        deserialize_str visit_str texts;
        deserialize_string visit_str texts;
        deserialize_identifier visit_str texts;
        deserialize_bytes visit_bytes bytes;
        deserialize_byte_buf visit_bytes bytes;
    }

    #[inline(always)]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let some = match &self.node.below {
            Below::Optional(offsets, item) => match offsets.range(self.index) {
                Some(range) if range.is_empty() => return visitor.visit_none(),
                Some(range) => Straight { node: item, index: range.start },
                None => return Err(Stray),
            },
            Below::Null(_) => return visitor.visit_none(),
            Below::Nothing => return Err(Stray),
            Below::Other(_) => return self.elsewhere(move |value| value.deserialize_option(visitor)),
            _ => self,
        };
        visitor.visit_some(some)
    }

    #[inline(always)]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if name == RAW_VALUE {
            return self.elsewhere(move |value| value.deserialize_newtype_struct(name, visitor));
        }
        visitor.visit_newtype_struct(self)
    }

    #[inline(always)]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match &self.node.below {
            Below::List(offsets, item) => match offsets.range(self.index) {
                Some(range) => visitor.visit_seq(Items::new(item, range)),
                None => Err(Stray),
            },
            Below::Tuple(_) => visitor.visit_seq(self.fields()),
            _ => self.elsewhere(move |value| value.deserialize_seq(visitor)),
        }
    }

    #[inline(always)]
    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value> {
        match &self.node.below {
            Below::Tuple(_) if self.node.record.nodes().len() == len => visitor.visit_seq(self.fields()),
            _ => self.deserialize_seq(visitor),
        }
    }

    #[inline(always)]
    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    #[inline(always)]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if let Some(nodes) = self.node.record.of_known(fields) {
            return visitor.visit_seq(Fields { nodes, index: self.index });
        }
        let mut place = None;
        self.struct_elsewhere(fields, visitor, &mut place);
        place.ok_or(Stray)
    }

    #[inline(always)]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match &self.node.below {
            Below::Null(_) => visitor.visit_unit(),
            _ => self.elsewhere(move |value| value.deserialize_unit(visitor)),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    elsewhere! {
        deserialize_any()
        deserialize_i128()
        deserialize_u128()
        deserialize_map()
        deserialize_enum(name: &'static str, variants: &'static [&'static str])
    }
}
