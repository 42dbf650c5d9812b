//! The fields of a record by the keys of an object.

use super::{Context, Field, Record};
use serde::de::{self, DeserializeSeed, Deserializer, Visitor};
use std::fmt;

/// Which field is missing; known for the first ones.
#[cold]
pub(super) fn missing<E: serde::ser::Error>(record: &Record, seen: u128, context: &Context) -> E {
    let is_missing = |(place, field): &(usize, &Field)| field.is_required() && seen & (1 << place) == 0;
    match record.fields.iter().take(128).enumerate().find(is_missing) {
        Some((_, field)) => context.note(format_args!("key {:?} is missing", field.name), true),
        None => context.note("a key is missing that all objects had before", true),
    }
    E::custom("")
}

/// Finds the field of a key.
pub(super) struct Key<'p> {
    pub(super) record: &'p Record,
    pub(super) likely: usize,
    pub(super) context: &'p Context,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = usize;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<usize, D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    #[inline]
    fn visit_str<E: de::Error>(self, name: &str) -> Result<usize, E> {
        self.record.find(self.likely, name).ok_or_else(|| {
            self.context.note(format_args!("key {name:?} is not in the schema"), true);
            E::custom("")
        })
    }
}
