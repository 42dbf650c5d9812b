//! Numbers of the same few bits, one after the other, the first in the lowest bits.

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

/// Bytes of so many numbers.
pub(super) fn packed_bytes(count: usize, width: u32) -> usize {
    (count * width as usize).div_ceil(8)
}

/// Takes numbers out; `packed` has [`packed_bytes`] of them. Bits beyond its end are zero.
pub(super) fn unpack(packed: &[u8], width: u32, numbers: &mut [i64]) {
    match width {
        0 => numbers.fill(0),
        8 => numbers.iter_mut().zip(packed).for_each(|(number, byte)| *number = i64::from(*byte)),
        1..=57 => unpack_words(packed, width, numbers),
        _ => {
            for (at, number) in numbers.iter_mut().enumerate() {
                let bit = at * width as usize;
                let low = load(packed, bit / 8) >> (bit % 8);
                let high = load(packed, bit / 8 + 8).checked_shl(64 - (bit % 8) as u32).unwrap_or(0);
                *number = ((low | high) & mask(width)).cast_signed();
            }
        }
    }
}

/// Numbers that lie in eight bytes wherever they begin. Widths up to 32 have a loop each.
fn unpack_words(packed: &[u8], width: u32, numbers: &mut [i64]) {
    macro_rules! of_width {
        ($($constant:literal)*) => {
            match width {
                $($constant => eights::<$constant>(packed, numbers),)*
                _ => 0,
            }
        };
    }
    let done =
        of_width!(1 2 3 4 5 6 7 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32);
    unpack_last(packed, done / 8 * width as usize, width as usize, &mut numbers[done..]);
}

/// Takes out eight numbers at a time, which begin with a byte and take `WIDTH` bytes, as long as eight bytes follow them. Returns
/// how many.
#[inline(never)]
fn eights<const WIDTH: usize>(packed: &[u8], numbers: &mut [i64]) -> usize {
    let (mut at, mut done) = (0, 0);
    for eight in numbers.as_chunks_mut::<8>().0 {
        let Some(bytes) = packed.get(at..at + WIDTH + 8) else { break };
        for (place, number) in eight.iter_mut().enumerate() {
            let bit = place * WIDTH;
            let word = bytes.get(bit / 8..bit / 8 + 8).and_then(|word| word.first_chunk());
            let word = word.map_or(0, |word| u64::from_le_bytes(*word));
            *number = (word >> (bit % 8) & mask(WIDTH as u32)).cast_signed();
        }
        at += WIDTH;
        done += 8;
    }
    done
}

/// Numbers near the end of the bytes.
fn unpack_last(packed: &[u8], at: usize, width: usize, numbers: &mut [i64]) {
    for (number, bit) in numbers.iter_mut().zip((0..).step_by(width)) {
        *number = (load(packed, at + bit / 8) >> (bit % 8) & mask(width as u32)).cast_signed();
    }
}

/// Eight bytes from a position on; zeros beyond the end.
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
fn mask(width: u32) -> u64 {
    u64::MAX.checked_shr(64 - width).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_of_any_width_come_back(
            width in 0u32..=64,
            numbers in prop::collection::vec(any::<u64>(), 0..90),
        ) {
            let numbers: Vec<u64> = numbers.into_iter().map(|number| number & mask(width)).collect();
            let mut packed = Vec::new();
            pack(numbers.iter().copied(), width, &mut packed);
            prop_assert_eq!(packed.len(), packed_bytes(numbers.len(), width));
            let mut back = vec![7; numbers.len()];
            unpack(&packed, width, &mut back);
            prop_assert!(back.iter().map(|number| number.cast_unsigned()).eq(numbers));
        }
    }
}
