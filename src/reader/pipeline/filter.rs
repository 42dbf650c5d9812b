//! Selects rows by a predicate: rows that zones exclude are not read, the others are decoded as far as the predicate
//! needs them.

use super::found::Found;
use super::scan::{BRIDGE_ROWS, Scan, bridged};
use crate::dialect::{DecodedColumns, Decoder, File, Schema, Window};
use crate::error::{Error, Result};
use crate::predicate::{Blocks, Filter, Known, Predicate, Truth};
use crate::reader::Reader;
use crate::selection::{RowSelection, positions};
use crate::sort;
use crate::tree::{NodeId, Projection, View};
use crate::vector::Vector;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// A predicate on the rows of a file.
pub(in crate::reader) struct Filtered {
    predicate: Predicate,
    /// The whole of it.
    filter: Filter,
    /// Its parts, which must all be true: each is decoded only for rows for which the parts before it are true. No
    /// two have a column in common.
    parts: Vec<Filter>,
}

/// Rows for which a predicate may be true, and rows for which it surely is.
pub(in crate::reader) struct Candidates {
    pub(in crate::reader) rows: RowSelection,
    sure: RowSelection,
}

impl Filtered {
    /// Paths go as `view` says.
    pub(in crate::reader) fn new(predicate: Predicate, schema: &Schema, view: &View) -> Result<Self> {
        let Projection { shape, tree, .. } = &schema.whole;
        let known = Known { view, constants: &schema.constants };
        let bind = |predicate: &Predicate| predicate.bind_with(shape, tree, known);
        let filter = bind(&predicate)?;
        let mut parts: Vec<(Predicate, Filter)> = Vec::new();
        for mut part in predicate.conjuncts() {
            let mut bound = bind(&part)?;
            let meets = |filter: &Filter| filter.slots().iter().any(|slot| bound.slots().contains(slot));
            // In the place of the first that it has columns in common with.
            if let Some(place) = parts.iter().position(|(_, filter)| meets(filter)) {
                let (same, others) =
                    std::mem::take(&mut parts).into_iter().partition(|(_, filter)| meets(filter));
                let (same, others): (Vec<_>, Vec<_>) = (same, others);
                part = same.into_iter().rev().fold(part, |after, (before, _)| before.and(after));
                bound = bind(&part)?;
                parts = others;
                parts.insert(place, (part, bound));
            } else {
                parts.push((part, bound));
            }
        }
        Ok(Self { predicate, filter, parts: parts.into_iter().map(|(_, filter)| filter).collect() })
    }

    /// The same predicate on other rows.
    pub(in crate::reader) fn rebound(&self, schema: &Schema) -> Result<Self> {
        Self::new(self.predicate.clone(), schema, &View::default())
    }

    /// This predicate, and another one.
    pub(in crate::reader) fn and(&self, predicate: Predicate) -> Predicate {
        self.predicate.clone().and(predicate)
    }

    /// The columns that the predicate needs, in ascending order.
    pub(in crate::reader) fn columns(&self, reader: &Reader<'_>) -> Vec<usize> {
        columns_of(reader, &self.filter)
    }

    /// The nodes that the predicate needs.
    pub(in crate::reader) fn nodes(&self) -> &[NodeId] {
        self.filter.nodes()
    }

    /// Whether the predicate can be evaluated on a vector of whole rows.
    pub(in crate::reader) fn check(&self, vector: &Vector) -> Result<()> {
        self.filter.evaluate(vector).map(drop)
    }

    /// What the zones of a file say of these rows, without decoding them.
    pub(in crate::reader) fn candidates(
        &self,
        reader: &Reader<'_>,
        rows: &RowSelection,
    ) -> Result<Candidates> {
        // Several slots may be in one column.
        let mut known = HashMap::new();
        let truths = self.filter.prune(reader.file.rows(), &mut |slot| {
            let Some(column) = reader.schema.column(slot) else {
                return Ok(None);
            };
            if let Some(blocks) = known.get(&column) {
                return Ok(Option::clone(blocks));
            }
            let blocks = zones(&reader.file, column)?;
            known.insert(column, blocks.clone());
            Ok(blocks)
        })?;
        let of = |sure: bool| {
            let wanted = truths
                .iter()
                .filter(|(_, truths)| if sure { truths.is_true() } else { truths.may_be_true() });
            wanted.map(|(range, _)| range.clone()).collect::<RowSelection>().intersection(rows)
        };
        Ok(Candidates { rows: of(false), sure: of(true) })
    }

    /// What it takes to find the rows: the windows in which they may be, and what decides.
    pub(in crate::reader) fn search(
        self: &Arc<Self>,
        reader: &Reader<'_>,
        rows: &RowSelection,
    ) -> Result<(Scan, Filtering)> {
        self.search_in(reader, self.candidates(reader, rows)?)
    }

    fn search_in(self: &Arc<Self>, reader: &Reader<'_>, candidates: Candidates) -> Result<(Scan, Filtering)> {
        let Candidates { rows, sure } = candidates;
        let mut scan = Scan::over(reader, Arc::new(rows))?;
        scan.cut_at(&sure);
        Ok((scan, Filtering::new(reader, self, sure)?))
    }

    /// Number of the first of some rows for which the predicate is true.
    pub(in crate::reader) fn first(
        self: &Arc<Self>,
        reader: &Reader<'_>,
        rows: &RowSelection,
    ) -> Result<Option<u64>> {
        let (mut scan, mut filtering) = self.search(reader, rows)?;
        while let Some((first, rows)) = scan.advance() {
            match filtering.select(&reader.file, first, rows) {
                Ok(rows) => {
                    if let Some(range) = rows.first() {
                        return Ok(Some(first + range.start as u64));
                    }
                }
                Err(error) => scan.halve(first, error)?,
            }
        }
        Ok(None)
    }

    /// How many of `rows` match.
    pub(in crate::reader) fn count(
        self: &Arc<Self>,
        reader: &Reader<'_>,
        rows: &RowSelection,
    ) -> Result<u64> {
        let (mut scan, mut filtering) = self.search(reader, rows)?;
        let mut matching = 0;
        while let Some((first, rows)) = scan.advance() {
            match filtering.count(&reader.file, first, rows) {
                Ok(rows) => matching += rows,
                Err(error) => scan.halve(first, error)?,
            }
        }
        Ok(matching)
    }

    /// Finds the matching rows among `rows`.
    pub(in crate::reader) fn found(
        self: &Arc<Self>,
        reader: &Reader<'_>,
        rows: &RowSelection,
    ) -> Result<Found> {
        let found = self.candidates(reader, rows)?;
        let candidates = found.rows.clone();
        let (mut scan, mut filtering) = self.search_in(reader, found)?;
        let (mut evaluated, mut matching) = (vec![Vec::new(); self.parts.len()], Vec::new());
        while let Some((first, rows)) = scan.advance() {
            let of_file = |range: Range<usize>| first + range.start as u64..first + range.end as u64;
            match filtering.select(&reader.file, first, rows) {
                Ok(rows) => matching.extend(rows.into_iter().map(of_file)),
                Err(error) => {
                    scan.halve(first, error)?;
                    continue;
                }
            }
            for (evaluated, part) in evaluated.iter_mut().zip(&filtering.parts) {
                evaluated.extend(part.rows.iter().cloned().map(of_file));
            }
        }
        let columns = self.parts.iter().map(|filter| columns_of(reader, filter));
        let rows = evaluated.into_iter().map(RowSelection::from_iter);
        let evaluated = columns.zip(rows).collect();
        Ok(Found { candidates, evaluated, matching: matching.into_iter().collect() })
    }
}

/// The columns that a part of the predicate needs, in ascending order.
fn columns_of(reader: &Reader<'_>, filter: &Filter) -> Vec<usize> {
    let columns = filter.slots().iter().filter_map(|slot| reader.schema.column(*slot));
    let mut columns: Vec<usize> = columns.collect();
    sort::once(&mut columns, |column| *column as u64);
    columns
}

/// The rows and the zone of each block of a column.
fn zones(file: &File<'_>, column: usize) -> Result<Blocks> {
    let Some(map) = file.zones(column)? else {
        return Ok(None);
    };
    let rows = file.block_sizes(column)?.into_iter().map(|(rows, _)| u64::from(rows));
    Ok(Some(rows.zip(map.zones.iter().cloned()).collect()))
}

/// Finds the rows of a window for which the predicate is true.
pub(in crate::reader) struct Filtering {
    filtered: Arc<Filtered>,
    sure: RowSelection,
    schema: Arc<Schema>,
    /// One for each part of the predicate.
    parts: Vec<Part>,
}

/// Decodes what a part of the predicate needs.
struct Part {
    decoder: Decoder,
    /// What the part needs of the current window.
    vector: Vector,
    /// The rows of the window that the vector has; empty where it was not needed.
    rows: Vec<Range<usize>>,
}

impl Part {
    /// Decodes some rows of a window, and what is between them. The results are those of all decoded rows.
    fn evaluate(
        &mut self,
        filter: &Filter,
        file: &File<'_>,
        window: Range<u64>,
        rows: &[Range<usize>],
    ) -> Result<Vec<Truth>> {
        let decoded = bridged(rows, BRIDGE_ROWS);
        let window =
            Window { row: window.start, rows: (window.end - window.start) as usize, picks: &decoded };
        self.decoder.batch(file, &window, &DecodedColumns::default(), &mut self.vector)?;
        let truths = filter.evaluate(&self.vector)?;
        self.rows = decoded;
        Ok(truths)
    }
}

impl Filtering {
    fn new(reader: &Reader<'_>, filtered: &Arc<Filtered>, sure: RowSelection) -> Result<Self> {
        let schema = &reader.schema;
        let part = |filter: &Filter| {
            let mut decoder = reader.decoder(schema, &schema.whole)?;
            decoder.want(filter.nodes());
            decoder.allow_dictionaries(true);
            Ok(Part { decoder, vector: Vector::Null(0), rows: Vec::new() })
        };
        let parts = filtered.parts.iter().map(part).collect::<Result<_>>()?;
        Ok(Self { filtered: Arc::clone(filtered), sure, schema: Arc::clone(schema), parts })
    }

    /// The rows from `first` on for which the predicate is true.
    pub(in crate::reader) fn select(
        &mut self,
        file: &File<'_>,
        first: u64,
        rows: Vec<Range<usize>>,
    ) -> Result<Vec<Range<usize>>> {
        let window = self.window(first, &rows);
        if self.is_sure(window.clone(), &rows) {
            return Ok(rows);
        }
        self.narrow(self.parts.len(), file, window, rows)
    }

    /// How many of the rows from `first` on the predicate is true for.
    fn count(&mut self, file: &File<'_>, first: u64, mut rows: Vec<Range<usize>>) -> Result<u64> {
        let window = self.window(first, &rows);
        let last = self.parts.len().saturating_sub(1);
        let is_sure = self.is_sure(window.clone(), &rows);
        if !is_sure {
            rows = self.narrow(last, file, window.clone(), rows)?;
        }
        match (self.parts.get_mut(last), self.filtered.parts.get(last)) {
            (Some(part), Some(filter)) if !is_sure && !rows.is_empty() => {
                let truths = part.evaluate(filter, file, window, &rows)?;
                let is_true = |rows: Range<usize>| Ok(count_true(truths.get(rows).ok_or_else(no_truths)?));
                positions(&part.rows, &rows).map(is_true).sum()
            }
            _ => Ok(rows.iter().map(|range| range.len() as u64).sum()),
        }
    }

    /// The window whose rows from `first` on these are, of which nothing has been decoded.
    fn window(&mut self, first: u64, rows: &[Range<usize>]) -> Range<u64> {
        self.parts.iter_mut().for_each(|part| part.rows.clear());
        first..first + rows.last().map_or(0, |last| last.end as u64)
    }

    /// The rows of a window for which the first `parts` parts of the predicate are true.
    fn narrow(
        &mut self,
        parts: usize,
        file: &File<'_>,
        window: Range<u64>,
        mut rows: Vec<Range<usize>>,
    ) -> Result<Vec<Range<usize>>> {
        for (part, filter) in self.parts.iter_mut().zip(&self.filtered.parts).take(parts) {
            if rows.is_empty() {
                break;
            }
            let truths = part.evaluate(filter, file, window.clone(), &rows)?;
            rows = true_rows(&rows, &part.rows, &truths)?;
        }
        Ok(rows)
    }

    /// Whether the predicate is known to be true for all of these rows.
    fn is_sure(&self, window: Range<u64>, rows: &[Range<usize>]) -> bool {
        let sure = self.sure.within(&window).row_count();
        sure == rows.iter().map(|range| range.len() as u64).sum::<u64>()
    }

    /// The columns of the current window that the predicate has needed. They have all rows that it is true for, and those between
    /// them that [`bridged`] adds.
    pub(in crate::reader) fn decoded(&self) -> DecodedColumns<'_> {
        let mut decoded = DecodedColumns::default();
        for part in self.parts.iter().filter(|part| !part.rows.is_empty()) {
            decoded.add(&self.schema, &part.vector, &part.rows);
        }
        decoded
    }
}

/// The rows among some whose result is true. The results are for ranges each of which has some of these rows.
fn true_rows(rows: &[Range<usize>], of: &[Range<usize>], truths: &[Truth]) -> Result<Vec<Range<usize>>> {
    let mut selected: Vec<Range<usize>> = Vec::new();
    let mut borders = Vec::new();
    for (range, position) in rows.iter().zip(positions(of, rows)) {
        let truths = truths.get(position).ok_or_else(no_truths)?;
        find_borders(range.start, truths, &mut borders);
        let (found, _) = borders.as_chunks();
        for [start, end] in found {
            match selected.last_mut() {
                Some(last) if last.end == *start => last.end = *end,
                _ => selected.push(*start..*end),
            }
        }
    }
    Ok(selected)
}

#[cold]
fn no_truths() -> Error {
    Error::internal("rows have no results of the predicate")
}

/// How many results are true. Counts of one byte are added several at once.
fn count_true(truths: &[Truth]) -> u64 {
    let of_few = |truths: &[Truth]| truths.iter().map(|truth| u8::from(*truth == Truth::True)).sum::<u8>();
    truths.chunks(u8::MAX.into()).map(|truths| u64::from(of_few(truths))).sum()
}

/// Results that are looked at together: where all of them are true, or none is, as the last one before, there is no border.
const TRUTHS_AT_ONCE: usize = 64;

/// The rows at which results become true and cease to be, in turns. The inner loop has no branch that depends on a result: where
/// results change often, it would be mispredicted.
fn find_borders(first: usize, truths: &[Truth], borders: &mut Vec<usize>) {
    borders.clear();
    borders.resize(truths.len() + 2, 0);
    let (mut count, mut before) = (0, false);
    for (start, truths) in (first..).step_by(TRUTHS_AT_ONCE).zip(truths.chunks(TRUTHS_AT_ONCE)) {
        if truths.iter().fold(true, |same, truth| same & ((*truth == Truth::True) == before)) {
            continue;
        }
        for (row, truth) in (start..).zip(truths) {
            let is_true = *truth == Truth::True;
            if let Some(place) = borders.get_mut(count) {
                *place = row;
            }
            count += usize::from(is_true != before);
            before = is_true;
        }
    }
    if let Some(place) = borders.get_mut(count) {
        *place = first + truths.len();
    }
    borders.truncate(count + usize::from(before));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn borders_are_where_truths_change(
            runs in vec((prop::sample::select(vec![Truth::False, Truth::Unknown, Truth::True]), 1_usize..150), 0..9),
            first in 0_usize..100,
        ) {
            let truths: Vec<Truth> = runs.iter().flat_map(|(truth, count)| vec![*truth; *count]).collect();
            let mut borders = vec![7];
            find_borders(first, &truths, &mut borders);
            let (ranges, rest) = borders.as_chunks();
            prop_assert!(rest.is_empty() && ranges.iter().all(|[start, end]| start < end));
            let is_within = |row| ranges.iter().any(|[start, end]| (*start..*end).contains(&row));
            let found: Vec<bool> = (first..).take(truths.len()).map(is_within).collect();
            let expected: Vec<bool> = truths.iter().map(|truth| *truth == Truth::True).collect();
            prop_assert_eq!(count_true(&truths), expected.iter().filter(|is| **is).count() as u64);
            prop_assert_eq!(found, expected);
            prop_assert!(ranges.windows(2).all(|pair| pair[0][1] < pair[1][0]));
        }
    }
}
