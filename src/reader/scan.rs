//! Which rows come next, and the batches that they are decoded in.

use super::Reader;
use super::filter::Filtering;
use crate::de::Load;
use crate::dialect::trevni::decode::{Decoder, File, Given};
use crate::error::{Category, ErrorKind, Result};
use crate::selection::RowSelection;
use crate::vector::Vector;
use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

/// The most rows of a batch.
pub(super) const BATCH_ROWS: u64 = 4096;
/// Rows of the first batch, which shows what is asked for; what it lacks is decoded one by one.
const FIRST_ROWS: u64 = 64;
/// Bytes of the file that the rows of a batch take, about, at most.
const BATCH_BYTES: u64 = 4 << 20;

/// The most rows that are left out between rows of one batch.
const MOST_BETWEEN: u64 = 512;

/// The number of rows, if the file has the bytes for so many.
pub(super) fn checked_rows(file: &File<'_>) -> Result<u64> {
    let (value, limit) = (file.header.rows, file.limits.entries(file.len));
    if value > limit {
        return Err(
            ErrorKind::Limit { what: "the number of rows in a file of this size", value, limit }.into()
        );
    }
    // No column is read for no rows, so nothing else would notice that some are there.
    if value == 0
        && !file.header.columns.is_empty()
        && let Err(error) = file.table(0)
        && error.category() != Category::Unsupported
    {
        return Err(error);
    }
    Ok(value)
}

/// The rows that are still to come: stretches of rows that follow each other.
pub(super) struct Scan {
    rows: Arc<RowSelection>,
    /// The range of the next row.
    range: usize,
    /// Number of the next row, where its range has begun.
    next: u64,
    /// Rows to come.
    left: u64,
    /// Rows where a stretch must end, ascending.
    cuts: Vec<u64>,
    /// The next of these.
    cut: usize,
    /// Rows of a batch.
    batch: u64,
    started: bool,
}

impl Scan {
    pub(super) fn of(file: &File<'_>, rows: Arc<RowSelection>) -> Self {
        let row_bytes = (file.len / file.header.rows.max(1)).max(1);
        let (rows_most, bytes) = match file.threads {
            1 => (BATCH_ROWS, BATCH_BYTES),
            _ => (4 * BATCH_ROWS, 4 * BATCH_BYTES),
        };
        let batch = (bytes / row_bytes).clamp(1, rows_most);
        let cuts = Vec::new();
        Self { range: 0, next: 0, left: rows.row_count(), rows, cuts, cut: 0, batch, started: false }
    }

    /// Ends stretches where these rows begin and end, so that each has only these or none of them.
    pub(super) fn cut_at(&mut self, rows: &RowSelection) {
        self.cuts = rows.ranges().iter().flat_map(|range| [range.start, range.end]).collect();
    }

    /// The next stretch: its first row, and which of its rows are read; none at the end. Rows that are
    /// left out are passed over within a stretch where they are few.
    pub(super) fn advance(&mut self) -> Option<(u64, Vec<Range<usize>>)> {
        let range = self.rows.ranges().get(self.range)?;
        let first = self.next.max(range.start);
        let most = if self.started { self.batch } else { self.batch.min(FIRST_ROWS) };
        while self.cuts.get(self.cut).is_some_and(|cut| *cut <= first) {
            self.cut += 1;
        }
        let cut = self.cuts.get(self.cut).copied().unwrap_or(u64::MAX);
        let end = first.saturating_add(most).min(cut);
        let mut picks: Vec<Range<usize>> = Vec::new();
        while let Some(range) = self.rows.ranges().get(self.range) {
            let rows = first.max(range.start)..end.min(range.end);
            if rows.is_empty() || !picks.is_empty() && rows.start > self.next + MOST_BETWEEN {
                break;
            }
            picks.push((rows.start - first) as usize..(rows.end - first) as usize);
            self.left -= rows.end - rows.start;
            self.next = rows.end;
            if rows.end < range.end {
                break;
            }
            self.range += 1;
        }
        self.started = true;
        Some((first, picks))
    }

    fn stop(&mut self) {
        (self.range, self.left) = (usize::MAX, 0);
    }
}

/// Where the rows of the current batch are in the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// Number of the first row of the stretch.
    first: u64,
    /// The rows of the stretch that are in the batch.
    picks: Vec<Range<usize>>,
    /// Number of rows in the batch.
    pub(super) rows: usize,
}

impl Place {
    /// Number within the file of a row of the batch.
    pub(super) fn row(&self, index: usize) -> u64 {
        let mut left = index;
        for pick in &self.picks {
            if left < pick.len() {
                return self.first + (pick.start + left) as u64;
            }
            left -= pick.len();
        }
        self.first
    }

    /// The rows, by their numbers within the file.
    pub(super) fn selection(&self) -> RowSelection {
        let number = |row: usize| self.first + row as u64;
        self.picks.iter().map(|pick| number(pick.start)..number(pick.end)).collect()
    }

    fn is(&mut self, first: u64, picks: Vec<Range<usize>>) {
        self.rows = picks.iter().map(Range::len).sum();
        (self.first, self.picks) = (first, picks);
    }
}

/// The columns of a file that rows are made of, batch after batch.
pub(super) struct Columns<'s> {
    file: Arc<File<'s>>,
    pub(super) decoder: RefCell<Decoder>,
    scan: RefCell<Scan>,
    filtering: Option<RefCell<Filtering>>,
}

impl Load for Columns<'_> {
    fn load(&self, node: u32) -> Result<Vector> {
        self.given(|given| self.decoder.borrow_mut().load(&self.file, node, given))
    }

    fn announce(&self, nodes: &[u32]) -> Result<()> {
        self.given(|given| self.decoder.borrow_mut().prefetch(&self.file, nodes, given))
    }
}

impl<'s> Columns<'s> {
    pub(super) fn new(reader: &Reader<'s>) -> Result<Self> {
        let decoder = Decoder::new(&reader.file, &reader.shape, &reader.layout)?;
        let mut rows = reader.selected()?;
        let (mut filtering, mut sure) = (None, RowSelection::default());
        if let Some(filtered) = &reader.filter {
            let candidates = filtered.candidates(&reader.file, &rows)?;
            rows = Arc::new(candidates.rows);
            sure = candidates.sure.clone();
            filtering = Some(RefCell::new(Filtering::new(reader, filtered, candidates.sure)?));
        }
        let mut scan = Scan::of(&reader.file, rows);
        scan.cut_at(&sure);
        Ok(Self {
            file: Arc::clone(&reader.file),
            decoder: RefCell::new(decoder),
            scan: RefCell::new(scan),
            filtering,
        })
    }

    /// Calls with the columns of the current stretch that a predicate has needed.
    fn given<R>(&self, call: impl FnOnce(&Given<'_>) -> R) -> R {
        match &self.filtering {
            Some(filtering) => call(&filtering.borrow().given()),
            None => call(&Given::default()),
        }
    }

    /// The columns of one row.
    pub(super) fn of_row(file: &Arc<File<'s>>, decoder: Decoder, row: u64) -> Self {
        Self {
            file: Arc::clone(file),
            decoder: RefCell::new(decoder),
            scan: RefCell::new(Scan::of(file, Arc::new(RowSelection::from(row..row + 1)))),
            filtering: None,
        }
    }

    /// Decodes the next batch; false at the end. After an error there are no more.
    pub(super) fn next_batch(&self, place: &mut Place, vector: &mut Vector) -> Result<bool> {
        let done = self.try_next_batch(place, vector);
        if !matches!(done, Ok(true)) {
            self.scan.borrow_mut().stop();
            *place = Place::default();
        }
        done
    }

    fn try_next_batch(&self, place: &mut Place, vector: &mut Vector) -> Result<bool> {
        while let Some((first, picks)) = self.scan.borrow_mut().advance() {
            // Rows at the end that are left out are passed over too, so that columns go on from there.
            let rows = picks.last().map_or(0, |last| last.end);
            let picks = match &self.filtering {
                Some(filtering) => filtering.borrow_mut().picks(&self.file, first, picks)?,
                None => picks,
            };
            if picks.is_empty() {
                continue;
            }
            self.given(|given| {
                self.decoder.borrow_mut().batch_of(&self.file, first, rows, &picks, given, vector)
            })?;
            place.is(first, picks);
            return Ok(true);
        }
        Ok(false)
    }

    /// Rows that may be behind the current batch.
    pub(super) fn left(&self) -> u64 {
        self.scan.borrow().left
    }

    /// Whether all of these are there.
    pub(super) fn is_certain(&self) -> bool {
        self.filtering.is_none()
    }
}
