//! Moves in a column: forward over skipped rows, and to any row.

use super::column::{ColumnReader, INVALID_ROW, PendingSkip};
use super::file::File;
use super::row_window::RowWindow;
use crate::error::{Error, Result};
use crate::sort;
use std::sync::Arc;

impl ColumnReader {
    /// Skips the rows up to one that is within the window or just after it.
    #[inline]
    pub(super) fn pass(&mut self, to: u64, window: RowWindow<'_>) {
        if to > self.row {
            self.pass_over(to, |from| window.between(from, to));
        }
    }

    /// Passes over rows; `entries` counts those up to the last from another row on, which is the current
    /// one or the first of a later block.
    fn pass_over(&mut self, to: u64, entries: impl FnOnce(u64) -> u64) {
        if to < self.block_end(self.row) {
            self.pending_skip.rows += (to - self.row) as u32;
            self.pending_skip.entries = self.pending_skip.entries.saturating_add(entries(self.row));
        } else {
            let (block, first) = self.table.block_of(to);
            self.enter(block, PendingSkip { rows: (to - first) as u32, entries: entries(first) });
        }
        self.row = to;
    }

    /// Goes to a block, some of which is skipped.
    pub(super) fn enter(&mut self, block: usize, pending_skip: PendingSkip) {
        self.pending_skip = pending_skip;
        (self.next, self.left) = match self.loaded {
            // Once more from its start; the bytes are here.
            Some(loaded) if loaded == block => match &self.skipped {
                Some((skipped, after))
                    if skipped.rows <= pending_skip.rows && skipped.entries <= pending_skip.entries =>
                {
                    self.block = after.clone();
                    self.pending_skip.rows -= skipped.rows;
                    self.pending_skip.entries -= skipped.entries;
                    (block + 1, self.table.rows(block).saturating_sub(skipped.rows))
                }
                _ => {
                    self.block = self.start.clone();
                    (block + 1, self.table.rows(block))
                }
            },
            _ => (block, 0),
        };
    }

    /// Number of the row after the block of the current one, which is `row`.
    fn block_end(&self, row: u64) -> u64 {
        let left = if self.left > 0 { self.left } else { self.table.rows(self.next) };
        row.saturating_sub(u64::from(self.pending_skip.rows)).saturating_add(u64::from(left))
    }

    /// Moves to a row. `above` counts the entries that this column has from the first of some rows,
    /// which ascend, up to each of them.
    pub(super) fn seek(&mut self, row: u64, above: impl FnOnce(&[u64]) -> Result<Vec<u64>>) -> Result<()> {
        let before = std::mem::replace(&mut self.row, INVALID_ROW);
        let count = |from: u64| {
            if from == row {
                return Ok(0);
            }
            let count = above(&[from, row])?.last().copied();
            count.ok_or_else(|| Error::internal("the entries of some rows are not counted"))
        };
        if before < row && row < self.block_end(before) {
            let entries = count(before)?;
            self.pending_skip.rows += (row - before) as u32;
            self.pending_skip.entries = self.pending_skip.entries.saturating_add(entries);
        } else {
            let (block, first) = self.table.block_of(row);
            let (_, entries) = match self.counted {
                Some(counted) if counted.0 == row => counted,
                _ => *self.counted.insert((row, count(first)?)),
            };
            self.enter(block, PendingSkip { rows: (row - first) as u32, entries });
        }
        self.row = row;
        Ok(())
    }

    /// Moves to the first of some rows, which ascend, and on to the last; returns the sums of the
    /// lengths from the first up to each. Asks `above` as [`ColumnReader::seek`] does.
    pub(super) fn totals(
        &mut self,
        file: &File<'_>,
        rows: &[u64],
        above: impl FnOnce(&[u64]) -> Result<Vec<u64>>,
    ) -> Result<Vec<u64>> {
        self.row = INVALID_ROW;
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
            return Ok(Vec::new());
        };
        // Each step stays within one block.
        let table = Arc::clone(&self.table);
        let (block, start) = self.table.block_of(*first);
        self.enter(block, PendingSkip::default());
        let starts = table.starting_at(block).map(|block| block.first_row);
        let mut borders: Vec<u64> =
            starts.take_while(|start| start < last).chain(rows.iter().copied()).collect();
        sort::by_key(&mut borders, |row| *row);
        borders.dedup();
        let entries = above(&borders)?;
        let mut row = borders[0];
        debug_assert!(row == start || rows.is_empty(), "a block of the first row begins before it");
        let (mut total, mut before) = (0u64, 0);
        let mut totals = Vec::with_capacity(rows.len());
        for (border, entries) in borders.iter().zip(entries) {
            total = total.saturating_add(self.skip(file, border - row, entries - before)?);
            (row, before) = (*border, entries);
            if rows.get(totals.len()) == Some(border) {
                totals.push(total);
            }
        }
        self.row = row;
        let start = totals.first().copied().unwrap_or_default();
        totals.iter_mut().for_each(|total| *total -= start);
        Ok(totals)
    }

    /// Passes over rows of one block, which have this many entries; returns the sum of their lengths.
    fn skip(&mut self, file: &File<'_>, rows: u64, entries: u64) -> Result<u64> {
        if rows == 0 {
            return Ok(0);
        }
        self.load(file)?;
        let total = self.skip_entries(file, entries)?;
        self.read(file, u32::try_from(rows).unwrap_or(u32::MAX).min(self.left))?;
        Ok(total)
    }
}
