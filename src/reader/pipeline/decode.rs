//! Decodes the rows of a reader, batch after batch.

use super::filter::Filtering;
use super::plan::ReadPlan;
use super::scan::{BRIDGE_ROWS, Scan, bridged};
use crate::dialect::{DecodedColumns, Decoder, File, Window};
use crate::error::Result;
use crate::reader::Reader;
use crate::selection::{RowSelection, positions};
use crate::tree::NodeId;
use crate::vector::Vector;
use std::ops::Range;
use std::sync::Arc;

/// Where the rows of the current batch are in the file.
#[derive(Clone, Debug, Default)]
pub(in crate::reader) struct BatchOrigin {
    /// Number of the first row of the window.
    first: u64,
    /// The rows of the window that have been decoded.
    selected: Vec<Range<usize>>,
    /// Which of the decoded rows are wanted, counted among them.
    pub(in crate::reader) runs: Vec<Range<usize>>,
}

impl BatchOrigin {
    /// Number within the file of a row of the batch.
    pub(in crate::reader) fn row(&self, index: usize) -> u64 {
        let mut left = index;
        for range in &self.selected {
            if left < range.len() {
                return self.first + (range.start + left) as u64;
            }
            left -= range.len();
        }
        self.first
    }

    /// How many rows have been decoded.
    pub(in crate::reader) fn len(&self) -> usize {
        self.selected.iter().map(Range::len).sum()
    }

    /// The rows that have been decoded, by their numbers within the file.
    pub(in crate::reader) fn selection(&self) -> RowSelection {
        let number = |row: usize| self.first + row as u64;
        self.selected.iter().map(|range| number(range.start)..number(range.end)).collect()
    }

    /// Notes which rows have been decoded, and which of them are wanted.
    fn is(&mut self, first: u64, decoded: Vec<Range<usize>>, wanted: &[Range<usize>]) {
        self.runs.clear();
        for run in positions(&decoded, wanted) {
            match self.runs.last_mut() {
                Some(last) if last.end == run.start => last.end = run.end,
                _ => self.runs.push(run),
            }
        }
        (self.first, self.selected) = (first, decoded);
    }

    /// Number of the first row of the window, its rows, and which of them are in the batch.
    pub(in crate::reader) fn window(&self) -> (u64, usize, &[Range<usize>]) {
        (self.first, self.selected.last().map_or(0, |last| last.end), &self.selected)
    }
}

/// The columns that rows are made of, and which rows come next.
pub(in crate::reader) struct BatchDecoder {
    pub(in crate::reader) decoder: Decoder,
    /// What the decoder has been asked for.
    pub(super) plan: ReadPlan,
    scan: Scan,
    filtering: Option<Filtering>,
    /// Whether rows that are not wanted may be decoded too, where few are between two that are.
    pub(in crate::reader) may_decode_more: bool,
}

impl BatchDecoder {
    pub(in crate::reader) fn new(reader: &Reader<'_>, plan: ReadPlan) -> Result<Self> {
        let mut decoder = reader.decoder(&reader.schema, &reader.part)?;
        decoder.want(plan.nodes());
        let selected = reader.selected()?;
        let Some(filtered) = &reader.filter else {
            let mut scan = Scan::over(reader, selected)?;
            if reader.file.reaches_rows() && reader.schema.is_flat(&reader.part) {
                scan.skip_far();
            }
            return Ok(Self { decoder, plan, scan, filtering: None, may_decode_more: false });
        };
        let (scan, filtering) = filtered.search(reader, &selected)?;
        Ok(Self { decoder, plan, scan, filtering: Some(filtering), may_decode_more: false })
    }

    /// For rows by their numbers, of which nothing is read yet; `keeps_blocks` for other rows.
    pub(in crate::reader) fn from_rows(reader: &Reader<'_>, keeps_blocks: bool) -> Result<Self> {
        let (file, plan) = (&reader.file, ReadPlan::new(&reader.part));
        let mut decoder = Decoder::new(file, &reader.schema, &reader.part)?;
        decoder.hold().restart();
        if keeps_blocks {
            decoder.keep_blocks();
        }
        let scan = Scan::from_file(file, Arc::new(RowSelection::from(0..0)));
        Ok(Self { decoder, plan, scan, filtering: None, may_decode_more: false })
    }

    /// Reads all nodes.
    pub(super) fn want_all(&mut self) {
        self.plan.add_all();
        self.decoder.want(self.plan.nodes());
    }

    /// Goes on with some other rows.
    pub(in crate::reader) fn restart(&mut self, file: &File<'_>, rows: Range<u64>) {
        self.scan = Scan::from_file(file, Arc::new(RowSelection::from(rows)));
    }

    /// Decodes the next batch; false at the end. After an error there are no more.
    pub(in crate::reader) fn next(
        &mut self,
        file: &File<'_>,
        origin: &mut BatchOrigin,
        vector: &mut Vector,
    ) -> Result<bool> {
        let done = self.try_next(file, origin, vector);
        if !matches!(done, Ok(true)) {
            self.scan.stop();
            *origin = BatchOrigin::default();
        }
        done
    }

    fn try_next(&mut self, file: &File<'_>, origin: &mut BatchOrigin, vector: &mut Vector) -> Result<bool> {
        while let Some((first, selected)) = self.scan.advance() {
            match self.window(file, first, selected, origin, vector) {
                Ok(true) => return Ok(true),
                Ok(false) => {}
                Err(error) => self.scan.halve(first, error)?,
            }
        }
        Ok(false)
    }

    /// Decodes the wanted rows of a window; false at the end.
    fn window(
        &mut self,
        file: &File<'_>,
        first: u64,
        selected: Vec<Range<usize>>,
        origin: &mut BatchOrigin,
        vector: &mut Vector,
    ) -> Result<bool> {
        // The columns also pass over the last rows where the filter skips them, and go on from there.
        let rows = selected.last().map_or(0, |last| last.end);
        let selected = match &mut self.filtering {
            Some(filtering) => filtering.select(file, first, selected)?,
            None => selected,
        };
        if selected.is_empty() {
            return Ok(false);
        }
        let among = if self.may_decode_more { bridged(&selected, BRIDGE_ROWS) } else { selected.clone() };
        let rows = Window { row: first, rows, picks: &among };
        self.decoder.batch(file, &rows, &decoded(&self.filtering), vector)?;
        origin.is(first, among, &selected);
        Ok(true)
    }

    /// Decodes on this many threads.
    pub(in crate::reader) fn use_threads(&mut self, count: usize) {
        self.decoder.use_threads(count);
        if count < 2 {
            self.scan.use_small_batches();
        }
    }

    /// Decodes batches of at most a number of rows.
    pub(in crate::reader) fn set_batch_rows(&mut self, rows: usize) {
        self.scan.set_batch_rows(rows as u64);
    }

    /// Decodes the current batch once more, with nodes that a row has missed.
    pub(super) fn again(
        &mut self,
        file: &File<'_>,
        missed: &[NodeId],
        origin: &BatchOrigin,
        vector: &mut Vector,
    ) -> Result<()> {
        let (first, rows, selected) = origin.window();
        if !missed.is_empty() {
            self.plan.add(missed);
            self.decoder.want(self.plan.nodes());
        }
        self.decoder.hold().forget();
        self.decoder.batch(
            file,
            &Window { row: first, rows, picks: selected },
            &decoded(&self.filtering),
            vector,
        )
    }

    /// Goes on after a batch.
    pub(in crate::reader) fn go_on_after(&mut self, origin: &BatchOrigin) {
        let (first, rows, _) = origin.window();
        self.scan.skip_to(first + rows as u64);
    }

    /// Goes back to a row, for batches of at most a number of rows.
    pub(in crate::reader) fn go_back(&mut self, row: u64, rows: usize) {
        self.scan.go_back(row, rows as u64);
        self.decoder.hold().forget();
    }

    /// Rows that may come after the current batch.
    pub(in crate::reader) fn left(&self) -> u64 {
        self.scan.left()
    }

    /// Whether all of these rows are there.
    pub(in crate::reader) fn is_certain(&self) -> bool {
        self.filtering.is_none()
    }
}

/// The columns of the current window that a predicate has needed.
fn decoded(filtering: &Option<Filtering>) -> DecodedColumns<'_> {
    filtering.as_ref().map(Filtering::decoded).unwrap_or_default()
}
