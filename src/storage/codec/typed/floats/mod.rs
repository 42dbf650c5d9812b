//! Floating-point numbers: as they are, as whole numbers of a power of ten, by their bits as integers, or with their bytes split.

mod decimal;
mod decode;
mod encode;

pub(super) use decimal::{Decimal, Scale};
pub(super) use decode::Floats;
pub(super) use encode::encode;

/// How numbers are encoded: the first byte after their number.
mod form {
    pub(super) const PLAIN: u8 = 0;
    pub(super) const DECIMAL: u8 = 1;
    pub(super) const BITS: u8 = 2;
    pub(super) const SPLIT: u8 = 3;
}

/// A type of floating-point numbers.
pub(super) trait Float: Copy {
    const BYTES: usize;
    /// The most digits after the point that are tried.
    const DIGITS: i32;

    fn bits(self) -> i64;
    fn of_bits(bits: i64) -> Self;
    fn double(self) -> f64;
    fn of_double(double: f64) -> Self;
    fn put(self, out: &mut Vec<u8>);
    /// Appends the numbers that some bytes are.
    fn extend(out: &mut Vec<Self>, bytes: &[u8]);
}

impl Float for f32 {
    const BYTES: usize = 4;
    const DIGITS: i32 = 9;

    fn bits(self) -> i64 {
        i64::from(self.to_bits().cast_signed())
    }

    fn of_bits(bits: i64) -> Self {
        Self::from_bits(bits as u32)
    }

    fn double(self) -> f64 {
        f64::from(self)
    }

    fn of_double(double: f64) -> Self {
        double as Self
    }

    fn put(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn extend(out: &mut Vec<Self>, bytes: &[u8]) {
        out.extend(bytes.as_chunks().0.iter().map(|bytes| Self::from_le_bytes(*bytes)));
    }
}

impl Float for f64 {
    const BYTES: usize = 8;
    const DIGITS: i32 = 15;

    fn bits(self) -> i64 {
        self.to_bits().cast_signed()
    }

    fn of_bits(bits: i64) -> Self {
        Self::from_bits(bits.cast_unsigned())
    }

    fn double(self) -> f64 {
        self
    }

    fn of_double(double: f64) -> Self {
        double
    }

    fn put(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.to_le_bytes());
    }

    fn extend(out: &mut Vec<Self>, bytes: &[u8]) {
        out.extend(bytes.as_chunks().0.iter().map(|bytes| Self::from_le_bytes(*bytes)));
    }
}

/// Numbers that are scaled together, or put together from their bytes.
const AT_ONCE: usize = 64;

#[cfg(test)]
mod tests;
