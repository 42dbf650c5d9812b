//! What objects hold: fields, or entries of a map once there are too many different keys.

use super::Counts;
use super::wishes::{Objects, Wish};
use std::collections::HashMap;

/// What objects hold.
#[derive(Clone, Debug, Default)]
pub enum Members {
    /// There was no object.
    #[default]
    None,
    Fields(Box<Fields>),
    /// A map, by what its values are.
    Map(Box<Counts>),
}

/// Fields in the order in which they came.
/// A field of objects.
#[derive(Clone, Debug, Default)]
pub struct Fields {
    /// The fields.
    pub fields: Vec<Field>,
    places: HashMap<Box<str>, usize>,
}

#[derive(Clone, Debug)]
pub struct Field {
    pub(crate) name: Box<str>,
    /// What is known of its values.
    pub node: Counts,
    /// The object that had this field last, by its number.
    pub(crate) last: u64,
    /// The fields before it and after it in the object that had it first.
    before: Option<usize>,
    after: Option<usize>,
}

impl Fields {
    /// The place of a field, which is likely the one given.
    #[inline]
    pub(crate) fn find(&self, likely: usize, name: &str) -> Option<usize> {
        match self.fields.get(likely) {
            Some(field) if *field.name == *name => Some(likely),
            _ => self.places.get(name).copied(),
        }
    }

    /// Adds a field that comes after another one in the object that has it first.
    pub(crate) fn add(&mut self, name: &str, node: Counts, before: Option<usize>) -> usize {
        let place = self.fields.len();
        self.places.insert(name.into(), place);
        self.fields.push(Field { name: name.into(), node, last: 0, before, after: None });
        place
    }

    /// Notes what comes after a field in the object that has it first.
    pub(super) fn follow(&mut self, place: usize, after: usize) {
        if let Some(field) = self.fields.get_mut(place) {
            field.after = field.after.or(Some(after));
        }
    }

    /// Adds the fields of later objects.
    fn merge(&mut self, later: Self, map_keys: usize) {
        let mut places = Vec::with_capacity(later.fields.len());
        let mut new = Vec::new();
        for (at, field) in later.fields.into_iter().enumerate() {
            let place = match self.find(at, &field.name) {
                Some(place) => {
                    self.fields[place].node.merge(field.node, map_keys);
                    place
                }
                None => {
                    let place = self.add(&field.name, field.node, None);
                    new.push((place, field.before, field.after));
                    place
                }
            };
            places.push(place);
        }
        let place = |at: Option<usize>| at.and_then(|at| places.get(at).copied());
        for (own, before, after) in new {
            (self.fields[own].before, self.fields[own].after) = (place(before), place(after));
        }
    }

    /// The fields in an order that keeps that of the objects where one does: a field that comes late is put after the one
    /// that it came after, or else before the one that it came before.
    pub(super) fn in_order(&self) -> Vec<&Field> {
        let none = self.fields.len();
        // A ring of places, with the end as its start.
        let (mut next, mut last) = (vec![none; none + 1], vec![none; none + 1]);
        for (place, field) in self.fields.iter().enumerate() {
            let at = match field.before {
                Some(before) if before < place => before,
                _ => last.get(self.known_after(place)).copied().unwrap_or(none),
            };
            let after = next[at];
            (next[at], last[place], next[place], last[after]) = (place, at, after, place);
        }
        let mut ordered = Vec::with_capacity(none);
        let mut at = next[none];
        while let Some(field) = self.fields.get(at) {
            ordered.push(field);
            at = next[at];
        }
        ordered
    }

    /// The first field after this one, in the object that had it first, that was there before; the end where there is
    /// none.
    fn known_after(&self, place: usize) -> usize {
        let mut at = place;
        loop {
            match self.fields.get(at).and_then(|field| field.after) {
                Some(after) if after < place => return after,
                Some(after) if after > at => at = after,
                _ => return self.fields.len(),
            }
        }
    }
}

impl Members {
    /// The members of a node's first object.
    pub(crate) fn new(wish: Option<&Wish>) -> Self {
        match wish.and_then(|wish| wish.objects) {
            Some(Objects::Map) => Self::Map(Box::new(Counts::new(wish.and_then(Wish::of_values)))),
            _ => Self::Fields(Box::default()),
        }
    }

    /// Whether the fields are too many, so that this is to be a map.
    pub(crate) fn is_full(&self, wish: Option<&Wish>, map_keys: usize) -> bool {
        let fixed = wish.is_some_and(|wish| wish.objects == Some(Objects::Struct));
        matches!(self, Self::Fields(fields) if fields.fields.len() > map_keys && !fixed)
    }

    /// Makes a map of fields.
    pub(super) fn become_map(&mut self, wish: Option<&Wish>, map_keys: usize) {
        if let Self::Fields(fields) = std::mem::take(self) {
            let mut value = Counts::new(wish.and_then(Wish::of_values));
            for field in fields.fields {
                value.merge(field.node, map_keys);
            }
            *self = Self::Map(Box::new(value));
        }
    }

    pub(crate) fn merge(&mut self, mut later: Self, wish: Option<&Wish>, map_keys: usize) {
        match (&*self, &later) {
            (Self::Fields(_), Self::Map(_)) => self.become_map(wish, map_keys),
            (Self::Map(_), Self::Fields(_)) => later.become_map(wish, map_keys),
            _ => {}
        }
        match (&mut *self, later) {
            (Self::None, later) => *self = later,
            (Self::Map(value), Self::Map(later)) => value.merge(*later, map_keys),
            (Self::Fields(fields), Self::Fields(later)) => {
                fields.merge(*later, map_keys);
                if self.is_full(wish, map_keys) {
                    self.become_map(wish, map_keys);
                }
            }
            _ => {}
        }
    }

    pub(crate) fn size(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Map(value) => value.size(),
            Self::Fields(fields) => fields.fields.iter().map(|field| field.node.size()).sum(),
        }
    }
}
