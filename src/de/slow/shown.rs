//! Values shown to visitors: the one place where they become what they are read as.

use super::entry::Entry;
use super::list::{Seq, SeqItems};
use super::map::{Map, MapEntries, StructEntries};
use super::value::Value;
use super::{Fields, Lend, Scalar, Slow, show_fields};
use crate::error::{Error, ErrorKind, Result};
use crate::private::{is_number, show_number, takes_number};
use serde::de::{self, Unexpected, Visitor};

/// What a visitor is shown.
pub(super) enum Shown<'a, 'v> {
    Unit,
    Scalar(Scalar),
    /// Text of a vector, or a name.
    Text(&'v str),
    /// Text that no vector has: of a logical type.
    Made(String),
    /// The digits of an integer of more than 64 bits.
    Digits(String),
    /// A value of a logical type: a string to types that request strings, otherwise the stored value.
    Logical(Entry<'a, 'v>),
    Some(Value<'a, 'v>),
    Seq(Seq<'a, 'v>),
    Map(Map<'a, 'v>),
}

impl Shown<'_, '_> {
    /// The value for types that request no string.
    fn stored(self) -> Result<Self> {
        match self {
            Self::Logical(entry) => entry.shown_stored(),
            other => Ok(other),
        }
    }

    /// The value for untyped reads.
    pub(super) fn untyped(self) -> Result<Self> {
        match self {
            Self::Logical(entry) => entry.shown_untyped(),
            other => Ok(other),
        }
    }

    /// The value for types that request a string.
    pub(super) fn text(self) -> Result<Self> {
        match self {
            Self::Logical(entry) => entry.shown_text(),
            other => Ok(other),
        }
    }

    /// What it is, for errors.
    #[cold]
    pub(super) fn unexpected(&self) -> Unexpected<'_> {
        match self {
            Self::Unit => Unexpected::Unit,
            Self::Scalar(scalar) => scalar.unexpected(),
            Self::Text(text) => Unexpected::Str(text),
            Self::Made(text) | Self::Digits(text) => Unexpected::Str(text),
            Self::Logical(_) => Unexpected::Other("a value of a logical type"),
            Self::Some(_) => Unexpected::Option,
            Self::Seq(_) => Unexpected::Seq,
            Self::Map(_) => Unexpected::Map,
        }
    }
}

/// Says what serde calls a unit value in the words of files, and what to do.
#[cold]
fn null_is_no_value(error: Error) -> Error {
    let ErrorKind::Message(message) = error.kind() else { return error };
    match message.strip_prefix("invalid type: unit value, ") {
        Some(rest) => {
            ErrorKind::Message(format!("invalid type: null, {rest}; use Option where values may be null"))
                .into()
        }
        None => error,
    }
}

/// Says which integer of 128 bits it is that a type does not take.
#[cold]
fn with_digits(error: Error, scalar: Scalar) -> Error {
    let (ErrorKind::Message(message), Some(digits)) = (error.kind(), scalar.wide_text()) else {
        return error;
    };
    let found = ["invalid value: u128, ", "invalid value: i128, "].into_iter();
    match found.filter_map(|found| message.strip_prefix(found)).next() {
        Some(rest) => ErrorKind::Message(format!("invalid value: integer `{digits}`, {rest}")).into(),
        None => error,
    }
}

/// Shows a value to the visitor of a struct with these fields: by name, or one after the other.
#[inline(never)]
pub(super) fn show_struct<'v, 'de, L: Lend<'v, 'de>, V: Visitor<'de>>(
    shown: Result<Shown<'_, 'v>>,
    names: &'static [&'static str],
    lend: L,
    visitor: V,
) -> Result<V::Value> {
    match shown?.stored()? {
        Shown::Map(mut map) => {
            let unknown = map.unknown();
            let value = visitor.visit_map(StructEntries { map: &mut map, lend });
            if let (Ok(_), Some(record)) = (&value, unknown) {
                record.learn(names);
            }
            value
        }
        Shown::Seq(seq) => show_fields::<L, L::Fast, V>(Fields::Slow(seq, lend), visitor),
        other => Err(null_is_no_value(de::Error::invalid_type(other.unexpected(), &visitor))),
    }
}

/// Shows a value to any visitor.
#[inline(never)]
pub(super) fn show<'v, 'de, L: Lend<'v, 'de>, V: Visitor<'de>>(
    shown: Result<Shown<'_, 'v>>,
    lend: L,
    visitor: V,
) -> Result<V::Value> {
    match shown?.stored()? {
        Shown::Unit => visitor.visit_unit().map_err(null_is_no_value),
        Shown::Scalar(scalar) => scalar.visit(visitor).map_err(|error| with_digits(error, scalar)),
        Shown::Text(text) if is_number::<V::Value>() => show_number(text.to_owned(), visitor),
        Shown::Text(text) => lend.text(text, visitor),
        Shown::Digits(text) if takes_number::<V::Value>() => show_number(text, visitor),
        Shown::Made(text) | Shown::Digits(text) => lend.made(text, visitor),
        shown @ Shown::Logical(_) => Err(de::Error::invalid_type(shown.unexpected(), &visitor)),
        Shown::Some(value) => visitor.visit_some(Slow { value, lend }),
        Shown::Seq(seq) => visitor.visit_seq(SeqItems { seq, lend }),
        Shown::Map(map) => visitor.visit_map(MapEntries { map, lend }),
    }
}
