//! Structs that take their fields by name, since some may be missing in the file or in a row.

use super::node::{Below, Node};
use super::{Result, Straight, Stray};
use crate::de::plan::RecordPlan;
use crate::vector::{RecordVector, Vector};
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, IntoDeserializer, MapAccess};
use std::cell::Cell;

/// The fields of a record that a struct has names for.
pub(super) struct Named {
    /// The names of the struct's fields, known by their address.
    names: Cell<&'static [&'static str]>,
    fields: Vec<Field>,
    /// The record, with nothing in place of these fields.
    rest: RecordVector,
}

struct Field {
    name: String,
    /// Its place in the record.
    place: usize,
    /// Whether null says that the field is not there.
    absent: bool,
    node: Node,
}

impl Named {
    pub(super) fn of(
        plan: &mut RecordPlan,
        names: &'static [&'static str],
        places: Vec<u32>,
        mut rest: RecordVector,
    ) -> Self {
        let field = |place| {
            let place = place as usize;
            let name = plan.name_of(plan.fields.get(place)?).to_owned();
            let (field, vector) = (plan.fields.get_mut(place)?, rest.fields.get_mut(place)?);
            let vector = std::mem::replace(vector, Vector::Null(0));
            let absent = field.absent;
            Some(Field { name, place, absent, node: Node::of(&mut field.plan, vector) })
        };
        let fields = places.into_iter().filter_map(field).collect();
        Self { names: Cell::new(names), fields, rest }
    }

    pub(super) fn release(self, plan: &mut RecordPlan) -> RecordVector {
        let mut rest = self.rest;
        for Field { place, node, .. } in self.fields {
            if let (Some(field), Some(vector)) = (plan.fields.get_mut(place), rest.fields.get_mut(place)) {
                *vector = node.release(&mut field.plan);
            }
        }
        rest
    }

    /// The fields of a row for a struct, if it is the one that has been read here.
    pub(super) fn of_struct(&self, names: &'static [&'static str], index: usize) -> Option<Fields<'_>> {
        if !std::ptr::eq(self.names.get(), names) {
            if self.names.get() != names {
                return None;
            }
            self.names.set(names);
        }
        Some(Fields { rest: self.fields.iter(), index, value: None })
    }
}

/// The fields that a row has.
pub(super) struct Fields<'n> {
    rest: std::slice::Iter<'n, Field>,
    index: usize,
    value: Option<Straight<'n>>,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Stray;

    #[inline]
    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        for Field { name, absent, node, .. } in self.rest.by_ref() {
            let value = match &node.below {
                Below::Optional(offsets, item) if *absent => match offsets.range(self.index) {
                    Some(range) if range.is_empty() => continue,
                    Some(range) => Straight { node: item, index: range.start },
                    None => return Err(Stray),
                },
                _ if *absent => return Err(Stray),
                _ => Straight { node, index: self.index },
            };
            self.value = Some(value);
            let name: StrDeserializer<'_, Stray> = name.as_str().into_deserializer();
            return seed.deserialize(name).map(Some);
        }
        Ok(None)
    }

    #[inline]
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value> {
        match self.value.take() {
            Some(value) => seed.deserialize(value),
            None => Err(Stray),
        }
    }
}
