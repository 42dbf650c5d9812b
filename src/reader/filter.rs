//! Rows by a predicate: what zones exclude is not read, what is left is decoded as far as the
//! predicate needs it.

use super::Reader;
use super::scan::Scan;
use crate::dialect::trevni::decode::{Decoder, File, Given};
use crate::error::Result;
use crate::predicate::{Filter, Predicate, Truth};
use crate::schema::columns::Layout;
use crate::selection::RowSelection;
use crate::vector::Vector;
use crate::zone_map::Zone;
use std::ops::Range;
use std::sync::Arc;

/// A predicate on the rows of a file.
pub(super) struct Filtered {
    pub(super) predicate: Predicate,
    pub(super) filter: Filter,
}

/// Rows for which a predicate may be true, and those for which it surely is.
pub(super) struct Candidates {
    pub(super) rows: RowSelection,
    pub(super) sure: RowSelection,
}

impl Filtered {
    /// What the zones of a file say of these rows, without decoding them.
    pub(super) fn candidates(&self, file: &File<'_>, rows: &RowSelection) -> Result<Candidates> {
        let truths = self.filter.prune(file.header.rows, &mut |column| zones(file, column))?;
        let of = |sure: bool| {
            let wanted = truths
                .iter()
                .filter(|(_, truths)| if sure { truths.is_true() } else { truths.may_be_true() });
            wanted.map(|(range, _)| range.clone()).collect::<RowSelection>().intersection(rows)
        };
        Ok(Candidates { rows: of(false), sure: of(true) })
    }
}

/// The rows and the zone of each block of a column.
fn zones(file: &File<'_>, column: usize) -> Result<Option<Vec<(u64, Zone)>>> {
    let Some(map) = file.zones(column)? else {
        return Ok(None);
    };
    let table = file.table(column)?;
    let rows = table.blocks.iter().map(|block| u64::from(block.rows));
    Ok(Some(rows.zip(map.zones.iter().cloned()).collect()))
}

/// Finds the rows of a stretch for which the predicate is true.
pub(super) struct Filtering {
    filtered: Arc<Filtered>,
    sure: RowSelection,
    layout: Arc<Layout>,
    decoder: Decoder,
    /// What the predicate needs of the current stretch.
    vector: Vector,
    /// The rows of the stretch that the vector has; none where it was not needed.
    rows: Vec<Range<usize>>,
}

impl Filtering {
    pub(super) fn new(reader: &Reader<'_>, filtered: &Arc<Filtered>, sure: RowSelection) -> Result<Self> {
        let (shape, layout) = &reader.whole;
        let mut decoder = Decoder::new(&reader.file, shape, layout)?;
        decoder.want(filtered.filter.nodes());
        Ok(Self {
            filtered: Arc::clone(filtered),
            sure,
            layout: Arc::clone(layout),
            decoder,
            vector: Vector::Null(0),
            rows: Vec::new(),
        })
    }

    /// Those of the rows from `first` on for which the predicate is true.
    pub(super) fn picks(
        &mut self,
        file: &File<'_>,
        first: u64,
        rows: Vec<Range<usize>>,
    ) -> Result<Vec<Range<usize>>> {
        self.rows.clear();
        let Some(end) = rows.last().map(|last| last.end) else {
            return Ok(rows);
        };
        if self.is_sure(first..first + end as u64, &rows) {
            return Ok(rows);
        }
        let given = Given::default();
        self.decoder.batch_of(file, first, end, &rows, &given, &mut self.vector)?;
        let truths = self.filtered.filter.evaluate(&self.vector)?;
        let mut picks: Vec<Range<usize>> = Vec::new();
        let mut truths = truths.into_iter();
        for range in &rows {
            for (row, truth) in range.clone().zip(truths.by_ref()) {
                match picks.last_mut() {
                    _ if truth != Truth::True => {}
                    Some(last) if last.end == row => last.end += 1,
                    _ => picks.push(row..row + 1),
                }
            }
        }
        self.rows = rows;
        Ok(picks)
    }

    /// Whether the predicate is known to be true for all of these rows.
    fn is_sure(&self, stretch: Range<u64>, rows: &[Range<usize>]) -> bool {
        let sure = self.sure.within(&stretch).row_count();
        sure == rows.iter().map(|range| range.len() as u64).sum::<u64>()
    }

    /// The columns of the current stretch that the predicate has needed.
    pub(super) fn given(&self) -> Given<'_> {
        if self.rows.is_empty() {
            Given::default()
        } else {
            Given::of(&self.layout, &self.vector, &self.rows)
        }
    }
}

/// Which rows a reader reads, and what it took to know.
pub(super) struct Found {
    /// Rows that are selected and not excluded.
    pub(super) candidates: RowSelection,
    /// Rows for which the predicate had to be evaluated.
    pub(super) unsure: RowSelection,
    /// Rows for which it is true.
    pub(super) matching: RowSelection,
}

/// Number of the first row that a reader reads.
pub(super) fn first(reader: &Reader<'_>) -> Result<Option<u64>> {
    let selected = reader.selected()?;
    let Some(filtered) = &reader.filter else {
        return Ok(selected.ranges().first().map(|range| range.start));
    };
    let Candidates { rows, sure } = filtered.candidates(&reader.file, &selected)?;
    let mut scan = Scan::of(&reader.file, Arc::new(rows));
    scan.cut_at(&sure);
    let mut filtering = Filtering::new(reader, filtered, sure)?;
    while let Some((first, rows)) = scan.advance() {
        if let Some(pick) = filtering.picks(&reader.file, first, rows)?.first() {
            return Ok(Some(first + pick.start as u64));
        }
    }
    Ok(None)
}

/// Finds the rows that a reader reads.
pub(super) fn found(reader: &Reader<'_>) -> Result<Found> {
    let selected = reader.selected()?;
    let Some(filtered) = &reader.filter else {
        let matching = RowSelection::clone(&selected);
        return Ok(Found { candidates: matching.clone(), unsure: RowSelection::default(), matching });
    };
    let Candidates { rows, sure } = filtered.candidates(&reader.file, &selected)?;
    let candidates = rows.clone();
    let mut scan = Scan::of(&reader.file, Arc::new(rows));
    scan.cut_at(&sure);
    let mut filtering = Filtering::new(reader, filtered, sure)?;
    let (mut unsure, mut matching) = (Vec::new(), Vec::new());
    while let Some((first, rows)) = scan.advance() {
        let of_file = |range: Range<usize>| first + range.start as u64..first + range.end as u64;
        matching.extend(filtering.picks(&reader.file, first, rows)?.into_iter().map(of_file));
        unsure.extend(filtering.rows.iter().cloned().map(of_file));
    }
    Ok(Found { candidates, unsure: unsure.into_iter().collect(), matching: matching.into_iter().collect() })
}
