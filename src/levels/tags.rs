//! Unions: which variant each entry is, by the levels of the variants.

use super::entries::{LevelsRef, Place};
use super::lengths;
use crate::error::{Error, Result};
use crate::vector::{Offsets, UnionVector};

/// No variant has been found.
const NONE: u16 = u16::MAX;

/// The variants of some entries, as far as they are known.
pub(crate) struct Tags(Vec<u16>);

impl Tags {
    pub(crate) fn new(len: usize) -> Self {
        Self(vec![NONE; len])
    }

    /// Notes the entries that are a variant: those that have a definition level within it.
    ///
    /// # Errors
    ///
    /// An entry of two variants, and levels of another number of entries.
    pub(crate) fn add(&mut self, tag: u16, levels: LevelsRef<'_>, place: Place, within: u8) -> Result<()> {
        let (mut tags, mut found, mut twice) = (self.0.iter_mut(), 0usize, None);
        lengths::each(levels, place, within, |present| {
            if let Some(known) = tags.next()
                && present
            {
                if *known != NONE {
                    twice = twice.or(Some(found));
                }
                *known = tag;
            }
            found += 1;
        });
        if let Some(entry) = twice {
            return Err(Error::value(format!("entry {entry} of a union is of two variants")));
        }
        match found == self.0.len() {
            true => Ok(()),
            false => {
                let len = self.0.len();
                Err(Error::value(format!("the levels tell of {found} entries where others tell of {len}")))
            }
        }
    }

    /// Puts the variants into a union, of which only entries of a variant are there; `present` says which. Returns the
    /// number of entries of each variant.
    ///
    /// # Errors
    ///
    /// An entry of no variant where all must be of one.
    pub(crate) fn finish(
        self,
        variants: usize,
        present: Option<&mut Offsets>,
        union: &mut UnionVector,
    ) -> Result<Vec<usize>> {
        match present {
            Some(present) => {
                present.clear();
                self.0.iter().for_each(|tag| present.push_if(*tag != NONE));
            }
            None => {
                if let Some(entry) = self.0.iter().position(|tag| *tag == NONE) {
                    return Err(Error::value(format!("entry {entry} of a union is of no variant")));
                }
            }
        }
        let mut counts = vec![0usize; variants];
        union.tags.clear();
        union.positions.clear();
        for tag in self.0.into_iter().filter(|tag| *tag != NONE) {
            if let Some(count) = counts.get_mut(usize::from(tag)) {
                union.tags.push(tag);
                union.positions.push(*count as u32);
                *count += 1;
            }
        }
        Ok(counts)
    }
}
