//! Rows of JSON into the tree, straight from the parser: no values are built.

use super::exact;
use super::{Counts, Members};
use crate::numbers::may_be_integer;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;

/// The most paths that are distinguished.
const MAX_NODES: usize = 100_000;

/// Adds rows to a tree.
pub struct RowCounter {
    map_keys: usize,
    /// Nodes that have been added since they were counted.
    added: usize,
}

impl RowCounter {
    /// For objects that are maps where they have more different keys.
    pub fn new(map_keys: usize) -> Self {
        Self { map_keys, added: 0 }
    }

    /// Adds a row. Where it is no JSON, or has a key twice, some of it may be in the tree.
    ///
    /// # Errors
    ///
    /// What is wrong, with the place in the row where it is a matter of syntax.
    pub fn add(&mut self, node: &mut Counts, text: &str) -> Result<(), serde_json::Error> {
        let mut state = State { map_keys: self.map_keys, nodes: 0, large: false };
        let mut json = serde_json::Deserializer::from_str(text);
        Feed { node: &mut *node, state: &mut state }.deserialize(&mut json)?;
        json.end()?;
        self.added += state.nodes;
        if self.added > MAX_NODES {
            is_bounded(node).map_err(de::Error::custom)?;
            self.added = 0;
        }
        if state.large { exact::add_large(node, text) } else { Ok(()) }
    }
}

/// An error where a tree has too many nodes for a schema.
pub fn is_bounded(node: &Counts) -> Result<(), String> {
    match node.size() {
        size if size > MAX_NODES => {
            Err(format!("there are more than {MAX_NODES} different paths up to here"))
        }
        _ => Ok(()),
    }
}

struct State {
    map_keys: usize,
    /// Nodes that this row added.
    nodes: usize,
    /// There is a number that may be an integer of more than 64 bits. It has not been counted.
    large: bool,
}

struct Feed<'a> {
    node: &'a mut Counts,
    state: &'a mut State,
}

impl<'de> DeserializeSeed<'de> for Feed<'_> {
    type Value = ();

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        if self.node.is_given() {
            let raw: &RawValue = de::Deserialize::deserialize(deserializer)?;
            self.node.given(raw.get());
            return Ok(());
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Feed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    #[inline]
    fn visit_unit<E>(self) -> Result<(), E> {
        self.node.nulls += 1;
        Ok(())
    }

    #[inline]
    fn visit_bool<E>(self, _: bool) -> Result<(), E> {
        self.node.booleans += 1;
        Ok(())
    }

    #[inline]
    fn visit_i64<E>(self, value: i64) -> Result<(), E> {
        self.node.integers.add(value);
        Ok(())
    }

    #[inline]
    fn visit_u64<E>(self, value: u64) -> Result<(), E> {
        self.node.integers.add_unsigned(value);
        Ok(())
    }

    #[inline]
    fn visit_f64<E>(self, value: f64) -> Result<(), E> {
        if may_be_integer(value) {
            self.state.large = true;
        } else {
            self.node.floats += 1;
        }
        Ok(())
    }

    #[inline]
    fn visit_str<E>(self, text: &str) -> Result<(), E> {
        self.node.text(text);
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.node.lists += 1;
        if self.node.item.is_none() {
            self.state.nodes += 1;
        }
        let node = self.node.item();
        while items.next_element_seed(Feed { node: &mut *node, state: &mut *self.state })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        let Self { node, state } = self;
        node.objects += 1;
        let Counts { objects, members, wish, .. } = node;
        if matches!(members, Members::None) {
            *members = Members::new(wish.as_deref());
        }
        let mut likely = 0;
        let (mut before, mut is_new) = (None, false);
        loop {
            match members {
                Members::Fields(fields) => {
                    let known = fields.fields.len();
                    let new = |name: &str| Counts::new(wish.as_ref().and_then(|wish| wish.of_field(name)));
                    let Some(place) =
                        entries.next_key_seed(Key { fields: &mut *fields, likely, before, is_new, new })?
                    else {
                        return Ok(());
                    };
                    let Some(field) = fields.fields.get_mut(place) else {
                        return Err(de::Error::custom("a field is lost"));
                    };
                    if field.last == *objects {
                        return Err(twice(&field.name));
                    }
                    field.last = *objects;
                    likely = place + 1;
                    (before, is_new) = (Some(place), place >= known);
                    entries.next_value_seed(Feed { node: &mut field.node, state: &mut *state })?;
                    if fields.fields.len() > known {
                        state.nodes += 1;
                        if members.is_full(wish.as_deref(), state.map_keys) {
                            members.become_map(wish.as_deref(), state.map_keys);
                        }
                    }
                }
                Members::Map(value) => {
                    if entries.next_key::<IgnoredAny>()?.is_none() {
                        return Ok(());
                    }
                    entries.next_value_seed(Feed { node: &mut *value, state: &mut *state })?;
                }
                Members::None => return Err(de::Error::custom("members are lost")),
            }
        }
    }
}

/// What is wrong where a key comes again.
#[cold]
pub(super) fn twice<E: de::Error>(key: &str) -> E {
    de::Error::custom(format!("key {key:?} comes twice in one object"))
}

/// Finds or adds the field of a key.
struct Key<'a, F> {
    fields: &'a mut super::Fields,
    likely: usize,
    /// The field that came before.
    before: Option<usize>,
    /// Whether this object is the first that has it.
    is_new: bool,
    new: F,
}

impl<'de, F: Fn(&str) -> Counts> DeserializeSeed<'de> for Key<'_, F> {
    type Value = usize;

    #[inline]
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<usize, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<F: Fn(&str) -> Counts> Visitor<'_> for Key<'_, F> {
    type Value = usize;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    #[inline]
    fn visit_str<E>(self, name: &str) -> Result<usize, E> {
        let place = match self.fields.find(self.likely, name) {
            Some(place) => place,
            None => self.fields.add(name, (self.new)(name), self.before),
        };
        if let Some(before) = self.before.filter(|_| self.is_new) {
            self.fields.follow(before, place);
        }
        Ok(place)
    }
}
