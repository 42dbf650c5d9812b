//! Sequences, item by item: lists, byte strings and tuples.

use super::entry::Entry;
use super::record::Tuple;
use super::value::Value;
use super::{Lend, Slow};
use crate::error::{Error, Result};
use serde::de::{DeserializeSeed, SeqAccess};

/// A sequence of any kind.
pub(crate) enum Seq<'a, 'v> {
    Items(Items<'a, 'v>),
    Bytes(Bytes<'v>),
    Tuple(Tuple<'a, 'v>),
}

/// The items of a list.
pub(crate) struct Items<'a, 'v> {
    next: Entry<'a, 'v>,
    start: usize,
    end: usize,
}

impl<'a, 'v> Items<'a, 'v> {
    /// From an item on.
    pub(super) fn of(first: Entry<'a, 'v>, end: usize) -> Self {
        Self { next: first, start: first.index, end }
    }
}

/// The bytes of a byte string, as numbers.
pub(crate) struct Bytes<'v>(std::slice::Iter<'v, u8>);

impl<'v> Bytes<'v> {
    pub(super) fn of(bytes: &'v [u8]) -> Self {
        Self(bytes.iter())
    }
}

impl<'a, 'v> Seq<'a, 'v> {
    fn next(&mut self) -> Result<Option<Value<'a, 'v>>> {
        match self {
            Self::Items(items) if items.next.index == items.end => Ok(None),
            Self::Items(items) => {
                let item = items.next;
                items.next.index += 1;
                Ok(Some(Value::Entry(item)))
            }
            Self::Bytes(bytes) => Ok(bytes.0.next().copied().map(Value::Byte)),
            Self::Tuple(fields) => fields.next(),
        }
    }

    /// The next item, as what a type makes of it.
    pub(crate) fn item<'de, L: Lend<'v, 'de>, S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
        lend: L,
    ) -> Result<Option<S::Value>> {
        let Some(value) = self.next()? else {
            return Ok(None);
        };
        match seed.deserialize(Slow { value, lend }) {
            Ok(value) => Ok(Some(value)),
            Err(error) => Err(self.locate(error)),
        }
    }

    /// Adds to an error which item it comes from: the last.
    #[cold]
    fn locate(&self, error: Error) -> Error {
        match self {
            Self::Items(items) => error.in_item(items.next.index - items.start - 1),
            Self::Bytes(_) => error,
            Self::Tuple(fields) => error.in_field(fields.last()),
        }
    }

    pub(crate) fn left(&self) -> Option<usize> {
        match self {
            // Items may take no bytes in the file; serde's own types bound what they reserve.
            Self::Items(items) => Some(items.end - items.next.index),
            Self::Bytes(bytes) => Some(bytes.0.len()),
            Self::Tuple(_) => None,
        }
    }
}

/// A sequence for a visitor.
pub(super) struct SeqItems<'a, 'v, L> {
    pub(super) seq: Seq<'a, 'v>,
    pub(super) lend: L,
}

impl<'v, 'de, L: Lend<'v, 'de>> SeqAccess<'de> for SeqItems<'_, 'v, L> {
    type Error = Error;

    // Not a part of the code around it: all sequences share that of a type.
    #[inline(never)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        self.seq.item(seed, self.lend)
    }

    fn size_hint(&self) -> Option<usize> {
        self.seq.left()
    }
}
