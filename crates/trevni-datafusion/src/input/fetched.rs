//! Bytes of an object that have been fetched. Reading never waits: what is not there yet is noted, and the read fails.

use bytes::Bytes;
use std::io;
use std::ops::Range;
use std::sync::Mutex;

/// Pieces of an object, and what readers have missed of it.
#[derive(Debug, Default)]
pub(super) struct Fetched(Mutex<Pieces>);

#[derive(Debug, Default)]
struct Pieces {
    /// By their positions; none overlaps another.
    pieces: trevni::reader::Pieces<Bytes>,
    /// Where the pieces begin that stay: those of headers and block tables.
    kept: Vec<u64>,
    missed: Vec<Range<u64>>,
}

impl Fetched {
    pub(super) fn of(head: &[(u64, Bytes)]) -> Self {
        let pieces = head.iter().cloned().collect();
        let kept = head.iter().map(|(start, _)| *start).collect();
        Self(Mutex::new(Pieces { pieces, kept, missed: Vec::new() }))
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Pieces> {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Fills a buffer, or notes what is missing.
    pub(super) fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        let mut pieces = self.lock();
        if pieces.pieces.copy(offset, buffer, |_| {}) {
            return Ok(());
        }
        pieces.missed.push(offset..offset + buffer.len() as u64);
        Err(io::ErrorKind::WouldBlock.into())
    }

    /// Fills all buffers, or notes all that is missing, so that it is fetched together.
    pub(super) fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        let mut pieces = self.lock();
        let before = pieces.missed.len();
        for (offset, buffer) in ranges {
            if !pieces.pieces.copy(*offset, buffer, |_| {}) {
                pieces.missed.push(*offset..*offset + buffer.len() as u64);
            }
        }
        if pieces.missed.len() > before { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
    }

    /// What has been missed since this was asked last.
    pub(super) fn take_missed(&self) -> Vec<Range<u64>> {
        std::mem::take(&mut self.lock().missed)
    }

    /// The parts of some ranges that are not there.
    pub(super) fn absent(&self, ranges: &[Range<u64>]) -> Vec<Range<u64>> {
        let pieces = self.lock();
        ranges.iter().flat_map(|range| pieces.pieces.absent(range.clone())).collect()
    }

    /// Adds a piece, without what is there already.
    pub(super) fn add(&self, start: u64, bytes: &Bytes, keep: bool) {
        let mut pieces = self.lock();
        for part in pieces.pieces.absent(start..start + bytes.len() as u64) {
            let at = (part.start - start) as usize..(part.end - start) as usize;
            // What is kept must not keep a larger piece in memory.
            let piece = if keep { Bytes::copy_from_slice(&bytes[at]) } else { bytes.slice(at) };
            if keep {
                pieces.kept.push(part.start);
            }
            pieces.pieces.insert(part.start, piece);
        }
    }

    /// Forgets pieces that are not kept and that no range needs.
    pub(super) fn forget_but(&self, wanted: &[Range<u64>]) {
        let mut pieces = self.lock();
        let Pieces { pieces, kept, .. } = &mut *pieces;
        pieces.retain(|start, bytes| {
            let end = start + bytes.len() as u64;
            kept.contains(start) || wanted.iter().any(|range| range.start < end && *start < range.end)
        });
    }

    /// The pieces that stay.
    pub(super) fn kept(&self) -> Vec<(u64, Bytes)> {
        let pieces = self.lock();
        pieces.kept.iter().filter_map(|start| Some((*start, pieces.pieces.get(start)?.clone()))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_across_pieces_and_notes_what_is_missing() {
        let fetched = Fetched::default();
        fetched.add(0, &Bytes::from_static(b"0123"), true);
        fetched.add(2, &Bytes::from_static(b"2345"), false);
        let mut four = [0; 4];
        fetched.read_at(1, &mut four).unwrap();
        assert_eq!(&four, b"1234");
        assert_eq!(fetched.absent(&[0..8, 5..6, 4..7]), [6..8, 6..7]);
        assert_eq!(fetched.read_at(4, &mut four).unwrap_err().kind(), io::ErrorKind::WouldBlock);
        let (mut one, mut two) = ([0; 1], [0; 2]);
        let mut ranges: [(u64, &mut [u8]); 2] = [(9, &mut one), (3, &mut two)];
        assert!(fetched.read_ranges(&mut ranges).is_err());
        assert_eq!(fetched.take_missed(), [4..8, 9..10]);
        assert_eq!(fetched.take_missed(), []);
    }

    #[test]
    fn keeps_heads_and_what_is_wanted() {
        let fetched = Fetched::of(&[(0, Bytes::from_static(b"head"))]);
        fetched.add(10, &Bytes::from_static(b"abc"), false);
        fetched.add(20, &Bytes::from_static(b"def"), false);
        fetched.forget_but(&[22..30, 40..50]);
        assert_eq!(fetched.absent(&[0..4, 10..13, 20..23, 60..61]), [10..13, 60..61]);
        assert_eq!(fetched.kept(), [(0, Bytes::from_static(b"head"))]);
    }
}
