//! Maps.

use super::list::Written;
use super::node::Map;
use super::{Fast, FastPathMiss, Result};
use serde::ser::{self, Serialize};

/// Writes one map.
pub(crate) struct Entries<'a> {
    map: &'a mut Map,
    /// Keys.
    written: Written,
    values: usize,
}

impl<'a> Entries<'a> {
    #[inline(always)]
    pub(super) fn new(map: &'a mut Map) -> Self {
        Self { map, written: Written::default(), values: 0 }
    }
}

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = FastPathMiss;

    #[inline(always)]
    fn serialize_key<K: ?Sized + Serialize>(&mut self, key: &K) -> Result<()> {
        self.written.missed |= self.values != self.written.count;
        self.written.count += 1;
        self.written.note(key.serialize(Fast(&mut self.map.key)))
    }

    #[inline(always)]
    fn serialize_value<V: ?Sized + Serialize>(&mut self, value: &V) -> Result<()> {
        self.values += 1;
        self.written.missed |= self.values != self.written.count;
        self.written.note(value.serialize(Fast(&mut self.map.value)))
    }

    #[inline(always)]
    fn end(self) -> Result<()> {
        if self.values != self.written.count {
            return Err(FastPathMiss);
        }
        self.written.finish(&mut self.map.offsets)
    }
}
