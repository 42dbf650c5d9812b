//! The slow path: any value, fields by name. Decodes what has not been, converts, and says where an error is.
//!
//! What a value is, is found by code that does not know the type that it becomes; only showing it to a visitor
//! is compiled for each type.

mod entry;
mod list;
mod map;
mod record;
mod shown;
mod union;
mod value;

use super::fast::{self, Lent, Owned};
use super::key::{FieldNames, KeyValue};
use super::scalar::Scalar;
use super::{Plan, RAW_VALUE};
use crate::error::{Error, Result};
use crate::logical::MARK;
use crate::vector::Vector;
use entry::{Context, Entry};
pub(super) use list::Seq;
use serde::de::value::{I64Deserializer, StringDeserializer};
use serde::de::{self, DeserializeSeed, Unexpected, Visitor};
use shown::{Shown, show, show_struct};
use std::marker::PhantomData;
use union::{Chosen, Variant};
use value::Value;

/// Decodes a node of the current batch.
pub(crate) trait Load {
    fn load(&self, node: u32) -> Result<Vector>;

    /// Tells of nodes that are about to be loaded: their numbers, which ascend.
    fn announce(&self, nodes: &[u32]) -> Result<()>;
}

/// Whether values may keep texts and bytes of the vectors.
pub(crate) trait Lend<'v, 'de> {
    /// The same for the fast path.
    type Hold: fast::Lend<'de>;

    fn text<V: Visitor<'de>>(text: &'v str, visitor: V) -> Result<V::Value>;
    fn bytes<V: Visitor<'de>>(bytes: &'v [u8], visitor: V) -> Result<V::Value>;
}

/// They may.
pub(crate) enum Borrowed {}

/// They must copy them: the vectors are refilled later.
pub(crate) enum Transient {}

impl<'de> Lend<'de, 'de> for Borrowed {
    type Hold = Lent<'de>;

    fn text<V: Visitor<'de>>(text: &'de str, visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_str(text)
    }

    fn bytes<V: Visitor<'de>>(bytes: &'de [u8], visitor: V) -> Result<V::Value> {
        visitor.visit_borrowed_bytes(bytes)
    }
}

impl<'v, 'de> Lend<'v, 'de> for Transient {
    type Hold = Owned;

    fn text<V: Visitor<'de>>(text: &'v str, visitor: V) -> Result<V::Value> {
        visitor.visit_str(text)
    }

    fn bytes<V: Visitor<'de>>(bytes: &'v [u8], visitor: V) -> Result<V::Value> {
        visitor.visit_bytes(bytes)
    }
}

/// Deserializes an entry of a vector.
#[inline(never)]
pub(crate) fn read<'v, 'de, L: Lend<'v, 'de>, S: DeserializeSeed<'de>>(
    seed: S,
    plan: &Plan,
    vector: &'v Vector,
    index: usize,
    loader: Option<&dyn Load>,
) -> Result<S::Value> {
    let context = Context { loader };
    let entry = Entry { plan, vector, index, context: &context };
    seed.deserialize(Slow::<L>::of(Value::Entry(entry)))
}

/// A value on its way to a visitor.
struct Slow<'a, 'v, L> {
    value: Value<'a, 'v>,
    lend: PhantomData<L>,
}

impl<'a, 'v, L> Slow<'a, 'v, L> {
    fn of(value: Value<'a, 'v>) -> Self {
        Self { value, lend: PhantomData }
    }
}

/// For what is read as what the file says it is, and is usually a number.
macro_rules! scalars {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.value.own_scalar()? {
                Some(scalar) => show::<L, V>(Ok(Shown::Scalar(scalar)), visitor),
                None => show::<L, V>(self.value.shown(), visitor),
            }
        })*
    };
}

/// For floats: numbers that are floats of that width.
macro_rules! floats {
    ($($method:ident $as_float:ident $visit:ident;)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.value.$as_float()? {
                Some(value) => visitor.$visit(value),
                None => show::<L, V>(self.value.shown(), visitor),
            }
        })*
    };
}

/// For what is usually text.
macro_rules! texts {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.value.lent_text()? {
                Some(text) => L::text(text, visitor),
                None => show::<L, V>(self.value.shown_text(), visitor),
            }
        })*
    };
}

/// The same, for what optionals and unions do not matter to.
macro_rules! inner {
    ($($method:ident($($name:ident: $kind:ty),*))*) => {
        $(fn $method<V: Visitor<'de>>(self, $($name: $kind,)* visitor: V) -> Result<V::Value> {
            show::<L, V>(self.value.shown_inner(), visitor)
        })*
    };
}

impl<'v, 'de, L: Lend<'v, 'de>> de::Deserializer<'de> for Slow<'_, 'v, L> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        show::<L, V>(self.value.shown_untyped(), visitor)
    }

    scalars! {
        deserialize_bool
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    floats! {
        deserialize_f32 as_f32 visit_f32;
        deserialize_f64 as_f64 visit_f64;
    }

    texts! { deserialize_char deserialize_str deserialize_string deserialize_identifier }

    inner! {
        deserialize_unit()
        deserialize_unit_struct(_name: &'static str)
        deserialize_seq()
        deserialize_tuple(_len: usize)
        deserialize_tuple_struct(_name: &'static str, _len: usize)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.value.bytes()? {
            Some(bytes) => L::bytes(bytes, visitor),
            None => show::<L, V>(self.value.shown_inner(), visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.value.some()? {
            Some(value) => visitor.visit_some(Self::of(value)),
            None => visitor.visit_none(),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if name == RAW_VALUE {
            return self.deserialize_map(visitor);
        }
        if name.starts_with(MARK) {
            if let Some(number) = self.value.marked(name)? {
                return visitor.visit_newtype_struct(I64Deserializer::new(number));
            }
            // A number of another unit is not what is meant, but its text is.
            if let Some(text) = self.value.logical_text()? {
                return visitor.visit_newtype_struct(StringDeserializer::new(text));
            }
        }
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        show::<L, V>(self.value.shown_map(), visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        show_struct::<L, V>(self.value.shown_struct(fields), fields, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.value.variant(variants)? {
            Chosen::Variant(name, content) => visitor.visit_enum(Variant::<L>::of(name, content)),
            Chosen::Value(value) => show::<L, V>(value.shown(), visitor),
            Chosen::Map => Err(de::Error::invalid_type(Unexpected::Map, &visitor)),
        }
    }

    /// Nothing is decoded for what is ignored.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

impl<'v, 'de, L: Lend<'v, 'de>> KeyValue<'de> for Slow<'_, 'v, L> {
    fn name(&self) -> Option<&str> {
        match self.value {
            Value::Name(name) => Some(name),
            _ => None,
        }
    }

    fn text(&self) -> Result<Option<&str>> {
        self.value.text()
    }

    fn scalar(&self) -> Result<Option<Scalar>> {
        self.value.scalar()
    }
}
