//! The fast path: values are taken from one tree, with one look for each.
//!
//! No message and no loading is here, so that all of a row's `Deserialize` becomes one piece of code. Where a
//! value is not what is asked for, the row misses, and is read once more by the slow path, which decodes what
//! is asked for late, converts, or says what is wrong and where.

mod hold;
mod list;
mod map;
mod node;
mod record;
mod union;

pub(crate) use crate::miss::FastPathMiss;
pub(crate) use hold::{Hold, Lend, Lent, Owned};
pub(crate) use node::Node;

use super::RAW_VALUE;
use super::key::FieldNames;
use super::plan::RecordPlan;
use super::scalar::Scalar;
use crate::shape::Null;
use list::{Bytes, Items};
use map::Entries;
use node::Below;
use record::{CheckedFields, Fields, NamedFields, Record};
use serde::de::{self, Visitor};
use union::Tagged;

type Result<T> = std::result::Result<T, FastPathMiss>;

/// A value on its way to a visitor. Two words, which pass in registers.
pub(crate) struct Fast<'n, H: Hold> {
    pub(crate) node: &'n Node<H>,
    pub(crate) index: usize,
}

impl<H: Hold> Clone for Fast<'_, H> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<H: Hold> Copy for Fast<'_, H> {}

/// The fields that a struct is given.
enum Found<'n, H: Hold> {
    /// In its order.
    Positions(&'n Record<H>, &'n RecordPlan, CheckedFields<'n, H>),
    Names(NamedFields<'n, H>),
    Nothing,
}

impl<'n, H: Hold> Fast<'n, H> {
    /// All fields of a tuple.
    #[inline(always)]
    fn fields(self) -> Fields<'n, H> {
        self.node.record.fields(self.index)
    }

    /// Whether this is a record without fields.
    fn is_empty(self) -> bool {
        matches!(&self.node.below, Below::Tuple(rest) | Below::Struct(_, rest) if H::fields(rest) == 0)
    }

    /// The value within optionals and unions; none where there is none. Variants of enums stay.
    fn inner(self) -> Result<Option<Self>> {
        let mut value = self;
        loop {
            value = match &value.node.below {
                Below::Optional(_, offsets, item) => match H::range(offsets, value.index) {
                    Some(range) if range.is_empty() => return Ok(None),
                    Some(range) => Self { node: item, index: range.start },
                    None => return Err(FastPathMiss),
                },
                Below::Union(union) => union.value(value.index)?,
                _ => return Ok(Some(value)),
            };
        }
    }

    /// Whether there is nothing but `Some`s around a null.
    fn is_null(self) -> Result<bool> {
        let mut value = self;
        loop {
            value = match &value.node.below {
                Below::Null(_) => return Ok(true),
                Below::Optional(_, offsets, item) => match H::range(offsets, value.index) {
                    Some(range) if range.is_empty() => return Ok(true),
                    Some(range) => Self { node: item, index: range.start },
                    None => return Err(FastPathMiss),
                },
                _ => return Ok(false),
            };
        }
    }

    /// The value where it is one number or boolean.
    #[inline]
    fn as_scalar(self) -> Result<Option<Scalar>> {
        let Self { node, index } = self;
        let scalar = match &node.below {
            Below::Booleans => node.booleans.get(index).map(|value| Scalar::Boolean(*value)),
            Below::Ints => node.ints.get(index).map(|value| Scalar::Int(*value)),
            Below::Longs => node.longs.get(index).map(|value| Scalar::Long(*value)),
            Below::Unsigned => node.unsigned.get(index).map(|value| Scalar::Unsigned(value.cast_unsigned())),
            Below::Floats => node.floats.get(index).map(|value| Scalar::Float(*value)),
            Below::Doubles => node.doubles.get(index).map(|value| Scalar::Double(*value)),
            Below::I128(bytes) => Scalar::wide(H::bytes(bytes, index), true),
            Below::U128(bytes) => Scalar::wide(H::bytes(bytes, index), false),
            _ => return Ok(None),
        };
        scalar.map(Some).ok_or(FastPathMiss)
    }

    /// What a struct is given that is not known by its address.
    fn struct_fields(self, names: &'static [&'static str]) -> Result<Found<'n, H>> {
        let Some(Self { node, index }) = self.inner()? else {
            return Ok(Found::Nothing);
        };
        Ok(match &node.below {
            Below::Struct(plan, _) if plan.is_asked_by(names) => {
                Found::Positions(&node.record, plan, node.record.checked(index))
            }
            Below::Named(record) => record.of_struct(names, index).map_or(Found::Nothing, Found::Names),
            _ => Found::Nothing,
        })
    }
}

impl<'n, 'de, H: Lend<'de>> Fast<'n, H> {
    /// A struct that is not known by its address yet.
    // What the value comes back in is a place of its own, or else it is memory that what is read fast would
    // have to pass through too.
    #[inline(never)]
    fn struct_elsewhere<V: Visitor<'de>>(
        self,
        names: &'static [&'static str],
        visitor: V,
        place: &mut Option<V::Value>,
    ) {
        match self.struct_fields(names) {
            Ok(Found::Positions(record, plan, fields)) => {
                let value = visitor.visit_seq(fields);
                if record.end(plan, names, value.is_ok()) {
                    *place = value.ok();
                }
            }
            Ok(Found::Names(fields)) => *place = visitor.visit_map(fields).ok(),
            Ok(Found::Nothing) | Err(_) => {}
        }
    }

    /// The value as what the file says it is.
    #[inline(never)]
    fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let mut value = self;
        loop {
            let Self { node, index } = value;
            match &node.below {
                Below::Nothing | Below::Nowhere(_) => return Err(FastPathMiss),
                Below::Null(_) => return visitor.visit_unit(),
                Below::Texts => return H::show_text(&node.texts, index, visitor),
                // A sequence of numbers is what serde_json makes of bytes, and all its targets take.
                Below::Bytes => {
                    let bytes = H::bytes(&node.bytes, index).ok_or(FastPathMiss)?;
                    return visitor.visit_seq(Bytes(bytes));
                }
                Below::Enum(symbols, ordinals) => {
                    return visitor.visit_str(union::symbol(symbols, ordinals, index)?);
                }
                Below::Struct(..) => return Err(FastPathMiss),
                Below::Named(record) => {
                    return visitor.visit_map(record.all(index).ok_or(FastPathMiss)?);
                }
                Below::Tuple(_) => return visitor.visit_seq(value.fields()),
                Below::Variant(plan, record) => {
                    return visitor.visit_map(Tagged::new(plan, record, index));
                }
                Below::List(offsets, item) => {
                    let range = H::range(offsets, index).ok_or(FastPathMiss)?;
                    return visitor.visit_seq(Items::new(item, range));
                }
                Below::Map(offsets, entry) => {
                    let range = H::range(offsets, index).ok_or(FastPathMiss)?;
                    return visitor.visit_map(Entries::new(entry, FieldNames::Text, range));
                }
                Below::Optional(plan, offsets, item) => match H::range(offsets, index) {
                    None => return Err(FastPathMiss),
                    Some(range) if range.is_empty() => return visitor.visit_unit(),
                    Some(range) => {
                        let some = Self { node: item, index: range.start };
                        // `Some(None)` and `Some(())` differ from `None` only like this.
                        if plan.null != Null::Absent && some.is_null()? {
                            return visitor.visit_some(some);
                        }
                        value = some;
                    }
                },
                Below::Union(union) => value = union.value(index)?,
                _ => {
                    return match value.as_scalar()? {
                        Some(scalar) => scalar.visit(visitor),
                        None => Err(FastPathMiss),
                    };
                }
            }
        }
    }

    /// The same, for a value of another kind than was asked for; see [`Fast::struct_elsewhere`].
    #[cold]
    #[inline(never)]
    fn visit_other<V: Visitor<'de>>(self, visitor: V, place: &mut Option<V::Value>) {
        *place = self.visit(visitor).ok();
    }

    /// The same, for a value that optionals and unions do not matter to: null is null, also where it is `Some`.
    #[inline(never)]
    fn visit_inner<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.inner()? {
            Some(value) => value.visit(visitor),
            None => visitor.visit_unit(),
        }
    }
}

/// Integers: the usual width first, then the others.
macro_rules! integers {
    ($($method:ident $visit:ident $kind:ty: $($values:ident)*;)*) => {
        $(#[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            $(if let Some(value) = self.node.$values.get(self.index) {
                return match <$kind>::try_from(*value) {
                    Ok(value) => visitor.$visit(value),
                    Err(_) => Err(FastPathMiss),
                };
            })*
            Err(FastPathMiss)
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
                None => Err(FastPathMiss),
            }
        })*
    };
}

macro_rules! texts {
    ($($method:ident)*) => {
        $(#[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            H::show_text(&self.node.texts, self.index, visitor)
        })*
    };
}

macro_rules! bytes {
    ($($method:ident)*) => {
        $(#[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match &self.node.below {
                Below::Bytes => H::show_bytes(&self.node.bytes, self.index, visitor),
                _ => Err(FastPathMiss),
            }
        })*
    };
}

impl<'de, H: Lend<'de>> de::Deserializer<'de> for Fast<'_, H> {
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
            return u64::try_from(*value).map_or(Err(FastPathMiss), |value| visitor.visit_u64(value));
        }
        if let Some(value) = self.node.ints.get(self.index) {
            return u64::try_from(*value).map_or(Err(FastPathMiss), |value| visitor.visit_u64(value));
        }
        match self.node.unsigned.get(self.index) {
            Some(value) => visitor.visit_u64(value.cast_unsigned()),
            None => Err(FastPathMiss),
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
            None => Err(FastPathMiss),
        }
    }

    texts! { deserialize_char deserialize_str deserialize_string }

    /// Tags of enums are texts, or symbols.
    #[inline]
    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if H::text(&self.node.texts, self.index).is_some() {
            return H::show_text(&self.node.texts, self.index, visitor);
        }
        let mut place = None;
        self.visit_other(visitor, &mut place);
        place.ok_or(FastPathMiss)
    }

    bytes! { deserialize_bytes deserialize_byte_buf }

    #[inline]
    fn deserialize_i128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.visit(visitor)
    }

    #[inline]
    fn deserialize_u128<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.visit(visitor)
    }

    #[inline]
    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.visit(visitor)
    }

    #[inline(always)]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let some = match &self.node.below {
            Below::Optional(_, offsets, item) => match H::range(offsets, self.index) {
                Some(range) if range.is_empty() => return visitor.visit_none(),
                Some(range) => Fast { node: item, index: range.start },
                None => return Err(FastPathMiss),
            },
            Below::Null(_) => return visitor.visit_none(),
            Below::Nothing | Below::Nowhere(_) => return Err(FastPathMiss),
            _ => self,
        };
        visitor.visit_some(some)
    }

    #[inline(always)]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if name == RAW_VALUE {
            return self.deserialize_map(visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    #[inline(always)]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match &self.node.below {
            Below::List(offsets, item) => match H::range(offsets, self.index) {
                Some(range) => visitor.visit_seq(Items::new(item, range)),
                None => Err(FastPathMiss),
            },
            Below::Tuple(_) => visitor.visit_seq(self.fields()),
            Below::Bytes => match H::bytes(&self.node.bytes, self.index) {
                Some(bytes) => visitor.visit_seq(Bytes(bytes)),
                None => Err(FastPathMiss),
            },
            _ => Err(FastPathMiss),
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
            Below::Map(offsets, entry) => match H::range(offsets, self.index) {
                Some(range) => visitor.visit_map(Entries::new(entry, FieldNames::AsTheyAre, range)),
                None => Err(FastPathMiss),
            },
            _ => self.visit_inner(visitor),
        }
    }

    #[inline(always)]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if let Some(fields) = self.node.record.of_known(fields, self.index) {
            return visitor.visit_seq(fields);
        }
        let mut place = None;
        self.struct_elsewhere(fields, visitor, &mut place);
        place.ok_or(FastPathMiss)
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
