//! Bytes of a file that have been fetched. Reading never waits: what is not there is noted, and the read fails.

use crate::fault::{Fault, Result};
use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use trevni::Source;

/// The least that is fetched of what says where rows are: readers ask for it in small steps.
const LEAST_BYTES: u64 = 4 << 10;
/// Tries after which each fetches twice as much as the one before: some files say only block by block where rows are.
const TRIES_EXPECTED: u32 = 4;
/// Gaps up to this size are fetched too: cheaper than another request.
const GAP_BYTES: u64 = 16 << 10;
/// Bytes that stay for later calls.
const KEPT_BYTES: u64 = 64 << 20;

/// Pieces of a file, and what readers have missed of it.
#[derive(Clone, Debug)]
pub(crate) struct Pieces(Arc<Mutex<Inner>>);

#[derive(Debug, Default)]
struct Inner {
    size: u64,
    /// By their positions; none overlaps another.
    pieces: trevni::reader::Pieces<Piece>,
    /// What has been missed, and whether that was found by reading: then more may be needed after it.
    missed: Vec<(Range<u64>, bool)>,
    clock: u64,
}

#[derive(Debug)]
struct Piece {
    bytes: Vec<u8>,
    /// When it was read last.
    used: u64,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Pieces {
    pub(crate) fn new(size: u64) -> Self {
        Self(Arc::new(Mutex::new(Inner { size, ..Inner::default() })))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn size(&self) -> u64 {
        self.lock().size
    }

    /// Adds a piece, without what is there already.
    pub(crate) fn add(&self, start: u64, bytes: Vec<u8>) {
        let mut inner = self.lock();
        inner.clock += 1;
        let used = inner.clock;
        let whole = start..start.saturating_add(bytes.len() as u64);
        let absent = inner.pieces.absent(whole.clone());
        if absent == [whole] {
            inner.pieces.insert(start, Piece { bytes, used });
            return;
        }
        for part in absent {
            let part_bytes = bytes.get((part.start - start) as usize..(part.end - start) as usize);
            if let Some(part_bytes) = part_bytes {
                inner.pieces.insert(part.start, Piece { bytes: part_bytes.to_vec(), used });
            }
        }
    }

    /// Begins a step, which has missed nothing yet.
    pub(crate) fn begin(&self) {
        let mut inner = self.lock();
        inner.missed.clear();
        inner.clock += 1;
    }

    pub(crate) fn has_missed(&self) -> bool {
        !self.lock().missed.is_empty()
    }

    /// What has to be fetched for the last step: parts of the file that are far apart, in order.
    pub(crate) fn missing(&self, tries: u32) -> Vec<Range<u64>> {
        let inner = self.lock();
        let least = LEAST_BYTES << tries.saturating_sub(TRIES_EXPECTED).min(u64::BITS / 2);
        let larger = |(range, is_read): &(Range<u64>, bool)| match is_read {
            true => range.start..range.end.max(range.start.saturating_add(least)).min(inner.size),
            false => range.clone(),
        };
        let mut wanted: Vec<Range<u64>> = inner.missed.iter().map(larger).collect();
        wanted.sort_unstable_by_key(|range| range.start);
        let mut joined: Vec<Range<u64>> = Vec::new();
        for part in wanted.into_iter().flat_map(|range| inner.pieces.absent(range)) {
            match joined.last_mut() {
                Some(last) if part.start <= last.end.saturating_add(GAP_BYTES) => {
                    last.end = last.end.max(part.end)
                }
                _ => joined.push(part),
            }
        }
        joined
    }

    /// Asks for bytes that will be read.
    pub(crate) fn need(&self, ranges: Vec<Range<u64>>) -> Result<()> {
        let mut inner = self.lock();
        let size = inner.size;
        // What is beyond the end is an error of the read.
        let inside = |range: Range<u64>| range.start.min(size)..range.end.min(size);
        let absent: Vec<_> =
            ranges.into_iter().map(inside).flat_map(|range| inner.pieces.absent(range)).collect();
        if absent.is_empty() {
            return Ok(());
        }
        inner.missed.extend(absent.into_iter().map(|range| (range, false)));
        Err(Fault::Lacking)
    }

    /// Forgets what has not been read for the longest time, where much is there.
    pub(crate) fn trim(&self) {
        let mut inner = self.lock();
        let mut held: u64 = inner.pieces.values().map(|piece| piece.bytes.len() as u64).sum();
        if held <= KEPT_BYTES {
            return;
        }
        let mut by_age: Vec<(u64, u64)> =
            inner.pieces.iter().map(|(start, piece)| (piece.used, *start)).collect();
        by_age.sort_unstable();
        for (_, start) in by_age {
            if held <= KEPT_BYTES / 2 {
                break;
            }
            held -= inner.pieces.remove(&start).map_or(0, |piece| piece.bytes.len() as u64);
        }
    }
}

impl Inner {
    fn is_inside(&self, offset: u64, len: usize) -> bool {
        offset.checked_add(len as u64).is_some_and(|end| end <= self.size)
    }
}

impl Source for Pieces {
    fn size(&self) -> io::Result<u64> {
        Ok(Self::size(self))
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.read_ranges(&mut [(offset, buffer)])
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        let mut inner = self.lock();
        if !ranges.iter().all(|(offset, buffer)| inner.is_inside(*offset, buffer.len())) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let before = inner.missed.len();
        for (offset, buffer) in ranges {
            let Inner { pieces, clock, .. } = &mut *inner;
            if !pieces.copy(*offset, buffer, |piece| piece.used = *clock) {
                let end = *offset + buffer.len() as u64;
                inner.missed.push((*offset..end, true));
            }
        }
        if inner.missed.len() > before { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init)]
mod tests {
    use super::*;

    #[test]
    fn reads_across_pieces_and_notes_what_is_missing() {
        let pieces = Pieces::new(100_000);
        pieces.add(0, b"0123".to_vec());
        pieces.add(2, b"2345".to_vec());
        let mut four = [0; 4];
        pieces.read_at(1, &mut four).unwrap();
        assert_eq!(&four, b"1234");
        assert_eq!(pieces.read_at(4, &mut four).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        assert_eq!(pieces.missing(0), [6..4 + LEAST_BYTES]);
        assert_eq!(pieces.missing(6), [6..4 + 4 * LEAST_BYTES]);
        pieces.begin();
        assert!(!pieces.has_missed());
        assert!(matches!(pieces.need(vec![0..3, 50_000..50_010, 50_020..50_030]), Err(Fault::Lacking)));
        assert_eq!(pieces.missing(0), [50_000..50_030]);
        assert_eq!(pieces.read_at(99_999, &mut four).unwrap_err().kind(), io::ErrorKind::UnexpectedEof);
    }

    #[test]
    fn forgets_what_was_read_long_ago() {
        let pieces = Pieces::new(u64::MAX);
        for number in 0..9 {
            pieces.begin();
            pieces.add(number << 24, vec![0; 16 << 20]);
        }
        pieces.begin();
        pieces.read_at(0, &mut [0]).unwrap();
        pieces.trim();
        assert!(pieces.need(vec![0..16 << 20, 8 << 24..9 << 24]).is_ok());
        assert!(pieces.need(vec![1 << 24..2 << 24]).is_err());
    }
}
