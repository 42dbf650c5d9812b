//! Which rows are shown, in which order: from places on the screen to numbers of rows.

use crate::failure::Failure;
use std::cell::RefCell;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::rc::Rc;
use trevni::RowSelection;

/// Bytes of a row's number in the file of a sorted order.
pub(super) const NUMBER: u64 = 8;

/// Rows in the order in which they are shown.
pub(super) enum Order {
    All(u64),
    Kept(Kept),
    Sorted(Sorted),
}

/// The rows for which a condition is true.
pub(super) struct Kept {
    ranges: Vec<Range<u64>>,
    /// The place of the first row of each range, and the number of all.
    starts: Vec<u64>,
}

/// Rows by the values of a column. Their numbers are in a file without a name, which needs no memory.
pub(super) struct Sorted {
    pub(super) numbers: RefCell<File>,
    pub(super) rows: u64,
    /// The same rows in the order of the files.
    pub(super) before: Rc<Order>,
}

impl Kept {
    /// Ranges that ascend.
    pub(super) fn of(ranges: Vec<Range<u64>>) -> Self {
        let mut starts = vec![0];
        for range in &ranges {
            starts.push(starts.last().copied().unwrap_or(0) + (range.end - range.start));
        }
        Self { ranges, starts }
    }

    fn number(&self, place: u64) -> Option<u64> {
        let at = self.starts.partition_point(|start| *start <= place).checked_sub(1)?;
        let range = self.ranges.get(at)?;
        Some(range.start + (place - self.starts.get(at)?))
    }

    /// The place of a row, or of the next one that is kept.
    fn place(&self, row: u64) -> u64 {
        let at = self.ranges.partition_point(|range| range.end <= row);
        let before = self.starts.get(at).copied().unwrap_or(0);
        before + self.ranges.get(at).map_or(0, |range| row.saturating_sub(range.start))
    }
}

impl Order {
    /// Number of rows.
    pub(super) fn rows(&self) -> u64 {
        match self {
            Self::All(rows) => *rows,
            Self::Kept(kept) => kept.starts.last().copied().unwrap_or(0),
            Self::Sorted(sorted) => sorted.rows,
        }
    }

    /// The numbers of the rows at these places, as far as there are any.
    pub(super) fn numbers(&self, places: Range<u64>) -> Result<Vec<u64>, Failure> {
        let places = places.start..places.end.min(self.rows());
        match self {
            Self::All(_) => Ok(places.collect()),
            Self::Kept(kept) => Ok(places.map_while(|place| kept.number(place)).collect()),
            Self::Sorted(sorted) => sorted.numbers(places),
        }
    }

    /// The place of a row, or where it would be; of sorted rows the place is asked for.
    pub(super) fn place(&self, row: u64) -> u64 {
        match self {
            Self::All(_) | Self::Sorted(_) => row,
            Self::Kept(kept) => kept.place(row),
        }
    }

    /// The rows in the order of the files.
    pub(super) fn unsorted(self: &Rc<Self>) -> Rc<Self> {
        match &**self {
            Self::Sorted(sorted) => Rc::clone(&sorted.before),
            _ => Rc::clone(self),
        }
    }

    /// The numbers of all rows.
    pub(super) fn selection(&self) -> RowSelection {
        match self {
            Self::All(rows) => RowSelection::from(0..*rows),
            Self::Kept(kept) => kept.ranges.clone().into(),
            Self::Sorted(sorted) => sorted.before.selection(),
        }
    }

    pub(super) fn is_sorted(&self) -> bool {
        matches!(self, Self::Sorted(_))
    }
}

impl Sorted {
    fn numbers(&self, places: Range<u64>) -> Result<Vec<u64>, Failure> {
        let count = usize::try_from(places.end.saturating_sub(places.start)).unwrap_or(0);
        let mut bytes = vec![0; count * NUMBER as usize];
        let mut file = self.numbers.borrow_mut();
        let read =
            file.seek(SeekFrom::Start(places.start * NUMBER)).and_then(|_| file.read_exact(&mut bytes));
        read.map_err(|error| Failure::io("a temporary file", &error))?;
        Ok(bytes.as_chunks().0.iter().map(|bytes| u64::from_le_bytes(*bytes)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_numbers_of_kept_rows_lead_to_each_other() {
        let kept = Order::Kept(Kept::of(vec![2..4, 7..8, 10..13]));
        assert_eq!(kept.rows(), 6);
        assert_eq!(kept.numbers(0..100).unwrap(), [2, 3, 7, 10, 11, 12]);
        assert_eq!(kept.numbers(2..4).unwrap(), [7, 10]);
        assert_eq!([0, 2, 3, 5, 7, 9, 12, 50].map(|row| kept.place(row)), [0, 0, 1, 2, 2, 3, 5, 6]);
        let none = Order::Kept(Kept::of(Vec::new()));
        assert_eq!((none.rows(), none.numbers(0..5).unwrap(), none.place(3)), (0, vec![], 0));
    }
}
