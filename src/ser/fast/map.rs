//! Maps.

use super::list::{Written, push_length};
use super::node::Map;
use super::{Fast, FastPathMiss, Result};
use serde::ser::{self, Serialize};

/// Writes one map.
pub(crate) struct Entries<'a> {
    map: &'a mut Map,
    keys: usize,
    values: usize,
    written: Written,
}

impl<'a> Entries<'a> {
    #[inline(always)]
    pub(super) fn new(map: &'a mut Map) -> Self {
        Self { map, keys: 0, values: 0, written: Written::default() }
    }

    /// Each key has its value.
    #[inline(always)]
    fn in_turn(&mut self, is_in_turn: bool) -> Result<()> {
        if is_in_turn { Ok(()) } else { self.written.note(Err(FastPathMiss)) }
    }
}

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = FastPathMiss;

    #[inline(always)]
    fn serialize_key<K: ?Sized + Serialize>(&mut self, key: &K) -> Result<()> {
        self.in_turn(self.values == self.keys)?;
        self.keys += 1;
        self.written.note(key.serialize(Fast(&mut self.map.key)))
    }

    #[inline(always)]
    fn serialize_value<V: ?Sized + Serialize>(&mut self, value: &V) -> Result<()> {
        self.values += 1;
        self.in_turn(self.values == self.keys)?;
        self.written.note(value.serialize(Fast(&mut self.map.value)))
    }

    #[inline(always)]
    fn end(mut self) -> Result<()> {
        self.in_turn(self.values == self.keys)?;
        self.written.finish()?;
        push_length(&mut self.map.offsets, self.keys)
    }
}
