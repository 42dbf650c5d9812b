//! Decimals of any length, which are computed exactly.

use bigdecimal::num_bigint::{BigInt, Sign};
use bigdecimal::rounding::RoundingMode;
use bigdecimal::{BigDecimal, Zero};
use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// Bytes of an unscaled value, and digits after the point, at most: what the library has strings for.
const BYTES_MAX: usize = 1024;
const DIGITS_MAX: i64 = 2466;

/// A decimal number, exact whatever its length. Its text has as many digits after the point as it was made with.
///
/// ```
/// use trevni_query::Decimal;
///
/// let one = Decimal::parse("1.50").unwrap();
/// assert_eq!(one, Decimal::parse("1.5").unwrap());
/// assert_eq!(one.to_string(), "1.50");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Decimal(BigDecimal);

impl Decimal {
    /// The decimal of a text; `None` where it is of none, or of one with thousands of digits.
    pub fn parse(text: &str) -> Option<Self> {
        let is_short = text.len() <= DIGITS_MAX as usize + 2;
        let parsed = BigDecimal::from_str(text).ok().filter(|_| is_short)?;
        let is_plain = parsed.fractional_digit_count().unsigned_abs() <= DIGITS_MAX.unsigned_abs();
        is_plain.then_some(Self(parsed))
    }

    /// The decimal of an unscaled value, in two's complement, the most significant byte first; `None` where there are no
    /// bytes, or too many.
    pub fn of_bytes(bytes: &[u8], scale: u32) -> Option<Self> {
        let scale = i64::from(scale);
        let fits = !bytes.is_empty() && bytes.len() <= BYTES_MAX && scale <= DIGITS_MAX;
        fits.then(|| Self(BigDecimal::new(BigInt::from_signed_bytes_be(bytes), scale)))
    }

    pub(crate) fn of_integer(value: i128) -> Self {
        Self(BigDecimal::from(value))
    }

    /// The decimal that a float is written as; `None` for what is no number.
    pub(crate) fn of_float(value: f64) -> Option<Self> {
        value.is_finite().then(|| Self::parse(&value.to_string())).flatten()
    }

    /// The integer that it is, if it is one of 128 bits.
    pub(crate) fn to_integer(&self) -> Option<i128> {
        let is_whole = self.0.is_integer();
        is_whole.then(|| i128::try_from(self.0.with_scale(0).into_bigint_and_scale().0).ok()).flatten()
    }

    /// The nearest float.
    pub(crate) fn to_float(&self) -> f64 {
        self.0.to_scientific_notation().parse().unwrap_or(f64::NAN)
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.0.is_zero()
    }

    pub(crate) fn add(&self, other: &Self) -> Self {
        Self(&self.0 + &other.0)
    }

    pub(crate) fn subtract(&self, other: &Self) -> Self {
        Self(&self.0 - &other.0)
    }

    pub(crate) fn multiply(&self, other: &Self) -> Self {
        Self(&self.0 * &other.0)
    }

    /// What is left after division, with the sign of this.
    pub(crate) fn remainder(&self, other: &Self) -> Option<Self> {
        (!other.is_zero()).then(|| Self(&self.0 % &other.0))
    }

    pub(crate) fn negated(&self) -> Self {
        Self(-&self.0)
    }

    pub(crate) fn absolute(&self) -> Self {
        Self(self.0.abs())
    }

    /// Rounded to some digits after the point, halves away from zero.
    pub(crate) fn rounded(&self, digits: i32) -> Self {
        match i64::from(digits) {
            // It has no more digits.
            digits if digits >= self.0.fractional_digit_count() => self.clone(),
            digits => {
                let rounded = self.0.with_scale_round(digits, RoundingMode::HalfUp);
                Self(if digits < 0 { rounded.with_scale(0) } else { rounded })
            }
        }
    }

    /// The greatest whole number that is not above it.
    pub(crate) fn floor(&self) -> Self {
        Self(self.0.with_scale_round(0, RoundingMode::Floor))
    }

    /// Without what is after the point, if it is an integer of 128 bits then.
    pub(crate) fn truncated(&self) -> Option<i128> {
        Self(self.0.with_scale_round(0, RoundingMode::Down)).to_integer()
    }

    /// The mean of a number of values whose sum this is.
    pub(crate) fn mean(&self, count: u64) -> f64 {
        Self(&self.0 / BigDecimal::from(count.max(1))).to_float()
    }

    /// The order of this and a float, as decimals; `None` where the float is no number.
    pub(crate) fn order(&self, float: f64) -> Option<Ordering> {
        match float {
            float if float.is_nan() => None,
            f64::INFINITY => Some(Ordering::Less),
            f64::NEG_INFINITY => Some(Ordering::Greater),
            float => Self::of_float(float).map(|float| self.cmp(&float)),
        }
    }

    /// Whether it is negative, the digits without zeros at both ends, and the power of ten that they are multiplied
    /// by after a point before them; no digits for 0.
    pub(crate) fn scientific(&self) -> (bool, Vec<u8>, i64) {
        let (unscaled, scale) = self.0.as_bigint_and_exponent();
        let mut digits = unscaled.magnitude().to_str_radix(10).into_bytes();
        let exponent = digits.len() as i64 - scale;
        let len = digits.iter().rposition(|digit| *digit != b'0').map_or(0, |last| last + 1);
        digits.truncate(len);
        (unscaled.sign() == Sign::Minus, digits, exponent)
    }

    /// A text that is the same for equal values.
    pub(crate) fn key(&self) -> String {
        self.0.normalized().to_plain_string()
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.to_plain_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        Decimal::parse(text).unwrap()
    }

    #[test]
    fn they_are_exact_and_keep_their_digits() {
        let long = "-1234567890123456789012345678901234567890.12";
        for (found, expected) in [
            (decimal(long).add(&decimal("0.12")), "-1234567890123456789012345678901234567890.00"),
            (decimal("1.50").multiply(&decimal("-2.0")), "-3.000"),
            (decimal("-7.5").remainder(&decimal("2")).unwrap(), "-1.5"),
            (decimal("2.675").rounded(2), "2.68"),
            (decimal("-2.665").rounded(2), "-2.67"),
            (decimal("1250").rounded(-2), "1300"),
            (decimal("1.5").rounded(3), "1.5"),
            (Decimal::of_bytes(&[0xfc, 0x18], 2).unwrap(), "-10.00"),
            (Decimal::of_bytes(&[0], 3).unwrap(), "0.000"),
            (Decimal::of_float(0.1).unwrap(), "0.1"),
        ] {
            assert_eq!(found.to_string(), expected);
        }
        assert_eq!(decimal("0.1").to_float(), 0.1);
        assert_eq!((decimal("3.00").to_integer(), decimal("3.01").to_integer()), (Some(3), None));
        assert_eq!(decimal("1.00").mean(3), 1.0 / 3.0);
        assert_eq!(decimal("0.50").key(), decimal("0.5").key());
        assert_eq!(decimal("0.3").order(0.1 + 0.2), Some(Ordering::Less));
    }

    #[test]
    fn what_would_take_much_room_is_none() {
        for text in ["1e999999999", "1e-999999999", "", "x", "NaN", &"9".repeat(5000)] {
            assert_eq!(Decimal::parse(text), None, "{text}");
        }
        for (bytes, scale) in [(&[][..], 0), (&[1], u32::MAX), (&[1; 1025], 0)] {
            assert_eq!(Decimal::of_bytes(bytes, scale), None);
        }
    }
}
