//! The fields of a struct one after the other, from either path: what a derived struct does with them is compiled
//! once for both.
//!
//! Fields by name are not read so: rows of structs that want them take the fast path to the end, and would be slower
//! by half.

use super::Lend;
use super::list::Seq;
use crate::de::FastPathMiss;
use crate::error::{Error, Result};
use serde::de::{DeserializeSeed, Deserializer, SeqAccess, Visitor};

/// Fields of the first row that the fast path reads.
pub(crate) trait FastFields<'de> {
    type Value: Deserializer<'de, Error = FastPathMiss>;

    fn next(&mut self) -> Option<Self::Value>;
}

/// The fields that a struct is given.
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
