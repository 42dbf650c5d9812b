//! The file that a compact file stands for, as a source: its beginning is in memory, the rest is in the compact file.

use super::COUNTED_TIMES;
use crate::storage::budget::Hold;
use crate::storage::source::Source;
use std::io;
use std::ops::Range;

/// What an open file knows of the compact file that it is read from.
#[derive(Debug)]
pub(in crate::dialect) struct Compact {
    /// Bytes of the compact file.
    pub(super) stored: u64,
    /// Where the columns of the beginning are.
    pub(super) small: Range<u64>,
    /// The memory that the beginning takes.
    pub(super) _memory: Hold,
}

impl Compact {
    /// Whether a column that starts there is in the beginning.
    pub(in crate::dialect::trevni) fn has(&self, start: u64) -> bool {
        self.small.contains(&start)
    }

    /// Where some bytes of the file that is stood for, which has `len` of them, are in the compact file; `None` where they are in the
    /// beginning.
    pub(in crate::dialect::trevni) fn place(&self, range: Range<u64>, len: u64) -> Option<Range<u64>> {
        let place = |offset: u64| offset.saturating_add(self.stored).saturating_sub(len);
        (range.start >= self.small.end).then(|| place(range.start)..place(range.end))
    }

    /// Of the bytes of the file that is stood for, those that limits count.
    pub(in crate::dialect::trevni) fn counted(&self, len: u64) -> u64 {
        len.min(self.stored.saturating_mul(COUNTED_TIMES))
    }
}

/// A source whose first bytes are in memory.
pub(super) struct Expanded<S> {
    pub(super) beginning: Vec<u8>,
    pub(super) source: S,
    /// Where the rest begins in the source.
    pub(super) rest: u64,
    pub(super) len: u64,
}

impl<S: Source> Expanded<S> {
    /// What of a range is in the beginning.
    fn in_memory(&self, offset: u64, len: usize) -> &[u8] {
        let start = usize::try_from(offset).unwrap_or(usize::MAX).min(self.beginning.as_slice().len());
        let end = start.saturating_add(len).min(self.beginning.as_slice().len());
        &self.beginning[start..end]
    }

    /// Where a position after the beginning is in the source.
    fn place(&self, offset: u64) -> u64 {
        offset.saturating_sub(self.beginning.len() as u64).saturating_add(self.rest)
    }
}

impl<S: Source> Source for Expanded<S> {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let known = self.in_memory(offset, buffer.len());
        let (first, others) = buffer.split_at_mut(known.len());
        first.copy_from_slice(known);
        match others.is_empty() {
            true => Ok(()),
            false => self.source.read_at(self.place(offset.saturating_add(first.len() as u64)), others),
        }
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        let mut after: Vec<(u64, &mut [u8])> = Vec::new();
        for (offset, buffer) in ranges {
            if *offset >= self.beginning.len() as u64 {
                after.push((self.place(*offset), buffer));
            } else {
                self.read_at(*offset, buffer)?;
            }
        }
        if after.is_empty() { Ok(()) } else { self.source.read_ranges(&mut after) }
    }

    fn slice(&self, offset: u64, len: usize) -> Option<&[u8]> {
        if offset >= self.beginning.len() as u64 {
            return self.source.slice(self.place(offset), len);
        }
        let found = self.in_memory(offset, len);
        if <[u8]>::len(found) == len { Some(found) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_before_and_after_the_border_are_those_of_the_file() {
        let source = Expanded { beginning: vec![0, 1, 2, 3], source: vec![9, 9, 4, 5, 6], rest: 2, len: 7 };
        for start in 0..7u8 {
            for end in start..=7 {
                let expected: Vec<u8> = (start..end).collect();
                let mut found = vec![0; expected.len()];
                source.read_at(start.into(), &mut found).unwrap();
                assert_eq!(found, expected);
                found.fill(0);
                source.read_ranges(&mut [(start.into(), &mut found)]).unwrap();
                assert_eq!(found, expected);
                let crosses = start < 4 && end > 4;
                let slice = source.slice(start.into(), expected.len());
                assert_eq!(slice, (!crosses).then_some(&*expected), "{start}..{end}");
            }
        }
        let mut eight = [0; 8];
        assert!(source.read_at(0, &mut eight).is_err());
        assert!(source.read_at(u64::MAX, &mut eight).is_err());
        assert_eq!(source.slice(5, 3), None);
        assert_eq!(source.slice(u64::MAX, 1), None);
    }
}
