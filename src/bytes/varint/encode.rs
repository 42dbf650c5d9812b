//! Writes zig-zag integers of variable length, several at a time where they are short.

use crate::bytes::buffer::put_word;

/// Appends one integer.
pub(crate) fn encode_long(out: &mut Vec<u8>, value: i64) {
    let mut rest = value.zigzag();
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

/// An integer whose small magnitudes become small numbers without sign.
pub(crate) trait ZigZag: Copy {
    /// The most bytes that one takes.
    const BYTES_MAX: usize;

    fn zigzag(self) -> u64;

    /// The zig-zagged numbers, if each of them takes at most two bytes.
    fn short(values: &[Self; LANES]) -> Option<[u16; LANES]>;
}

/// How many integers are looked at together.
const LANES: usize = 8;

/// Numbers from this one on take more than two bytes.
const THREE_BYTES: u64 = 1 << 14;

impl ZigZag for i32 {
    const BYTES_MAX: usize = 5;

    #[inline]
    fn zigzag(self) -> u64 {
        u64::from(((self << 1) ^ (self >> 31)).cast_unsigned())
    }

    #[inline]
    fn short(values: &[Self; LANES]) -> Option<[u16; LANES]> {
        let numbers = values.map(|value| (value << 1) ^ (value >> 31));
        let all = numbers.iter().fold(0, |all, number| all | number);
        (u64::from(all.cast_unsigned()) < THREE_BYTES).then(|| numbers.map(|number| number as u16))
    }
}

impl ZigZag for i64 {
    const BYTES_MAX: usize = 10;

    #[inline]
    fn zigzag(self) -> u64 {
        ((self << 1) ^ (self >> 63)).cast_unsigned()
    }

    #[inline]
    fn short(values: &[Self; LANES]) -> Option<[u16; LANES]> {
        let numbers = values.map(|value| (value << 1) ^ (value >> 63));
        let all = numbers.iter().fold(0, |all, number| all | number);
        (all.cast_unsigned() < THREE_BYTES).then(|| numbers.map(|number| number as u16))
    }
}

/// Writes integers from a position on; returns the position after them. Each takes
/// [`ZigZag::BYTES_MAX`] bytes at most, and the last one needs [`SLACK`](super::super::buffer::SLACK).
#[inline]
pub(crate) fn put_all<T: ZigZag>(room: &mut [u8], mut at: usize, values: &[T]) -> usize {
    let (chunks, rest) = values.as_chunks();
    for chunk in chunks {
        match T::short(chunk) {
            Some(numbers) => at = put_short(room, at, numbers),
            None => at = put_mixed(room, at, chunk.map(T::zigzag)),
        }
    }
    for value in rest {
        at = put(room, at, value.zigzag());
    }
    at
}

/// Numbers of one or two bytes each.
#[inline]
fn put_short(room: &mut [u8], mut at: usize, numbers: [u16; LANES]) -> usize {
    let all = numbers.iter().fold(0, |all, number| all | number);
    if all < 0x80 {
        let bytes = numbers.map(|number| number as u8);
        return put_word(room, at, u64::from_le_bytes(bytes), LANES);
    }
    if numbers.iter().fold(true, |long, number| long & (*number >= 0x80)) {
        let pairs = numbers.map(|number| (pair(number) | 0x80).to_le_bytes());
        room[at..at + 2 * LANES].copy_from_slice(pairs.as_flattened());
        return at + 2 * LANES;
    }
    let (halves, _) = numbers.as_chunks::<4>();
    for half in halves {
        let (mut word, mut bits) = (0, 0);
        for number in half {
            let long = u16::from(*number >= 0x80);
            word |= u64::from(pair(*number) | long << 7) << bits;
            bits += 8 + 8 * u32::from(long);
        }
        at = put_word(room, at, word, bits as usize / 8);
    }
    at
}

/// The two bytes of a number below 2^14, without the mark that the second one counts.
#[inline]
fn pair(number: u16) -> u16 {
    number + (number & 0x3f80)
}

/// Writes integers, each after the length 1: as arrays of one.
#[inline]
pub(crate) fn put_ones<T: ZigZag>(room: &mut [u8], mut at: usize, values: &[T]) -> usize {
    const ONE: u64 = 2;
    for value in values {
        let number = value.zigzag();
        at = if number < THREE_BYTES {
            let long = u64::from(number >= 0x80);
            let bytes = (number + (number & 0x3f80)) | long << 7;
            put_word(room, at, ONE | bytes << 8, 2 + long as usize)
        } else {
            let at = put_word(room, at, ONE, 1);
            put(room, at, number)
        };
    }
    at
}

/// The bytes of a zig-zagged number.
#[inline]
pub(crate) fn size(number: u64) -> usize {
    let bits = 63 - (number | 1).leading_zeros();
    // A byte for each seven bits.
    (9 * bits as usize + 73) / 64
}

/// The bytes of integers.
#[inline(never)]
pub(crate) fn size_all<T: ZigZag>(values: &[T]) -> usize {
    let (chunks, rest) = values.as_chunks();
    let chunks = chunks.iter().map(|chunk| match T::short(chunk) {
        Some(numbers) => LANES + numbers.map(|number| usize::from(number >= 0x80)).iter().sum::<usize>(),
        None => chunk.map(|value| size(value.zigzag())).iter().sum(),
    });
    chunks.sum::<usize>() + rest.iter().map(|value| size(value.zigzag())).sum::<usize>()
}

/// Writes a zig-zagged number at a position; returns the position after it.
#[inline(always)]
pub(crate) fn put(room: &mut [u8], at: usize, number: u64) -> usize {
    if number < 0x80 { put_word(room, at, number, 1) } else { put_long(room, at, number) }
}

/// Numbers of any length. Without a branch for each, unless one of them is very long.
#[inline]
fn put_mixed(room: &mut [u8], at: usize, numbers: [u64; LANES]) -> usize {
    let all = numbers.iter().fold(0, |all, number| all | number);
    if all < 1 << 28 {
        numbers.iter().fold(at, |at, number| {
            // Four groups of seven bits, each moved to the low bits of a byte.
            let groups = (number & 0x0fff_c000) << 2 | number & 0x3fff;
            put_groups(room, at, (groups & 0x3f80_3f80) << 1 | groups & 0x007f_007f)
        })
    } else if all < NINE_BYTES {
        numbers.iter().fold(at, |at, number| put_groups(room, at, groups(*number)))
    } else {
        numbers.iter().fold(at, |at, number| put(room, at, *number))
    }
}

/// Numbers from this one on take more than eight bytes.
const NINE_BYTES: u64 = 1 << 56;

/// The mark of a byte that is not the last, in each byte.
const CONTINUE: u64 = 0x8080_8080_8080_8080;

/// Eight groups of seven bits, each moved to the low bits of a byte.
#[inline]
fn groups(number: u64) -> u64 {
    let groups = (number & 0x00ff_ffff_f000_0000) << 4 | number & 0x0fff_ffff;
    let groups = (groups & 0x0fff_c000_0fff_c000) << 2 | groups & 0x0000_3fff_0000_3fff;
    (groups & 0x3f80_3f80_3f80_3f80) << 1 | groups & 0x007f_007f_007f_007f
}

/// Writes groups of seven bits, as many as there are up to the last that is not zero.
#[inline]
fn put_groups(room: &mut [u8], at: usize, groups: u64) -> usize {
    let last = (groups | 1).ilog2() & 56;
    let marks = CONTINUE & ((1 << last) - 1);
    put_word(room, at, groups | marks, last as usize / 8 + 1)
}

/// A number of more than one byte.
fn put_long(room: &mut [u8], at: usize, number: u64) -> usize {
    if number < NINE_BYTES {
        return put_groups(room, at, groups(number));
    }
    let at = put_word(room, at, groups(number) | CONTINUE, 8);
    let last = number >> 63;
    put_word(room, at, number >> 56 & 0x7f | last << 7 | last << 8, 1 + last as usize)
}
