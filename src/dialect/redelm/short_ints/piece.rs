//! Small integers that follow each other in a stream, as they are taken from it.

use crate::bytes::lanes::{all_bytes, first_bytes, not_zero};

/// Values that follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct Piece {
    /// The values, the first in the lowest byte, or the one that all are.
    pub(in super::super) values: u64,
    /// Their number: eight at most, if they are not all the same.
    pub(in super::super) count: u32,
    /// Whether all are the same.
    pub(in super::super) is_run: bool,
}

impl Piece {
    /// How many values the next `rows` rows have here, each of which begins with a 0, and how many of them begin here.
    #[inline]
    pub(in super::super) fn of_rows(&self, rows: u32) -> (u32, u32) {
        if self.is_run {
            return match self.values {
                0 => (self.count.min(rows), self.count.min(rows)),
                _ => (self.count, 0),
            };
        }
        let mut begin = self.equal(0, self.count);
        let begun = begin.count_ones();
        if begun <= rows {
            return (self.count, begun);
        }
        // The first that is of no row here.
        (0..rows).for_each(|_| begin &= begin - 1);
        (begin.trailing_zeros() / 8, rows)
    }

    /// How many of the first `count` are this value.
    #[inline]
    pub(in super::super) fn count_of(&self, value: u8, count: u32) -> u32 {
        match self.is_run {
            true if self.values == u64::from(value) => count,
            true => 0,
            false => self.equal(value, count).count_ones(),
        }
    }

    /// Whether one of the first `count` is above a value.
    #[inline]
    pub(in super::super) fn has_above(&self, value: u8, count: u32) -> bool {
        match self.is_run {
            true => count > 0 && self.values > u64::from(value),
            false => (self.values & first_bytes(count)).to_le_bytes().into_iter().any(|own| own > value),
        }
    }

    /// The highest bit of each of the first `count` bytes that is this value; for values that are not all the same.
    #[inline]
    fn equal(&self, value: u8, count: u32) -> u64 {
        !not_zero(self.values ^ all_bytes(value)) & all_bytes(0x80) & first_bytes(count)
    }

    /// Appends the first `count`.
    #[inline]
    pub(in super::super) fn append(&self, count: u32, out: &mut Vec<u8>) {
        let end = out.len() + count as usize;
        if count > 8 {
            out.resize(end, self.values as u8);
            return;
        }
        let values = if self.is_run { all_bytes(self.values as u8) } else { self.values };
        out.extend_from_slice(&values.to_le_bytes());
        out.truncate(end);
    }

    /// Passes over the first `count`.
    #[inline]
    pub(in super::super) fn pass(&mut self, count: u32) {
        self.count -= count;
        if !self.is_run {
            self.values = self.values.checked_shr(8 * count).unwrap_or_default();
        }
    }
}
