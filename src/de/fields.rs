//! The fields of a struct one after the other, from either path: what a derived struct does with them is compiled
//! once for both.
//!
//! Fields by name are not read so: rows of structs that want them take the fast path to the end, and would be slower
//! by half.

use super::fast::{self, CheckedFields};
use super::slow::{Lend, Seq};
use crate::de::FastPathMiss;
use crate::error::{Error, Result};
use serde::de::{DeserializeSeed, SeqAccess, Visitor};

/// The fields that a struct is given.
pub(super) enum Fields<'a, 'v, 'n, 'de, L: Lend<'v, 'de>> {
    Slow(Seq<'a, 'v>, L),
    /// Of the first row that the fast path reads.
    Fast(CheckedFields<'n, L::View>),
}

/// Shows fields to the visitor of a struct.
// Not a part of the code around it: both paths share that of a type.
#[inline(never)]
pub(super) fn show<'v, 'n, 'de, L: Lend<'v, 'de>, V: Visitor<'de>>(
    mut fields: Fields<'_, 'v, 'n, 'de, L>,
    visitor: V,
) -> Result<V::Value>
where
    L::View: fast::Lend<'n, 'de>,
{
    visitor.visit_seq(StructItems { fields: &mut fields })
}

/// The error of a row that misses. Nobody sees it.
#[cold]
#[inline(never)]
fn missed(_: FastPathMiss) -> Error {
    Error::internal(String::new())
}

/// Fields one after the other, for a visitor.
struct StructItems<'f, 'a, 'v, 'n, 'de, L: Lend<'v, 'de>> {
    fields: &'f mut Fields<'a, 'v, 'n, 'de, L>,
}

impl<'v, 'n, 'de, L: Lend<'v, 'de>> SeqAccess<'de> for StructItems<'_, '_, 'v, 'n, 'de, L>
where
    L::View: fast::Lend<'n, 'de>,
{
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
