//! Sequences, tuples and maps.

use super::record::Fields;
use super::tree::{List, Map};
use super::{Result, Straight, Stray, fitted};
use serde::ser::{self, Serialize};

/// Writes one list.
pub(crate) struct Items<'a> {
    list: &'a mut List,
    count: usize,
    strayed: bool,
}

impl<'a> Items<'a> {
    #[inline(always)]
    pub(super) fn new(list: &'a mut List) -> Self {
        Self { list, count: 0, strayed: false }
    }

    #[inline(always)]
    fn push<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let pushed = value.serialize(Straight(&mut self.list.item));
        self.strayed |= pushed.is_err();
        self.count += 1;
        pushed
    }

    #[inline(always)]
    fn finish(self) -> Result<()> {
        match u32::try_from(self.count) {
            Ok(count) if !self.strayed => fitted(self.list.offsets.push_length(count)),
            _ => Err(Stray),
        }
    }
}

/// Writes one tuple: a field per item, or a list where there are many.
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

/// Writes one map.
pub(crate) struct Entries<'a> {
    map: &'a mut Map,
    count: usize,
    strayed: bool,
}

impl<'a> Entries<'a> {
    #[inline(always)]
    pub(super) fn new(map: &'a mut Map) -> Self {
        Self { map, count: 0, strayed: false }
    }
}

impl ser::SerializeSeq for Items<'_> {
    type Ok = ();
    type Error = Stray;

    #[inline(always)]
    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.push(value)
    }

    #[inline(always)]
    fn end(self) -> Result<()> {
        self.finish()
    }
}

impl ser::SerializeTuple for Tuple<'_> {
    type Ok = ();
    type Error = Stray;

    #[inline(always)]
    fn serialize_element<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.push(value)
    }

    #[inline(always)]
    fn end(self) -> Result<()> {
        self.finish()
    }
}

impl ser::SerializeTupleStruct for Tuple<'_> {
    type Ok = ();
    type Error = Stray;

    #[inline(always)]
    fn serialize_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.push(value)
    }

    #[inline(always)]
    fn end(self) -> Result<()> {
        self.finish()
    }
}

impl ser::SerializeTupleVariant for Tuple<'_> {
    type Ok = ();
    type Error = Stray;

    #[inline(always)]
    fn serialize_field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.push(value)
    }

    #[inline(always)]
    fn end(self) -> Result<()> {
        self.finish()
    }
}

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = Stray;

    #[inline(always)]
    fn serialize_key<K: ?Sized + Serialize>(&mut self, key: &K) -> Result<()> {
        let pushed = key.serialize(Straight(&mut self.map.key));
        self.strayed |= pushed.is_err();
        self.count += 1;
        pushed
    }

    #[inline(always)]
    fn serialize_value<V: ?Sized + Serialize>(&mut self, value: &V) -> Result<()> {
        let pushed = value.serialize(Straight(&mut self.map.value));
        self.strayed |= pushed.is_err();
        pushed
    }

    #[inline(always)]
    fn end(self) -> Result<()> {
        match u32::try_from(self.count) {
            Ok(count) if !self.strayed => fitted(self.map.offsets.push_length(count)),
            _ => Err(Stray),
        }
    }
}
