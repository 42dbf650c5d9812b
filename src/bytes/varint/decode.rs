//! Reads zig-zag integers of variable length, several at a time where they are short.

/// Why a varint could not be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bad {
    End,
    TooLong,
}

#[inline]
fn unzigzag_int(value: u32) -> i32 {
    (value >> 1) as i32 ^ -((value & 1) as i32)
}

#[inline]
fn unzigzag_long(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// Decodes an integer of at most five bytes; bits beyond the 32nd are dropped, as Java does.
#[inline]
pub(crate) fn decode_int(data: &[u8]) -> Result<(i32, usize), Bad> {
    decode_raw::<5>(data).map(|(value, used)| (unzigzag_int(value as u32), used))
}

/// Decodes an integer of at most ten bytes; bits beyond the 64th are dropped, as Java does.
#[inline]
pub(crate) fn decode_long(data: &[u8]) -> Result<(i64, usize), Bad> {
    decode_raw::<10>(data).map(|(value, used)| (unzigzag_long(value), used))
}

#[inline]
fn decode_raw<const MOST: usize>(data: &[u8]) -> Result<(u64, usize), Bad> {
    match data {
        [first, ..] if *first < 0x80 => Ok((u64::from(*first), 1)),
        [first, second, ..] if *second < 0x80 => Ok((u64::from(*first & 0x7f) | u64::from(*second) << 7, 2)),
        _ => decode_many::<MOST>(data),
    }
}

fn decode_many<const MOST: usize>(data: &[u8]) -> Result<(u64, usize), Bad> {
    let mut value = 0u64;
    for (index, &byte) in data.iter().take(MOST).enumerate() {
        value |= u64::from(byte & 0x7f) << (7 * index);
        if byte < 0x80 {
            return Ok((value, index + 1));
        }
    }
    Err(if data.len() < MOST { Bad::End } else { Bad::TooLong })
}

/// The high bit of each of eight bytes.
const HIGH: u64 = 0x8080_8080_8080_8080;

/// The ends of four integers of two bytes each.
const PAIRS: u64 = 0x8000_8000_8000_8000;

/// Decodes `count` integers of at most five bytes, several at a time where they are short; returns
/// the bytes used.
#[inline]
pub(crate) fn decode_ints(data: &[u8], count: usize, out: &mut Vec<i32>) -> Result<usize, Bad> {
    decode_all::<5, i32>(data, count, out, |value| unzigzag_int(value as u32))
}

/// Decodes `count` integers of at most ten bytes, several at a time where they are short; returns
/// the bytes used.
#[inline]
pub(crate) fn decode_longs(data: &[u8], count: usize, out: &mut Vec<i64>) -> Result<usize, Bad> {
    decode_all::<10, i64>(data, count, out, unzigzag_long)
}

#[inline]
fn decode_all<const MOST: usize, T>(
    data: &[u8],
    count: usize,
    out: &mut Vec<T>,
    finish: impl Fn(u64) -> T,
) -> Result<usize, Bad> {
    let (mut at, mut left) = (0, count);
    while left > 0 {
        let rest = data.get(at..).unwrap_or_default();
        let Some(chunk) = rest.first_chunk::<8>() else {
            let (value, used) = decode_raw::<MOST>(rest)?;
            out.push(finish(value));
            at += used;
            left -= 1;
            continue;
        };
        let word = u64::from_le_bytes(*chunk);
        let ends = !word & HIGH;
        if ends == HIGH && left >= 8 {
            out.extend(chunk.map(|byte| finish(u64::from(byte))));
            at += 8;
            left -= 8;
            continue;
        }
        if ends == PAIRS && left >= 4 {
            let word = word & !HIGH;
            let lanes = (word & 0x7f00_7f00_7f00_7f00) >> 1 | word & 0x007f_007f_007f_007f;
            out.extend([0, 16, 32, 48].map(|shift| finish(lanes >> shift & 0xffff)));
            at += 8;
            left -= 4;
            continue;
        }
        let used = ends.trailing_zeros() as usize / 8 + 1;
        let (value, used) = if used <= 8.min(MOST) {
            // The bytes of this integer, the others cleared.
            (gather(word & (u64::MAX >> (64 - 8 * used))), used)
        } else {
            decode_many::<MOST>(rest)?
        };
        out.push(finish(value));
        at += used;
        left -= 1;
    }
    Ok(at)
}

/// The groups of seven bits of eight bytes, joined.
#[inline]
fn gather(word: u64) -> u64 {
    let word = word & !HIGH;
    let word = (word & 0x7f00_7f00_7f00_7f00) >> 1 | word & 0x007f_007f_007f_007f;
    let word = (word & 0x3fff_0000_3fff_0000) >> 2 | word & 0x0000_3fff_0000_3fff;
    (word & 0x0fff_ffff_0000_0000) >> 4 | word & 0x0fff_ffff
}
