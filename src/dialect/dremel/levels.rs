//! The levels of the entries of a column.

use crate::vector::room::{self, Growth};

/// A place in the rows: how many lists are around it, and how many of the nodes that may be missing, lists included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) repetition: u8,
    pub(crate) definition: u8,
}

impl Place {
    /// Within an optional or a variant.
    pub(crate) fn within(self) -> Self {
        Self { definition: self.definition.saturating_add(1), ..self }
    }

    /// Within a list.
    pub(crate) fn items(self) -> Self {
        Self { repetition: self.repetition.saturating_add(1), ..self.within() }
    }
}

/// The levels of some entries of a column. Where the greatest level is 0, there are none: they are all 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Levels {
    /// Number of entries.
    pub(crate) entries: usize,
    pub(crate) repetition: Vec<u8>,
    pub(crate) definition: Vec<u8>,
}

/// Levels that are lent.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LevelsRef<'l> {
    /// Number of entries.
    pub(crate) entries: usize,
    pub(crate) repetition: &'l [u8],
    pub(crate) definition: &'l [u8],
}

impl Levels {
    pub(crate) fn clear(&mut self) {
        self.entries = 0;
        self.repetition.clear();
        self.definition.clear();
    }

    /// Bytes of the buffers, with room for the levels of `more` entries whose greatest levels these are.
    pub(crate) fn room(&self, more: usize, greatest: Place, growth: Growth) -> u64 {
        let of = |levels: &Vec<u8>, greatest| {
            room::bytes(levels.len(), levels.capacity(), if greatest > 0 { more } else { 0 }, 1, growth)
        };
        of(&self.repetition, greatest.repetition) + of(&self.definition, greatest.definition)
    }

    pub(crate) fn as_ref(&self) -> LevelsRef<'_> {
        LevelsRef { entries: self.entries, repetition: &self.repetition, definition: &self.definition }
    }
}

impl LevelsRef<'_> {
    /// The entry after so many rows, the first of which begins with `entry`.
    pub(crate) fn after_rows(self, entry: usize, rows: usize) -> usize {
        if self.repetition.is_empty() || rows == 0 {
            return entry + rows;
        }
        let (mut at, mut left) = (entry + 1, rows);
        // Nothing follows the last entry.
        for piece in self.repetition.get(at..).unwrap_or_default().chunks(64) {
            let found = count(piece, 0);
            if found >= left {
                let starts = piece.iter().enumerate().filter(|(_, level)| **level == 0);
                return at + starts.map(|(at, _)| at).nth(left - 1).unwrap_or_default();
            }
            (at, left) = (at + piece.len(), left - found);
        }
        self.repetition.len()
    }

    /// The row that an entry is in, counted from the first that has levels here.
    pub(crate) fn row_of(self, entry: usize) -> usize {
        match self.repetition.get(..=entry) {
            Some(levels) => count(levels, 0).saturating_sub(1),
            None => entry,
        }
    }

    /// The entry that has a value, counted among those of the greatest definition level.
    pub(crate) fn entry_of(self, value: usize, greatest: u8) -> usize {
        let mut present =
            (0..self.definition.len()).filter(|entry| self.definition.get(*entry) == Some(&greatest));
        present.nth(value).unwrap_or(value)
    }

    /// Number of rows.
    pub(crate) fn rows(self) -> usize {
        if self.repetition.is_empty() { self.entries } else { count(self.repetition, 0) }
    }

    /// Repetition and definition level of each entry.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        // There are no levels where the greatest is 0: all are 0.
        let at = |levels: &[u8], entry| levels.get(entry).copied().unwrap_or_default();
        (0..self.entries).map(move |entry| (at(self.repetition, entry), at(self.definition, entry)))
    }
}

/// How many of some levels are this one; many are compared at once.
pub(crate) fn count(levels: &[u8], level: u8) -> usize {
    // A byte counts up to 255.
    let piece = |piece: &[u8]| piece.iter().fold(0u8, |count, one| count + u8::from(*one == level));
    levels.chunks(255).map(|levels| usize::from(piece(levels))).sum()
}
