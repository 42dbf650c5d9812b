//! Single values: literals, keys of groups, what is sorted by.

use crate::decimal::Decimal;
use crate::ip::Ip;
use crate::moment::{Moment, MomentKind};
use std::cmp::Ordering;

/// A single value: a literal, the key of a group, what rows are sorted by.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// No value.
    Null,
    /// True or false.
    Boolean(bool),
    /// An integer of any width.
    Integer(i128),
    /// A float of 64 bits; one of 32 bits becomes one.
    Float(f64),
    /// A decimal.
    Decimal(Decimal),
    /// A date, a time of day or an instant.
    Moment(Moment),
    /// An IP address or a network.
    Ip(Ip),
    /// A text, a symbol of an enum, or the text of a UUID or a duration.
    Text(String),
    /// Bytes.
    Bytes(Vec<u8>),
}

/// A borrowed [`Scalar`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScalarRef<'v> {
    /// No value.
    Null,
    /// True or false.
    Boolean(bool),
    /// An integer of any width.
    Integer(i128),
    /// A float of 64 bits; one of 32 bits becomes one.
    Float(f64),
    /// A decimal.
    Decimal(&'v Decimal),
    /// A date, a time of day or an instant.
    Moment(Moment),
    /// An IP address or a network.
    Ip(Ip),
    /// A text, a symbol of an enum, or the text of a UUID or a duration.
    Text(&'v str),
    /// Bytes.
    Bytes(&'v [u8]),
}

impl Scalar {
    /// Borrows the value.
    pub fn get(&self) -> ScalarRef<'_> {
        match self {
            Self::Null => ScalarRef::Null,
            Self::Boolean(value) => ScalarRef::Boolean(*value),
            Self::Integer(value) => ScalarRef::Integer(*value),
            Self::Float(value) => ScalarRef::Float(*value),
            Self::Decimal(value) => ScalarRef::Decimal(value),
            Self::Moment(value) => ScalarRef::Moment(*value),
            Self::Ip(value) => ScalarRef::Ip(*value),
            Self::Text(value) => ScalarRef::Text(value),
            Self::Bytes(value) => ScalarRef::Bytes(value),
        }
    }
}

impl ScalarRef<'_> {
    /// Copies the value.
    pub fn to_scalar(self) -> Scalar {
        match self {
            Self::Null => Scalar::Null,
            Self::Boolean(value) => Scalar::Boolean(value),
            Self::Integer(value) => Scalar::Integer(value),
            Self::Float(value) => Scalar::Float(value),
            Self::Decimal(value) => Scalar::Decimal(value.clone()),
            Self::Moment(value) => Scalar::Moment(value),
            Self::Ip(value) => Scalar::Ip(value),
            Self::Text(value) => Scalar::Text(value.to_owned()),
            Self::Bytes(value) => Scalar::Bytes(value.to_owned()),
        }
    }

    /// Orders any two values: booleans, numbers, dates and instants, times of day, IP addresses, strings, bytes, nulls; numbers by
    /// their exact values, NaN after all others.
    pub fn order(self, other: Self) -> Ordering {
        let nan_last = |order: Option<Ordering>, one: bool, two: bool| order.unwrap_or_else(|| one.cmp(&two));
        match (self, other) {
            (Self::Boolean(one), Self::Boolean(two)) => one.cmp(&two),
            (Self::Integer(one), Self::Integer(two)) => one.cmp(&two),
            (Self::Float(one), Self::Float(two)) => {
                nan_last(one.partial_cmp(&two), one.is_nan(), two.is_nan())
            }
            (Self::Integer(one), Self::Float(two)) => nan_last(integer_to_float(one, two), false, true),
            (Self::Float(one), Self::Integer(two)) => {
                nan_last(integer_to_float(two, one).map(Ordering::reverse), true, false)
            }
            (Self::Decimal(one), Self::Decimal(two)) => one.cmp(two),
            (Self::Decimal(one), Self::Integer(two)) => one.cmp(&Decimal::of_integer(two)),
            (Self::Integer(one), Self::Decimal(two)) => Decimal::of_integer(one).cmp(two),
            (Self::Decimal(one), Self::Float(two)) => nan_last(one.order(two), false, true),
            (Self::Float(one), Self::Decimal(two)) => {
                nan_last(two.order(one).map(Ordering::reverse), true, false)
            }
            (Self::Moment(one), Self::Moment(two)) => {
                let is_time = |moment: Moment| moment.kind == MomentKind::Time;
                is_time(one).cmp(&is_time(two)).then(one.nanos.cmp(&two.nanos))
            }
            (Self::Ip(one), Self::Ip(two)) => one.cmp(&two),
            (Self::Text(one), Self::Text(two)) => one.cmp(two),
            (Self::Bytes(one), Self::Bytes(two)) => one.cmp(two),
            _ => self.kind().cmp(&other.kind()),
        }
    }

    pub(crate) fn kind(self) -> u8 {
        match self {
            Self::Boolean(_) => 0,
            Self::Integer(_) | Self::Float(_) | Self::Decimal(_) => 1,
            Self::Moment(_) => 2,
            Self::Ip(_) => 3,
            Self::Text(_) => 4,
            Self::Bytes(_) => 5,
            Self::Null => 6,
        }
    }

    /// Appends bytes that are equal for equal values only, whatever follows them: a key for hash tables.
    pub fn encode(self, out: &mut Vec<u8>) {
        let sized = |kind: u8, bytes: &[u8], out: &mut Vec<u8>| {
            out.push(kind);
            out.extend_from_slice(&(bytes.len() as u64).to_le_bytes());
            out.extend_from_slice(bytes);
        };
        match self {
            Self::Null => out.push(0),
            Self::Boolean(value) => out.push(1 + u8::from(value)),
            Self::Integer(value) => match i64::try_from(value) {
                Ok(value) => {
                    out.push(3);
                    out.extend_from_slice(&value.to_le_bytes());
                }
                Err(_) => {
                    out.push(4);
                    out.extend_from_slice(&value.to_le_bytes());
                }
            },
            // Equal to an integer, and so are both zeros.
            Self::Float(value) if value.trunc() == value && value.abs() < INTEGERS => {
                Self::Integer(value as i128).encode(out);
            }
            Self::Float(value) => {
                out.push(5);
                let value = if value.is_nan() { f64::NAN } else { value };
                out.extend_from_slice(&value.to_le_bytes());
            }
            Self::Decimal(value) => match value.to_integer() {
                Some(value) => Self::Integer(value).encode(out),
                None => sized(8, value.key().as_bytes(), out),
            },
            Self::Moment(value) => {
                // A date is equal to the start of its day.
                out.push(match value.kind {
                    MomentKind::Date | MomentKind::Instant => 9,
                    MomentKind::Time => 10,
                    MomentKind::Local => 11,
                });
                out.extend_from_slice(&value.nanos.to_le_bytes());
            }
            Self::Ip(value) => sized(12, &value.key(), out),
            Self::Text(value) => sized(6, value.as_bytes(), out),
            Self::Bytes(value) => sized(7, value, out),
        }
    }
}

/// 2 to the power of 127: floats below are integers of 128 bits, where they are whole.
const INTEGERS: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;

/// The exact order of an integer and a float; `None` for NaN.
pub(crate) fn integer_to_float(integer: i128, float: f64) -> Option<Ordering> {
    if float.is_nan() {
        return None;
    }
    if float >= INTEGERS {
        return Some(Ordering::Less);
    }
    if float < -INTEGERS {
        return Some(Ordering::Greater);
    }
    let floor = float.floor();
    Some(integer.cmp(&(floor as i128)).then(if floor < float { Ordering::Less } else { Ordering::Equal }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_exactly() {
        let large = (1i128 << 53) + 1;
        assert_eq!(integer_to_float(large, 9_007_199_254_740_992.0), Some(Ordering::Greater));
        assert_eq!(integer_to_float(2, 2.5), Some(Ordering::Less));
        assert_eq!(integer_to_float(-2, -2.5), Some(Ordering::Greater));
        assert_eq!(integer_to_float(i128::MAX, f64::INFINITY), Some(Ordering::Less));
        assert_eq!(integer_to_float(i128::MIN, -INTEGERS), Some(Ordering::Equal));
        assert_eq!(integer_to_float(0, f64::NAN), None);
    }

    #[test]
    fn equal_values_have_equal_bytes() {
        let bytes = |value: ScalarRef<'_>| {
            let mut out = Vec::new();
            value.encode(&mut out);
            out
        };
        assert_eq!(bytes(ScalarRef::Integer(3)), bytes(ScalarRef::Float(3.0)));
        assert_eq!(bytes(ScalarRef::Float(0.0)), bytes(ScalarRef::Float(-0.0)));
        assert_eq!(bytes(ScalarRef::Float(f64::NAN)), bytes(ScalarRef::Float(-f64::NAN)));
        assert_ne!(bytes(ScalarRef::Text("3")), bytes(ScalarRef::Integer(3)));
        assert_ne!(bytes(ScalarRef::Text("")), bytes(ScalarRef::Bytes(b"")));
    }
}
