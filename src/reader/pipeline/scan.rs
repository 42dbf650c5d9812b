//! Which rows come next, window after window: rows that follow each other, of which some are selected.

use crate::dialect::File;
use crate::error::{Category, Error, ErrorKind, Result};
use crate::reader::Reader;
use crate::selection::RowSelection;
use crate::sort;
use std::ops::{Range, Sub};
use std::sync::Arc;

/// The most rows of a batch.
pub(in crate::reader) const BATCH_ROWS: u64 = 4096;
/// Rows of the first batch, which shows what is asked for: where a row misses nodes, it is decoded once more.
const FIRST_ROWS: u64 = 32;
/// Bytes of memory that rows may well take for each of their bytes of the file.
const LIKELY_RATIO: u64 = 64;
/// About the most bytes of the file that the rows of a batch take.
const BATCH_BYTES: u64 = 4 << 20;

/// Batches of fewer rows, because more did not fit the limits, before more are tried again.
const BATCHES_BEFORE_GROWTH: u32 = 8;

/// The most rows that a window skips in one place.
pub(in crate::reader) const SKIPPED_ROWS_MAX: u64 = 512;
/// The rows that a window spans where it may skip any number of them.
const FAR_ROWS: u64 = 1 << 30;
/// Fewer unwanted rows between two wanted ones are decoded faster than they are passed over.
pub(in crate::reader) const BRIDGE_ROWS: usize = 32;

/// The number of rows, if it is within the limits.
pub(crate) fn checked_rows(file: &File<'_>) -> Result<u64> {
    let (value, limit) = (file.rows(), file.limits().entries(file.counted_bytes()));
    if value > limit {
        let (what, option) = ("the number of rows in a file of this size", "rows_without_bytes");
        return Err(ErrorKind::Limit { what, value, limit, option }.into());
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
    /// The most that these grow to again after a batch that had to be smaller.
    most: u64,
    /// Batches since then.
    passed: u32,
    /// Rows of the first batch.
    first: u64,
    started: bool,
    /// Whether windows skip any number of rows.
    is_far: bool,
    /// Selected rows of the last window.
    selected: u64,
}

impl Scan {
    pub(in crate::reader) fn from_file(file: &File<'_>, rows: Arc<RowSelection>) -> Self {
        let row_bytes = file.row_bytes();
        let (rows_most, bytes) = match file.threads() {
            1 => (BATCH_ROWS, BATCH_BYTES),
            _ => (4 * BATCH_ROWS, 4 * BATCH_BYTES),
        };
        let batch = (bytes / row_bytes).clamp(1, rows_most);
        // What the first rows are asked for is decoded late, when there is no going back to fewer of them.
        let likely = file.limits().memory / LIKELY_RATIO / row_bytes;
        let first = likely.clamp(1, FIRST_ROWS);
        let (cuts, left) = (Vec::new(), rows.row_count());
        Self {
            range: 0,
            next: 0,
            left,
            rows,
            cuts,
            cut: 0,
            batch,
            most: batch,
            passed: 0,
            first,
            started: false,
            is_far: false,
            selected: 0,
        }
    }

    /// Lets windows skip any number of rows: few rows that are far from each other are one batch.
    pub(super) fn skip_far(&mut self) {
        self.is_far = true;
    }

    /// The rows of a reader; no window has rows that are lost, so that nothing of them is needed.
    pub(super) fn over(reader: &Reader<'_>, rows: Arc<RowSelection>) -> Result<Self> {
        let mut scan = Self::from_file(&reader.file, rows);
        if let Some(lost) = reader.passed_over()? {
            scan.cut_at(lost.rows());
        }
        Ok(scan)
    }

    /// Ends windows where these rows begin and end, so that each has only these rows or none of them. Windows end where
    /// they had to end before, too.
    pub(in crate::reader) fn cut_at(&mut self, rows: &RowSelection) {
        self.cuts.extend(rows.ranges().iter().flat_map(|range| [range.start, range.end]));
        sort::by_key(&mut self.cuts, |row| *row);
    }

    /// The next window: its first row, and its selected rows; `None` at the end. It skips rows where they are few, or
    /// [any number](Self::skip_far).
    pub(in crate::reader) fn advance(&mut self) -> Option<(u64, Vec<Range<usize>>)> {
        let range = self.rows.ranges().get(self.range)?;
        let first = self.next.max(range.start);
        let most = if self.started { self.batch } else { self.batch.min(self.first) };
        if self.batch < self.most {
            self.grow();
        }
        while self.cuts.get(self.cut).is_some_and(|cut| *cut <= first) {
            self.cut += 1;
        }
        let cut = self.cuts.get(self.cut).copied().unwrap_or(u64::MAX);
        let (span, skipped) = if self.is_far { (FAR_ROWS, FAR_ROWS) } else { (most, SKIPPED_ROWS_MAX) };
        let (end, mut room) = (first.saturating_add(span).min(cut), most);
        let mut selected: Vec<Range<usize>> = Vec::new();
        while let Some(range) = self.rows.ranges().get(self.range) {
            let start = self.next.max(range.start);
            let rows = start..end.min(range.end).min(start.saturating_add(room));
            if rows.is_empty() || !selected.is_empty() && rows.start > self.next + skipped {
                break;
            }
            room -= rows.end - rows.start;
            selected.push((rows.start - first) as usize..(rows.end - first) as usize);
            self.left -= rows.end - rows.start;
            self.next = rows.end;
            if rows.end < range.end {
                break;
            }
            self.range += 1;
        }
        (self.started, self.selected) = (true, most - room);
        Some((first, selected))
    }

    /// Goes back to the first row of the last window, which was too large, for a window of half its rows.
    ///
    /// # Errors
    ///
    /// The error that says so, where it is another one or the window is of one row.
    pub(in crate::reader) fn halve(&mut self, first: u64, error: Error) -> Result<()> {
        if self.selected < 2 || !error.may_pass_with_fewer_rows() {
            return Err(error);
        }
        self.go_back(first, self.selected / 2);
        Ok(())
    }

    /// Goes back to a row, for batches of at most a number of rows.
    pub(in crate::reader) fn go_back(&mut self, row: u64, rows: u64) {
        self.skip_to(row);
        (self.batch, self.passed) = (rows, 0);
    }

    /// Tries larger batches again after some that had to be smaller.
    #[cold]
    fn grow(&mut self) {
        self.passed += 1;
        if self.passed > BATCHES_BEFORE_GROWTH {
            (self.batch, self.passed) = ((2 * self.batch).min(self.most), 0);
        }
    }

    /// Makes batches of at most a number of rows, the first one too.
    pub(in crate::reader) fn set_batch_rows(&mut self, rows: u64) {
        self.most = rows.max(1);
        (self.batch, self.first) = (self.most, self.most);
    }

    /// Makes batches of at most as many rows as one thread decodes at a time.
    pub(in crate::reader) fn use_small_batches(&mut self) {
        self.most = self.most.min(BATCH_ROWS);
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

/// Some rows, and those between them where they are fewer than `gap`.
pub(in crate::reader) fn bridged<N: Copy + PartialOrd + Sub<Output = N>>(
    rows: &[Range<N>],
    gap: N,
) -> Vec<Range<N>> {
    let mut bridged: Vec<Range<N>> = Vec::new();
    for range in rows {
        match bridged.last_mut() {
            Some(last) if range.start - last.end < gap => last.end = range.end,
            _ => bridged.push(range.clone()),
        }
    }
    bridged
}
