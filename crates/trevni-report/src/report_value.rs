//! A single value without its vector: bounds, and values that reports name.

use serde::{Serialize, Serializer};
use std::fmt;
use trevni::column::{Bound, ColumnInfo, ValueType};
use trevni::shape::LogicalShape;
use trevni::{Shape, ValueRef};
use trevni_print::rows::{Hex, no_number};

/// A number, text or the like. As JSON it is what [`crate::rows::Json`] prints for it.
#[derive(Clone, Debug, PartialEq)]
pub enum ReportValue {
    Boolean(bool),
    Integer(i128),
    Unsigned(u128),
    Single(f32),
    Double(f64),
    Text(String),
    Bytes(Vec<u8>),
}

impl ReportValue {
    /// A bound of a zone map. Of a long text it is only the start.
    pub(crate) fn of_bound(column: &ColumnInfo, bound: &Bound) -> Self {
        match bound {
            Bound::Boolean(value) => Self::Boolean(*value),
            Bound::Integer(value) => Self::Integer((*value).into()),
            Bound::Float(value) if column.value_type() == ValueType::Float => Self::Single(*value as f32),
            Bound::Float(value) => Self::Double(*value),
            Bound::Bytes(value) if column.value_type() == ValueType::String => {
                Self::Text(String::from_utf8_lossy(value).into_owned())
            }
            Bound::Bytes(value) => Self::Bytes(value.clone()),
            // Of types that this program does not know yet.
            bound => Self::Text(format!("{bound:?}")),
        }
    }

    /// The string of a value of a logical type; the value itself if it has no string. A decimal may be its unscaled value.
    pub(crate) fn with_text(self, logical: &LogicalShape) -> Self {
        let text = match (&self, &logical.storage) {
            (Self::Integer(value), Shape::Int) => {
                i32::try_from(*value).ok().and_then(|value| logical.text(ValueRef::Int(value)))
            }
            (Self::Integer(value), Shape::Long) => {
                i64::try_from(*value).ok().and_then(|value| logical.text(ValueRef::Long(value)))
            }
            (Self::Integer(value), _) => logical.text(ValueRef::Bytes(&value.to_be_bytes())),
            (Self::Bytes(bytes), _) => logical.text(ValueRef::Bytes(bytes)),
            _ => None,
        };
        text.map_or(self, Self::Text)
    }
}

impl fmt::Display for ReportValue {
    /// As JSON, but strings without quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => f.write_str(text),
            Self::Bytes(bytes) => Hex(bytes).fmt(f),
            Self::Single(value) if !value.is_finite() => f.write_str(no_number(f64::from(*value))),
            Self::Double(value) if !value.is_finite() => f.write_str(no_number(*value)),
            other => f.write_str(&serde_json::to_string(other).map_err(|_| fmt::Error)?),
        }
    }
}

impl Serialize for ReportValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Boolean(value) => serializer.serialize_bool(*value),
            Self::Integer(value) => match i64::try_from(*value) {
                Ok(value) => serializer.serialize_i64(value),
                Err(_) => serializer.serialize_i128(*value),
            },
            Self::Unsigned(value) => match u64::try_from(*value) {
                Ok(value) => serializer.serialize_u64(value),
                Err(_) => serializer.serialize_u128(*value),
            },
            Self::Single(value) if value.is_finite() => serializer.serialize_f32(*value),
            Self::Double(value) if value.is_finite() => serializer.serialize_f64(*value),
            Self::Single(value) => serializer.serialize_str(no_number(f64::from(*value))),
            Self::Double(value) => serializer.serialize_str(no_number(*value)),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Bytes(_) => serializer.collect_str(self),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_as_rows_print_them() {
        let values = [
            (ReportValue::Integer(i128::MIN), i128::MIN.to_string()),
            (ReportValue::Unsigned(7), "7".to_owned()),
            (ReportValue::Single(0.1), "0.1".to_owned()),
            (ReportValue::Double(f64::NEG_INFINITY), "\"-Infinity\"".to_owned()),
            (ReportValue::Text("a\"".to_owned()), "\"a\\\"\"".to_owned()),
            (ReportValue::Bytes(vec![0, 255]), "\"00ff\"".to_owned()),
        ];
        for (value, json) in values {
            assert_eq!(serde_json::to_string(&value).unwrap(), json);
        }
        assert_eq!(
            (ReportValue::Text("a\"".to_owned()).to_string(), ReportValue::Bytes(vec![0, 255]).to_string()),
            ("a\"".to_owned(), "00ff".to_owned())
        );
    }
}
