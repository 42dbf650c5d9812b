//! The numbers of a full frame in lanes, so that many are unpacked by the same steps: number *i* is in lane *i* mod 32. A lane is a sequence of
//! 32 numbers in words of 32 bits, and words of all lanes alternate: the first of each, then the second of each. Numbers of more than 32 bits
//! lie in 16 lanes of 64 numbers, in words of 64 bits. Either way they take as many bytes as one after the other.
//!
//! This is how FastLanes (Afroozeh and Boncz, 2023) lets compilers use vectors; the order of the numbers is kept.

use super::bits::{Number, mask};

/// Numbers of a full frame.
pub(super) const LEN: usize = 1024;

/// Bits of a word of a lane, for numbers of a width in bits.
const fn word_bits(width: u32) -> u32 {
    if width <= 32 { 32 } else { 64 }
}

/// Lanes of one kind of word.
macro_rules! of_words {
    ($word:ident, $pack:ident, $unpack:ident, $lanes:literal) => {
        /// Appends the low bits of [`LEN`] numbers.
        pub(super) fn $pack(numbers: &[$word], width: u32, out: &mut Vec<u8>) {
            const BITS: u32 = $word::BITS;
            let mask = mask(width) as $word;
            let mut words = [[0 as $word; $lanes]; LEN / $lanes];
            for (row, numbers) in numbers.as_chunks::<$lanes>().0.iter().enumerate() {
                let bit = row as u32 * width;
                let (at, shift) = ((bit / BITS) as usize, bit % BITS);
                let Some((words, next)) = words.get_mut(at..).and_then(<[_]>::split_first_mut) else { break };
                for (word, number) in words.iter_mut().zip(numbers) {
                    *word |= (*number & mask) << shift;
                }
                if let Some(next) = next.first_mut().filter(|_| shift + width > BITS) {
                    for (word, number) in next.iter_mut().zip(numbers) {
                        *word = (*number & mask) >> (BITS - shift);
                    }
                }
            }
            let (words, start) = (words.as_flattened().iter(), out.len());
            out.resize(start + LEN / 8 * width as usize, 0);
            let (places, _) = out.split_at_mut(start).1.as_chunks_mut();
            places.iter_mut().zip(words).for_each(|(place, word)| *place = word.to_le_bytes());
        }

        #[inline(never)]
        fn $unpack<T: Number>(packed: &[u8], width: u32, base: T, numbers: &mut [T]) {
            const BITS: u32 = $word::BITS;
            const BYTES: usize = BITS as usize / 8;
            let words = packed.as_chunks::<{ $lanes * BYTES }>().0;
            let mask = mask(width) as $word;
            for (row, numbers) in numbers.as_chunks_mut::<$lanes>().0.iter_mut().enumerate() {
                let bit = row as u32 * width;
                let (at, shift) = ((bit / BITS) as usize, bit % BITS);
                let Some(low) = words.get(at) else { break };
                let low = low.as_chunks::<BYTES>().0.iter().map(|word| $word::from_le_bytes(*word));
                if shift + width <= BITS {
                    for (number, low) in numbers.iter_mut().zip(low) {
                        *number = T::above(u64::from(low >> shift & mask), base);
                    }
                } else if let Some(high) = words.get(at + 1) {
                    let high = high.as_chunks::<BYTES>().0.iter().map(|word| $word::from_le_bytes(*word));
                    for (number, (low, high)) in numbers.iter_mut().zip(low.zip(high)) {
                        let word = (low >> shift | high << (BITS - shift)) & mask;
                        *number = T::above(u64::from(word), base);
                    }
                }
            }
        }
    };
}

of_words!(u32, pack_32, unpack_32, 32);
of_words!(u64, pack_64, unpack_64, 16);

/// Takes out [`LEN`] numbers, and adds a base to each.
pub(super) fn unpack<T: Number>(packed: &[u8], width: u32, base: T, numbers: &mut [T]) {
    match word_bits(width) {
        32 => unpack_32(packed, width, base, numbers),
        _ => unpack_64(packed, width, base, numbers),
    }
}

/// One of the numbers.
pub(super) fn number(packed: &[u8], width: u32, index: usize) -> u64 {
    match word_bits(width) {
        32 => number_of::<32, 4>(packed, width, index, |word| u32::from_le_bytes(word).into()),
        _ => number_of::<64, 8>(packed, width, index, u64::from_le_bytes),
    }
}

/// One of the numbers, in words of `BITS` bits.
#[inline]
fn number_of<const BITS: u32, const BYTES: usize>(
    packed: &[u8],
    width: u32,
    index: usize,
    word: impl Fn([u8; BYTES]) -> u64,
) -> u64 {
    let lanes = LEN / BITS as usize;
    let bit = (index / lanes) as u32 * width;
    let (row, shift) = ((bit / BITS) as usize, bit % BITS);
    let word = |row: usize| {
        let rest = packed.get((row * lanes + index % lanes) * BYTES..).unwrap_or_default();
        rest.first_chunk().map_or(0, |bytes| word(*bytes))
    };
    let high = if shift + width > BITS { word(row + 1) << (BITS - shift) } else { 0 };
    (word(row) >> shift | high) & mask(width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_of_any_width_come_back(width in 1u32..64, seed in any::<u64>(), base in any::<i64>()) {
            let mut state = seed | 1;
            let numbers: Vec<u64> = (0..LEN)
                .map(|_| {
                    state = state.wrapping_mul(0xd134_2543_de82_ef95).wrapping_add(1);
                    (state ^ state >> 31) & mask(width)
                })
                .collect();
            let mut packed = Vec::new();
            match word_bits(width) {
                32 => pack_32(&numbers.iter().map(|number| *number as u32).collect::<Vec<_>>(), width, &mut packed),
                _ => pack_64(&numbers, width, &mut packed),
            }
            prop_assert_eq!(packed.len(), LEN / 8 * width as usize);
            let (mut wide, mut narrow) = (vec![7; LEN], vec![7; LEN]);
            unpack(&packed, width, base, &mut wide);
            unpack(&packed, width, base as i32, &mut narrow);
            for (index, wanted) in numbers.iter().enumerate() {
                prop_assert_eq!(number(&packed, width, index), *wanted);
                prop_assert_eq!(wide[index], base.wrapping_add(wanted.cast_signed()));
                prop_assert_eq!(narrow[index], wide[index] as i32);
            }
        }
    }

    #[test]
    fn bits_are_where_the_format_says() {
        // Number 32 is the second of lane 0: its five bits follow those of number 0.
        let mut numbers = [0; LEN];
        (numbers[0], numbers[1], numbers[32]) = (0b10011, 1, 0b11111);
        let mut packed = Vec::new();
        pack_32(&numbers, 5, &mut packed);
        assert_eq!(packed[..8], [0b1111_0011, 0b11, 0, 0, 1, 0, 0, 0]);
    }
}
