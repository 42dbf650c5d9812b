//! The number that has the values of two others.

use arrow_schema::{
    DECIMAL32_MAX_PRECISION, DECIMAL64_MAX_PRECISION, DECIMAL128_MAX_PRECISION, DECIMAL256_MAX_PRECISION,
    DataType,
};

/// The number of the values of both; `None` where one is no number, or no number type holds both.
pub(super) fn joined(one: &DataType, two: &DataType) -> Option<DataType> {
    let is_number = |data_type: &DataType| data_type.is_integer() || Decimal::of(data_type).is_some();
    match (one.is_floating(), two.is_floating()) {
        (true, true) => Some(if float_bytes(one)? < float_bytes(two)? { two } else { one }.clone()),
        (true, false) => is_number(two).then_some(DataType::Float64),
        (false, true) => is_number(one).then_some(DataType::Float64),
        (false, false) => integer(one, two).or_else(|| decimal(one, two)),
    }
}

fn float_bytes(data_type: &DataType) -> Option<usize> {
    data_type.primitive_width()
}

/// The narrowest integer that has the values of both; where one has a sign and the other 64 bits without, there is none.
pub(super) fn integer(one: &DataType, two: &DataType) -> Option<DataType> {
    if !one.is_integer() || !two.is_integer() {
        return None;
    }
    let (bytes, other) = (one.primitive_width()?, two.primitive_width()?);
    let (is_signed, other_is) = (one.is_signed_integer(), two.is_signed_integer());
    let needed = match (is_signed, other_is) {
        (true, false) => bytes.max(other * 2),
        (false, true) => other.max(bytes * 2),
        _ => bytes.max(other),
    };
    Some(match (is_signed || other_is, needed) {
        (true, 1) => DataType::Int8,
        (true, 2) => DataType::Int16,
        (true, 4) => DataType::Int32,
        (true, 8) => DataType::Int64,
        (false, 1) => DataType::UInt8,
        (false, 2) => DataType::UInt16,
        (false, 4) => DataType::UInt32,
        (false, 8) => DataType::UInt64,
        _ => return None,
    })
}

/// A decimal, or an integer as one.
struct Decimal {
    /// The digits that its type has at most; 0 for integers.
    most: u8,
    /// Digits before and after the point.
    whole: i16,
    scale: i16,
}

impl Decimal {
    fn of(data_type: &DataType) -> Option<Self> {
        let of = |most, precision: u8, scale: i8| {
            let scale = i16::from(scale);
            Some(Self { most, whole: i16::from(precision) - scale, scale })
        };
        match data_type {
            DataType::Decimal32(precision, scale) => of(DECIMAL32_MAX_PRECISION, *precision, *scale),
            DataType::Decimal64(precision, scale) => of(DECIMAL64_MAX_PRECISION, *precision, *scale),
            DataType::Decimal128(precision, scale) => of(DECIMAL128_MAX_PRECISION, *precision, *scale),
            DataType::Decimal256(precision, scale) => of(DECIMAL256_MAX_PRECISION, *precision, *scale),
            DataType::Int8 | DataType::UInt8 => of(0, 3, 0),
            DataType::Int16 | DataType::UInt16 => of(0, 5, 0),
            DataType::Int32 | DataType::UInt32 => of(0, 10, 0),
            DataType::Int64 => of(0, 19, 0),
            DataType::UInt64 => of(0, 20, 0),
            _ => None,
        }
    }
}

/// The decimal with the digits of both before and after the point. Integers alone are one that all engines have.
fn decimal(one: &DataType, two: &DataType) -> Option<DataType> {
    let (one, two) = (Decimal::of(one)?, Decimal::of(two)?);
    let scale = one.scale.max(two.scale);
    let precision = u8::try_from(one.whole.max(two.whole).max(0) + scale).ok()?;
    let scale = i8::try_from(scale).ok()?;
    let most = match one.most.max(two.most) {
        0 => DECIMAL128_MAX_PRECISION,
        most => most,
    };
    let digits = most.max(precision);
    Some(if digits <= DECIMAL32_MAX_PRECISION {
        DataType::Decimal32(precision, scale)
    } else if digits <= DECIMAL64_MAX_PRECISION {
        DataType::Decimal64(precision, scale)
    } else if digits <= DECIMAL128_MAX_PRECISION {
        DataType::Decimal128(precision, scale)
    } else if digits <= DECIMAL256_MAX_PRECISION {
        DataType::Decimal256(precision, scale)
    } else {
        return None;
    })
}
