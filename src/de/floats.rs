//! Floats that types ask for where a column has other numbers.

use super::scalar::Scalar;
use std::sync::atomic::{AtomicU8, Ordering};

/// The widths of floats that a column of numbers has been asked for, other than its own.
#[derive(Default)]
pub(crate) struct FloatsAsked(AtomicU8);

/// A width of floats.
#[derive(Clone, Copy)]
pub(super) enum Width {
    Single = 1,
    Double = 2,
}

impl FloatsAsked {
    /// Notes a width.
    pub(super) fn note(&self, width: Width) {
        self.0.fetch_or(width as u8, Ordering::Relaxed);
    }

    /// Whether it has been asked for none.
    pub(super) fn is_none(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }

    pub(super) fn has(&self, width: Width) -> bool {
        self.0.load(Ordering::Relaxed) & width as u8 != 0
    }
}

/// Numbers as floats; none where one of them is no float of this width.
pub(super) fn convert<T: Copy, F>(values: &[T], as_float: impl Fn(T) -> Option<F>) -> Option<Vec<F>> {
    let mut floats = Vec::with_capacity(values.len());
    for value in values {
        floats.push(as_float(*value)?);
    }
    Some(floats)
}

/// Integers up to here, and down to the same below 0, are floats of 32 bits.
const MAX_SINGLE: u64 = 1 << f32::MANTISSA_DIGITS;

/// The same for 64 bits.
const MAX_DOUBLE: u64 = 1 << f64::MANTISSA_DIGITS;

impl Scalar {
    /// The number as a float of 64 bits, where it is one.
    #[inline]
    pub(super) fn as_f64(self) -> Option<f64> {
        match self {
            Self::Byte(value) => Some(f64::from(value)),
            Self::Int(value) => Some(f64::from(value)),
            Self::Long(value) => (value.unsigned_abs() <= MAX_DOUBLE).then_some(value as f64),
            Self::Unsigned(value) => (value <= MAX_DOUBLE).then_some(value as f64),
            // The sign of what is no number may change otherwise.
            Self::Float(value) => Some(f64::from(value).copysign(f64::from(1_f32.copysign(value)))),
            Self::Double(value) => Some(value),
            Self::Boolean(_) | Self::I128(_) | Self::U128(_) => None,
        }
    }

    /// The number as a float of 32 bits, where it is one. Floats of 64 bits are rounded, as serde does it.
    #[inline]
    pub(super) fn as_f32(self) -> Option<f32> {
        match self {
            Self::Byte(value) => Some(f32::from(value)),
            Self::Int(value) => (u64::from(value.unsigned_abs()) <= MAX_SINGLE).then_some(value as f32),
            Self::Long(value) => (value.unsigned_abs() <= MAX_SINGLE).then_some(value as f32),
            Self::Unsigned(value) => (value <= MAX_SINGLE).then_some(value as f32),
            Self::Float(value) => Some(value),
            Self::Double(value) => Some((value as f32).copysign(1_f64.copysign(value) as f32)),
            Self::Boolean(_) | Self::I128(_) | Self::U128(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_floats_where_they_are_exact() {
        for value in [0, 1, -1, 1 << 53, -(1 << 53)] {
            assert_eq!(Scalar::Long(value).as_f64(), Some(value as f64));
        }
        for value in [(1 << 53) + 1, -(1 << 53) - 1, i64::MAX, i64::MIN] {
            assert_eq!(Scalar::Long(value).as_f64(), None);
        }
        assert_eq!(Scalar::Unsigned(1 << 53).as_f64(), Some(9_007_199_254_740_992.0));
        assert_eq!(Scalar::Unsigned(u64::MAX).as_f64(), None);
        assert_eq!(Scalar::Int(i32::MIN).as_f64(), Some(-2_147_483_648.0));
        assert_eq!(Scalar::Int(1 << 24).as_f32(), Some(16_777_216.0));
        assert_eq!(Scalar::Int((1 << 24) + 1).as_f32(), None);
        assert_eq!(Scalar::Int(i32::MIN).as_f32(), None);
        assert_eq!(Scalar::Boolean(true).as_f64(), None);
    }

    #[test]
    fn floats_are_floats_of_other_widths() {
        for value in [0.0_f32, -0.0, 0.1, -1.5, f32::MAX, f32::MIN_POSITIVE, f32::INFINITY] {
            assert_eq!(Scalar::Float(value).as_f64().map(f64::to_bits), Some(f64::from(value).to_bits()));
            assert_eq!(Scalar::Double(f64::from(value)).as_f32().map(f32::to_bits), Some(value.to_bits()));
        }
        assert_eq!(Scalar::Double(0.1).as_f32(), Some(0.1));
        assert_eq!(Scalar::Double(1e300).as_f32(), Some(f32::INFINITY));
        for nan in [f32::NAN, -f32::NAN] {
            let wide = Scalar::Float(nan).as_f64().unwrap();
            assert!(wide.is_nan() && wide.is_sign_negative() == nan.is_sign_negative());
            let narrow = Scalar::Double(wide).as_f32().unwrap();
            assert!(narrow.is_nan() && narrow.is_sign_negative() == nan.is_sign_negative());
        }
    }

    #[test]
    fn widths_are_noted() {
        let asked = FloatsAsked::default();
        asked.note(Width::Double);
        assert!(asked.has(Width::Double) && !asked.has(Width::Single));
        asked.note(Width::Single);
        assert!(asked.has(Width::Double) && asked.has(Width::Single));
    }
}
