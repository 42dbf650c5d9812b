//! Records by the names of their fields.

use super::hold::{Hold, Owned, Plant, Str, View};
use super::node::{Below, Node};
use super::value::some;
use super::{Fast, FastPathMiss, Lend, Name, Result, exchange, record};
use crate::de::key::Key;
use crate::de::plan::RecordPlan;
use crate::vector::RecordVector;
use serde::de::{DeserializeSeed, MapAccess};
use std::cell::Cell;

/// The fields of a record that a struct has names for, or all.
pub(super) struct Named<H: Hold> {
    /// The names of the struct's fields, known by their address; `None` where all fields are shown.
    names: Cell<Option<&'static [&'static str]>>,
    fields: Vec<Field<H>>,
    /// The record, with nothing in place of these fields.
    pub(super) rest: H::Record,
}

struct Field<H: Hold> {
    name: H::Name,
    /// Its place in the record.
    place: u32,
    /// Whether null says that the field is not there.
    absent: bool,
    node: Node<H>,
}

impl<H: Hold> Named<H> {
    pub(super) fn new<'p>(
        plan: &'p RecordPlan,
        names: Option<&'static [&'static str]>,
        places: impl Iterator<Item = u32>,
        mut rest: H::Record,
    ) -> Self
    where
        H: Plant<'p>,
    {
        let field = |place: u32| {
            let (field, node) = record::field(plan, place, &mut rest)?;
            Some(Field { name: H::own_name(plan.name_of(field)), place, absent: field.absent, node })
        };
        let fields = places.filter_map(field).collect();
        Self { names: Cell::new(names), fields, rest }
    }

    /// The fields of a row for a struct, if it is the one that has been read here.
    pub(super) fn of_struct<L: View<Hold = H>>(
        &self,
        names: &'static [&'static str],
        index: usize,
    ) -> Option<NamedFields<'_, L>> {
        let known = self.names.get()?;
        if !std::ptr::eq(known, names) {
            if known != names {
                return None;
            }
            self.names.set(Some(names));
        }
        Some(self.fields(index))
    }

    /// All fields of a row, where they are all here.
    pub(super) fn all<L: View<Hold = H>>(&self, index: usize) -> Option<NamedFields<'_, L>> {
        if self.names.get().is_some() { None } else { Some(self.fields(index)) }
    }

    fn fields<L: View<Hold = H>>(&self, index: usize) -> NamedFields<'_, L> {
        NamedFields { rest: self.fields.iter(), index, value: None }
    }
}

impl Named<Owned> {
    /// The fields with their places in the record.
    pub(super) fn nodes(&self) -> impl Iterator<Item = (u32, &Node<Owned>)> {
        self.fields.iter().map(|field| (field.place, &field.node))
    }

    pub(super) fn exchange(&mut self, record: &mut RecordVector) -> bool {
        let nodes = self.fields.iter_mut().map(|field| (field.place, &mut field.node));
        exchange::fields(nodes, &mut self.rest, record)
    }

    pub(super) fn release(self) -> RecordVector {
        record::release(self.fields.into_iter().map(|field| (field.place, field.node)), self.rest)
    }
}

/// The fields that a row has, by name.
pub(super) struct NamedFields<'n, L: View> {
    rest: std::slice::Iter<'n, Field<L::Hold>>,
    index: usize,
    value: Option<Fast<'n, L>>,
}

impl<'n, L: View> NamedFields<'n, L> {
    /// The next field that is there.
    #[inline]
    pub(super) fn next(&mut self) -> Result<Option<(Str<'n, L>, Fast<'n, L>)>> {
        for Field { name, absent, node, .. } in self.rest.by_ref() {
            let value = match &node.below {
                Below::Optional(_, offsets, item) if *absent => match some(offsets, item, self.index)? {
                    Some(some) => some,
                    None => continue,
                },
                _ if *absent => return Err(FastPathMiss::new()),
                _ => Fast { node, index: self.index },
            };
            return Ok(Some((L::Hold::name(name), value)));
        }
        Ok(None)
    }
}

impl<'n, 'de, L: Lend<'n, 'de>> MapAccess<'de> for NamedFields<'n, L> {
    type Error = FastPathMiss;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Some((name, value)) = self.next()? else {
            return Ok(None);
        };
        self.value = Some(value);
        seed.deserialize(Key::from_name(Name::<L>(name))).map(Some)
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        match self.value.take() {
            Some(value) => seed.deserialize(value),
            None => Err(FastPathMiss::new()),
        }
    }
}
