//! Decodes the rows of a reader, batch after batch.

use super::Reader;
use super::filter::Filtering;
use super::scan::Scan;
use crate::dialect::trevni::decode::{Decoder, File, Given};
use crate::error::Result;
use crate::selection::RowSelection;
use crate::vector::Vector;
use std::ops::Range;
use std::sync::Arc;

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

    /// Number of the first row of the stretch, its rows, and which of them are in the batch.
    pub(super) fn stretch(&self) -> (u64, usize, &[Range<usize>]) {
        (self.first, self.picks.last().map_or(0, |last| last.end), &self.picks)
    }
}

/// The columns that rows are made of, and which rows come next.
pub(super) struct Batcher {
    pub(super) decoder: Decoder,
    scan: Scan,
    filtering: Option<Filtering>,
}

impl Batcher {
    pub(super) fn new(reader: &Reader<'_>) -> Result<Self> {
        let decoder = Decoder::new(&reader.file, &reader.shape, &reader.layout)?;
        let selected = reader.selected()?;
        let Some(filtered) = &reader.filter else {
            return Ok(Self { decoder, scan: Scan::of(&reader.file, selected), filtering: None });
        };
        let candidates = filtered.candidates(&reader.file, &selected)?;
        let mut scan = Scan::of(&reader.file, Arc::new(candidates.rows));
        scan.cut_at(&candidates.sure);
        let filtering = Some(Filtering::new(reader, filtered, candidates.sure)?);
        Ok(Self { decoder, scan, filtering })
    }

    /// For one row.
    pub(super) fn of_row(file: &File<'_>, decoder: Decoder, row: u64) -> Self {
        let scan = Scan::of(file, Arc::new(RowSelection::from(row..row + 1)));
        Self { decoder, scan, filtering: None }
    }

    /// Decodes the next batch; false at the end. After an error there are no more.
    pub(super) fn next(&mut self, file: &File<'_>, place: &mut Place, vector: &mut Vector) -> Result<bool> {
        let done = self.try_next(file, place, vector);
        if !matches!(done, Ok(true)) {
            self.scan.stop();
            *place = Place::default();
        }
        done
    }

    fn try_next(&mut self, file: &File<'_>, place: &mut Place, vector: &mut Vector) -> Result<bool> {
        while let Some((first, picks)) = self.scan.advance() {
            // Rows at the end that are left out are passed over too, so that columns go on from there.
            let rows = picks.last().map_or(0, |last| last.end);
            let picks = match &mut self.filtering {
                Some(filtering) => filtering.picks(file, first, picks)?,
                None => picks,
            };
            if picks.is_empty() {
                continue;
            }
            let given = given(&self.filtering);
            self.decoder.batch_of(file, first, rows, &picks, &given, vector)?;
            place.is(first, picks);
            return Ok(true);
        }
        Ok(false)
    }

    /// Decodes a batch once more, and goes on behind it.
    pub(super) fn resume(&mut self, file: &File<'_>, place: &Place) -> Result<()> {
        let (first, rows, picks) = place.stretch();
        self.scan.skip_to(first + rows as u64);
        let given = Given::default();
        self.decoder.batch_of(file, first, rows, picks, &given, &mut Vector::Null(0))
    }

    /// Decodes a node of the current batch.
    pub(super) fn load(&mut self, file: &File<'_>, node: u32) -> Result<Vector> {
        self.decoder.load(file, node, &given(&self.filtering))
    }

    /// Reads what some nodes need for the current batch.
    pub(super) fn prefetch(&mut self, file: &File<'_>, nodes: &[u32]) -> Result<()> {
        self.decoder.prefetch(file, nodes, &given(&self.filtering))
    }

    /// Rows that may be behind the current batch.
    pub(super) fn left(&self) -> u64 {
        self.scan.left()
    }

    /// Whether all of these are there.
    pub(super) fn is_certain(&self) -> bool {
        self.filtering.is_none()
    }
}

/// The columns of the current stretch that a predicate has needed.
fn given(filtering: &Option<Filtering>) -> Given<'_> {
    filtering.as_ref().map_or_else(Given::default, Filtering::given)
}
