//! A cache of fetched bytes: the least recently used go first, except for the header and what is pinned.

use bytes::Bytes;
use std::collections::HashMap;
use std::ops::Range;

/// Pieces of an object by their positions. None overlaps another.
#[derive(Debug)]
pub(crate) struct Pieces {
    pieces: trevni::reader::Pieces<Piece>,
    /// Of all pieces but the header.
    bytes: u64,
    clock: u64,
    /// The most bytes that stay, without the header and pinned pieces.
    keeps: u64,
    /// Pinned ranges, ascending, by the number of the pin.
    pins: HashMap<u64, Vec<Range<u64>>>,
    pinned: u64,
}

#[derive(Debug)]
struct Piece {
    bytes: Bytes,
    used: u64,
    stays: bool,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Pieces {
    /// None yet; at most `bytes` are kept.
    pub(crate) fn keeping(bytes: u64) -> Self {
        Self {
            pieces: trevni::reader::Pieces::default(),
            bytes: 0,
            clock: 0,
            keeps: bytes,
            pins: HashMap::new(),
            pinned: 0,
        }
    }

    /// Adds the beginning, which stays.
    pub(crate) fn keep(&mut self, head: Bytes) {
        if !head.is_empty() {
            self.pieces.insert(0, Piece { bytes: head, used: 0, stays: true });
        }
    }

    /// Adds a piece, without what is there already.
    pub(crate) fn add(&mut self, start: u64, bytes: Bytes) {
        for part in self.absent(start..start + bytes.len() as u64) {
            let piece = bytes.slice((part.start - start) as usize..(part.end - start) as usize);
            self.bytes += piece.len() as u64;
            self.pieces.insert(part.start, Piece { bytes: piece, used: self.clock, stays: false });
        }
    }

    /// The ranges of which a part is not there.
    pub(crate) fn missing(&self, ranges: &[(u64, &mut [u8])]) -> Vec<Range<u64>> {
        let range = |(offset, buffer): &(u64, &mut [u8])| *offset..*offset + buffer.len() as u64;
        ranges.iter().map(range).flat_map(|range| self.absent(range)).collect()
    }

    /// The parts of a range that are not there.
    pub(crate) fn absent(&self, range: Range<u64>) -> Vec<Range<u64>> {
        self.pieces.absent(range)
    }

    /// Fills buffers of which nothing is missing.
    pub(crate) fn copy(&mut self, ranges: &mut [(u64, &mut [u8])]) {
        self.clock += 1;
        for (offset, buffer) in ranges {
            self.pieces.copy(*offset, buffer, |piece| piece.used = self.clock);
        }
    }

    /// Forgets what was used longest ago, where there is too much.
    pub(crate) fn forget(&mut self) {
        if self.bytes <= self.keeps {
            return;
        }
        let all = self.pieces.iter().filter(|(start, piece)| !piece.stays && !self.is_pinned(**start, piece));
        let mut free: Vec<(u64, u64, u64)> =
            all.map(|(start, piece)| (piece.used, *start, piece.bytes.len() as u64)).collect();
        free.sort_unstable();
        let mut left: u64 = free.iter().map(|(.., len)| len).sum();
        for (_, start, len) in free {
            if left <= self.keeps {
                return;
            }
            self.pieces.remove(&start);
            left -= len;
            self.bytes -= len;
        }
    }
}

/// Pins: a pinned range stays in the cache until its pin is released.
impl Pieces {
    /// A pin of nothing yet.
    pub(crate) fn pin(&mut self) -> u64 {
        self.pinned += 1;
        self.pins.insert(self.pinned, Vec::new());
        self.pinned
    }

    /// Pins ranges, too.
    pub(crate) fn extend_pin(&mut self, pin: u64, ranges: impl IntoIterator<Item = Range<u64>>) {
        if let Some(pinned) = self.pins.get_mut(&pin) {
            pinned.extend(ranges);
            *pinned = joined(std::mem::take(pinned), 0);
        }
    }

    /// Takes a pin out.
    pub(crate) fn unpin(&mut self, pin: u64) {
        self.pins.remove(&pin);
        self.forget();
    }

    #[cfg(test)]
    pub(crate) fn pins(&self) -> usize {
        self.pins.len()
    }

    fn is_pinned(&self, start: u64, piece: &Piece) -> bool {
        let end = start + piece.bytes.len() as u64;
        self.pins.values().any(|ranges| {
            let next = ranges.get(ranges.partition_point(|range| range.end <= start));
            next.is_some_and(|range| range.start < end)
        })
    }
}

/// Sorts ranges, and joins neighbours that are at most `gap` bytes apart.
pub(crate) fn joined(mut ranges: Vec<Range<u64>>, gap: u64) -> Vec<Range<u64>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<u64>> = Vec::with_capacity(ranges.len());
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end.saturating_add(gap) => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

/// A range without some others.
pub(crate) fn without(range: Range<u64>, others: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut left = vec![range];
    for other in others {
        left = left
            .into_iter()
            .flat_map(|range| {
                let before = range.start..range.end.min(other.start);
                let after = range.start.max(other.end)..range.end;
                match range.start < other.end && other.start < range.end {
                    true => vec![before, after],
                    false => vec![range],
                }
            })
            .filter(|range| range.start < range.end)
            .collect();
    }
    left
}

#[cfg(test)]
mod tests {
    #![allow(clippy::single_range_in_vec_init, reason = "lists of ranges")]

    use super::*;

    #[test]
    fn pieces_fill_buffers_and_are_forgotten() {
        let mut pieces = Pieces::keeping(64 << 20);
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
        let left: u64 = pieces.pieces.values().map(|piece| piece.bytes.len() as u64).sum();
        assert!(left <= 64 << 20 && pieces.absent(0..4).is_empty());
    }

    #[test]
    fn pinned_pieces_stay_until_the_last_pin_is_taken_out() {
        let mut pieces = Pieces::keeping(0);
        let (one, two) = (pieces.pin(), pieces.pin());
        pieces.extend_pin(one, [20..30, 0..10, 9..12]);
        pieces.extend_pin(two, [11..12]);
        assert_eq!(pieces.pins[&one], [0..12, 20..30]);
        pieces.add(0, Bytes::from_static(b"0123456789ab"));
        pieces.add(12, Bytes::from_static(b"cdef"));
        pieces.add(25, Bytes::from_static(b"x"));
        pieces.forget();
        assert_eq!(pieces.absent(0..26), [12..25]);
        pieces.unpin(one);
        assert_eq!(pieces.absent(0..26), [12..26]);
        pieces.unpin(two);
        assert_eq!(pieces.absent(0..26), [0..26]);
    }

    #[test]
    fn near_ranges_are_one() {
        assert_eq!(joined(vec![100..200, 0..50, 150..180, 60_000..60_001], 50), [0..200, 60_000..60_001]);
        assert_eq!(joined(vec![5..7, 0..5, 8..9], 0), [0..7, 8..9]);
    }

    #[test]
    fn ranges_without_others() {
        assert_eq!(without(0..10, &[]), [0..10]);
        assert_eq!(without(0..10, &[2..4, 8..20]), [0..2, 4..8]);
        assert_eq!(without(0..10, &[0..10]), []);
        assert_eq!(without(3..5, &[0..3, 5..9]), [3..5]);
    }
}
