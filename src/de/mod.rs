//! Batches into serde values: each value is taken from the vector of its node, by position.

mod access;
mod context;
mod entry;
mod key;
mod plan;
mod straight;
mod variant;

pub(crate) use context::{Borrowed, Context, Lend, Load, Transient};
pub(crate) use plan::{Plan, Reordered};
pub(crate) use straight::{Node, Straight};

use crate::error::{Error, Result};
use crate::shape::Form;
use crate::vector::Vector;
use access::{First, FirstAccess};
use entry::{Entry, at, item, missing};
use key::FieldNames;
use serde::de::{self, Visitor};
use std::marker::PhantomData;

impl Context<'_> {
    /// Deserializes an entry with a seed, which can be tried only once.
    #[inline]
    pub(crate) fn seed<'de, S: de::DeserializeSeed<'de>>(
        &self,
        seed: S,
        plan: &Plan,
        vector: &Vector,
        index: usize,
    ) -> Result<S::Value> {
        let entry = Entry::<Transient> { plan, vector, index, context: self, lend: PhantomData };
        let value = seed.deserialize(entry.de());
        if self.left_over.get() && value.is_ok() { Err(left_over()) } else { value }
    }

    /// Deserializes an entry. Structs take their fields by position where they can; a type that does
    /// not like that gets them by name, now and later.
    #[inline]
    pub(crate) fn entry<'v, 'de, L: Lend<'v, 'de>, T: de::Deserialize<'de>>(
        &self,
        plan: &Plan,
        vector: &'v Vector,
        index: usize,
    ) -> Result<T> {
        let entry = Entry::<L> { plan, vector, index, context: self, lend: PhantomData };
        self.positions_used.set(false);
        let value = T::deserialize(entry.de());
        let fits = value.is_ok() && !self.left_over.get();
        if fits || !self.positions_used.get() || self.names_only.get() {
            return value;
        }
        self.names_only.set(true);
        let again = T::deserialize(entry.de());
        self.names_only.set(again.is_ok());
        again
    }
}

/// A value on its way to a visitor. Two words, which pass in registers.
pub(crate) struct De<'n, 'a, 'v, L> {
    /// The entry, but for its index.
    base: &'n Entry<'a, 'v, L>,
    index: usize,
}

impl<L> Clone for De<'_, '_, '_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for De<'_, '_, '_, L> {}

/// The name that `serde_json::value::RawValue` asks for: it is written as a struct of one field, and read as a
/// map of it.
const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// What kind of value a type asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Any,
    Boolean,
    Integer,
    Float,
    Double,
    Text,
    Bytes,
}

impl<'a, 'v, L> De<'_, 'a, 'v, L> {
    /// The value as what the file says it is, not as what is asked for; notes where that differs.
    fn convert<'de, V: Visitor<'de>>(self, asked: Asked, visitor: V) -> Result<V::Value>
    where
        L: Lend<'v, 'de>,
    {
        let value = self.entry().loaded()?;
        let as_asked = match (value.vector, value.plan) {
            (Vector::Boolean(_), _) => asked == Asked::Boolean,
            (Vector::Int(_), _) | (Vector::Long(_), Plan::Plain | Plan::U64) => asked == Asked::Integer,
            (Vector::Float(_), _) => asked == Asked::Float,
            (Vector::Double(_), _) => asked == Asked::Double,
            (Vector::String(_), _) => asked == Asked::Text,
            (Vector::Bytes(_), Plan::Plain) => asked == Asked::Bytes,
            (Vector::Null(_) | Vector::Record(_) | Vector::List(_) | Vector::Optional(_), _) => false,
            // Read the general way anyhow, if as a whole.
            _ => asked == Asked::Any,
        };
        if !as_asked {
            self.base.context.not_straight.set(true);
        }
        value.visit(visitor)
    }

    #[inline(always)]
    fn entry(self) -> Entry<'a, 'v, L> {
        Entry { index: self.index, ..*self.base }
    }
}

/// Methods for numbers: the two vectors that mostly hold them first, then whatever is there.
macro_rules! numbers {
    ($($method:ident)*) => {
        $(#[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match (self.base.vector, self.base.plan) {
                (Vector::Int(values), _) => visitor.visit_i32(at(values, self.index)?),
                (Vector::Long(values), Plan::Plain) => visitor.visit_i64(at(values, self.index)?),
                _ => self.convert(Asked::Integer, visitor),
            }
        })*
    };
}

macro_rules! text {
    ($($method:ident)*) => {
        $(#[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.base.vector {
                Vector::String(values) => L::text(values.get(self.index).ok_or_else(missing)?, visitor),
                _ => self.convert(Asked::Text, visitor),
            }
        })*
    };
}

macro_rules! bytes {
    ($($method:ident)*) => {
        $(#[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.entry().inner()? {
                Some(value) => match (value.vector, value.plan) {
                    (Vector::Bytes(values), Plan::Plain) => {
                        L::bytes(values.get(value.index).ok_or_else(missing)?, visitor)
                    }
                    _ => value.de().convert(Asked::Bytes, visitor),
                },
                None => visitor.visit_unit(),
            }
        })*
    };
}

impl<'v, 'de, L: Lend<'v, 'de>> de::Deserializer<'de> for De<'_, '_, 'v, L> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.convert(Asked::Any, visitor)
    }

    #[inline(always)]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.base.vector {
            Vector::Boolean(values) => visitor.visit_bool(at(values, self.index)?),
            _ => self.convert(Asked::Boolean, visitor),
        }
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    #[inline(always)]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.base.vector {
            Vector::Float(values) => visitor.visit_f32(at(values, self.index)?),
            _ => self.convert(Asked::Float, visitor),
        }
    }

    #[inline(always)]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.base.vector {
            Vector::Double(values) => visitor.visit_f64(at(values, self.index)?),
            _ => self.convert(Asked::Double, visitor),
        }
    }

    text! { deserialize_char deserialize_str deserialize_string deserialize_identifier }

    bytes! { deserialize_bytes deserialize_byte_buf }

    #[inline(always)]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match (self.base.vector, self.base.plan) {
            (Vector::Optional(list), Plan::Optional(plan)) => match item(list, self.index)? {
                Some(index) => {
                    let some = Entry { plan: &plan.item, vector: &list.item, index, ..*self.base };
                    visitor.visit_some(some.de())
                }
                None => visitor.visit_none(),
            },
            (Vector::Null(_), _) => visitor.visit_none(),
            (Vector::Lazy(_), _) => self.entry().lazy_option(visitor),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.entry().inner()? {
            Some(value) => value.visit(visitor),
            None => visitor.visit_unit(),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if name == RAW_VALUE {
            return self.deserialize_map(visitor);
        }
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match (self.base.vector, self.base.plan) {
            (Vector::List(list), Plan::List(plan)) => self.entry().visit_list(list, plan, visitor),
            _ => match self.entry().inner()? {
                Some(value) => value.visit(visitor),
                None => visitor.visit_unit(),
            },
        }
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        match (self.base.vector, self.base.plan) {
            (Vector::Record(vector), Plan::Record(record)) if record.is_whole_tuple() => {
                let (fields, vectors) = (&*record.fields, &*vector.fields);
                let (index, context) = (self.index, self.base.context);
                let first = First { record, fields, vectors, index, context };
                visitor.visit_seq(FirstAccess::<L>::new(&first))
            }
            _ => self.deserialize_seq(visitor),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.entry().inner()? {
            Some(value) if matches!(value.vector, Vector::Map(_)) => {
                value.visit_map_entries(FieldNames::AsTheyAre, visitor)
            }
            Some(value) => value.visit(visitor),
            None => visitor.visit_unit(),
        }
    }

    #[inline(always)]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match (self.base.vector, self.base.plan) {
            (Vector::Record(vector), Plan::Record(record)) if record.form == Form::Struct => {
                self.entry().visit_struct(record, vector, fields, visitor)
            }
            _ => self.entry().struct_elsewhere(fields, visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        variant::visit_enum(self.entry(), variants, visitor)
    }

    /// Nothing is decoded for what is ignored.
    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

#[cold]
fn left_over() -> Error {
    Error::value("a struct left fields over")
}
