//! A column of the tree: opened when it is first read, and moved to the rows of a window.

use super::super::Ends;
use super::column::{ColumnReader, INVALID_ROW, PendingSkip};
use super::file::File;
use super::node::At;
use crate::error::{Error, Result};
use crate::sort;
use crate::storage::reserved::Lists;
use crate::vector::{Offsets, Vector};
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// A column, opened when it is first read.
pub(super) struct Column {
    pub(super) number: usize,
    /// The array columns around it, outermost first.
    pub(super) parents: Arc<[usize]>,
    pub(super) reader: Option<Box<ColumnReader>>,
}

impl Column {
    /// The column at a row, opened and moved there if it must be.
    pub(super) fn at(&mut self, at: &At<'_, '_>) -> Result<&mut ColumnReader> {
        if self.reader.is_none() {
            self.reader = Some(Box::new(ColumnReader::open(at.file, self.number, at.keeps_blocks)?));
        }
        match &mut self.reader {
            Some(reader) => {
                if reader.row() != at.row {
                    reader.seek(at.row, |rows| at.parent_counts.entries(at.file, &self.parents, rows))?;
                }
                Ok(reader)
            }
            None => Err(Error::internal("a column could not be opened")),
        }
    }

    /// Appends the lengths of the selected rows; returns the ends of the items of all rows.
    pub(super) fn lengths(
        &mut self,
        at: &At<'_, '_>,
        ends: Ends<'_>,
        offsets: &mut Offsets,
    ) -> Result<Vec<u32>> {
        let window = at.window(ends);
        if window.is_whole() {
            self.at(at)?.lengths(at.file, window, at.hold, offsets)?;
            return ends.through(offsets);
        }
        let mut all = Offsets::default();
        let rows = 0..window.rows();
        let every = RowWindow { selected: std::slice::from_ref(&rows), ..window };
        self.at(at)?.lengths(at.file, every, at.hold, &mut all)?;
        for rows in at.selected {
            select_lengths(&all, window.entries(rows), offsets)?;
        }
        ends.through(&all)
    }

    /// As [`Column::lengths`], with the values that are in the column.
    pub(super) fn arrays(
        &mut self,
        at: &At<'_, '_>,
        ends: Ends<'_>,
        offsets: &mut Offsets,
        values: &mut Vector,
    ) -> Result<Vec<u32>> {
        let window = at.window(ends);
        if window.is_whole() {
            self.at(at)?.arrays(at.file, window, at.hold, Lists::new(offsets, values))?;
            return ends.through(offsets);
        }
        // The lengths of all rows are wanted, so their values are read too.
        let (mut all, mut every_value) = (Offsets::default(), values.clone());
        let rows = 0..window.rows();
        let every = RowWindow { selected: std::slice::from_ref(&rows), ..window };
        self.at(at)?.arrays(at.file, every, at.hold, Lists::new(&mut all, &mut every_value))?;
        for rows in at.selected {
            let entries = window.entries(rows);
            let starts = all.as_slice();
            let place = |entry: usize| starts.get(entry).map_or(0, |start| *start as usize);
            every_value.copy_range(place(entries.start)..place(entries.end), values);
            select_lengths(&all, entries, offsets)?;
        }
        ends.through(&all)
    }
}

/// Appends the lengths of some entries.
fn select_lengths(all: &Offsets, entries: Range<usize>, offsets: &mut Offsets) -> Result<()> {
    if offsets.push_range(all, entries) { Ok(()) } else { Err(too_many_items(all, offsets)) }
}

#[cold]
fn too_many_items(all: &Offsets, offsets: &Offsets) -> Error {
    let items = all.total().saturating_add(offsets.total());
    Error::too_large("the number of items in a batch", items as u64, u64::from(u32::MAX))
}

/// Positions in array columns, kept for the next count, whose block is usually the same.
#[derive(Default)]
pub(super) struct ParentCounts {
    readers: Mutex<Vec<(usize, Box<ColumnReader>)>>,
    pub(super) keeps_blocks: bool,
}

impl ParentCounts {
    /// The number of entries below these array columns from the first of some rows, which ascend, up to
    /// each of them: one pass over each column, from the start of its block.
    pub(super) fn entries(&self, file: &File<'_>, parents: &[usize], rows: &[u64]) -> Result<Vec<u64>> {
        let Some((number, above)) = parents.split_last() else {
            let first = rows.first().copied().unwrap_or_default();
            return Ok(rows.iter().map(|row| row - first).collect());
        };
        let mut reader = self.take(file, *number)?;
        let totals = reader.totals(file, rows, |rows| self.entries(file, above, rows))?;
        if let Ok(mut kept) = self.readers.lock() {
            kept.push((*number, reader));
        }
        Ok(totals)
    }

    fn take(&self, file: &File<'_>, number: usize) -> Result<Box<ColumnReader>> {
        let kept = self.readers.lock().ok().and_then(|mut kept| {
            let place = kept.iter().position(|(other, _)| *other == number)?;
            Some(kept.swap_remove(place).1)
        });
        match kept {
            Some(reader) => Ok(reader),
            None => Ok(Box::new(ColumnReader::open(file, number, self.keeps_blocks)?)),
        }
    }
}

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
                    (self.block, self.passed) = (after.clone(), (skipped.entries, 0));
                    self.pending_skip.rows -= skipped.rows;
                    self.pending_skip.entries -= skipped.entries;
                    (block + 1, self.table.rows(block).saturating_sub(skipped.rows))
                }
                _ => {
                    (self.block, self.passed) = (self.start.clone(), (0, 0));
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
        let total = self.pass_entries(file, entries)?;
        self.read(file, u32::try_from(rows).unwrap_or(u32::MAX).min(self.left))?;
        Ok(total)
    }
}
