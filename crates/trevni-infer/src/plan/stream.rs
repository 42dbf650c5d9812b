//! Rows of JSON from the parser to the writer, by a plan: no values are built.

use super::keys::{Key, missing};
use super::{Context, Field, Kind, Object, Part, Plan, Record, ValueKinds, exact};
use crate::numbers::{Integer, may_be_integer};
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::ser::{Error as _, Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use serde_json::value::RawValue;
use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;

/// A value that is written as it is read.
pub(crate) struct Stream<'p, D> {
    from: Cell<Option<D>>,
    plan: &'p Plan,
    context: &'p Context,
}

impl<'p, D> Stream<'p, D> {
    pub(super) fn new(from: D, plan: &'p Plan, context: &'p Context) -> Self {
        Self { from: Cell::new(Some(from)), plan, context }
    }
}

impl<'de, D: Deserializer<'de>> Serialize for Stream<'_, D> {
    #[inline]
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { plan, context, .. } = *self;
        let from = self.from.take().ok_or_else(taken)?;
        let is_read = !matches!(
            plan.values,
            ValueKinds::Raw(_) | ValueKinds::Other(..) | ValueKinds::One(Kind::Logical(_))
        );
        if is_read && !context.exact.get() {
            return from
                .deserialize_any(Writing { plan, context, to })
                .map_err(|error| context.failed(error));
        }
        let raw: &RawValue = de::Deserialize::deserialize(from).map_err(|error| context.failed(error))?;
        let written = match &plan.values {
            ValueKinds::Raw(kind) => plan.write_raw(*kind, raw, context, to),
            ValueKinds::One(Kind::Logical(kind)) => plan.write_logical_json(kind, raw, context, to),
            ValueKinds::Other(..) => plan.write_other(raw, context, to),
            _ => exact::write(plan, context, raw, to).unwrap_or_else(|to| {
                let mut json = serde_json::Deserializer::from_str(raw.get());
                json.deserialize_any(Writing { plan, context, to }).map_err(|error| context.failed(error))
            }),
        };
        written.map_err(|error| context.noted(error))
    }
}

/// What is read once cannot be written twice.
#[cold]
fn taken<E: serde::ser::Error>() -> E {
    E::custom("a value is asked for twice")
}

/// Writes the value that a parser shows.
struct Writing<'p, S> {
    plan: &'p Plan,
    context: &'p Context,
    to: S,
}

impl<S: Serializer> Writing<'_, S> {
    #[inline]
    fn wrap<T: Serialize + ?Sized, E: de::Error>(self, value: &T) -> Result<S::Ok, E> {
        self.plan.wrap(value, self.to).map_err(|error| self.context.failed_reading(error))
    }

    /// An integer that is not taken as it is.
    fn integer<T: Serialize + Copy + Into<i128> + fmt::Display, E: de::Error>(
        self,
        value: T,
    ) -> Result<S::Ok, E> {
        let Self { plan, context, to } = self;
        match plan.fit_integer(value.into()) {
            Some(fitted) => {
                plan.wrap_number(fitted, &value, to).map_err(|error| context.failed_reading(error))
            }
            None => Self { plan, context, to }.misfit(format_args!("integer {value}")),
        }
    }

    #[cold]
    fn misfit<E: de::Error>(self, found: impl fmt::Display) -> Result<S::Ok, E> {
        self.context.note(format_args!("{found} does not fit {}", self.plan), true);
        Err(E::custom(""))
    }
}

impl<'de, S: Serializer> Visitor<'de> for Writing<'_, S> {
    type Value = S::Ok;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    #[inline]
    fn visit_unit<E: de::Error>(self) -> Result<S::Ok, E> {
        self.plan.write_null(self.context, self.to).map_err(|error| self.context.failed_reading(error))
    }

    #[inline]
    fn visit_bool<E: de::Error>(self, value: bool) -> Result<S::Ok, E> {
        if self.plan.has_booleans() { self.wrap(&value) } else { self.misfit(value) }
    }

    #[inline]
    fn visit_i64<E: de::Error>(self, value: i64) -> Result<S::Ok, E> {
        if self.plan.integer() == Some(Integer::Long) {
            return self.wrap(&value);
        }
        self.integer(value)
    }

    #[inline]
    fn visit_u64<E: de::Error>(self, value: u64) -> Result<S::Ok, E> {
        if let Ok(value) = i64::try_from(value) {
            return self.visit_i64(value);
        }
        self.integer(value)
    }

    #[inline]
    fn visit_f64<E: de::Error>(self, value: f64) -> Result<S::Ok, E> {
        let rounds = self.plan.float().is_some_and(|float| float.rounds);
        if may_be_integer(value) && !rounds && !self.context.exact.get() {
            self.context.large.set(true);
            return Err(E::custom(""));
        }
        match self.plan.fit_float(value) {
            Some(FittedNumber::Double(value)) => self.wrap(&value),
            Some(FittedNumber::Single(value)) => self.wrap(&value),
            Some(FittedNumber::Integer) => self.wrap(&(value as i64)),
            None => self.misfit(format_args!("float {value}")),
        }
    }

    #[inline]
    fn visit_str<E: de::Error>(self, value: &str) -> Result<S::Ok, E> {
        if self.plan.has_texts() { self.wrap(value) } else { self.misfit(format_args!("string {value:?}")) }
    }

    #[inline]
    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<S::Ok, A::Error> {
        match self.plan.item() {
            Some(item) => {
                let items = Items { items: Cell::new(Some(items)), plan: item, context: self.context };
                self.wrap(&items)
            }
            None => self.misfit("a list"),
        }
    }

    #[inline]
    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<S::Ok, A::Error> {
        let (entries, context) = (Cell::new(Some(entries)), self.context);
        match self.plan.object() {
            Some(Object::Record(record)) => self.wrap(&Fields { entries, record, context }),
            Some(Object::Map(value)) => self.wrap(&Entries { entries, plan: value, context }),
            None => self.misfit("an object"),
        }
    }
}

/// How a number is written.
pub(super) enum FittedNumber {
    /// As it is.
    Integer,
    Double(f64),
    Single(f32),
}

/// Items of a list.
struct Items<'p, A> {
    items: Cell<Option<A>>,
    plan: &'p Plan,
    context: &'p Context,
}

impl<'de, A: SeqAccess<'de>> Serialize for Items<'_, A> {
    #[inline]
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Self { plan, context, .. } = *self;
        let mut items = self.items.take().ok_or_else(taken)?;
        let mut list = to.serialize_seq(items.size_hint())?;
        let mut next = || items.next_element_seed(Item { list: &mut list, plan, context });
        while next().map_err(|error| context.failed(error))?.is_some() {}
        list.end()
    }
}

struct Item<'a, 'p, L> {
    list: &'a mut L,
    plan: &'p Plan,
    context: &'p Context,
}

impl<'de, L: SerializeSeq> DeserializeSeed<'de> for Item<'_, '_, L> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        self.list.serialize_element(&Stream::new(from, self.plan, self.context)).map_err(|error| {
            let failed = self.context.failed_reading(error);
            self.context.within(Part::Items);
            failed
        })
    }
}

/// Fields of a record.
struct Fields<'p, A> {
    entries: Cell<Option<A>>,
    record: &'p Record,
    context: &'p Context,
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
struct Entries<'p, A> {
    entries: Cell<Option<A>>,
    plan: &'p Plan,
    context: &'p Context,
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
