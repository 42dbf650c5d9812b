//! Maps, entry by entry: maps, records, and variants of enums with their names.

use super::entry::{Entry, Value};
use super::record::Fields;
use super::union::Tagged;
use super::{FieldNames, Lend, Slow};
use crate::de::key::Key;
use crate::error::{Error, Result};
use serde::de::{DeserializeSeed, MapAccess};
use std::marker::PhantomData;

/// A map of any kind.
pub(super) enum Map<'a, 'v> {
    Entries(Entries<'a, 'v>),
    Fields(Fields<'a, 'v>),
    Tagged(Tagged<'a, 'v>),
}

/// The entries of a map.
pub(super) struct Entries<'a, 'v> {
    key: Entry<'a, 'v>,
    value: Entry<'a, 'v>,
    fields: FieldNames,
    left: usize,
}

impl<'a, 'v> Entries<'a, 'v> {
    /// From an entry on.
    pub(super) fn of(key: Entry<'a, 'v>, value: Entry<'a, 'v>, fields: FieldNames, len: usize) -> Self {
        Self { key, value, fields, left: len }
    }

    fn next_key(&mut self) -> Option<Value<'a, 'v>> {
        self.left = self.left.checked_sub(1)?;
        let key = self.key;
        self.key.index += 1;
        Some(Value::Entry(key))
    }

    fn next_value(&mut self) -> Value<'a, 'v> {
        let value = self.value;
        self.value.index += 1;
        Value::Entry(value)
    }
}

impl<'a, 'v> Map<'a, 'v> {
    fn next_key(&mut self) -> Result<Option<Value<'a, 'v>>> {
        match self {
            Self::Entries(entries) => Ok(entries.next_key()),
            Self::Fields(fields) => Ok(fields.next()?.map(Value::Name)),
            Self::Tagged(tagged) => Ok(tagged.next_key()),
        }
    }

    fn next_value(&mut self) -> Result<Value<'a, 'v>> {
        let value = match self {
            Self::Entries(entries) => Some(entries.next_value()),
            Self::Fields(fields) => fields.value(),
            Self::Tagged(tagged) => tagged.next_value(),
        };
        value.ok_or_else(|| Error::value("a map's value was asked for before its key"))
    }

    /// Adds to an error that it comes from the last key.
    #[cold]
    fn locate_key(&self, error: Error) -> Error {
        match self {
            Self::Entries(_) => error.in_field("key"),
            Self::Fields(_) | Self::Tagged(_) => error,
        }
    }

    /// Adds to an error that it comes from the last value.
    #[cold]
    fn locate_value(&self, error: Error) -> Error {
        match self {
            Self::Entries(_) => error.in_field("value"),
            Self::Fields(fields) => error.in_field(fields.last()),
            Self::Tagged(_) => error,
        }
    }

    fn fields(&self) -> FieldNames {
        match self {
            Self::Entries(entries) => entries.fields,
            Self::Fields(_) | Self::Tagged(_) => FieldNames::Text,
        }
    }
}

/// A map for a visitor.
pub(super) struct MapEntries<'a, 'v, L> {
    map: Map<'a, 'v>,
    lend: PhantomData<L>,
}

impl<'a, 'v, L> MapEntries<'a, 'v, L> {
    pub(super) fn of(map: Map<'a, 'v>) -> Self {
        Self { map, lend: PhantomData }
    }
}

impl<'v, 'de, L: Lend<'v, 'de>> MapAccess<'de> for MapEntries<'_, 'v, L> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(key) = self.map.next_key()? else {
            return Ok(None);
        };
        match seed.deserialize(Key { value: Slow::<L>::of(key), fields: self.map.fields() }) {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(self.map.locate_key(error)),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let value = self.map.next_value()?;
        match seed.deserialize(Slow::<L>::of(value)) {
            Ok(value) => Ok(value),
            Err(error) => Err(self.map.locate_value(error)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        match &self.map {
            Map::Entries(entries) => Some(entries.left),
            Map::Fields(_) | Map::Tagged(_) => None,
        }
    }
}
