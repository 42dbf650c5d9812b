//! The fast path: values are taken from one tree, with one look for each.
//!
//! No message is here, so that all of a row's `Deserialize` becomes one piece of code. Where a
//! value is not what is asked for, the row misses, and is read once more by the slow path, which notes the
//! nodes that were not read, converts, or says what is wrong and where.

mod exchange;
mod hold;
mod list;
mod map;
mod named;
mod node;
mod record;
mod union;
mod value;
mod visit;

use crate::de::FastPathMiss;
pub(crate) use hold::{Copied, Held, Hold, Lend, Lent, Owned, View};
pub(crate) use node::Node;
pub(super) use record::CheckedFields;

use super::key::{FieldNames, NameValue};
use crate::private::{DATE, DATE_FIELD};
use hold::Str;
use list::{Bytes, Items};
use map::Entries;
use node::Below;
use serde::de::{self, Visitor};
use value::some;

type Result<T> = std::result::Result<T, FastPathMiss>;

/// A name on its way to a visitor.
struct Name<'n, L: View>(Str<'n, L>);

impl<'n, 'de, L: Lend<'n, 'de>> NameValue<'de> for Name<'n, L> {
    type Error = FastPathMiss;

    #[inline]
    fn get(&self) -> &str {
        &self.0
    }

    #[inline]
    fn show<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        L::show_str(self.0, visitor)
    }
}

/// A value on its way to a visitor. Two words, which pass in registers.
pub(crate) struct Fast<'n, L: View> {
    pub(crate) node: &'n Node<L::Hold>,
    pub(crate) index: usize,
}

impl<L: View> Clone for Fast<'_, L> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: View> Copy for Fast<'_, L> {}

/// Integers: the usual width first, then the others.
macro_rules! integers {
    ($($method:ident $visit:ident $kind:ty: $($values:ident)*;)*) => {
        $(#[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            $(if let Some(value) = self.node.$values.get(self.index) {
                return match <$kind>::try_from(*value) {
                    Ok(value) => visitor.$visit(value),
                    Err(_) => Err(FastPathMiss::new()),
                };
            })*
            Err(FastPathMiss::new())
        })*
    };
}

/// Floats of the width that is meant. Others miss: with a second look, structs of floats are too large to become
/// part of the code around them.
macro_rules! floats {
    ($($method:ident $visit:ident $values:ident;)*) => {
        $(#[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.node.$values.get(self.index) {
                Some(value) => visitor.$visit(*value),
                None => Err(FastPathMiss::new()),
            }
        })*
    };
}

macro_rules! texts {
    ($($method:ident)*) => {
        $(#[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            if let Some(text) = L::Hold::lend_text(&self.node.texts, self.index) {
                return L::show_str(text, visitor);
            }
            let mut place = None;
            self.text_elsewhere(visitor, &mut place);
            place.ok_or_else(FastPathMiss::new)
        })*
    };
}

macro_rules! bytes {
    ($($method:ident)*) => {
        $(#[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match &self.node.below {
                Below::Bytes | Below::Logical(_) => match L::Hold::lend_bytes(&self.node.bytes, self.index) {
                    Some(bytes) => L::show_bytes(bytes, visitor),
                    None => Err(FastPathMiss::new()),
                },
                _ => Err(FastPathMiss::new()),
            }
        })*
    };
}

impl<'n, 'de, L: Lend<'n, 'de>> de::Deserializer<'de> for Fast<'n, L> {
    type Error = FastPathMiss;

    integers! {
        deserialize_i8 visit_i8 i8: ints longs;
        deserialize_i16 visit_i16 i16: ints longs;
        deserialize_i32 visit_i32 i32: ints longs;
        deserialize_i64 visit_i64 i64: longs ints;
        deserialize_u8 visit_u8 u8: ints longs;
        deserialize_u16 visit_u16 u16: ints longs;
        deserialize_u32 visit_u32 u32: longs ints;
    }

    #[inline(always)]
    fn deserialize_u64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if let Some(value) = self.node.longs.get(self.index) {
            return u64::try_from(*value)
                .map_or_else(|_| Err(FastPathMiss::new()), |value| visitor.visit_u64(value));
        }
        if let Some(value) = self.node.ints.get(self.index) {
            return u64::try_from(*value)
                .map_or_else(|_| Err(FastPathMiss::new()), |value| visitor.visit_u64(value));
        }
        match self.node.unsigned.get(self.index) {
            Some(value) => visitor.visit_u64(value.cast_unsigned()),
            None => Err(FastPathMiss::new()),
        }
    }

    floats! {
        deserialize_f32 visit_f32 floats;
        deserialize_f64 visit_f64 doubles;
    }

    #[inline(always)]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.node.booleans.get(self.index) {
            Some(value) => visitor.visit_bool(*value),
            None => Err(FastPathMiss::new()),
        }
    }

    texts! { deserialize_char deserialize_str deserialize_string }

    /// Tags of enums are strings, or symbols.
    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if let Some(text) = L::Hold::lend_text(&self.node.texts, self.index) {
            return L::show_str(text, visitor);
        }
        let mut place = None;
        self.visit_other(visitor, &mut place);
        place.ok_or_else(FastPathMiss::new)
    }

    bytes! { deserialize_bytes deserialize_byte_buf }

    #[inline]
    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.visit_scalar(visitor)
    }

    #[inline]
    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.visit_scalar(visitor)
    }

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.visit(visitor)
    }

    #[inline(always)]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let value = match &self.node.below {
            Below::Optional(_, offsets, item) => match some(offsets, item, self.index)? {
                Some(some) => some,
                None => return visitor.visit_none(),
            },
            Below::Null(_) => return visitor.visit_none(),
            Below::Nothing | Below::Unread(_) => return Err(FastPathMiss::new()),
            _ => self,
        };
        visitor.visit_some(value)
    }

    #[inline(always)]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        // As those of serde_json and of this crate do.
        if name.as_bytes().first() == Some(&b'$') {
            return self.visit_marked(name, visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    #[inline(always)]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match &self.node.below {
            Below::List(offsets, item) => match L::Hold::range(offsets, self.index) {
                Some(range) => visitor.visit_seq(Items::<L>::new(item, range)),
                None => Err(FastPathMiss::new()),
            },
            Below::Tuple(_) => visitor.visit_seq(self.fields()),
            Below::Bytes | Below::Logical(_) => match L::Hold::bytes(&self.node.bytes, self.index) {
                Some(bytes) => visitor.visit_seq(Bytes(bytes)),
                None => Err(FastPathMiss::new()),
            },
            _ => Err(FastPathMiss::new()),
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

    #[inline]
    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match &self.node.below {
            Below::Map(offsets, entry) => match L::Hold::range(offsets, self.index) {
                Some(range) => visitor.visit_map(Entries::<L>::new(entry, FieldNames::AsTheyAre, range)),
                None => Err(FastPathMiss::new()),
            },
            _ => self.visit_inner(visitor),
        }
    }

    #[inline(always)]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        // The name is mostly known to the compiler.
        if name.as_bytes().first() == Some(&b'$') && name == DATE {
            return self.string_struct(DATE_FIELD, visitor);
        }
        if let Some(fields) = self.node.record.of_known::<L>(fields, self.index) {
            return visitor.visit_seq(fields);
        }
        let mut place = None;
        self.struct_elsewhere(fields, visitor, &mut place);
        place.ok_or_else(FastPathMiss::new)
    }

    #[inline]
    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_enum(self.variant(variants)?)
    }

    #[inline(always)]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }

    #[inline]
    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match &self.node.below {
            Below::Null(_) => visitor.visit_unit(),
            _ => self.visit_inner(visitor),
        }
    }

    #[inline]
    fn deserialize_unit_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }
}
