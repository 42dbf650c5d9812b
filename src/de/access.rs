//! Sequences and maps, item by item.

use super::entry::{Entry, missing};
use super::key::{FieldNames, Key, NameKey};
use super::plan::{FieldPlan, RecordPlan};
use super::{Context, De, Lend};
use crate::error::{Error, Result};
use crate::vector::{RecordVector, Vector};
use serde::de::{Deserialize, DeserializeSeed, IntoDeserializer, MapAccess, SeqAccess};
use std::marker::PhantomData;

/// The items of a list.
pub(super) struct ItemsAccess<'n, 'a, 'v, L> {
    first: &'n Entry<'a, 'v, L>,
    at: usize,
    end: usize,
}

impl<'n, 'a, 'v, L> ItemsAccess<'n, 'a, 'v, L> {
    #[inline]
    pub(super) fn new(first: &'n Entry<'a, 'v, L>, end: usize) -> Self {
        Self { first, at: first.index, end }
    }
}

impl<'v, 'de, L: Lend<'v, 'de>> SeqAccess<'de> for ItemsAccess<'_, '_, 'v, L> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        if self.at == self.end {
            return Ok(None);
        }
        let item = De { base: self.first, index: self.at };
        self.at += 1;
        match seed.deserialize(item) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(error.in_item(item.index - self.first.index)),
        }
    }

    #[inline]
    fn size_hint(&self) -> Option<usize> {
        // Items may take no bytes in the file; serde's own types bound what they reserve.
        Some(self.end - self.at)
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
    key: Entry<'a, 'v, L>,
    value: Entry<'a, 'v, L>,
    fields: FieldNames,
    left: usize,
}

impl<'a, 'v, L> MapEntries<'a, 'v, L> {
    pub(super) fn new(
        key: Entry<'a, 'v, L>,
        value: Entry<'a, 'v, L>,
        fields: FieldNames,
        len: usize,
    ) -> Self {
        Self { key, value, fields, left: len }
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
        match seed.deserialize(Key { value: key.de(), fields: self.fields }) {
            Ok(key) => Ok(Some(key)),
            Err(error) => Err(error.in_field("key")),
        }
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        let value = self.value;
        self.value.index += 1;
        seed.deserialize(value.de()).map_err(|error| error.in_field("value"))
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
    entry: Entry<'a, 'v, L>,
    record: &'a RecordPlan,
    vector: &'v RecordVector,
    order: Order<'a>,
    at: usize,
    field: Option<(&'a str, Entry<'a, 'v, L>)>,
}

impl<'a, 'v, L> FieldsAccess<'a, 'v, L> {
    #[inline]
    pub(super) fn new(
        entry: Entry<'a, 'v, L>,
        record: &'a RecordPlan,
        vector: &'v RecordVector,
        order: Order<'a>,
    ) -> Self {
        Self { entry, record, vector, order, at: 0, field: None }
    }

    /// The next field that is there.
    #[inline]
    fn next(&mut self) -> Result<Option<(&'a str, Entry<'a, 'v, L>)>> {
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
                && !known.contains(&self.record.name_of(field))
            {
                let value = Entry { plan: &field.plan, vector, ..self.entry };
                return Ok(Some((self.record.name_of(field), value)));
            }
            if let Some(value) = self.entry.field(self.record, self.vector, number)? {
                return Ok(Some((self.record.name_of(field), value)));
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
            Some((name, _)) => seed.deserialize(NameKey(name)).map(Some),
            None => Ok(None),
        }
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        match self.field.take() {
            Some((name, value)) => match seed.deserialize(value.de()) {
                Ok(value) => Ok(value),
                Err(error) => Err(error.in_field(name)),
            },
            None => Err(Error::value("a map's value was asked for before its key")),
        }
    }
}

/// The fields of a tuple as a sequence; ends at the first that is absent.
pub(super) struct TupleAccess<'a, 'v, L> {
    entry: Entry<'a, 'v, L>,
    record: &'a RecordPlan,
    vector: &'v RecordVector,
    at: usize,
}

impl<'a, 'v, L> TupleAccess<'a, 'v, L> {
    pub(super) fn new(entry: Entry<'a, 'v, L>, record: &'a RecordPlan, vector: &'v RecordVector) -> Self {
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
        match value.map(|value| seed.deserialize(value.de())).transpose() {
            Ok(value) => Ok(value),
            Err(error) => Err(error.in_field(self.record.name_of(field))),
        }
    }
}

/// The fields of a record that a struct has, in its order; none of them can be absent.
pub(super) struct Positions<'a, 'v> {
    pub(super) record: &'a RecordPlan,
    pub(super) vector: &'v RecordVector,
    pub(super) positions: &'a [u32],
    pub(super) index: usize,
    pub(super) context: &'a Context<'a>,
}

/// The way for a struct that has some of the fields, or in another order.
pub(super) struct PositionsAccess<'n, 'a, 'v, L> {
    fields: &'n Positions<'a, 'v>,
    at: usize,
    lend: PhantomData<L>,
}

impl<'n, 'a, 'v, L> PositionsAccess<'n, 'a, 'v, L> {
    #[inline(always)]
    pub(super) fn new(fields: &'n Positions<'a, 'v>) -> Self {
        Self { fields, at: 0, lend: PhantomData }
    }
}

impl<'v, 'de, L: Lend<'v, 'de>> SeqAccess<'de> for PositionsAccess<'_, '_, 'v, L> {
    type Error = Error;

    #[inline(always)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Positions { record, vector, positions, index, context } = *self.fields;
        let Some(number) = positions.get(self.at) else {
            return Ok(None);
        };
        self.at += 1;
        let number = *number as usize;
        let (Some(field), Some(vector)) = (record.fields.get(number), vector.fields.get(number)) else {
            return Err(missing());
        };
        let value = Entry::<L> { plan: &field.plan, vector, index, context, lend: PhantomData };
        element(record, field, value, self.at, seed)
    }

    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }
}

/// The element of a sequence of fields of which `taken` have been taken then.
#[inline(always)]
fn element<'a, 'v, 'de, L: Lend<'v, 'de>, S: DeserializeSeed<'de>>(
    record: &RecordPlan,
    field: &FieldPlan,
    value: Entry<'a, 'v, L>,
    taken: usize,
    seed: S,
) -> Result<Option<S::Value>> {
    let context = value.context;
    let value = seed.deserialize(value.de());
    // Behind the value: structs in it count too.
    context.taken.set(taken);
    match value {
        Ok(value) => Ok(Some(value)),
        Err(error) => Err(error.in_field(record.name_of(field))),
    }
}

/// The first fields of a record, in its order, as a struct has them; none of them can be absent.
pub(super) struct First<'a, 'v> {
    pub(super) record: &'a RecordPlan,
    pub(super) fields: &'a [FieldPlan],
    pub(super) vectors: &'v [Vector],
    pub(super) index: usize,
    pub(super) context: &'a Context<'a>,
}

/// The fast way for a struct that is read as it was written.
///
/// Two words, which pass in registers: also where a visitor is not inlined, the position is a sum at
/// each field that the compiler knows but for the start.
pub(super) struct FirstAccess<'n, 'a, 'v, L> {
    first: &'n First<'a, 'v>,
    at: usize,
    lend: PhantomData<L>,
}

impl<'n, 'a, 'v, L> FirstAccess<'n, 'a, 'v, L> {
    #[inline(always)]
    pub(super) fn new(first: &'n First<'a, 'v>) -> Self {
        Self { first, at: 0, lend: PhantomData }
    }
}

impl<'v, 'de, L: Lend<'v, 'de>> SeqAccess<'de> for FirstAccess<'_, '_, 'v, L> {
    type Error = Error;

    #[inline(always)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let First { record, fields, vectors, index, context } = *self.first;
        let (Some(field), Some(vector)) = (fields.get(self.at), vectors.get(self.at)) else {
            return Ok(None);
        };
        self.at += 1;
        let value = Entry::<L> { plan: &field.plan, vector, index, context, lend: PhantomData };
        element(record, field, value, self.at, seed)
    }

    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.next_element_seed(PhantomData)
    }
}
