//! Numbers and booleans of any kind.

use serde::Serialize;
use serde::de::{Error, Unexpected, Visitor};
use std::fmt::Display;

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
