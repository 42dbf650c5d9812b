//! Sequences, tuples and maps.

use super::node::{List, Map};
use super::record::Fields;
use super::{Fast, FastPathMiss, Result};
use crate::ser::compound::values;
use crate::vector::Offsets;
use serde::Serialize;
use serde::ser;

/// Whether a value of a compound has failed. A `Serialize` that goes on nevertheless must not come to an end.
#[derive(Default)]
pub(super) struct Written {
    failed: bool,
}

impl Written {
    #[inline(always)]
    pub(super) fn note(&mut self, pushed: Result<()>) -> Result<()> {
        self.failed |= pushed.is_err();
        pushed
    }

    #[inline(always)]
    pub(super) fn finish(self) -> Result<()> {
        if self.failed { Err(FastPathMiss) } else { Ok(()) }
    }
}

/// Appends the number of the items of a list or the entries of a map.
#[inline(always)]
pub(super) fn push_length(offsets: &mut Offsets, count: usize) -> Result<()> {
    match u32::try_from(count) {
        Ok(count) if offsets.push_length(count) => Ok(()),
        _ => Err(FastPathMiss),
    }
}

/// Writes one list.
pub(crate) struct Items<'a> {
    list: &'a mut List,
    count: usize,
    written: Written,
}

impl<'a> Items<'a> {
    #[inline(always)]
    pub(super) fn new(list: &'a mut List) -> Self {
        Self { list, count: 0, written: Written::default() }
    }

    #[inline(always)]
    fn push<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.count += 1;
        self.written.note(value.serialize(Fast(&mut self.list.item)))
    }

    #[inline(always)]
    fn finish(self) -> Result<()> {
        self.written.finish()?;
        push_length(&mut self.list.offsets, self.count)
    }
}

/// Writes one tuple: a field per item, or a list where there are many, or other items than usual.
pub(crate) enum Tuple<'a> {
    Fields(Fields<'a>),
    Items(Items<'a>),
}

impl Tuple<'_> {
    #[inline(always)]
    fn push<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        match self {
            Self::Fields(fields) => fields.next(value),
            Self::Items(items) => items.push(value),
        }
    }

    #[inline(always)]
    fn finish(self) -> Result<()> {
        match self {
            Self::Fields(fields) => fields.finish(),
            Self::Items(items) => items.finish(),
        }
    }
}

values! { FastPathMiss:
    SerializeSeq serialize_element Items;
    SerializeTuple serialize_element Tuple;
    SerializeTupleStruct serialize_field Tuple;
    SerializeTupleVariant serialize_field Tuple;
}

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
