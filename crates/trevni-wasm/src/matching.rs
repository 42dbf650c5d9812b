//! The rows for which a condition is true, found window by window.

use crate::fault::Result;
use crate::pieces::Pieces;
use std::ops::Range;
use trevni::{Reader, RowSelection};
use trevni_query::{Binder, Condition, Residual};

/// A condition, and the rows that are known to fulfil it.
pub(crate) struct Matching {
    /// Of the rows that the file does not exclude.
    reader: Reader<'static>,
    /// What the file cannot decide.
    residual: Option<Residual>,
    /// The rows that zone maps do not exclude, once they are known.
    candidates: Option<RowSelection>,
    /// The first row that has not been looked at.
    next: u64,
    /// Rows that fulfil it, each range with the number of those before it.
    found: Vec<(u64, Range<u64>)>,
    count: u64,
}

impl Matching {
    pub(crate) fn new(reader: &Reader<'static>, text: &str) -> Result<Self> {
        let condition = Condition::parse(text)?;
        let (reader, residual) = condition.push_down(reader, &Binder::new(reader.shape()))?;
        Ok(Self { reader, residual, candidates: None, next: 0, found: Vec::new(), count: 0 })
    }

    /// How many rows are known to fulfil it.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// The first row that has not been looked at: the number of rows where all have been.
    pub(crate) fn looked_at(&self) -> u64 {
        self.next
    }

    /// Looks at the next rows, at most as many as `rows` says for those columns.
    pub(crate) fn step(&mut self, pieces: &Pieces, rows: impl Fn(&Reader<'_>) -> u64) -> Result<()> {
        let end = self.reader.row_count();
        if self.candidates.is_none() {
            self.candidates = Some(self.reader.candidates()?);
        }
        let Some(candidates) = &self.candidates else { return Ok(()) };
        let place = candidates.ranges().partition_point(|range| range.end <= self.next);
        let Some(start) = candidates.ranges().get(place).map(|range| range.start.max(self.next)) else {
            self.next = end;
            return Ok(());
        };
        let reader = match &self.residual {
            Some(residual) => self.reader.project_paths(residual.fields(&self.reader))?,
            None => self.reader.project_paths([] as [&[&str]; 0])?,
        };
        let window = start..start.saturating_add(rows(&reader).max(1)).min(end);
        pieces.need(reader.select(window.clone())?.ranges()?)?;
        let selected = self.reader.select(window.clone())?;
        let found = match &self.residual {
            Some(residual) => residual.matching(&selected, false, u64::MAX)?,
            None => selected.matching()?,
        };
        for range in found.ranges() {
            let count = range.end - range.start;
            match self.found.last_mut() {
                Some((_, last)) if last.end == range.start => last.end = range.end,
                _ => self.found.push((self.count, range.clone())),
            }
            self.count += count;
        }
        self.next = window.end;
        Ok(())
    }

    /// The rows that are number `from` to `to` among those that fulfil it.
    pub(crate) fn slice(&self, from: u64, to: u64) -> RowSelection {
        let first = self.found.partition_point(|(before, range)| before + (range.end - range.start) <= from);
        let found = self.found.get(first..).unwrap_or_default().iter();
        let part = |(before, range): &(u64, Range<u64>)| {
            let start = range.start + from.saturating_sub(*before);
            start..range.end.min(range.start + (to - before))
        };
        found.take_while(|(before, _)| *before < to).map(part).filter(|range| !range.is_empty()).collect()
    }
}
