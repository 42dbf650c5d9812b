//! The slow path: any value, fields by name. Converts, notes what was not read, and says where an error is.
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

use super::Plan;
use super::keep::{Keep, Kept};
use super::key::{FieldNames, KeyValue, NameValue};
use super::scalar::Scalar;
use crate::error::{Error, Result};
use crate::logical::MARK;
use crate::private::{DATE, DATE_FIELD, RAW_VALUE, StringStruct, is_buffer, is_json, is_wide};
use crate::sort;
use crate::vector::Vector;
use entry::{Context, Entry};
pub(super) use list::{FastFields, Fields, show_fields};
use serde::de::value::{BytesDeserializer, I64Deserializer, StringDeserializer};
use serde::de::{self, DeserializeOwned, DeserializeSeed, Unexpected, Visitor};
use shown::{Shown, show, show_struct};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use union::{Chosen, Variant};
use value::Value;

/// The unread nodes that a row has asked for. Its result does not count then: the row is made again once they are read.
#[derive(Debug, Default)]
pub(crate) struct Missed(RefCell<Vec<u32>>);

impl Missed {
    /// Takes note of nodes.
    ///
    /// # Errors
    ///
    /// One that ends the row.
    #[cold]
    fn note(&self, nodes: impl IntoIterator<Item = u32>) -> Error {
        self.0.borrow_mut().extend(nodes);
        Error::internal("a column was not read")
    }

    /// The nodes, in ascending order, which are forgotten then.
    pub(crate) fn take(&self) -> Vec<u32> {
        let mut nodes = self.0.take();
        sort::once(&mut nodes, |node| u64::from(*node));
        nodes
    }
}

/// Whether values may keep strings and bytes of the plan and the vectors.
pub(crate) trait Lend<'v, 'de>: Copy {
    /// How the fast path passes the fields of a struct. Both paths share the code of a type.
    type Fast: FastFields<'de>;

    fn text<V: Visitor<'de>>(self, text: &'v str, visitor: V) -> Result<V::Value>;
    fn bytes<V: Visitor<'de>>(self, bytes: &'v [u8], visitor: V) -> Result<V::Value>;

    /// Shows a text that no vector has.
    fn made<V: Visitor<'de>>(self, text: String, visitor: V) -> Result<V::Value>;
}

/// They may: a batch lends them.
#[derive(Clone, Copy)]
pub(crate) struct Borrowed;

/// They may until the row is made, which keeps nothing.
#[derive(Clone, Copy)]
pub(crate) struct Held<'k>(pub(super) &'k Keep<'k>);

/// They must copy them, because the vectors are refilled before, or borrow what is kept for them.
#[derive(Clone, Copy)]
pub(crate) struct Copied<'k>(pub(super) &'k Keep<'k>);

/// Deserializes an entry of a vector.
#[inline(never)]
pub(crate) fn read<'v, 'de, L: Lend<'v, 'de>, S: DeserializeSeed<'de>>(
    seed: S,
    plan: &'v Plan,
    vector: &'v Vector,
    index: usize,
    missed: &Missed,
    lend: L,
) -> Result<S::Value> {
    let context = Context { missed, has_buffered_wide: Cell::new(false) };
    let entry = Entry { plan, vector, index, context: &context };
    let read = seed.deserialize(Slow { value: Value::Entry(entry), lend });
    if context.has_buffered_wide.get() { read.map_err(|error| error.advising(WIDE)) } else { read }
}

/// A row that keeps nothing of the vector.
pub(super) fn read_held<T: DeserializeOwned>(
    plan: &Plan,
    vector: &Vector,
    index: usize,
    missed: &Missed,
) -> Result<T> {
    let kept = Kept::default();
    let keep = Keep::new(&kept);
    read(PhantomData, plan, vector, index, missed, Held(&keep))
}

/// What to do where serde's buffers are shown integers of 128 bits.
const WIDE: &str = "serde's buffers for untagged and tagged enums and flattened structs keep no integers of 128 bits: write \
     #[serde(with = \"trevni::with::wide_integer\")] at the field";

/// A value on its way to a visitor.
struct Slow<'a, 'v, L> {
    value: Value<'a, 'v>,
    lend: L,
}

/// A name on its way to a visitor.
struct Name<'v, L> {
    name: Cow<'v, str>,
    lend: L,
}

impl<'v, 'de, L: Lend<'v, 'de>> NameValue<'de> for Name<'v, L> {
    type Error = Error;

    fn get(&self) -> &str {
        &self.name
    }

    fn show<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.name {
            Cow::Borrowed(name) => self.lend.text(name, visitor),
            Cow::Owned(name) => self.lend.made(name, visitor),
        }
    }
}

/// For what is read as what the file says it is, and is usually a number.
macro_rules! scalars {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.value.own_scalar()? {
                Some(scalar) => show(Ok(Shown::Scalar(scalar)), self.lend, visitor),
                None => show(self.value.shown(), self.lend, visitor),
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
                None => show(self.value.shown(), self.lend, visitor),
            }
        })*
    };
}

/// For what is usually text.
macro_rules! texts {
    ($($method:ident)*) => {
        $(fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.value.text()? {
                Some(text) => self.lend.text(text, visitor),
                None => show(self.value.shown_text(), self.lend, visitor),
            }
        })*
    };
}

/// The same, for what optionals and unions do not matter to.
macro_rules! inner {
    ($($method:ident($($name:ident: $kind:ty),*))*) => {
        $(fn $method<V: Visitor<'de>>(self, $($name: $kind,)* visitor: V) -> Result<V::Value> {
            show(self.value.shown_inner(), self.lend, visitor)
        })*
    };
}

impl<'v, 'de, L: Lend<'v, 'de>> de::Deserializer<'de> for Slow<'_, 'v, L> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        if is_buffer::<V::Value>()
            && let Value::Entry(entry) = self.value
            && entry.note_buffered()?
            && let Shown::Digits(digits) = self.value.shown_untyped()?
        {
            // A request for a string gets no string.
            return visitor.visit_newtype_struct(BytesDeserializer::new(digits.as_bytes()));
        }
        if is_wide::<V::Value>() {
            return show(self.value.shown(), self.lend, visitor);
        }
        show(self.value.shown_untyped(), self.lend, visitor)
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
            Some(bytes) => self.lend.bytes(bytes, visitor),
            None => show(self.value.shown_inner(), self.lend, visitor),
        }
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.deserialize_bytes(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.value.some()? {
            Some(value) => visitor.visit_some(Self { value, ..self }),
            None => visitor.visit_none(),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if name == RAW_VALUE {
            return self.string_struct(RAW_VALUE, visitor);
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
        show(self.value.shown_map(), self.lend, visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        if name == DATE {
            return self.string_struct(DATE_FIELD, visitor);
        }
        show_struct(self.value.shown_struct(fields), fields, self.lend, visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match self.value.variant(variants)? {
            Chosen::Variant(name, content) => visitor.visit_enum(Variant::new(name, content, self.lend)),
            Chosen::Value(value) => show(value.shown(), self.lend, visitor),
            Chosen::Map => Err(de::Error::invalid_type(Unexpected::Map, &visitor)),
        }
    }

    /// Nothing is decoded for what is ignored.
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

impl<'v, 'de, L: Lend<'v, 'de>> Slow<'_, 'v, L> {
    /// Shows a struct that is the string of its only field.
    #[cold]
    fn string_struct<V: Visitor<'de>>(self, field: &'static str, visitor: V) -> Result<V::Value> {
        match self.value.shown_text()? {
            Shown::Text(text) if field == RAW_VALUE && !is_json(text) => {
                Err(de::Error::invalid_value(Unexpected::Str(text), &"JSON"))
            }
            shown @ Shown::Map(_) => show(Ok(shown), self.lend, visitor),
            _ => visitor.visit_map(StringStruct::new(field, self)),
        }
    }
}

impl<'v, 'de, L: Lend<'v, 'de>> KeyValue<'de> for Slow<'_, 'v, L> {
    fn text(&self) -> Result<Option<&str>> {
        self.value.text()
    }

    fn scalar(&self) -> Result<Option<Scalar>> {
        self.value.scalar()
    }

    fn show_made<V: Visitor<'de>>(self, text: String, visitor: V) -> Result<V::Value> {
        self.lend.made(text, visitor)
    }
}
