//! Which rows come next, window after window: rows that follow each other, of which some are selected.

use crate::dialect::File;
use crate::error::{Category, ErrorKind, Result};
use crate::selection::RowSelection;
use std::ops::Range;
use std::sync::Arc;

/// The most rows of a batch.
pub(in crate::reader) const BATCH_ROWS: u64 = 4096;
/// Rows of the first batch, which shows what is asked for; what it lacks is decoded one by one.
const FIRST_ROWS: u64 = 32;
/// About the most bytes of the file that the rows of a batch take.
const BATCH_BYTES: u64 = 4 << 20;

/// The most rows that a window skips in one place.
const SKIPPED_ROWS_MAX: u64 = 512;

/// The number of rows, if the file has the bytes for so many.
pub(in crate::reader) fn checked_rows(file: &File<'_>) -> Result<u64> {
    let (value, limit) = (file.rows(), file.limits().entries(file.bytes()));
    if value > limit {
        return Err(
            ErrorKind::Limit { what: "the number of rows in a file of this size", value, limit }.into()
        );
    }
    // No column is read for no rows, so nothing else would notice that some are there.
    if value == 0
        && file.column_count() > 0
        && let Err(error) = file.block_sizes(0)
        && error.category() != Category::Unsupported
    {
        return Err(error);
    }
    Ok(value)
}

/// The rows that are still to come.
pub(in crate::reader) struct Scan {
    rows: Arc<RowSelection>,
    /// The range of the next row.
    range: usize,
    /// Number of the next row, where its range has begun.
    next: u64,
    /// Rows to come.
    left: u64,
    /// Rows where a window must end, ascending.
    cuts: Vec<u64>,
    /// The next of these.
    cut: usize,
    /// Rows of a batch.
    batch: u64,
    started: bool,
}

impl Scan {
    pub(in crate::reader) fn of(file: &File<'_>, rows: Arc<RowSelection>) -> Self {
        let row_bytes = (file.bytes() / file.rows().max(1)).max(1);
        let (rows_most, bytes) = match file.threads() {
            1 => (BATCH_ROWS, BATCH_BYTES),
            _ => (4 * BATCH_ROWS, 4 * BATCH_BYTES),
        };
        let batch = (bytes / row_bytes).clamp(1, rows_most);
        let cuts = Vec::new();
        Self { range: 0, next: 0, left: rows.row_count(), rows, cuts, cut: 0, batch, started: false }
    }

    /// Ends windows where these rows begin and end, so that each has only these rows or none of them.
    pub(in crate::reader) fn cut_at(&mut self, rows: &RowSelection) {
        self.cuts = rows.ranges().iter().flat_map(|range| [range.start, range.end]).collect();
    }

    /// The next window: its first row, and its selected rows; none at the end. It skips rows where they are few.
    pub(in crate::reader) fn advance(&mut self) -> Option<(u64, Vec<Range<usize>>)> {
        let range = self.rows.ranges().get(self.range)?;
        let first = self.next.max(range.start);
        let most = if self.started { self.batch } else { self.batch.min(FIRST_ROWS) };
        while self.cuts.get(self.cut).is_some_and(|cut| *cut <= first) {
            self.cut += 1;
        }
        let cut = self.cuts.get(self.cut).copied().unwrap_or(u64::MAX);
        let end = first.saturating_add(most).min(cut);
        let mut selected: Vec<Range<usize>> = Vec::new();
        while let Some(range) = self.rows.ranges().get(self.range) {
            let rows = first.max(range.start)..end.min(range.end);
            if rows.is_empty() || !selected.is_empty() && rows.start > self.next + SKIPPED_ROWS_MAX {
                break;
            }
            selected.push((rows.start - first) as usize..(rows.end - first) as usize);
            self.left -= rows.end - rows.start;
            self.next = rows.end;
            if rows.end < range.end {
                break;
            }
            self.range += 1;
        }
        self.started = true;
        Some((first, selected))
    }

    /// Makes batches of at most as many rows as one thread decodes at a time.
    pub(in crate::reader) fn use_small_batches(&mut self) {
        self.batch = self.batch.min(BATCH_ROWS);
    }

    /// Passes over the rows before one.
    pub(in crate::reader) fn skip_to(&mut self, row: u64) {
        self.range = self.rows.ranges().partition_point(|range| range.end <= row);
        let after = self.rows.ranges().iter().skip(self.range);
        self.left = after.map(|range| range.end - range.start.max(row)).sum();
        (self.next, self.started) = (row, true);
    }

    /// Rows to come.
    pub(in crate::reader) fn left(&self) -> u64 {
        self.left
    }

    pub(in crate::reader) fn stop(&mut self) {
        (self.range, self.left) = (usize::MAX, 0);
    }
}
