//! Bytes that have been fetched, those that were used last at most.

use bytes::Bytes;
use std::collections::BTreeMap;
use std::ops::Range;

/// Bytes that are kept, beside those of the header.
const KEPT_BYTES: u64 = 64 << 20;

/// Pieces of an object by their positions. None overlaps another.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    pieces: BTreeMap<u64, Piece>,
    bytes: u64,
    clock: u64,
}

#[derive(Debug)]
struct Piece {
    bytes: Bytes,
    used: u64,
    stays: bool,
}

impl Pieces {
    /// Adds the beginning, which stays.
    pub(super) fn keep(&mut self, head: Bytes) {
        if !head.is_empty() {
            self.pieces.insert(0, Piece { bytes: head, used: 0, stays: true });
        }
    }

    /// Adds a piece, without what is there already.
    pub(super) fn add(&mut self, start: u64, bytes: Bytes) {
        for part in self.absent(start..start + bytes.len() as u64) {
            let piece = bytes.slice((part.start - start) as usize..(part.end - start) as usize);
            self.bytes += piece.len() as u64;
            self.pieces.insert(part.start, Piece { bytes: piece, used: self.clock, stays: false });
        }
    }

    /// The ranges of which a part is not there.
    pub(super) fn missing(&self, ranges: &[(u64, &mut [u8])]) -> Vec<Range<u64>> {
        let range = |(offset, buffer): &(u64, &mut [u8])| *offset..*offset + buffer.len() as u64;
        ranges.iter().map(range).flat_map(|range| self.absent(range)).collect()
    }

    /// The parts of a range that are not there.
    pub(super) fn absent(&self, range: Range<u64>) -> Vec<Range<u64>> {
        let (mut absent, mut at) = (Vec::new(), range.start);
        if range.is_empty() {
            return absent;
        }
        let before = self.pieces.range(..=at).next_back();
        let within = self.pieces.range((std::ops::Bound::Excluded(at), std::ops::Bound::Excluded(range.end)));
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

    /// Fills buffers of which nothing is missing.
    pub(super) fn copy(&mut self, ranges: &mut [(u64, &mut [u8])]) {
        self.clock += 1;
        for (offset, buffer) in ranges {
            let (mut offset, mut buffer) = (*offset, &mut **buffer);
            while !buffer.is_empty() {
                let Some((start, piece)) = self.pieces.range_mut(..=offset).next_back() else { return };
                piece.used = self.clock;
                let at = usize::try_from(offset - start).unwrap_or(usize::MAX);
                let Some(rest) = piece.bytes.get(at..).filter(|rest| !rest.is_empty()) else { return };
                let len = rest.len().min(buffer.len());
                let (now, after) = buffer.split_at_mut(len);
                now.copy_from_slice(&rest[..len]);
                (offset, buffer) = (offset + len as u64, after);
            }
        }
    }

    /// Forgets what was used longest ago, where there is too much.
    pub(super) fn forget(&mut self) {
        while self.bytes > KEPT_BYTES {
            let oldest =
                self.pieces.iter().filter(|(_, piece)| !piece.stays).min_by_key(|(_, piece)| piece.used);
            let Some(start) = oldest.map(|(start, _)| *start) else { return };
            let gone = self.pieces.remove(&start).map_or(0, |piece| piece.bytes.len() as u64);
            self.bytes -= gone;
        }
    }
}

#[cfg(test)]
#[allow(clippy::single_range_in_vec_init, reason = "lists of ranges")]
mod tests {
    use super::*;

    #[test]
    fn pieces_fill_buffers_and_are_forgotten() {
        let mut pieces = Pieces::default();
        pieces.keep(Bytes::from_static(b"head"));
        pieces.add(2, Bytes::from_static(b"adXY"));
        assert_eq!(pieces.absent(0..10), [6..10]);
        assert_eq!(pieces.absent(5..6), []);
        assert_eq!(pieces.absent(7..7), []);
        pieces.add(8, Bytes::from_static(b"89"));
        assert_eq!(pieces.absent(0..12), [6..8, 10..12]);
        let (mut one, mut two) = ([0; 5], [0; 2]);
        let mut ranges: [(u64, &mut [u8]); 2] = [(1, &mut one), (8, &mut two)];
        assert!(pieces.missing(&ranges).is_empty());
        pieces.copy(&mut ranges);
        assert_eq!((&one, &two), (b"eadXY", b"89"));
        let large = Bytes::from(vec![1; 40 << 20]);
        pieces.add(100, large.clone());
        pieces.add(1 << 30, large);
        pieces.forget();
        assert!(pieces.bytes <= KEPT_BYTES && pieces.absent(0..4).is_empty());
    }
}
