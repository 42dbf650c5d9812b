//! Reads zig-zag integers of variable length, several at a time where they are short.

use super::same::{ONE, ONES, SAME_BYTES, decode_same, decode_same_ones};
use super::window::{self, LOADED_BYTES};

/// Why a varint could not be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bad {
    End,
    TooLong,
}

/// An integer that small numbers without sign stand for.
pub(crate) trait UnZigZag: Copy + From<i16> {
    /// The most bytes that one takes; bits beyond its width are dropped, as Java does.
    const BYTES_MAX: usize;

    fn unzigzag(number: u64) -> Self;
}

impl UnZigZag for i32 {
    const BYTES_MAX: usize = 5;

    #[inline]
    fn unzigzag(number: u64) -> Self {
        let number = number as u32;
        (number >> 1) as i32 ^ -((number & 1) as i32)
    }
}

impl UnZigZag for i64 {
    const BYTES_MAX: usize = 10;

    #[inline]
    fn unzigzag(number: u64) -> Self {
        (number >> 1) as i64 ^ -((number & 1) as i64)
    }
}

/// Decodes one integer; returns the bytes used.
#[inline]
pub(crate) fn decode<T: UnZigZag>(data: &[u8]) -> Result<(T, usize), Bad> {
    let (number, used) = match data {
        [first, ..] if *first < 0x80 => (u64::from(*first), 1),
        [first, second, ..] if *second < 0x80 => (u64::from(*first & 0x7f) | u64::from(*second) << 7, 2),
        _ => decode_long_one(data, T::BYTES_MAX)?,
    };
    Ok((T::unzigzag(number), used))
}

fn decode_long_one(data: &[u8], most: usize) -> Result<(u64, usize), Bad> {
    if let Some([low @ .., ninth, tenth]) = data.first_chunk::<10>()
        && u64::from_le_bytes(*low) & HIGH == HIGH
        && most == 10
    {
        let number = gather(u64::from_le_bytes(*low)) | u64::from(ninth & 0x7f) << 56;
        return match (ninth, tenth) {
            (..0x80, _) => Ok((number, 9)),
            (_, ..0x80) => Ok((number | u64::from(*tenth) << 63, 10)),
            _ => Err(Bad::TooLong),
        };
    }
    let mut number = 0u64;
    for (index, &byte) in data.iter().take(most).enumerate() {
        number |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Ok((number, index + 1));
        }
    }
    Err(if data.len() < most { Bad::End } else { Bad::TooLong })
}

/// The high bit of each of eight bytes: set where the integer goes on.
pub(crate) const HIGH: u64 = 0x8080_8080_8080_8080;

/// The ends of four integers of two bytes each.
const PAIRS: u64 = 0x8000_8000_8000_8000;

/// Fewer integers than these are not worth a look at many bytes.
const WINDOW_INTEGERS: usize = 16;

/// Decodes `count` integers, several at a time where they are short; returns the bytes used.
#[inline]
pub(crate) fn decode_all<T: UnZigZag>(data: &[u8], count: usize, out: &mut Vec<T>) -> Result<usize, Bad> {
    let (mut at, mut left) = (0, count);
    // Where to look at many bytes at once again: for integers of the same length, and for others.
    let (mut look_same, mut look) = (0, 0);
    while left > 0 {
        let rest = &data[at..];
        if at >= look_same && left >= SAME_BYTES {
            let (found, used) = decode_same(rest, left, out);
            (at, left, look_same) = (at + used, left - found, at + used + 2 * SAME_BYTES);
            if found > 0 {
                continue;
            }
        }
        let Some(chunk) = rest.first_chunk::<8>() else {
            let (value, used) = decode(rest)?;
            out.push(value);
            at += used;
            left -= 1;
            continue;
        };
        let word = u64::from_le_bytes(*chunk);
        let more = word & HIGH;
        if more == 0 && left >= 8 {
            out.extend(chunk.map(|byte| T::unzigzag(u64::from(byte))));
            at += 8;
            left -= 8;
        } else if !word & HIGH == PAIRS && left >= 4 {
            let word = word & !HIGH;
            let lanes = (word & 0x7f00_7f00_7f00_7f00) >> 1 | word & 0x007f_007f_007f_007f;
            out.extend([0, 16, 32, 48].map(|shift| T::unzigzag(lanes >> shift & 0xffff)));
            at += 8;
            left -= 4;
        } else if more & more >> 8 == 0 && left >= 4 {
            // One or two bytes each, so that four of them are in the word.
            let mut bits = 0;
            out.extend([(); 4].map(|()| {
                let (number, used) = short(word >> bits);
                bits += used;
                T::unzigzag(number)
            }));
            at += bits as usize / 8;
            left -= 4;
        } else {
            if at >= look && left >= WINDOW_INTEGERS {
                let (count, used) = window::decode_all(rest, left, out);
                (at, left, look) = (at + used, left - count, at + used + LOADED_BYTES);
                if count > 0 {
                    continue;
                }
            }
            let used = (!word & HIGH).trailing_zeros() as usize / 8 + 1;
            if used > 8.min(T::BYTES_MAX) {
                let (number, used) = decode_long_one(rest, T::BYTES_MAX)?;
                out.push(T::unzigzag(number));
                at += used;
                left -= 1;
                continue;
            }
            // The bytes of this integer, and the mark of the last of them. Long integers are mostly as
            // long as the one before; where that is so, the next need not wait for its place.
            let own = u64::MAX >> (64 - 8 * used);
            let end = 0x80 << (8 * (used - 1));
            let mut word = word;
            loop {
                out.push(T::unzigzag(gather(word & own)));
                at += used;
                left -= 1;
                let next = data.get(at..).and_then(|rest| rest.first_chunk::<8>());
                word = next.map_or(u64::MAX, |chunk| u64::from_le_bytes(*chunk));
                if left == 0 || !word & HIGH & own != end {
                    break;
                }
            }
        }
    }
    Ok(at)
}

/// The bytes that `count` integers of at most ten bytes take.
pub(crate) fn skip(data: &[u8], count: u64) -> Result<usize, Bad> {
    let (mut at, mut left) = (0, count);
    while left > 0 {
        let rest = &data[at..];
        // Each end of an integer is a byte without mark; bytes after the last one begin another.
        let mut ends = rest.first_chunk::<8>().map_or(0, |chunk| !u64::from_le_bytes(*chunk) & HIGH);
        if left >= 8 && ends != 0 {
            left -= u64::from(ends.count_ones());
            at += 8 - ends.leading_zeros() as usize / 8;
        } else if u64::from(ends.count_ones()) >= left {
            for _ in 1..left {
                ends &= ends - 1;
            }
            return Ok(at + ends.trailing_zeros() as usize / 8 + 1);
        } else {
            let (_, used) = decode::<i64>(rest)?;
            left -= 1;
            at += used;
        }
    }
    Ok(at)
}

/// Decodes integers as long as each follows the length 1, at most `most`; returns how many, and
/// the bytes used.
#[inline]
pub(crate) fn decode_ones<T: UnZigZag>(
    data: &[u8],
    most: usize,
    out: &mut Vec<T>,
) -> Result<(usize, usize), Bad> {
    let (mut at, mut count) = (0, 0);
    out.reserve(most.min(data.len() / 2));
    // Where to look for integers of the same length again.
    let mut look = 0;
    while count < most {
        let rest = &data[at..];
        if count >= look {
            let (found, used) = decode_same_ones(rest, most - count, out);
            (at, count, look) = (at + used, count + found, count + found + ONES);
            if found > 0 {
                continue;
            }
        }
        let used = match rest.first_chunk::<8>() {
            Some(chunk) if chunk[0] != ONE => break,
            // One or two bytes after the length.
            Some(chunk) if chunk[1] & chunk[2] < 0x80 => {
                let (number, bits) = short(u64::from_le_bytes(*chunk) >> 8);
                out.push(T::unzigzag(number));
                bits as usize / 8
            }
            _ if rest.first() != Some(&ONE) => break,
            _ => {
                let (value, used) = decode(&rest[1..])?;
                out.push(value);
                used
            }
        };
        at += 1 + used;
        count += 1;
    }
    Ok((count, at))
}

/// The integer of one or two bytes that a word begins with, and its number of bits.
#[inline]
fn short(word: u64) -> (u64, u32) {
    let long = word >> 7 & 1;
    // All ones where there is a second byte.
    let second = long.wrapping_neg() & word >> 1 & 0x3f80;
    (word & 0x7f | second, 8 + 8 * long as u32)
}

/// The groups of seven bits of eight bytes, joined.
#[inline]
pub(super) fn gather(word: u64) -> u64 {
    let word = word & !HIGH;
    let word = (word & 0x7f00_7f00_7f00_7f00) >> 1 | word & 0x007f_007f_007f_007f;
    let word = (word & 0x3fff_0000_3fff_0000) >> 2 | word & 0x0000_3fff_0000_3fff;
    (word & 0x0fff_ffff_0000_0000) >> 4 | word & 0x0fff_ffff
}
