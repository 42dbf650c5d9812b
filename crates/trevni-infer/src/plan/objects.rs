//! Objects of JSON as records and maps.

use super::stream::{Stream, taken};
use super::{Context, Field, Plan, Record};
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeStruct, Serializer};
use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

/// Fields of a record.
pub(crate) struct Fields<'p, A> {
    pub(crate) entries: Cell<Option<A>>,
    pub(crate) record: &'p Record,
    pub(crate) context: &'p Context,
}

impl<'de, A: MapAccess<'de>> Serialize for Fields<'_, A> {
    #[inline]
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { record, context, .. } = *self;
        let mut entries = self.entries.take().ok_or_else(taken)?;
        let mut out = to.serialize_struct("", record.fields.len())?;
        let (mut likely, mut required, mut seen) = (0, 0, 0_u128);
        loop {
            let key = entries.next_key_seed(Key { record, likely, context });
            let Some(place) = key.map_err(|error| context.failed(error))? else {
                break;
            };
            let Some(field) = record.fields.get(place) else {
                return Err(S::Error::custom("a field is lost"));
            };
            likely = place + 1;
            required += usize::from(field.is_required());
            if place < 128 {
                seen |= 1 << place;
            }
            let done = match field.kept {
                true => entries.next_value_seed(Value { out: &mut out, field, context }),
                false => entries.next_value::<IgnoredAny>().map(drop),
            };
            done.map_err(|error| context.failed(error))?;
        }
        if required < record.required && !context.lenient {
            return Err(missing(record, seen, context));
        }
        out.end()
    }
}

/// Which field is missing; known for the first ones.
#[cold]
fn missing<E: serde::ser::Error>(record: &Record, seen: u128, context: &Context) -> E {
    let is_missing = |(place, field): &(usize, &Field)| field.is_required() && seen & (1 << place) == 0;
    match record.fields.iter().take(128).enumerate().find(is_missing) {
        Some((_, field)) => context.note(format_args!("key {:?} is missing", field.name), true),
        None => context.note("a key is missing that all objects had before", true),
    }
    E::custom("")
}

/// Finds the field of a key.
struct Key<'p> {
    record: &'p Record,
    likely: usize,
    context: &'p Context,
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

/// Writes the value of a field.
struct Value<'a, 'p, R> {
    out: &'a mut R,
    field: &'p Field,
    context: &'p Context,
}

impl<'de, R: SerializeStruct> DeserializeSeed<'de> for Value<'_, '_, R> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        let value = Stream::new(from, &self.field.plan, self.context);
        self.out.serialize_field(self.field.name, &value).map_err(|error| {
            let failed = self.context.failed_reading(error);
            self.context.below(self.field.name);
            failed
        })
    }
}

/// Entries of a map.
pub(super) struct Entries<'p, A> {
    pub(crate) entries: Cell<Option<A>>,
    pub(crate) plan: &'p Plan,
    pub(crate) context: &'p Context,
}

impl<'de, A: MapAccess<'de>> Serialize for Entries<'_, A> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { plan, context, .. } = *self;
        let mut entries = self.entries.take().ok_or_else(taken)?;
        let mut out = to.serialize_map(entries.size_hint())?;
        let mut keys = HashSet::new();
        while let Some(key) = entries.next_key::<String>().map_err(|error| context.failed(error))? {
            out.serialize_key(&key)?;
            let value = EntryValue { out: &mut out, key: &key, plan, context };
            entries.next_value_seed(value).map_err(|error| context.failed(error))?;
            if let Some(key) = keys.replace(key) {
                context.note(format_args!("key {key:?} comes twice in one object"), false);
                return Err(S::Error::custom(""));
            }
        }
        out.end()
    }
}

struct EntryValue<'a, 'p, M> {
    out: &'a mut M,
    key: &'a str,
    plan: &'p Plan,
    context: &'p Context,
}

impl<'de, M: SerializeMap> DeserializeSeed<'de> for EntryValue<'_, '_, M> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        let value = Stream::new(from, self.plan, self.context);
        self.out.serialize_value(&value).map_err(|error| {
            let failed = self.context.failed_reading(error);
            self.context.below(self.key);
            failed
        })
    }
}
