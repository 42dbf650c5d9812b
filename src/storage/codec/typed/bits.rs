//! Numbers of the same few bits, one after the other, the first in the lowest bits.

use crate::bytes::lanes::unpack_eight;

/// What numbers are unpacked to. Bits that it does not have are dropped.
pub(super) trait Number: Copy {
    /// A number, and a base that is added to it.
    fn above(number: u64, base: Self) -> Self;
}

impl Number for i32 {
    #[inline]
    fn above(number: u64, base: Self) -> Self {
        base.wrapping_add(number as Self)
    }
}

impl Number for i64 {
    #[inline]
    fn above(number: u64, base: Self) -> Self {
        base.wrapping_add(number.cast_signed())
    }
}

/// Appends the low `width` bits of each number.
pub(super) fn pack(numbers: impl IntoIterator<Item = u64>, width: u32, out: &mut Vec<u8>) {
    if width == 0 {
        return;
    }
    let (mut word, mut used) = (0, 0);
    for number in numbers {
        let number = number & mask(width);
        word |= number << used;
        used += width;
        if used >= 64 {
            out.extend_from_slice(&word.to_le_bytes());
            used -= 64;
            // What there was no room for.
            word = number.checked_shr(width - used).unwrap_or(0);
        }
    }
    out.extend_from_slice(&word.to_le_bytes()[..used.div_ceil(8) as usize]);
}

/// As [`pack`], for numbers of at most 32 bits. Widths of 1 and 8 have loops of their own.
pub(super) fn pack_short(numbers: &[u32], width: u32, out: &mut Vec<u8>) {
    match width {
        1 => out.extend(
            numbers.chunks(8).map(|bits| bits.iter().rev().fold(0, |byte, bit| byte << 1 | (bit & 1) as u8)),
        ),
        8 => out.extend(numbers.iter().map(|number| *number as u8)),
        _ => pack(numbers.iter().map(|number| u64::from(*number)), width, out),
    }
}

/// Bytes of a number of numbers.
pub(super) fn packed_bytes(count: usize, width: u32) -> usize {
    (count * width as usize).div_ceil(8)
}

/// Takes numbers out, and adds a base to each; `packed` has [`packed_bytes`] of them. Bits beyond its end are zero.
pub(super) fn unpack<T: Number>(packed: &[u8], width: u32, base: T, numbers: &mut [T]) {
    match width {
        0 => numbers.fill(base),
        1 => {
            for (eight, byte) in numbers.chunks_mut(8).zip(packed) {
                for (number, bit) in eight.iter_mut().zip(unpack_eight((*byte).into(), 1)) {
                    *number = T::above(bit.into(), base);
                }
            }
        }
        8 => whole_bytes::<1, T>(packed, base, numbers),
        16 => whole_bytes::<2, T>(packed, base, numbers),
        24 => whole_bytes::<3, T>(packed, base, numbers),
        32 => whole_bytes::<4, T>(packed, base, numbers),
        _ if width <= 32 => few_bits(packed, width, base, numbers),
        _ => {
            for (at, number) in numbers.iter_mut().enumerate() {
                *number = T::above(self::number(packed, width, at), base);
            }
        }
    }
}

/// Takes out numbers of `N` bytes each.
fn whole_bytes<const N: usize, T: Number>(packed: &[u8], base: T, numbers: &mut [T]) {
    for (number, bytes) in numbers.iter_mut().zip(packed.as_chunks::<N>().0) {
        let mut word = [0; 8];
        word[..N].copy_from_slice(bytes);
        *number = T::above(u64::from_le_bytes(word), base);
    }
}

/// Takes out numbers of 32 bits at most.
fn few_bits<T: Number>(packed: &[u8], width: u32, base: T, numbers: &mut [T]) {
    let (words, rest) = packed.as_chunks::<4>();
    let last = rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    let mut words = words.iter().map(|word| u64::from(u32::from_le_bytes(*word))).chain([last]);
    let (mut bits, mut ready) = (0, 0);
    for number in numbers {
        if ready < width {
            bits |= words.next().unwrap_or_default() << ready;
            ready += 32;
        }
        *number = T::above(bits & mask(width), base);
        bits >>= width;
        ready -= width;
    }
}

/// One of the numbers.
#[inline]
pub(super) fn number(packed: &[u8], width: u32, index: usize) -> u64 {
    let bit = index * width as usize;
    let low = load(packed, bit / 8) >> (bit % 8);
    if width <= 57 {
        return low & mask(width);
    }
    let high = load(packed, bit / 8 + 8).checked_shl(64 - (bit % 8) as u32).unwrap_or(0);
    (low | high) & mask(width)
}

/// Eight bytes from a position on; zeros beyond the end.
#[inline]
fn load(bytes: &[u8], at: usize) -> u64 {
    // The bits of the last numbers may end before the position.
    let rest = bytes.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(word) => u64::from_le_bytes(*word),
        None => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    }
}

/// The bits that a number takes.
pub(super) fn width(number: u64) -> u32 {
    64 - number.leading_zeros()
}

#[inline]
pub(super) fn mask(width: u32) -> u64 {
    u64::MAX.checked_shr(64 - width).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_of_any_width_come_back(
            width in 0u32..=64, numbers in prop::collection::vec(any::<u64>(), 0..90), base in -9i64..9,
        ) {
            let numbers: Vec<u64> = numbers.into_iter().map(|number| number & mask(width)).collect();
            let mut packed = Vec::new();
            pack(numbers.iter().copied(), width, &mut packed);
            prop_assert_eq!(packed.len(), packed_bytes(numbers.len(), width));
            let mut back = vec![7; numbers.len()];
            unpack(&packed, width, base, &mut back);
            let wide: Vec<i64> = numbers.iter().map(|number| number.cast_signed().wrapping_add(base)).collect();
            prop_assert_eq!(&back, &wide);
            let mut narrow = vec![7; numbers.len()];
            unpack(&packed, width, base as i32, &mut narrow);
            prop_assert!(narrow.iter().copied().eq(wide.iter().map(|number| *number as i32)));
            for (at, wanted) in numbers.iter().enumerate() {
                prop_assert_eq!(number(&packed, width, at), *wanted);
            }
        }
    }
}
