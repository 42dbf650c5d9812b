//! Stands in for the crate crc32fast, whose tables are 16 KiB that no compression makes smaller: here they are made at the first call.

use std::sync::OnceLock;

/// The polynomial, its lowest power first.
const POLYNOMIAL: u32 = 0xedb8_8320;
/// Bytes that are taken at once.
const LANES: usize = 8;

type Tables = [[u32; 256]; LANES];

/// For each byte followed by a number of zeros, the remainder.
fn tables() -> &'static Tables {
    static TABLES: OnceLock<Box<Tables>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let mut tables = Box::new([[0; 256]; LANES]);
        for byte in 0..256 {
            tables[0][byte] = (0..8).fold(byte as u32, |sum, _| next(sum));
        }
        for lane in 1..LANES {
            for byte in 0..256 {
                let before = tables[lane - 1][byte];
                tables[lane][byte] = (before >> 8) ^ tables[0][(before & 0xff) as usize];
            }
        }
        tables
    })
}

/// The sum after one more bit that is zero.
fn next(sum: u32) -> u32 {
    if sum & 1 == 1 { (sum >> 1) ^ POLYNOMIAL } else { sum >> 1 }
}

/// The checksum of some bytes.
#[must_use]
pub fn hash(bytes: &[u8]) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(bytes);
    hasher.finalize()
}

/// A checksum of bytes that come in parts.
#[derive(Clone, Debug, Default)]
pub struct Hasher {
    sum: u32,
    count: u64,
}

impl Hasher {
    /// Of no bytes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Of a number of bytes with this checksum.
    #[must_use]
    pub fn new_with_initial_len(sum: u32, count: u64) -> Self {
        Self { sum, count }
    }

    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        let tables = tables();
        let mut sum = !self.sum;
        let (chunks, rest) = bytes.as_chunks::<LANES>();
        for [a, b, c, d, e, f, g, h] in chunks {
            let first = sum ^ u32::from_le_bytes([*a, *b, *c, *d]);
            let [a, b, c, d] = first.to_le_bytes();
            sum = [h, g, f, e, &d, &c, &b, &a]
                .into_iter()
                .zip(tables)
                .fold(0, |sum, (byte, table)| sum ^ table[*byte as usize]);
        }
        for byte in rest {
            sum = (sum >> 8) ^ tables[0][(sum as u8 ^ byte) as usize];
        }
        self.sum = !sum;
        self.count += bytes.len() as u64;
    }

    /// Adds the bytes of another.
    pub fn combine(&mut self, other: &Self) {
        // The sum is moved over as many zeros: x to the power of their bits, by squares.
        let (mut power, mut square, mut count) = (1 << 31, 1 << 23, other.count);
        while count > 0 {
            if count & 1 == 1 {
                power = multiply(power, square);
            }
            square = multiply(square, square);
            count >>= 1;
        }
        self.sum = multiply(self.sum, power) ^ other.sum;
        self.count += other.count;
    }

    /// Begins again.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// The checksum.
    #[must_use]
    pub fn finalize(self) -> u32 {
        self.sum
    }
}

/// The product of two polynomials, modulo [`POLYNOMIAL`].
fn multiply(one: u32, mut two: u32) -> u32 {
    let mut product = 0;
    for bit in (0..32).rev() {
        if one >> bit & 1 == 1 {
            product ^= two;
        }
        two = next(two);
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_of_the_crate() {
        assert_eq!(hash(b""), 0);
        assert_eq!(hash(b"123456789"), 0xcbf4_3926);
        let bytes: Vec<u8> = (0..100_000_u32).map(|n| (n.wrapping_mul(n) >> 7) as u8).collect();
        // Bit by bit.
        let slow =
            !bytes.iter().fold(!0, |sum: u32, byte| (0..8).fold(sum ^ u32::from(*byte), |sum, _| next(sum)));
        assert_eq!(hash(&bytes), slow);
        for cut in [0, 1, 7, 8, 4_099, 99_999, 100_000] {
            let (one, two) = bytes.split_at(cut);
            let mut all = Hasher::new_with_initial_len(hash(one), one.len() as u64);
            all.combine(&Hasher::new_with_initial_len(hash(two), two.len() as u64));
            assert_eq!(all.finalize(), slow, "{cut}");
        }
    }
}
