//! Reads integers of mixed lengths by the ends of all that are in 64 bytes, without a branch for each.

use super::decode::{HIGH, UnZigZag, gather};

/// Bytes whose integers are read together.
const WINDOW_BYTES: usize = 64;

/// The same, and what the last of the integers may be loaded with.
pub(super) const LOADED_BYTES: usize = WINDOW_BYTES + size_of::<u64>();

/// Integers that are read at a time.
const LANES: usize = 8;

/// Appends integers, at most `most`, as long as they are read faster so than one after the other;
/// returns how many, and the bytes used.
#[inline]
pub(super) fn decode_all<T: UnZigZag>(data: &[u8], most: usize, out: &mut Vec<T>) -> (usize, usize) {
    let (mut count, mut at) = (0, 0);
    while let Some(window) = Window::from_data(&data[at..])
        && let (more @ 1.., used) = window.decode(most - count, out)
    {
        (count, at) = (count + more, at + used);
    }
    (count, at)
}

/// Bytes that begin with an integer.
struct Window<'a> {
    bytes: &'a [u8; LOADED_BYTES],
    /// A bit for each byte, set where an integer ends.
    ends: u64,
}

impl<'a> Window<'a> {
    /// The bytes which data begins with, where there are enough.
    #[inline]
    fn from_data(data: &'a [u8]) -> Option<Self> {
        let bytes = data.first_chunk()?;
        let (words, _) = bytes.as_chunks::<8>();
        let ends = words.iter().take(WINDOW_BYTES / 8).rev().fold(0, |ends, word| {
            // The product has the eight bits side by side on top.
            let marks = (!u64::from_le_bytes(*word) & HIGH) >> 7;
            ends << 8 | marks.wrapping_mul(0x0102_0408_1020_4080) >> 56
        });
        Some(Self { bytes, ends })
    }

    /// Appends at most `most` integers; returns how many, and the bytes used. `None` where other
    /// ways are faster: all are short, all of the same length, or some are very long.
    #[inline]
    fn decode<T: UnZigZag>(&self, most: usize, out: &mut Vec<T>) -> (usize, usize) {
        // Bytes that are not the last of their integer, two of them in a row, and more.
        let one = !self.ends;
        let two = one & one >> 1;
        let four = two & two >> 2;
        let first = self.ends.trailing_zeros() + 1;
        if two == 0 {
            return (0, 0);
        }
        if two & one >> 2 & one >> 3 == 0 {
            return self.groups(most, out, |word| u64::from(half(word as u32)));
        }
        let too_long = if T::BYTES_MAX < 8 { four & one >> 4 } else { four & four >> 4 };
        if too_long != 0 || (self.ends ^ self.ends >> first) << first == 0 {
            return (0, 0);
        }
        self.groups(most, out, |word| {
            let last = !word & HIGH;
            gather(word & (last ^ last.wrapping_sub(1)))
        })
    }

    /// Appends as many integers as make whole groups. `number` is given words that begin with one.
    #[inline]
    fn groups<T: UnZigZag>(
        &self,
        most: usize,
        out: &mut Vec<T>,
        number: impl Fn(u64) -> u64,
    ) -> (usize, usize) {
        let groups = most.min(self.ends.count_ones() as usize) / LANES;
        let (mut ends, mut at) = (self.ends, 0);
        for _ in 0..groups {
            let mut next = || {
                let word =
                    self.bytes[at % WINDOW_BYTES..].first_chunk().map_or(0, |word| u64::from_le_bytes(*word));
                at = ends.trailing_zeros() as usize + 1;
                ends &= ends.wrapping_sub(1);
                T::unzigzag(number(word))
            };
            out.extend_from_slice(&[next(), next(), next(), next(), next(), next(), next(), next()]);
        }
        (groups * LANES, at)
    }
}

/// The integer of at most four bytes that a word begins with.
#[inline]
fn half(word: u32) -> u32 {
    let last = !word & HIGH as u32;
    let word = word & (last ^ last.wrapping_sub(1)) & !HIGH as u32;
    let word = (word & 0x7f00_7f00) >> 1 | word & 0x007f_007f;
    (word & 0x3fff_0000) >> 2 | word & 0x0000_3fff
}
