//! A column of the tree: opened when it is first read, and moved to the rows being read, by the lengths of the array columns around it.

use super::super::Ends;
use super::column::ColumnReader;
use super::file::File;
use super::node::At;
use super::row_window::RowWindow;
use crate::error::{Error, Result};
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
            self.reader = Some(Box::new(ColumnReader::open(at.file, self.number)?));
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
            self.at(at)?.arrays(at.file, window, at.hold, offsets, values)?;
            return ends.through(offsets);
        }
        // The lengths of all rows are wanted, so their values are read too.
        let (mut all, mut every_value) = (Offsets::default(), values.clone());
        let rows = 0..window.rows();
        let every = RowWindow { selected: std::slice::from_ref(&rows), ..window };
        self.at(at)?.arrays(at.file, every, at.hold, &mut all, &mut every_value)?;
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
pub(super) struct ParentCounts(Mutex<Vec<(usize, Box<ColumnReader>)>>);

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
        if let Ok(mut kept) = self.0.lock() {
            kept.push((*number, reader));
        }
        Ok(totals)
    }

    fn take(&self, file: &File<'_>, number: usize) -> Result<Box<ColumnReader>> {
        let kept = self.0.lock().ok().and_then(|mut kept| {
            let place = kept.iter().position(|(other, _)| *other == number)?;
            Some(kept.swap_remove(place).1)
        });
        match kept {
            Some(reader) => Ok(reader),
            None => Ok(Box::new(ColumnReader::open(file, number)?)),
        }
    }
}
