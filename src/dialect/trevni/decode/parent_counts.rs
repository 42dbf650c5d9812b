//! Counts along array columns, to find where the entries of a row are in the columns below.

use super::column::ColumnReader;
use super::file::File;
use crate::error::Result;
use std::sync::Mutex;

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
