//! Selections of rows: ranges of row numbers.

use crate::sort;
use std::ops::{Range, RangeInclusive, RangeTo};

/// The positions of some rows among others, which have all of them: both are ranges that ascend, and each of `rows` is within one of
/// `among`.
pub(crate) fn positions<'r>(
    among: &'r [Range<usize>],
    rows: &'r [Range<usize>],
) -> impl Iterator<Item = Range<usize>> + 'r {
    let (mut before, mut among) = (0, among.iter().peekable());
    rows.iter().map(move |rows| {
        while let Some(passed) = among.next_if(|passed| passed.end <= rows.start) {
            before += passed.len();
        }
        let start = among.peek().map_or(0, |range| range.start);
        before + (rows.start - start)..before + (rows.end - start)
    })
}

/// A set of rows of a file, by number from 0, in file order.
///
/// Ranges may be given in any order and may overlap.
///
/// ```
/// use trevni::RowSelection;
///
/// let rows = RowSelection::from([10..20, 3..5, 18..30]);
/// assert_eq!(rows.ranges(), [3..5, 10..30]);
/// assert_eq!(rows.row_count(), 22);
/// assert_eq!(RowSelection::from_iter([7, 3, 4, 7]).ranges(), [3..5, 7..8]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowSelection {
    ranges: Vec<Range<u64>>,
}

impl RowSelection {
    /// The ranges, ascending and separated by at least one row.
    #[must_use]
    pub fn ranges(&self) -> &[Range<u64>] {
        &self.ranges
    }

    /// Number of rows.
    #[must_use]
    pub fn row_count(&self) -> u64 {
        self.ranges.iter().map(|range| range.end - range.start).sum()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The number after the last row; 0 if there are no rows.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.ranges.last().map_or(0, |last| last.end)
    }

    /// The rows that are also in `other`.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let (mut one, mut two) = (self.ranges.iter().peekable(), other.ranges.iter().peekable());
        let mut ranges = Vec::new();
        while let (Some(a), Some(b)) = (one.peek(), two.peek()) {
            let both = a.start.max(b.start)..a.end.min(b.end);
            if !both.is_empty() {
                ranges.push(both);
            }
            if a.end <= b.end {
                one.next()
            } else {
                two.next()
            };
        }
        Self { ranges }
    }

    /// The other rows of a file that has `rows` of them.
    pub(crate) fn complement(&self, rows: u64) -> Self {
        let starts = std::iter::once(0).chain(self.ranges.iter().map(|range| range.end));
        let ends = self.ranges.iter().map(|range| range.start).chain([rows]);
        starts.zip(ends).map(|(start, end)| start..end.min(rows)).collect()
    }

    /// Whether a range contains some of the rows.
    pub(crate) fn meets(&self, range: &Range<u64>) -> bool {
        self.first_from(range.start).is_some_and(|row| row < range.end)
    }

    /// The first of the rows from one on.
    pub(crate) fn first_from(&self, row: u64) -> Option<u64> {
        let behind = self.ranges.partition_point(|rows| rows.end <= row);
        self.ranges.get(behind).map(|rows| rows.start.max(row))
    }

    /// A number of about equal parts of this selection, at most one for each row.
    pub(crate) fn split(&self, parts: usize) -> Vec<Self> {
        let rows = self.row_count();
        let parts = (parts.max(1) as u64).min(rows);
        // With 128 bits, as the product may have more than 64.
        let end = |part: u64| (u128::from(rows) * u128::from(part) / u128::from(parts)) as u64;
        self.parts((1..=parts).map(end))
    }

    /// Consecutive parts of this selection, by the positions within it where they end, which ascend.
    pub(crate) fn parts(&self, ends: impl IntoIterator<Item = u64>) -> Vec<Self> {
        let mut ranges = self.ranges.iter().cloned();
        let (mut rest, mut start) = (ranges.next().unwrap_or_default(), 0);
        let part = |end: u64| {
            let (mut wanted, mut own) = (end.saturating_sub(start), Vec::new());
            start = start.max(end);
            while wanted > 0 && !rest.is_empty() {
                let taken = wanted.min(rest.end - rest.start);
                own.push(rest.start..rest.start + taken);
                (rest.start, wanted) = (rest.start + taken, wanted - taken);
                if rest.is_empty() {
                    rest = ranges.next().unwrap_or_default();
                }
            }
            Self { ranges: own }
        };
        ends.into_iter().map(part).collect()
    }

    /// The rows of a range, with their numbers counted from its start.
    pub(crate) fn within(&self, range: &Range<u64>) -> Self {
        let mut part = self.intersection(&Self::from(range.clone()));
        for rows in &mut part.ranges {
            *rows = rows.start - range.start..rows.end - range.start;
        }
        part
    }
}

impl FromIterator<Range<u64>> for RowSelection {
    fn from_iter<I: IntoIterator<Item = Range<u64>>>(ranges: I) -> Self {
        let ranges = ranges.into_iter().filter(|range| !range.is_empty());
        let mut sorted: Vec<(u64, u64)> = ranges.map(|range| (range.start, range.end)).collect();
        sort::pairs(&mut sorted);
        let mut ranges: Vec<Range<u64>> = Vec::with_capacity(sorted.len());
        for range in sorted.into_iter().map(|(start, end)| start..end) {
            match ranges.last_mut() {
                Some(last) if range.start <= last.end => last.end = last.end.max(range.end),
                _ => ranges.push(range),
            }
        }
        Self { ranges }
    }
}

impl FromIterator<u64> for RowSelection {
    fn from_iter<I: IntoIterator<Item = u64>>(rows: I) -> Self {
        rows.into_iter().map(|row| row..row.saturating_add(1)).collect()
    }
}

impl From<Range<u64>> for RowSelection {
    fn from(range: Range<u64>) -> Self {
        std::iter::once(range).collect()
    }
}

impl From<RangeInclusive<u64>> for RowSelection {
    fn from(range: RangeInclusive<u64>) -> Self {
        let end = if range.is_empty() { *range.start() } else { range.end().saturating_add(1) };
        Self::from(*range.start()..end)
    }
}

impl From<RangeTo<u64>> for RowSelection {
    fn from(range: RangeTo<u64>) -> Self {
        Self::from(0..range.end)
    }
}

impl From<Vec<Range<u64>>> for RowSelection {
    fn from(ranges: Vec<Range<u64>>) -> Self {
        ranges.into_iter().collect()
    }
}

impl From<&[Range<u64>]> for RowSelection {
    fn from(ranges: &[Range<u64>]) -> Self {
        ranges.iter().cloned().collect()
    }
}

impl<const N: usize> From<[Range<u64>; N]> for RowSelection {
    fn from(ranges: [Range<u64>; N]) -> Self {
        ranges.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn rows(selection: &RowSelection) -> Vec<u64> {
        selection.ranges().iter().cloned().flatten().collect()
    }

    proptest! {
        #[test]
        fn selections_are_sets(
            one in prop::collection::vec((0u64..60, 0u64..9), 0..8),
            two in prop::collection::vec((0u64..60, 0u64..9), 0..8),
            within in (0u64..60, 0u64..60),
        ) {
            let set = |parts: &[(u64, u64)]| -> std::collections::BTreeSet<u64> {
                parts.iter().flat_map(|(start, len)| *start..start + len).collect()
            };
            let selection = |parts: &[(u64, u64)]| -> RowSelection {
                parts.iter().map(|(start, len)| *start..start + len).collect()
            };
            let (a, b) = (selection(&one), selection(&two));
            prop_assert_eq!(rows(&a), Vec::from_iter(set(&one)));
            prop_assert_eq!(a.row_count(), set(&one).len() as u64);
            prop_assert_eq!(rows(&a.intersection(&b)), Vec::from_iter(set(&one).intersection(&set(&two)).copied()));
            prop_assert!(a.ranges().windows(2).all(|pair| pair[0].end < pair[1].start));
            let others = (0..100).filter(|row| !set(&one).contains(row)).collect::<Vec<u64>>();
            prop_assert_eq!(rows(&a.complement(100)), others);
            let range = within.0..within.0 + within.1;
            let part: Vec<u64> = set(&one).iter().filter(|row| range.contains(row)).map(|row| row - range.start).collect();
            prop_assert_eq!(rows(&a.within(&range)), part);
            let all = rows(&a).into_iter();
            let part: Vec<u64> = all.skip(within.0 as usize).take(within.1 as usize).collect();
            let parts = a.parts([range.start, range.end, u64::MAX]);
            prop_assert_eq!(rows(&parts[1]), part);
            let together: Vec<u64> = parts.iter().flat_map(rows).collect();
            prop_assert_eq!(together, rows(&a));
        }
    }
}
