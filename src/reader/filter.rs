//! Rows by a predicate: what zones exclude is not read, what is left is decoded as far as the
//! predicate needs it.

use super::Reader;
use super::scan::Scan;
use crate::dialect::trevni::decode::{Decoder, File, Given};
use crate::error::Result;
use crate::predicate::{Filter, Missing, Predicate, Truth};
use crate::schema::columns::Layout;
use crate::selection::RowSelection;
use crate::shape::Shape;
use crate::storage::zone_map::Zone;
use crate::vector::Vector;
use std::ops::Range;
use std::sync::Arc;

/// A predicate on the rows of a file.
pub(super) struct Filtered {
    pub(super) predicate: Predicate,
    /// The whole of it.
    pub(super) filter: Filter,
    /// Its parts that must all be true: each is decoded for the rows only for which those before are. No
    /// two have a column in common.
    parts: Vec<Filter>,
}

/// Rows for which a predicate may be true, and those for which it surely is.
pub(super) struct Candidates {
    pub(super) rows: RowSelection,
    pub(super) sure: RowSelection,
}

impl Filtered {
    pub(super) fn new(
        predicate: Predicate,
        shape: &Shape,
        layout: &Layout,
        missing: Missing,
    ) -> Result<Self> {
        let filter = predicate.bind(shape, layout, missing)?;
        let mut parts: Vec<(Predicate, Filter)> = Vec::new();
        for mut part in predicate.conjuncts() {
            let mut bound = part.bind(shape, layout, missing)?;
            let meets =
                |filter: &Filter| filter.columns().iter().any(|column| bound.columns().contains(column));
            // In the place of the first that it has columns in common with.
            if let Some(place) = parts.iter().position(|(_, filter)| meets(filter)) {
                let (same, others) =
                    std::mem::take(&mut parts).into_iter().partition(|(_, filter)| meets(filter));
                let (same, others): (Vec<_>, Vec<_>) = (same, others);
                part = same.into_iter().rev().fold(part, |after, (before, _)| before.and(after));
                bound = part.bind(shape, layout, missing)?;
                parts = others;
                parts.insert(place, (part, bound));
            } else {
                parts.push((part, bound));
            }
        }
        Ok(Self { predicate, filter, parts: parts.into_iter().map(|(_, filter)| filter).collect() })
    }

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
    let rows = table.iter().map(|block| u64::from(block.rows));
    Ok(Some(rows.zip(map.zones.iter().cloned()).collect()))
}

/// Finds the rows of a stretch for which the predicate is true.
pub(super) struct Filtering {
    filtered: Arc<Filtered>,
    sure: RowSelection,
    layout: Arc<Layout>,
    /// One for each part of the predicate.
    parts: Vec<Part>,
}

/// Decodes what a part of the predicate needs.
struct Part {
    decoder: Decoder,
    /// What the part needs of the current stretch.
    vector: Vector,
    /// The rows of the stretch that the vector has; none where it was not needed.
    rows: Vec<Range<usize>>,
}

impl Filtering {
    pub(super) fn new(reader: &Reader<'_>, filtered: &Arc<Filtered>, sure: RowSelection) -> Result<Self> {
        let (shape, layout) = &reader.whole;
        let part = |filter: &Filter| {
            let mut decoder = Decoder::new(&reader.file, shape, layout)?;
            decoder.want(filter.nodes());
            Ok(Part { decoder, vector: Vector::Null(0), rows: Vec::new() })
        };
        let parts = filtered.parts.iter().map(part).collect::<Result<_>>()?;
        Ok(Self { filtered: Arc::clone(filtered), sure, layout: Arc::clone(layout), parts })
    }

    /// Those of the rows from `first` on for which the predicate is true.
    pub(super) fn picks(
        &mut self,
        file: &File<'_>,
        first: u64,
        mut rows: Vec<Range<usize>>,
    ) -> Result<Vec<Range<usize>>> {
        self.parts.iter_mut().for_each(|part| part.rows.clear());
        let end = rows.last().map_or(0, |last| last.end);
        if self.is_sure(first..first + end as u64, &rows) {
            return Ok(rows);
        }
        for (part, filter) in self.parts.iter_mut().zip(&self.filtered.parts) {
            if rows.is_empty() {
                break;
            }
            part.decoder.batch_of(file, first, end, &rows, &Given::default(), &mut part.vector)?;
            let picks = picks(&rows, &filter.evaluate(&part.vector)?);
            part.rows = std::mem::replace(&mut rows, picks);
        }
        Ok(rows)
    }

    /// Whether the predicate is known to be true for all of these rows.
    fn is_sure(&self, stretch: Range<u64>, rows: &[Range<usize>]) -> bool {
        let sure = self.sure.within(&stretch).row_count();
        sure == rows.iter().map(|range| range.len() as u64).sum::<u64>()
    }

    /// The columns of the current stretch that the predicate has needed.
    pub(super) fn given(&self) -> Given<'_> {
        self.given_by(|part| !part.rows.is_empty())
    }

    /// Those that it has needed for all of these rows.
    pub(super) fn given_for(&self, rows: &Range<usize>) -> Given<'_> {
        self.given_by(|part| matches!(&*part.rows, [own] if own.start <= rows.start && rows.end <= own.end))
    }

    fn given_by(&self, holds: impl Fn(&Part) -> bool) -> Given<'_> {
        let mut given = Given::default();
        for part in self.parts.iter().filter(|part| holds(part)) {
            given.add(&self.layout, &part.vector, &part.rows);
        }
        given
    }
}

/// Those of some rows whose truth is true.
fn picks(rows: &[Range<usize>], truths: &[Truth]) -> Vec<Range<usize>> {
    let mut picks: Vec<Range<usize>> = Vec::new();
    for (row, truth) in rows.iter().cloned().flatten().zip(truths) {
        match picks.last_mut() {
            _ if *truth != Truth::True => {}
            Some(last) if last.end == row => last.end += 1,
            _ => picks.push(row..row + 1),
        }
    }
    picks
}

/// Which rows a reader reads, and what it took to know.
pub(super) struct Found {
    /// Rows that are selected and not excluded.
    pub(super) candidates: RowSelection,
    /// Rows for which parts of the predicate had to be evaluated, and the columns of each.
    pub(super) evaluated: Vec<(Vec<usize>, RowSelection)>,
    /// Rows for which it is true.
    pub(super) matching: RowSelection,
}

/// What it takes to find the rows of a reader: the stretches in which they may be, and what decides.
pub(super) fn search(
    reader: &Reader<'_>,
    filtered: &Arc<Filtered>,
    candidates: Candidates,
) -> Result<(Scan, Filtering)> {
    let Candidates { rows, sure } = candidates;
    let mut scan = Scan::of(&reader.file, Arc::new(rows));
    scan.cut_at(&sure);
    Ok((scan, Filtering::new(reader, filtered, sure)?))
}

/// Number of the first row that a reader reads.
pub(super) fn first(reader: &Reader<'_>) -> Result<Option<u64>> {
    let selected = reader.selected()?;
    let Some(filtered) = &reader.filter else {
        return Ok(selected.ranges().first().map(|range| range.start));
    };
    let candidates = filtered.candidates(&reader.file, &selected)?;
    let (mut scan, mut filtering) = search(reader, filtered, candidates)?;
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
        return Ok(Found { candidates: matching.clone(), evaluated: Vec::new(), matching });
    };
    let found = filtered.candidates(&reader.file, &selected)?;
    let candidates = found.rows.clone();
    let (mut scan, mut filtering) = search(reader, filtered, found)?;
    let (mut evaluated, mut matching) = (vec![Vec::new(); filtered.parts.len()], Vec::new());
    while let Some((first, rows)) = scan.advance() {
        let of_file = |range: Range<usize>| first + range.start as u64..first + range.end as u64;
        matching.extend(filtering.picks(&reader.file, first, rows)?.into_iter().map(of_file));
        for (evaluated, part) in evaluated.iter_mut().zip(&filtering.parts) {
            evaluated.extend(part.rows.iter().cloned().map(of_file));
        }
    }
    let columns = filtered.parts.iter().map(|filter| filter.columns().to_vec());
    let rows = evaluated.into_iter().map(RowSelection::from_iter);
    Ok(Found { candidates, evaluated: columns.zip(rows).collect(), matching: matching.into_iter().collect() })
}
