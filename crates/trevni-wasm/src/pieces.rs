//! Bytes of a file that have been fetched. Reading never waits: what is not there is noted, and the read fails.

use crate::fault::{Fault, Result};
use std::collections::BTreeMap;
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
    pieces: BTreeMap<u64, Piece>,
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
        let absent = inner.absent(whole.clone());
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
        for part in wanted.into_iter().flat_map(|range| inner.absent(range)) {
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
        let absent: Vec<_> = ranges.into_iter().map(inside).flat_map(|range| inner.absent(range)).collect();
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
    /// Fills a buffer from pieces that follow each other; false where one is missing.
    fn copy(&mut self, mut offset: u64, mut buffer: &mut [u8]) -> bool {
        while !buffer.is_empty() {
            let Some((start, piece)) = self.pieces.range_mut(..=offset).next_back() else { return false };
            let at = usize::try_from(offset - start).unwrap_or(usize::MAX);
            let Some(rest) = piece.bytes.get(at..).filter(|rest| !<[u8]>::is_empty(rest)) else {
                return false;
            };
            piece.used = self.clock;
            let len = rest.len().min(buffer.len());
            let (now, after) = buffer.split_at_mut(len);
            now.copy_from_slice(&rest[..len]);
            (offset, buffer) = (offset + len as u64, after);
        }
        true
    }

    /// The parts of a range that are not there.
    fn absent(&self, range: Range<u64>) -> Vec<Range<u64>> {
        let mut absent = Vec::new();
        let mut at = range.start;
        let before = self.pieces.range(..=at).next_back();
        let next = at.saturating_add(1);
        let within = self.pieces.range(next..range.end.max(next));
        for (start, piece) in before.into_iter().chain(within) {
            if *start > at {
                absent.push(at..*start);
            }
            at = at.max(start + piece.bytes.len() as u64);
        }
        if at < range.end {
            absent.push(at..range.end);
        }
        absent
    }

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
            if !inner.copy(*offset, buffer) {
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
