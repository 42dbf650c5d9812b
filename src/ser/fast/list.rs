//! Sequences and tuples.

use super::node::List;
use super::record::Fields;
use super::{Fast, FastPathMiss, Result, fitted};
use crate::ser::compound::values;
use crate::vector::Offsets;
use serde::Serialize;

/// Items or entries that have been written.
#[derive(Default)]
pub(super) struct Written {
    pub(super) count: usize,
    pub(super) missed: bool,
}

impl Written {
    #[inline(always)]
    pub(super) fn note(&mut self, pushed: Result<()>) -> Result<()> {
        self.missed |= pushed.is_err();
        pushed
    }

    /// Appends their number.
    #[inline(always)]
    pub(super) fn finish(self, offsets: &mut Offsets) -> Result<()> {
        match u32::try_from(self.count) {
            Ok(count) if !self.missed => fitted(offsets.push_length(count)),
            _ => Err(FastPathMiss),
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
        self.written.note(value.serialize(Fast(&mut self.list.item)))
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

values! { FastPathMiss:
    SerializeSeq serialize_element Items;
    SerializeTuple serialize_element Tuple;
    SerializeTupleStruct serialize_field Tuple;
    SerializeTupleVariant serialize_field Tuple;
}
