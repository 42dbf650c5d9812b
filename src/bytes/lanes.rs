//! Eight numbers of few bits at once: pairs of neighbours in a word are joined or parted, then pairs of these, and once
//! more.

/// Masks of the low half of each lane, while lanes of 8 bits become one of 64.
const LANES: [(u64, u32); 3] =
    [(0x00ff_00ff_00ff_00ff, 8), (0x0000_ffff_0000_ffff, 16), (0x0000_0000_ffff_ffff, 32)];

/// Packs eight numbers of `bits` bits, one in each byte, into the low bytes.
#[inline]
pub(crate) fn pack_eight(numbers: [u8; 8], width: u32) -> u64 {
    let mut word = u64::from_le_bytes(numbers);
    let mut bits = width;
    for (low, lane) in LANES {
        word = (word & low) | ((word >> lane) & low) << bits;
        bits *= 2;
    }
    word
}

/// The eight numbers of `bits` bits in the low bytes, one in each byte; higher bytes may be anything.
#[inline]
pub(crate) fn unpack_eight(packed: u64, width: u32) -> [u8; 8] {
    let (mut bits, mut word) = (width * 4, packed);
    for (_, lane) in LANES.into_iter().rev() {
        let kept = lanes(bits, lane);
        word = (word & kept) | ((word >> bits) & kept) << lane;
        bits /= 2;
    }
    word.to_le_bytes()
}

/// For each byte, the running sums of its bits, the lowest first.
pub(crate) const SUMS_OF_BITS: [[u8; 8]; 256] = {
    let (mut sums, mut at) = ([[0; 8]; 256], 0);
    while at < 8 * sums.len() {
        let (byte, bit) = (at / 8, at % 8);
        sums[byte][bit] = (byte & ((2 << bit) - 1)).count_ones() as u8;
        at += 1;
    }
    sums
};

/// The low `bits` bits of each lane of twice `lane` bits.
#[inline]
fn lanes(bits: u32, lane: u32) -> u64 {
    let one = u64::MAX >> (64 - bits);
    match lane {
        8 => one * 0x0001_0001_0001_0001,
        16 => one * 0x0000_0001_0000_0001,
        _ => one,
    }
}

/// The same number in each byte.
#[inline]
pub(crate) fn all_bytes(number: u8) -> u64 {
    u64::from(number) * 0x0101_0101_0101_0101
}

/// The highest bit of each byte that is not zero.
#[inline]
pub(crate) fn not_zero(word: u64) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    (((word & LOW) + LOW) | word) & !LOW
}

/// The bits of the first bytes of a word, eight at most.
#[inline]
pub(crate) fn first_bytes(count: u32) -> u64 {
    u64::MAX.checked_shr(64u32.saturating_sub(8 * count)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_zero_are_found() {
        for pattern in 0u64..256 {
            for byte in [1u8, 0x7f, 0x80, 0xff] {
                let spread = |value: u8| {
                    (0..8)
                        .fold(0u64, |word, at| word | (((pattern >> at) & 1) * u64::from(value)) << (8 * at))
                };
                assert_eq!(not_zero(spread(byte)), spread(0x80), "{pattern:x} {byte:x}");
            }
        }
        assert_eq!([0, 1, 7, 8].map(first_bytes), [0, 0xff, u64::MAX >> 8, u64::MAX]);
        assert_eq!(all_bytes(0xa5), 0xa5a5_a5a5_a5a5_a5a5);
    }
}
