//! Numbers and booleans of any kind: as floats that types ask for, and as values of logical types.

use crate::logical::{Stored, Texts, ip};
use crate::shape::IpFamily;
use serde::Serialize;
use serde::de::{Error, Unexpected, Visitor};
use std::fmt::Display;
use std::sync::atomic::{AtomicU8, Ordering};

/// A value that is one number or boolean, as the file has it.
#[derive(Clone, Copy)]
pub(super) enum Scalar {
    Boolean(bool),
    Byte(u8),
    Int(i32),
    Long(i64),
    Unsigned(u64),
    Float(f32),
    Double(f64),
    I128(i128),
    U128(u128),
}

impl Scalar {
    /// An integer of 128 bits from its 16 bytes.
    pub(super) fn wide(bytes: Option<&[u8]>, signed: bool) -> Option<Self> {
        let value = i128::from_be_bytes(bytes?.try_into().ok()?);
        if !signed && value < 0 {
            return Some(Self::U128(value.cast_unsigned()));
        }
        Some(match (i64::try_from(value), u64::try_from(value)) {
            (Ok(value), _) => Self::Long(value),
            (_, Ok(value)) => Self::Unsigned(value),
            _ => Self::I128(value),
        })
    }

    /// An integer as the narrowest of 64 bits or more.
    pub(super) fn integer(value: i128) -> Option<Self> {
        Self::wide(Some(&value.to_be_bytes()), true)
    }

    #[inline]
    pub(super) fn visit<'de, V: Visitor<'de>, E: Error>(self, visitor: V) -> Result<V::Value, E> {
        match self {
            Self::Boolean(value) => visitor.visit_bool(value),
            Self::Byte(value) => visitor.visit_u8(value),
            Self::Int(value) => visitor.visit_i32(value),
            Self::Long(value) => visitor.visit_i64(value),
            Self::Unsigned(value) => visitor.visit_u64(value),
            Self::Float(value) => visitor.visit_f32(value),
            Self::Double(value) => visitor.visit_f64(value),
            Self::I128(value) => visitor.visit_i128(value),
            Self::U128(value) => visitor.visit_u128(value),
        }
    }

    /// The decimal text of an integer of more than 64 bits: what is read without a type seldom takes such a number,
    /// and says so only after it has seen it.
    pub(super) fn wide_text(self) -> Option<String> {
        match self {
            Self::I128(value) => Some(value.to_string()),
            Self::U128(value) => Some(value.to_string()),
            _ => None,
        }
    }

    /// What it is, for errors.
    pub(super) fn unexpected(self) -> Unexpected<'static> {
        match self {
            Self::Boolean(value) => Unexpected::Bool(value),
            Self::Byte(value) => Unexpected::Unsigned(value.into()),
            Self::Int(value) => Unexpected::Signed(value.into()),
            Self::Long(value) => Unexpected::Signed(value),
            Self::Unsigned(value) => Unexpected::Unsigned(value),
            Self::Float(value) => Unexpected::Float(value.into()),
            Self::Double(value) => Unexpected::Float(value),
            Self::I128(_) | Self::U128(_) => Unexpected::Other("integer of 128 bits"),
        }
    }

    /// Its text, as the key of a map.
    pub(super) fn text(self) -> String {
        match self {
            Self::Boolean(value) => value.to_string(),
            Self::Byte(value) => value.to_string(),
            Self::Int(value) => value.to_string(),
            Self::Long(value) => value.to_string(),
            Self::Unsigned(value) => value.to_string(),
            Self::Float(value) => float_text(value),
            Self::Double(value) => float_text(value),
            Self::I128(value) => value.to_string(),
            Self::U128(value) => value.to_string(),
        }
    }
}

/// The text of a float, as serde_json has it; what JSON has no text for is `NaN`, `inf` or `-inf`.
fn float_text(value: impl Serialize + Display + Into<f64> + Copy) -> String {
    match serde_json::to_string(&value) {
        Ok(text) if value.into().is_finite() => text,
        _ => value.to_string(),
    }
}

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

/// Numbers as floats; `None` where one of them is no float of this width.
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

/// The canonical string of a value, if it has one.
pub(super) fn text(texts: Texts, value: Stored<'_>) -> Option<String> {
    let mut out = String::with_capacity(texts.usual_length());
    texts.format(value, &mut out).then_some(out)
}

/// The number that a value stored as bytes is: a decimal without a fraction, a UUID, or an address of a known family.
pub(super) fn integer(texts: Texts, bytes: &[u8]) -> Option<Scalar> {
    match texts {
        Texts::Decimal(_) => {
            let text = text(texts, Stored::Bytes(bytes))?;
            let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
            let is_whole = fraction.bytes().all(|digit| digit == b'0');
            Scalar::integer(is_whole.then(|| whole.parse().ok())??)
        }
        Texts::Uuid => Some(Scalar::U128(u128::from_be_bytes(bytes.try_into().ok()?))),
        Texts::Ip(ip::Form { family: IpFamily::V4, is_network: false }) => {
            Scalar::integer(u32::from_be_bytes(bytes.try_into().ok()?).into())
        }
        Texts::Ip(ip::Form { family: IpFamily::V6, is_network: false }) => {
            Some(Scalar::U128(u128::from_be_bytes(bytes.try_into().ok()?)))
        }
        _ => None,
    }
}

/// The number nearest to a decimal.
pub(super) fn double(texts: Texts, bytes: &[u8]) -> Option<f64> {
    match texts {
        Texts::Decimal(_) => text(texts, Stored::Bytes(bytes))?.parse().ok(),
        _ => None,
    }
}

/// A number of a column as one of the type that a mark names; `None` where it is not exact, or of another kind.
pub(super) fn marked(name: &str, texts: Texts, number: i64) -> Option<i64> {
    texts.convert(number, Texts::from_mark(name)?)
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
