//! Sequences and maps, item by item.

use super::key::Key;
use super::plan::{FieldPlan, RecordPlan};
use super::{De, Lend};
use crate::error::{Error, Result};
use crate::vector::{RecordVector, Vector};
use serde::de::value::StrDeserializer;
use serde::de::{Deserialize, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess};
use std::cell::Cell;
use std::marker::PhantomData;

/// The items of a list.
pub(super) struct ItemsAccess<'a, 'v, L> {
    next: De<'a, 'v, L>,
    left: usize,
    len: usize,
}

impl<'a, 'v, L> ItemsAccess<'a, 'v, L> {
    #[inline]
    pub(super) fn new(first: De<'a, 'v, L>, len: usize) -> Self {
        Self { next: first, left: len, len }
    }
}

impl<'v, 'de, L: Lend<'v, 'de>> SeqAccess<'de> for ItemsAccess<'_, 'v, L> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if self.left == 0 {
            return Ok(None);
        }
        let value = self.next;
        self.next.index += 1;
        self.left -= 1;
        match seed.deserialize(value) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error.in_item(self.len - self.left - 1)),
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        // Items may take no bytes in the file; serde's own types bound what they reserve.
        Some(self.left)
    }
}

/// The bytes of a byte string, as numbers.
pub(super) struct BytesAccess<'v>(std::slice::Iter<'v, u8>);

impl<'v> BytesAccess<'v> {
    pub(super) fn new(bytes: &'v [u8]) -> Self {
        Self(bytes.iter())
    }
}

impl<'de> SeqAccess<'de> for BytesAccess<'_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        self.0.next().map(|byte| seed.deserialize((*byte).into_deserializer())).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// The entries of a map.
pub(super) struct MapEntries<'a, 'v, L> {
    key: De<'a, 'v, L>,
    value: De<'a, 'v, L>,
    left: usize,
}

impl<'a, 'v, L> MapEntries<'a, 'v, L> {
    pub(super) fn new(key: De<'a, 'v, L>, value: De<'a, 'v, L>, len: usize) -> Self {
        Self { key, value, left: len }
    }
}

impl<'v, 'de, L: Lend<'v, 'de>> MapAccess<'de> for MapEntries<'_, 'v, L> {
    type Error = Error;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if self.left == 0 {
            return Ok(None);
        }
        let key = self.key;
        self.key.index += 1;
        self.left -= 1;
        match seed.deserialize(Key(key)) {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(error.in_field("key")),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let value = self.value;
        self.value.index += 1;
        seed.deserialize(value).map_err(|error| error.in_field("value"))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.left)
    }
}

/// Which fields of a record are shown.
pub(super) enum Order<'a> {
    All,
    /// All; those that the struct does not list are not looked at.
    Known(&'static [&'static str]),
    /// These.
    Listed(&'a [u32]),
}

/// The fields of a record by name; absent ones are left out.
pub(super) struct FieldsAccess<'a, 'v, L> {
    entry: De<'a, 'v, L>,
    record: &'a RecordPlan,
    vector: &'v RecordVector,
    order: Order<'a>,
    at: usize,
    field: Option<(&'a str, De<'a, 'v, L>)>,
}

impl<'a, 'v, L> FieldsAccess<'a, 'v, L> {
    #[inline]
    pub(super) fn new(
        entry: De<'a, 'v, L>,
        record: &'a RecordPlan,
        vector: &'v RecordVector,
        order: Order<'a>,
    ) -> Self {
        Self { entry, record, vector, order, at: 0, field: None }
    }

    /// The next field that is there.
    #[inline]
    fn next(&mut self) -> Result<Option<(&'a str, De<'a, 'v, L>)>> {
        loop {
            let number = match &self.order {
                Order::All | Order::Known(_) => self.at,
                Order::Listed(numbers) => match numbers.get(self.at) {
                    Some(number) => *number as usize,
                    None => return Ok(None),
                },
            };
            self.at += 1;
            let (Some(field), Some(vector)) =
                (self.record.fields.get(number), self.vector.fields.get(number))
            else {
                return Ok(None);
            };
            if let Order::Known(known) = &self.order
                && !known.contains(&&*field.name)
            {
                return Ok(Some((&field.name, De { plan: &field.plan, vector, ..self.entry })));
            }
            if let Some(value) = self.entry.field(self.record, self.vector, number)? {
                return Ok(Some((&field.name, value)));
            }
        }
    }
}

impl<'v, 'de, L: Lend<'v, 'de>> MapAccess<'de> for FieldsAccess<'_, 'v, L> {
    type Error = Error;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        self.field = self.next()?;
        match self.field {
            Some((name, _)) => {
                let name: StrDeserializer<'_, Error> = name.into_deserializer();
                seed.deserialize(name).map(Some)
            }
            None => Ok(None),
        }
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        match self.field.take() {
            Some((name, value)) => match seed.deserialize(value) {
                Ok(value) => Ok(value),
                Err(error) => Err(error.in_field(name)),
            },
            None => Err(Error::value("a map's value was asked for before its key")),
        }
    }
}

/// The fields of a tuple as a sequence; ends at the first that is absent.
pub(super) struct TupleAccess<'a, 'v, L> {
    entry: De<'a, 'v, L>,
    record: &'a RecordPlan,
    vector: &'v RecordVector,
    at: usize,
}

impl<'a, 'v, L> TupleAccess<'a, 'v, L> {
    pub(super) fn new(entry: De<'a, 'v, L>, record: &'a RecordPlan, vector: &'v RecordVector) -> Self {
        Self { entry, record, vector, at: 0 }
    }
}

impl<'v, 'de, L: Lend<'v, 'de>> SeqAccess<'de> for TupleAccess<'_, 'v, L> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(field) = self.record.fields.get(self.at) else {
            return Ok(None);
        };
        let value = self.entry.field(self.record, self.vector, self.at)?;
        self.at += 1;
        match value.map(|value| seed.deserialize(value)).transpose() {
            Ok(value) => Ok(value),
            Err(error) => Err(error.in_field(&field.name)),
        }
    }
}

/// The fields of a record that a struct has, in its order; none of them can be absent.
pub(super) struct PositionsAccess<'a, 'v, L> {
    entry: De<'a, 'v, L>,
    fields: &'a [FieldPlan],
    vectors: &'v [Vector],
    positions: std::slice::Iter<'a, u32>,
    /// How many have not been taken, for the caller.
    left: &'a Cell<usize>,
}

impl<'a, 'v, L> PositionsAccess<'a, 'v, L> {
    #[inline]
    pub(super) fn new(
        entry: De<'a, 'v, L>,
        record: &'a RecordPlan,
        vector: &'v RecordVector,
        positions: &'a [u32],
        left: &'a Cell<usize>,
    ) -> Self {
        Self { entry, fields: &record.fields, vectors: &vector.fields, positions: positions.iter(), left }
    }
}

impl<'v, 'de, L: Lend<'v, 'de>> SeqAccess<'de> for PositionsAccess<'_, 'v, L> {
    type Error = Error;

    #[inline(always)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some(number) = self.positions.next() else {
            return Ok(None);
        };
        self.left.set(self.positions.len());
        let number = *number as usize;
        match (self.fields.get(number), self.vectors.get(number)) {
            (Some(field), Some(vector)) => {
                match seed.deserialize(De { plan: &field.plan, vector, ..self.entry }) {
                    Ok(value) => Ok(Some(value)),
                    Err(error) => Err(error.in_field(&field.name)),
                }
            }
            _ => Err(super::missing()),
        }
    }

    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }
}
