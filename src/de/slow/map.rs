//! Maps, entry by entry: maps, records, and variants of enums with their names.

use super::entry::Entry;
use super::record::Fields;
use super::union::Tagged;
use super::value::Value;
use super::{FieldNames, Lend, Name, Slow};
use crate::de::key::Key;
use crate::de::plan::RecordPlan;
use crate::error::{Error, Result};
use serde::de::{self, DeserializeSeed, MapAccess};
use std::borrow::Cow;

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
    pub(super) fn new(key: Entry<'a, 'v>, value: Entry<'a, 'v>, fields: FieldNames, len: usize) -> Self {
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
        // Only a type can ask so.
        value.ok_or_else(|| de::Error::custom("a map's value is asked for before its key"))
    }

    /// The next key as the name of a field.
    fn next_name(&mut self) -> Result<Option<Cow<'v, str>>> {
        match self.next_key()? {
            Some(key) => key.field_name().map(Some).map_err(|error| self.locate_key(error)),
            None => Ok(None),
        }
    }

    /// The record, if the struct that it is shown to is not the one that was read there first.
    pub(super) fn unknown(&self) -> Option<&'v RecordPlan> {
        match self {
            Self::Fields(fields) => fields.unknown(),
            Self::Entries(_) | Self::Tagged(_) => None,
        }
    }

    /// The string of a struct that is one.
    pub(super) fn string(&self) -> Result<Option<Value<'a, 'v>>> {
        match self {
            Self::Fields(fields) => fields.string(),
            Self::Entries(_) | Self::Tagged(_) => Ok(None),
        }
    }

    fn left(&self) -> Option<usize> {
        match self {
            Self::Entries(entries) => Some(entries.left),
            Self::Fields(_) | Self::Tagged(_) => None,
        }
    }

    /// Adds to an error that it comes from the last key.
    #[cold]
    fn locate_key(&self, error: Error) -> Error {
        match self {
            Self::Entries(_) => error.in_key(),
            Self::Fields(_) | Self::Tagged(_) => error,
        }
    }

    /// Adds to an error that it comes from the last value.
    #[cold]
    fn locate_value(&self, error: Error) -> Error {
        match self {
            Self::Entries(_) => error.in_value(),
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
    pub(super) map: Map<'a, 'v>,
    pub(super) lend: L,
}

impl<'v, 'de, L: Lend<'v, 'de>> MapAccess<'de> for MapEntries<'_, 'v, L> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(key) = self.map.next_key()? else {
            return Ok(None);
        };
        let key = Key { value: Slow { value: key, lend: self.lend }, fields: self.map.fields() };
        match seed.deserialize(key) {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(self.map.locate_key(error)),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        value(&mut self.map, seed, self.lend)
    }

    fn size_hint(&self) -> Option<usize> {
        self.map.left()
    }
}

/// The next value of a map.
// Not a part of the code around it: all structs share that of a type.
#[inline(never)]
fn value<'v, 'de, L: Lend<'v, 'de>, S: DeserializeSeed<'de>>(
    map: &mut Map<'_, 'v>,
    seed: S,
    lend: L,
) -> Result<S::Value> {
    match seed.deserialize(Slow { value: map.next_value()?, lend }) {
        Ok(value) => Ok(value),
        Err(error) => Err(map.locate_value(error)),
    }
}

/// A map for the visitor of a struct: its keys are names of fields.
pub(super) struct StructEntries<'m, 'a, 'v, L> {
    pub(super) map: &'m mut Map<'a, 'v>,
    pub(super) lend: L,
}

impl<'v, 'de, L: Lend<'v, 'de>> MapAccess<'de> for StructEntries<'_, '_, 'v, L> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(name) = self.map.next_name()? else {
            return Ok(None);
        };
        match seed.deserialize(Key::from_name(Name { name, lend: self.lend })) {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(self.map.locate_key(error)),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        value(self.map, seed, self.lend)
    }

    fn size_hint(&self) -> Option<usize> {
        self.map.left()
    }
}
