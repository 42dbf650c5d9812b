//! What formats ask of levels besides.

use crate::error::Result;
use crate::levels::{Levels, LevelsRef, Place, count};
use crate::vector::room::{self, Growth};

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

    /// Reserves space for the levels of exactly `more` entries.
    ///
    /// # Errors
    ///
    /// The system is out of memory.
    pub(crate) fn try_reserve_exact(&mut self, more: usize, greatest: Place) -> Result<()> {
        let reserve =
            |levels: &mut Vec<u8>, greatest| levels.try_reserve_exact(if greatest > 0 { more } else { 0 });
        let done = reserve(&mut self.repetition, greatest.repetition);
        room::reserved(done.and_then(|()| reserve(&mut self.definition, greatest.definition)))
    }
}

impl LevelsRef<'_> {
    /// The entry after a number of rows, the first of which begins with `entry`.
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
}
