//! Zig-zag integers in groups of seven bits, low group first.

/// Why a varint could not be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bad {
    End,
    TooLong,
}

#[inline]
pub(crate) fn zigzag_int(value: i32) -> u32 {
    ((value << 1) ^ (value >> 31)) as u32
}

#[inline]
pub(crate) fn zigzag_long(value: i64) -> u64 {
    ((value << 1) ^ (value >> 63)) as u64
}

#[inline]
fn unzigzag_int(value: u32) -> i32 {
    (value >> 1) as i32 ^ -((value & 1) as i32)
}

#[inline]
fn unzigzag_long(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

#[inline]
pub(crate) fn encode_int(out: &mut Vec<u8>, value: i32) {
    encode_raw(out, u64::from(zigzag_int(value)));
}

#[inline]
pub(crate) fn encode_long(out: &mut Vec<u8>, value: i64) {
    encode_raw(out, zigzag_long(value));
}

#[inline]
fn encode_raw(out: &mut Vec<u8>, value: u64) {
    if value < 0x80 {
        out.push(value as u8);
    } else {
        let (bytes, length) = spread(value);
        out.extend_from_slice(&bytes[..length]);
    }
}

/// Appends many zig-zagged integers.
#[inline]
pub(crate) fn encode_many(out: &mut Vec<u8>, values: impl Iterator<Item = u64>) {
    // Each value is written in full to a small buffer; the next one covers what is too much.
    let mut buffer = [0; 512];
    let mut used = 0;
    for value in values {
        if used > buffer.len() - 10 {
            out.extend_from_slice(&buffer[..used]);
            used = 0;
        }
        if value < 0x80 {
            buffer[used] = value as u8;
            used += 1;
        } else {
            let (bytes, length) = spread(value);
            buffer[used..used + 10].copy_from_slice(&bytes);
            used += length;
        }
    }
    out.extend_from_slice(&buffer[..used]);
}

/// The bytes of a varint, and how many of them count.
#[inline]
fn spread(value: u64) -> ([u8; 10], usize) {
    const CONTINUE: u64 = 0x8080_8080_8080_8080;
    let length = (70 - (value | 1).leading_zeros() as usize) / 7;
    let mut bytes = [0; 10];
    // Eight groups of seven bits, each moved to the low bits of a byte.
    let low = value & 0x00ff_ffff_ffff_ffff;
    let low = (low & 0x00ff_ffff_f000_0000) << 4 | low & 0x0fff_ffff;
    let low = (low & 0x0fff_c000_0fff_c000) << 2 | low & 0x0000_3fff_0000_3fff;
    let low = (low & 0x3f80_3f80_3f80_3f80) << 1 | low & 0x007f_007f_007f_007f;
    let more = match length {
        1..=8 => CONTINUE & ((1 << (8 * (length - 1))) - 1),
        _ => CONTINUE,
    };
    bytes[..8].copy_from_slice(&(low | more).to_le_bytes());
    if length > 8 {
        bytes[8] = (value >> 56) as u8 & 0x7f | u8::from(length > 9) << 7;
        bytes[9] = (value >> 63) as u8;
    }
    (bytes, length)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(value: i64) -> Vec<u8> {
        let mut out = Vec::new();
        encode_long(&mut out, value);
        out
    }

    #[test]
    fn the_examples_of_the_specification() {
        for (value, bytes) in
            [(0, vec![0x00]), (-1, vec![0x01]), (1, vec![0x02]), (-64, vec![0x7f]), (64, vec![0x80, 0x01])]
        {
            assert_eq!(encoded(value), bytes);
        }
    }

    #[test]
    fn edges_of_every_width_come_back() {
        for bits in 0..64 {
            for delta in -2i64..=2 {
                for value in [(1i64 << bits).wrapping_add(delta), (-1i64 << bits).wrapping_add(delta)] {
                    let bytes = encoded(value);
                    assert_eq!(decode_long(&bytes), Ok((value, bytes.len())));
                    if let Ok(small) = i32::try_from(value) {
                        let mut out = Vec::new();
                        encode_int(&mut out, small);
                        assert_eq!(out, bytes);
                        assert_eq!(decode_int(&bytes), Ok((small, bytes.len())));
                    }
                    let mut many = vec![7];
                    encode_many(&mut many, std::iter::repeat_n(zigzag_long(value), 100));
                    assert_eq!(many[1..], bytes.repeat(100));
                    let mut back = Vec::new();
                    assert_eq!(decode_longs(&many[1..], 100, &mut back), Ok(100 * bytes.len()));
                    assert_eq!(back, [value; 100]);
                }
            }
        }
    }

    #[test]
    fn padding_is_accepted_and_high_bits_are_dropped() {
        assert_eq!(decode_long(&[0x82, 0x80, 0x00]), Ok((1, 3)));
        assert_eq!(decode_int(&[0xff, 0xff, 0xff, 0xff, 0x7f]), Ok((i32::MIN, 5)));
    }

    #[test]
    fn short_and_long_integers_mixed_come_back() {
        let values: Vec<i64> =
            (0..2000i64).map(|i| if i % 9 == 0 { i << (i % 50) } else { i % 60 }).collect();
        let pairs = (0..100).map(|i| 64 + i * 80);
        let values: Vec<i64> = values.into_iter().chain(pairs).collect();
        let mut bytes = Vec::new();
        values.iter().for_each(|value| encode_long(&mut bytes, *value));
        let mut back = Vec::new();
        assert_eq!(decode_longs(&bytes, values.len(), &mut back), Ok(bytes.len()));
        assert_eq!(back, values);
        for end in 0..40 {
            assert_eq!(decode_longs(&bytes[..end], values.len(), &mut Vec::new()), Err(Bad::End));
        }
    }

    #[test]
    fn an_int_of_six_bytes_is_refused_among_others() {
        let bytes = [0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 2, 2, 2, 2, 2];
        assert_eq!(decode_ints(&bytes, 2, &mut Vec::new()), Err(Bad::TooLong));
        let mut back = Vec::new();
        assert_eq!(decode_ints(&[0xff, 0xff, 0xff, 0xff, 0x7f, 4, 4, 4, 4, 4], 2, &mut back), Ok(6));
        assert_eq!(back, [i32::MIN, 2]);
    }

    #[test]
    fn too_long_and_cut_integers_are_told_apart() {
        assert_eq!(decode_int(&[0x80; 6]), Err(Bad::TooLong));
        assert_eq!(decode_int(&[0x80; 4]), Err(Bad::End));
        assert_eq!(decode_long(&[0x80; 11]), Err(Bad::TooLong));
        assert_eq!(decode_long(&[0x80; 9]), Err(Bad::End));
        assert_eq!(decode_long(&[]), Err(Bad::End));
    }
}
