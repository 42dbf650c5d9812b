//! `IntegerArray`: levels of a constant number of bits, the least significant bit first, without a count.
//!
//! Eight levels of `w` bits are `w` bytes. They are packed and unpacked at once.

use crate::bytes::lanes::{pack_eight, unpack_eight};

/// Number of bits of levels up to `greatest`; 0 where all are 0.
pub(super) fn width(greatest: u8) -> u32 {
    u8::BITS - greatest.leading_zeros()
}

/// Number of bytes of a number of levels.
pub(super) fn size(width: u32, count: usize) -> usize {
    let bits = count as u128 * u128::from(width);
    usize::try_from(bits.div_ceil(8)).unwrap_or(usize::MAX)
}

/// Levels that are packed as they come.
#[derive(Debug, Default)]
pub(super) struct Packed {
    width: u32,
    bytes: Vec<u8>,
    /// Levels that are no eight yet.
    waiting: [u8; 8],
    waits: usize,
}

impl Packed {
    /// No levels yet, up to `greatest`.
    pub(super) fn new(greatest: u8) -> Self {
        Self { width: width(greatest), ..Self::default() }
    }

    /// Number of bytes so far.
    pub(super) fn size(&self) -> usize {
        self.bytes.len() + size(self.width, self.waits)
    }

    /// Appends levels.
    pub(super) fn extend(&mut self, mut levels: &[u8]) {
        if self.width == 0 {
            return;
        }
        while self.waits > 0
            && let Some((first, rest)) = levels.split_first()
        {
            self.push(*first);
            levels = rest;
        }
        let (eights, rest) = levels.as_chunks::<8>();
        let width = self.width as usize;
        self.bytes.reserve(eights.len() * width + 8);
        for eight in eights {
            let word = pack_eight(*eight, self.width).to_le_bytes();
            self.bytes.extend_from_slice(&word[..width]);
        }
        rest.iter().for_each(|level| self.push(*level));
    }

    fn push(&mut self, level: u8) {
        if let Some(place) = self.waiting.get_mut(self.waits) {
            *place = level;
            self.waits += 1;
        }
        if self.waits == self.waiting.len() {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let size = size(self.width, self.waits);
        let word = pack_eight(self.waiting, self.width).to_le_bytes();
        self.bytes.extend_from_slice(&word[..size]);
        (self.waiting, self.waits) = ([0; 8], 0);
    }

    /// The bytes of all levels; the next array begins.
    pub(super) fn take(&mut self) -> Vec<u8> {
        self.flush();
        std::mem::take(&mut self.bytes)
    }
}

/// Appends the first `count` levels of `bytes`, which has all of them.
pub(super) fn unpack(bytes: &[u8], width: u32, count: usize, out: &mut Vec<u8>) {
    if width == 0 {
        return;
    }
    let start = out.len();
    out.reserve(count.next_multiple_of(8));
    let step = width as usize;
    let eights = count.div_ceil(8);
    // A word is read where there is a whole one.
    let fast = (bytes.len().saturating_sub(7) / step).min(eights);
    let mut at = 0;
    for _ in 0..fast {
        if let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
            out.extend_from_slice(&unpack_eight(u64::from_le_bytes(*word), width));
        }
        at += step;
    }
    for _ in fast..eights {
        let rest = &bytes[at..];
        let mut word = [0; 8];
        word.iter_mut().zip(rest).for_each(|(place, byte)| *place = *byte);
        out.extend_from_slice(&unpack_eight(u64::from_le_bytes(word), width));
        at += step;
    }
    out.truncate(start + count);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Bit by bit, as the format is defined.
    fn plain(levels: &[u8], width: u32) -> Vec<u8> {
        let mut bytes = vec![0; size(width, levels.len())];
        for (number, level) in levels.iter().enumerate() {
            for bit in (0..width as usize).filter(|bit| level >> bit & 1 == 1) {
                let at = number * width as usize + bit;
                bytes[at / 8] |= 1 << (at % 8);
            }
        }
        bytes
    }

    proptest! {
        #[test]
        fn arrays_are_packed_bit_by_bit_and_come_back(
            greatest in 1u8..=255,
            levels in prop::collection::vec(any::<u8>(), 0..200),
            cuts in prop::collection::vec(0usize..200, 0..5),
            after in prop::collection::vec(any::<u8>(), 0..12),
        ) {
            let width = width(greatest);
            prop_assert!(1 << width > u32::from(greatest) && 1 << (width - 1) <= u32::from(greatest));
            let levels: Vec<u8> = levels.iter().map(|level| (u16::from(*level) % (u16::from(greatest) + 1)) as u8).collect();
            let mut packed = Packed::new(greatest);
            let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (levels.len() + 1)).collect();
            cuts.extend([0, levels.len()]);
            cuts.sort_unstable();
            for pair in cuts.windows(2) {
                packed.extend(&levels[pair[0]..pair[1]]);
                prop_assert_eq!(packed.size(), size(width, pair[1]));
            }
            let bytes = packed.take();
            prop_assert_eq!(&bytes, &plain(&levels, width));
            // What follows is not looked at.
            let more = [bytes.clone(), after].concat();
            for bytes in [&bytes, &more] {
                let mut back = vec![77];
                unpack(bytes, width, levels.len(), &mut back);
                prop_assert_eq!(&back[1..], &levels[..]);
            }
        }
    }

    #[test]
    fn the_specification_s_examples_are_packed_so() {
        let packed = |greatest, levels: &[u8]| {
            let mut packed = Packed::new(greatest);
            packed.extend(levels);
            packed.take()
        };
        assert_eq!(packed(1, &[1, 0, 1]), [0x05]);
        assert_eq!(packed(2, &[1, 2, 2]), [0x29]);
        assert_eq!(packed(1, &[0, 0, 1]), [0x04]);
        assert!(packed(0, &[0, 0, 0]).is_empty());
        assert_eq!([width(0), width(1), width(2), width(3), width(4)], [0, 1, 2, 2, 3]);
    }
}
