//! The rows that are decoded together.

use super::super::Ends;
use std::ops::Range;

/// Some rows that follow each other, and which of them are decoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowWindow<'a> {
    /// Number of the first row.
    pub(super) row: u64,
    /// The entries of all the rows.
    pub(super) ends: Ends<'a>,
    /// The rows to decode, counted from the first: ranges that ascend and are not empty.
    pub(super) selected: &'a [Range<usize>],
}

impl RowWindow<'_> {
    /// Whether entries are within lists.
    pub(super) fn is_nested(&self) -> bool {
        matches!(self.ends, Ends::At(_))
    }

    /// Number of rows, selected or not.
    pub(super) fn rows(&self) -> usize {
        self.ends.rows()
    }

    /// Number of the row after the last.
    pub(super) fn end(&self) -> u64 {
        self.row + self.rows() as u64
    }

    /// The entries of some rows, counted from the entries of the first row.
    #[inline]
    pub(super) fn entries(&self, rows: &Range<usize>) -> Range<usize> {
        self.ends.entries(rows.start)..self.ends.entries(rows.end)
    }

    /// Number of entries of the rows between two, which are numbers of rows of the file.
    #[inline]
    pub(super) fn between(&self, from: u64, to: u64) -> u64 {
        let at = |row: u64| self.ends.entries(row.saturating_sub(self.row) as usize);
        at(to).saturating_sub(at(from)) as u64
    }

    /// Number of entries of the rows that are decoded.
    pub(super) fn selected_entries(&self) -> usize {
        self.selected.iter().map(|rows| self.entries(rows).len()).sum()
    }

    /// Whether all rows are decoded.
    pub(super) fn is_whole(&self) -> bool {
        matches!(self.selected, [all] if *all == (0..self.rows()))
    }
}
