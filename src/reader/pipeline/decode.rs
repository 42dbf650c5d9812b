//! Decodes the rows of a reader, batch after batch.

use super::filter::{self, Filtering};
use super::scan::Scan;
use crate::dialect::{DecodedColumns, Decoder, File};
use crate::error::Result;
use crate::reader::Reader;
use crate::selection::RowSelection;
use crate::vector::Vector;
use std::ops::Range;
use std::sync::Arc;

/// Where the rows of the current batch are in the file.
#[derive(Clone, Debug, Default)]
pub(in crate::reader) struct BatchOrigin {
    /// Number of the first row of the stretch.
    first: u64,
    /// The rows of the stretch that have been decoded.
    picks: Vec<Range<usize>>,
    /// Which of the decoded rows are wanted, counted among them.
    pub(in crate::reader) runs: Vec<Range<usize>>,
}

impl BatchOrigin {
    /// Number within the file of a row of the batch.
    pub(in crate::reader) fn row(&self, index: usize) -> u64 {
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
    pub(in crate::reader) fn selection(&self) -> RowSelection {
        let number = |row: usize| self.first + row as u64;
        self.picks.iter().map(|pick| number(pick.start)..number(pick.end)).collect()
    }

    /// These rows have been decoded, and all of them are wanted.
    fn is(&mut self, first: u64, picks: Vec<Range<usize>>) {
        let rows = picks.iter().map(Range::len).sum();
        self.runs.clear();
        self.runs.push(0..rows);
        (self.first, self.picks) = (first, picks);
    }

    /// The first rows of the stretch have been decoded, all up to the last that is wanted.
    fn is_among(&mut self, first: u64, wanted: Vec<Range<usize>>) {
        let rows = wanted.last().map_or(0, |last| last.end);
        (self.first, self.runs) = (first, wanted);
        self.picks.clear();
        self.picks.push(0..rows);
    }

    /// Number of the first row of the stretch, its rows, and which of them are in the batch.
    pub(in crate::reader) fn stretch(&self) -> (u64, usize, &[Range<usize>]) {
        (self.first, self.picks.last().map_or(0, |last| last.end), &self.picks)
    }
}

/// The columns that rows are made of, and which rows come next.
pub(in crate::reader) struct BatchDecoder {
    pub(in crate::reader) decoder: Decoder,
    scan: Scan,
    filtering: Option<Filtering>,
    /// Whether rows that are not wanted may be decoded too, where that is less work.
    pub(in crate::reader) may_decode_more: bool,
    /// The rows of the current stretch, where more are decoded than are wanted.
    more: Option<Range<usize>>,
}

/// Fewer rows than this between two that are wanted are hardly a block.
const GAP: usize = 64;

/// Whether it is less work to decode all rows and pass over some when they are made.
fn are_scattered(picks: &[Range<usize>], rows: usize) -> bool {
    let picked: usize = picks.iter().map(Range::len).sum();
    let mut gaps = picks.windows(2).map(|pair| pair[1].start - pair[0].end);
    picks.len() > 8 && picked > rows / 4 && picked / picks.len() < 16 && gaps.all(|gap| gap < GAP)
}

impl BatchDecoder {
    pub(in crate::reader) fn new(reader: &Reader<'_>) -> Result<Self> {
        let decoder = Decoder::new(&reader.file, &reader.schema, &reader.part)?;
        let selected = reader.selected()?;
        let Some(filtered) = &reader.filter else {
            let scan = Scan::of(&reader.file, selected);
            return Ok(Self { decoder, scan, filtering: None, may_decode_more: false, more: None });
        };
        let candidates = filtered.candidates(reader, &selected)?;
        let (scan, filtering) = filter::search(reader, filtered, candidates)?;
        Ok(Self { decoder, scan, filtering: Some(filtering), may_decode_more: false, more: None })
    }

    /// For some rows.
    pub(in crate::reader) fn of_rows(file: &File<'_>, decoder: Decoder, rows: Range<u64>) -> Self {
        let scan = Scan::of(file, Arc::new(RowSelection::from(rows)));
        Self { decoder, scan, filtering: None, may_decode_more: false, more: None }
    }

    /// Decodes the next batch; false at the end. After an error there are no more.
    pub(in crate::reader) fn next(
        &mut self,
        file: &File<'_>,
        place: &mut BatchOrigin,
        vector: &mut Vector,
    ) -> Result<bool> {
        let done = self.try_next(file, place, vector);
        if !matches!(done, Ok(true)) {
            self.scan.stop();
            *place = BatchOrigin::default();
        }
        done
    }

    fn try_next(&mut self, file: &File<'_>, place: &mut BatchOrigin, vector: &mut Vector) -> Result<bool> {
        while let Some((first, picks)) = self.scan.advance() {
            // Rows at the end that are left out are passed over too, so that columns go on from there.
            let rows = picks.last().map_or(0, |last| last.end);
            let goes_through = picks.len() == 1;
            let picks = match &mut self.filtering {
                Some(filtering) => filtering.picks(file, first, picks)?,
                None => picks,
            };
            if picks.is_empty() {
                continue;
            }
            if self.may_decode_more && goes_through && are_scattered(&picks, rows) {
                let all = 0..picks.last().map_or(0, |last| last.end);
                self.more = Some(all.clone());
                let given = given(&self.filtering, &self.more);
                self.decoder.batch(file, first, rows, std::slice::from_ref(&all), &given, vector)?;
                place.is_among(first, picks);
                return Ok(true);
            }
            self.more = None;
            let given = given(&self.filtering, &self.more);
            self.decoder.batch(file, first, rows, &picks, &given, vector)?;
            place.is(first, picks);
            return Ok(true);
        }
        Ok(false)
    }

    /// Decodes on this many threads.
    pub(in crate::reader) fn use_threads(&mut self, count: usize) {
        self.decoder.use_threads(count);
        if count < 2 {
            self.scan.use_small_batches();
        }
    }

    /// Decodes a batch once more, and goes on behind it.
    pub(in crate::reader) fn resume(&mut self, file: &File<'_>, place: &BatchOrigin) -> Result<()> {
        let (first, rows, picks) = place.stretch();
        self.scan.skip_to(first + rows as u64);
        let given = DecodedColumns::default();
        self.decoder.batch(file, first, rows, picks, &given, &mut Vector::Null(0))
    }

    /// Decodes a node of the current batch.
    pub(in crate::reader) fn load(&mut self, file: &File<'_>, node: u32) -> Result<Vector> {
        self.decoder.load(file, node, &given(&self.filtering, &self.more))
    }

    /// Reads what some nodes need for the current batch.
    pub(in crate::reader) fn prefetch(&mut self, file: &File<'_>, nodes: &[u32]) -> Result<()> {
        self.decoder.prefetch(file, nodes, &given(&self.filtering, &self.more))
    }

    /// Rows that may be behind the current batch.
    pub(in crate::reader) fn left(&self) -> u64 {
        self.scan.left()
    }

    /// Whether all of these are there.
    pub(in crate::reader) fn is_certain(&self) -> bool {
        self.filtering.is_none()
    }
}

/// The columns of the current stretch that a predicate has needed.
fn given<'a>(filtering: &'a Option<Filtering>, more: &Option<Range<usize>>) -> DecodedColumns<'a> {
    match (filtering, more) {
        (None, _) => DecodedColumns::default(),
        (Some(filtering), None) => filtering.given(),
        (Some(filtering), Some(rows)) => filtering.given_for(rows),
    }
}
