//! Sequences, item by item: lists, byte strings, tuples, and structs whose fields are known.

use super::entry::Entry;
use super::record::Tuple;
use super::value::Value;
use super::{Lend, Slow};
use crate::de::FastPathMiss;
use crate::error::{Error, Result};
use serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};

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
    pub(super) fn from_first(first: Entry<'a, 'v>, end: usize) -> Self {
        Self { next: first, start: first.index, end }
    }
}

/// The bytes of a byte string, as numbers.
pub(crate) struct Bytes<'v>(std::slice::Iter<'v, u8>);

impl<'v> Bytes<'v> {
    pub(super) fn from_bytes(bytes: &'v [u8]) -> Self {
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

/// Fields of the first row that the fast path reads.
pub(crate) trait FastFields<'de> {
    type Value: Deserializer<'de, Error = FastPathMiss>;

    fn next(&mut self) -> Option<Self::Value>;
}

/// The fields that a struct is given one after the other, from either path: what a derived struct does with them is compiled
/// once for both.
///
/// Fields by name are not read so: rows of structs that want them take the fast path to the end, and would be slower
/// by half.
pub(in crate::de) enum Fields<'a, 'v, L, F> {
    Slow(Seq<'a, 'v>, L),
    Fast(F),
}

/// Shows fields to the visitor of a struct.
// Not a part of the code around it: both paths share that of a type.
#[inline(never)]
pub(in crate::de) fn show_fields<'v, 'de, L: Lend<'v, 'de>, F: FastFields<'de>, V: Visitor<'de>>(
    mut fields: Fields<'_, 'v, L, F>,
    visitor: V,
) -> Result<V::Value> {
    visitor.visit_seq(StructItems { fields: &mut fields })
}

/// The error of a row that misses. Nobody sees it.
#[cold]
#[inline(never)]
fn missed(_: FastPathMiss) -> Error {
    Error::internal(String::new())
}

/// Fields one after the other, for a visitor.
struct StructItems<'f, 'a, 'v, L, F> {
    fields: &'f mut Fields<'a, 'v, L, F>,
}

impl<'v, 'de, L: Lend<'v, 'de>, F: FastFields<'de>> SeqAccess<'de> for StructItems<'_, '_, 'v, L, F> {
    type Error = Error;

    // Not a part of the code around it: all structs share that of a type.
    #[inline(never)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        match &mut *self.fields {
            Fields::Slow(seq, lend) => seq.item(seed, *lend),
            Fields::Fast(fields) => match fields.next() {
                Some(value) => seed.deserialize(value).map(Some).map_err(missed),
                None => Ok(None),
            },
        }
    }

    fn size_hint(&self) -> Option<usize> {
        match &*self.fields {
            Fields::Slow(seq, _) => seq.left(),
            Fields::Fast(_) => None,
        }
    }
}
