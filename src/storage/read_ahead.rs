//! Reads the stored bytes of a column's blocks, some of them before they are needed.

use crate::error::Result;
use crate::storage::source::Source;
use std::io;
use std::ops::{Range, RangeInclusive};

/// About the most bytes that are read ahead at once, of all columns together.
const READ_AHEAD_BYTES: usize = 512 << 10;
/// Of these, the least and the most of one column; a block is always read whole.
const READ_AHEAD_BYTES_PER_COLUMN: RangeInclusive<usize> = 16 << 10..=128 << 10;

/// Whether a source lacks bytes that it has not fetched. Those that were to be read ahead of their use are left out then.
fn is_ahead(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::WouldBlock
}

/// Reads what several columns need, together; false where the source lacks some of it, so that each reads its own.
///
/// # Errors
///
/// A source that fails.
pub(crate) fn read_together(source: &dyn Source, ranges: &mut [(u64, &mut [u8])]) -> Result<bool> {
    match source.read_ranges(ranges) {
        Ok(()) => Ok(true),
        Err(error) if is_ahead(&error) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Bytes of a source that have been read before they are needed.
pub(crate) struct ReadAhead {
    start: u64,
    bytes: Vec<u8>,
    /// How much to read next time; grows as reading goes on.
    window: usize,
    /// The most that the window grows to.
    widest: usize,
}

impl ReadAhead {
    /// For one of `columns` columns that may be read together.
    pub(crate) fn new(columns: usize) -> Self {
        let (least, most) = (*READ_AHEAD_BYTES_PER_COLUMN.start(), *READ_AHEAD_BYTES_PER_COLUMN.end());
        let widest = (READ_AHEAD_BYTES / columns.max(1)).clamp(least, most);
        Self { start: 0, bytes: Vec::new(), window: 0, widest }
    }

    /// Sees that the `len` bytes of a block at `offset` are in memory; reads some blocks after it too.
    /// `ends` are the positions where this block and those after it end.
    pub(crate) fn read(
        &mut self,
        source: &dyn Source,
        offset: u64,
        len: usize,
        ends: impl Iterator<Item = u64>,
    ) -> Result<()> {
        let Some((offset, bytes)) = self.request(source, offset, len, ends) else { return Ok(()) };
        let mut done = source.read_at(offset, bytes);
        if bytes.len() > len && done.as_ref().is_err_and(is_ahead) {
            self.bytes.truncate(len);
            done = source.read_at(offset, &mut self.bytes);
        }
        Ok(done.inspect_err(|_| self.forget())?)
    }

    /// Bytes of memory that it takes to see that the `len` bytes of a block at `offset` are in memory, but for what
    /// is read ahead.
    pub(crate) fn room(&self, source: &dyn Source, offset: u64, len: usize) -> usize {
        let is_here = self.position(offset, len).is_some() || source.slice(offset, len).is_some();
        if is_here { self.bytes.capacity() } else { self.bytes.capacity().max(len) }
    }

    /// What to read, and where to, so that the `len` bytes of a block at `offset` are in memory; none
    /// where they are. `ends` is as in [`ReadAhead::read`].
    pub(crate) fn request(
        &mut self,
        source: &dyn Source,
        offset: u64,
        len: usize,
        ends: impl Iterator<Item = u64>,
    ) -> Option<(u64, &mut [u8])> {
        if self.position(offset, len).is_some() || source.slice(offset, len).is_some() {
            return None;
        }
        // Further ahead where reading has gone on without a leap, no further than this block otherwise.
        let goes_on = (self.start..=self.start + self.bytes.len() as u64).contains(&offset);
        self.window = if goes_on { self.window.saturating_mul(2).min(self.widest) } else { 0 };
        let wanted = whole_blocks(offset, ends, self.window).max(len);
        self.bytes.reserve_exact(wanted.saturating_sub(self.bytes.len()));
        self.bytes.resize(wanted, 0);
        self.window = self.window.max(len.min(self.widest));
        self.start = offset;
        Some((offset, &mut self.bytes))
    }

    /// The same, without bytes.
    pub(crate) fn emptied(&self) -> Self {
        Self { start: 0, bytes: Vec::new(), window: 0, widest: self.widest }
    }

    /// Gives back the memory, if nothing beyond `end` has been read; reading goes on there.
    pub(crate) fn release(&mut self, end: u64) {
        if self.start + self.bytes.len() as u64 <= end {
            (self.start, self.bytes) = (end, Vec::new());
        }
    }

    /// Forgets bytes that could not be read.
    pub(crate) fn forget(&mut self) {
        self.bytes.clear();
    }

    /// Bytes of the source that [`ReadAhead::read`] or [`ReadAhead::request`] has seen to.
    pub(crate) fn get<'a>(&'a self, source: &'a dyn Source, offset: u64, len: usize) -> &'a [u8] {
        match self.position(offset, len) {
            Some(position) => &self.bytes[position],
            // A source may give no more what it has given before. The block is then cut short, an error of what reads it.
            None => source.slice(offset, len).unwrap_or_default(),
        }
    }

    /// Where these bytes of the source are in what has been read.
    fn position(&self, offset: u64, len: usize) -> Option<Range<usize>> {
        let start = usize::try_from(offset.checked_sub(self.start)?).ok()?;
        let end = start.checked_add(len)?;
        (end <= self.bytes.len()).then_some(start..end)
    }
}

/// Bytes of the blocks from `offset` on that are not more than `most` together: part of a block would be
/// read twice.
fn whole_blocks(offset: u64, ends: impl Iterator<Item = u64>, most: usize) -> usize {
    let sizes = ends.map(|end| usize::try_from(end.saturating_sub(offset)).unwrap_or(usize::MAX));
    sizes.take_while(|size| *size <= most).last().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Bytes somewhere else, and what has been read of them.
    struct Remote(Vec<u8>, Mutex<Vec<Range<u64>>>);

    impl Source for Remote {
        fn size(&self) -> std::io::Result<u64> {
            Ok(self.0.len() as u64)
        }

        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> std::io::Result<()> {
            self.1.lock().unwrap().push(offset..offset + buffer.len() as u64);
            Source::read_at(&self.0, offset, buffer)
        }
    }

    /// Reads some of 64 blocks of 4 KiB; gives the ranges that were read of the source, in blocks.
    fn ranges_read(columns: usize, blocks: impl IntoIterator<Item = u64>) -> Vec<Range<u64>> {
        const BLOCK: u64 = 4 << 10;
        let bytes: Vec<u8> = (0..64 * BLOCK).map(|at| (at / 7) as u8).collect();
        let remote = Remote(bytes.clone(), Mutex::default());
        let mut ahead = ReadAhead::new(columns);
        for block in blocks {
            let ends = (block + 1..=64).map(|end| end * BLOCK);
            ahead.read(&remote, block * BLOCK, BLOCK as usize, ends).unwrap();
            let read = ahead.get(&remote, block * BLOCK, BLOCK as usize);
            assert_eq!(read, &bytes[(block * BLOCK) as usize..][..BLOCK as usize]);
        }
        let ranges = remote.1.into_inner().unwrap();
        ranges.into_iter().map(|range| range.start / BLOCK..range.end / BLOCK).collect()
    }

    #[test]
    fn reading_on_reads_further_ahead() {
        assert_eq!(ranges_read(1, 0..40), [0..1, 1..3, 3..7, 7..15, 15..31, 31..63]);
        // Of many columns each gets less.
        assert_eq!(ranges_read(99, 0..12), [0..1, 1..3, 3..7, 7..11, 11..15]);
    }

    #[test]
    fn a_leap_reads_one_block() {
        assert_eq!(ranges_read(1, [0, 1, 2, 30, 31, 32]), [0..1, 1..3, 30..31, 31..33]);
    }

    #[test]
    fn bytes_in_memory_are_not_read() {
        let bytes = vec![7; 100];
        let mut ahead = ReadAhead::new(1);
        assert!(ahead.request(&bytes, 10, 20, [30, 50].into_iter()).is_none());
        assert_eq!(ahead.get(&bytes, 10, 20), [7; 20]);
    }
}
