//! What objects hold: fields, or entries of a map once there are too many different keys.

use super::Counts;
use super::wishes::{Objects, Wish};
use std::collections::HashMap;

/// What objects hold.
#[derive(Clone, Debug, Default)]
pub(crate) enum Members {
    /// There was no object.
    #[default]
    None,
    Fields(Box<Fields>),
    /// A map, by what its values are.
    Map(Box<Counts>),
}

/// Fields in the order in which they came.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fields {
    pub(crate) fields: Vec<Field>,
    places: HashMap<Box<str>, usize>,
}

#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Box<str>,
    pub(crate) node: Counts,
    /// The object that had this field last, by its number.
    pub(super) last: u64,
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

    pub(crate) fn add(&mut self, name: &str, node: Counts) -> usize {
        let place = self.fields.len();
        self.places.insert(name.into(), place);
        self.fields.push(Field { name: name.into(), node, last: 0 });
        place
    }
}

impl Members {
    /// The members of a node's first object.
    pub(super) fn new(wish: Option<&Wish>) -> Self {
        match wish.and_then(|wish| wish.objects) {
            Some(Objects::Map) => Self::Map(Box::new(Counts::new(wish.and_then(Wish::of_values)))),
            _ => Self::Fields(Box::default()),
        }
    }

    /// Whether the fields are too many, so that this is to be a map.
    pub(super) fn is_full(&self, wish: Option<&Wish>, map_keys: usize) -> bool {
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

    pub(super) fn merge(&mut self, mut later: Self, wish: Option<&Wish>, map_keys: usize) {
        match (&*self, &later) {
            (Self::Fields(_), Self::Map(_)) => self.become_map(wish, map_keys),
            (Self::Map(_), Self::Fields(_)) => later.become_map(wish, map_keys),
            _ => {}
        }
        match (&mut *self, later) {
            (Self::None, later) => *self = later,
            (Self::Map(value), Self::Map(later)) => value.merge(*later, map_keys),
            (Self::Fields(fields), Self::Fields(later)) => {
                for (at, field) in later.fields.into_iter().enumerate() {
                    match fields.find(at, &field.name) {
                        Some(place) => fields.fields[place].node.merge(field.node, map_keys),
                        None => {
                            fields.add(&field.name, field.node);
                        }
                    }
                }
                if self.is_full(wish, map_keys) {
                    self.become_map(wish, map_keys);
                }
            }
            _ => {}
        }
    }

    pub(super) fn size(&self) -> usize {
        match self {
            Self::None => 0,
            Self::Map(value) => value.size(),
            Self::Fields(fields) => fields.fields.iter().map(|field| field.node.size()).sum(),
        }
    }
}
