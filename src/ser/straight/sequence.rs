//! Sequences, tuples and maps.

use super::record::Fields;
use super::tree::{List, Map};
use super::{Result, Straight, Stray, fitted};
use crate::vector::Offsets;
use serde::ser::{self, Serialize};

/// Items or entries that have been written.
#[derive(Default)]
struct Written {
    count: usize,
    strayed: bool,
}

impl Written {
    #[inline(always)]
    fn note(&mut self, pushed: Result<()>) -> Result<()> {
        self.strayed |= pushed.is_err();
        pushed
    }

    /// Appends their number.
    #[inline(always)]
    fn finish(self, offsets: &mut Offsets) -> Result<()> {
        match u32::try_from(self.count) {
            Ok(count) if !self.strayed => fitted(offsets.push_length(count)),
            _ => Err(Stray),
        }
    }
}

/// Writes one list.
pub(crate) struct Items<'a> {
    list: &'a mut List,
    written: Written,
}

impl<'a> Items<'a> {
    #[inline(always)]
    pub(super) fn new(list: &'a mut List) -> Self {
        Self { list, written: Written::default() }
    }

    #[inline(always)]
    fn push<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        self.written.count += 1;
        self.written.note(value.serialize(Straight(&mut self.list.item)))
    }

    #[inline(always)]
    fn finish(self) -> Result<()> {
        self.written.finish(&mut self.list.offsets)
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

/// What has one value after the other.
macro_rules! values {
    ($($trait:ident $method:ident $type:ident;)*) => {
        $(impl ser::$trait for $type<'_> {
            type Ok = ();
            type Error = Stray;

            #[inline(always)]
            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
                self.push(value)
            }

            #[inline(always)]
            fn end(self) -> Result<()> {
                self.finish()
            }
        })*
    };
}

values! {
    SerializeSeq serialize_element Items;
    SerializeTuple serialize_element Tuple;
    SerializeTupleStruct serialize_field Tuple;
    SerializeTupleVariant serialize_field Tuple;
}

impl ser::SerializeMap for Entries<'_> {
    type Ok = ();
    type Error = Stray;

    #[inline(always)]
    fn serialize_key<K: ?Sized + Serialize>(&mut self, key: &K) -> Result<()> {
        self.written.strayed |= self.values != self.written.count;
        self.written.count += 1;
        self.written.note(key.serialize(Straight(&mut self.map.key)))
    }

    #[inline(always)]
    fn serialize_value<V: ?Sized + Serialize>(&mut self, value: &V) -> Result<()> {
        self.values += 1;
        self.written.strayed |= self.values != self.written.count;
        self.written.note(value.serialize(Straight(&mut self.map.value)))
    }

    #[inline(always)]
    fn end(self) -> Result<()> {
        if self.values != self.written.count {
            return Err(Stray);
        }
        self.written.finish(&mut self.map.offsets)
    }
}
