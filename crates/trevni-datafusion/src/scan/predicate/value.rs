//! Values of the engine as literals of predicates.

use super::field::Kind;
use datafusion::arrow::datatypes::{DataType, Decimal32Type, Decimal64Type, Decimal128Type, DecimalType};
use datafusion::scalar::ScalarValue;
use trevni::predicate::Literal;

/// A value as it compares with those of a field; `None` where it is null, of another type, or compares otherwise.
pub(super) fn literal(value: &ScalarValue, kind: Kind, data_type: &DataType) -> Option<Literal> {
    if let ScalarValue::Dictionary(_, value) = value {
        return literal(value, kind, data_type);
    }
    if value.is_null() || !is_same(&value.data_type(), data_type) {
        return None;
    }
    match kind {
        Kind::Boolean => match value {
            ScalarValue::Boolean(Some(value)) => Some((*value).into()),
            _ => None,
        },
        Kind::Integer(unit) => Some((integer(value)? * i128::from(unit)).into()),
        Kind::Float => float(value).filter(|value| !value.is_nan()).map(Literal::from),
        Kind::Text => value.try_as_str()?.map(Literal::from),
        Kind::Bytes => bytes(value).map(Literal::from),
        Kind::Decimal => decimal(value).map(Literal::from),
    }
}

/// Whether values of two types are the same where they look the same.
fn is_same(one: &DataType, two: &DataType) -> bool {
    match (one, two) {
        (one, DataType::Dictionary(_, two)) => is_same(one, two),
        (DataType::Timestamp(one, _), DataType::Timestamp(two, _)) => one == two,
        (DataType::FixedSizeBinary(_), two) => two.is_binary(),
        (one, two) => one == two || one.is_string() && two.is_string() || one.is_binary() && two.is_binary(),
    }
}

fn integer(value: &ScalarValue) -> Option<i128> {
    Some(match value {
        ScalarValue::Int8(value) => i128::from((*value)?),
        ScalarValue::Int16(value) => i128::from((*value)?),
        ScalarValue::Int32(value) | ScalarValue::Date32(value) => i128::from((*value)?),
        ScalarValue::Time32Second(value) | ScalarValue::Time32Millisecond(value) => i128::from((*value)?),
        ScalarValue::Int64(value) | ScalarValue::Date64(value) => i128::from((*value)?),
        ScalarValue::Time64Microsecond(value) | ScalarValue::Time64Nanosecond(value) => i128::from((*value)?),
        ScalarValue::TimestampSecond(value, _) | ScalarValue::TimestampMillisecond(value, _) => {
            i128::from((*value)?)
        }
        ScalarValue::TimestampMicrosecond(value, _) | ScalarValue::TimestampNanosecond(value, _) => {
            i128::from((*value)?)
        }
        ScalarValue::DurationSecond(value) | ScalarValue::DurationMillisecond(value) => i128::from((*value)?),
        ScalarValue::DurationMicrosecond(value) | ScalarValue::DurationNanosecond(value) => {
            i128::from((*value)?)
        }
        ScalarValue::UInt8(value) => i128::from((*value)?),
        ScalarValue::UInt16(value) => i128::from((*value)?),
        ScalarValue::UInt32(value) => i128::from((*value)?),
        ScalarValue::UInt64(value) => i128::from((*value)?),
        _ => return None,
    })
}

fn float(value: &ScalarValue) -> Option<f64> {
    match value {
        ScalarValue::Float32(value) => value.map(f64::from),
        ScalarValue::Float64(value) => *value,
        _ => None,
    }
}

fn bytes(value: &ScalarValue) -> Option<Vec<u8>> {
    match value {
        ScalarValue::Binary(value) | ScalarValue::LargeBinary(value) | ScalarValue::BinaryView(value) => {
            value.clone()
        }
        ScalarValue::FixedSizeBinary(_, value) => value.clone(),
        _ => None,
    }
}

fn decimal(value: &ScalarValue) -> Option<String> {
    match value {
        ScalarValue::Decimal32(value, p, s) => Some(Decimal32Type::format_decimal((*value)?, *p, *s)),
        ScalarValue::Decimal64(value, p, s) => Some(Decimal64Type::format_decimal((*value)?, *p, *s)),
        ScalarValue::Decimal128(value, p, s) => Some(Decimal128Type::format_decimal((*value)?, *p, *s)),
        _ => None,
    }
}
