//! Vectors without children to arrays. Numbers of the same width move.

use super::super::decimal::Integer;
use super::target::Target;
use super::{dictionary, differs, text};
use crate::error::{Error, Result};
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, IntervalDayTimeType,
    IntervalMonthDayNanoType, IntervalYearMonthType, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{ArrayRef, BooleanArray, PrimitiveArray};
use arrow_buffer::{BooleanBuffer, IntervalDayTime, IntervalMonthDayNano};
use arrow_schema::{DataType, TimeUnit};
use std::sync::Arc;
use trevni::{Binaries, Shape, Vector};

/// The values of a vector without children, at their places.
pub(super) fn values(shape: &Shape, vector: Vector, target: &Target<'_>) -> Result<ArrayRef> {
    match vector {
        Vector::Boolean(values) => {
            let values = BooleanBuffer::from(target.spread(values));
            Ok(Arc::new(BooleanArray::new(values, target.nulls())))
        }
        Vector::Int(values) => ints(values, target),
        Vector::Long(values) => longs(values, target),
        Vector::Float(values) => match target.data_type {
            DataType::Float32 => primitive::<Float32Type>(values, target),
            DataType::Float16 => {
                tried::<Float16Type, _>(values, |value| Some(half::f16::from_f32(value)), target)
            }
            _ => Err(differs()),
        },
        Vector::Double(values) => match target.data_type {
            DataType::Float64 => primitive::<Float64Type>(values, target),
            _ => Err(differs()),
        },
        Vector::String(texts) => {
            let (buffer, spans) = texts.into_parts();
            text::texts(buffer.into_bytes(), &spans, target)
        }
        Vector::Enum(ordinals) => match shape {
            Shape::Enum(symbols) => text::symbols(symbols, &ordinals, target),
            _ => Err(differs()),
        },
        Vector::Bytes(bytes) => self::bytes(shape, bytes, target),
        Vector::Dictionary(values) => dictionary::values(shape, *values, target),
        _ => Err(differs()),
    }
}

fn ints(values: Vec<i32>, target: &Target<'_>) -> Result<ArrayRef> {
    use DataType as D;
    match target.data_type {
        D::Int32 => primitive::<Int32Type>(values, target),
        D::Date32 => primitive::<Date32Type>(values, target),
        D::Time32(TimeUnit::Millisecond) => primitive::<Time32MillisecondType>(values, target),
        D::Time32(_) => {
            tried::<Time32SecondType, _>(values, |value| (value % 1000 == 0).then_some(value / 1000), target)
        }
        D::Interval(_) => primitive::<IntervalYearMonthType>(values, target),
        D::Int8 => tried::<Int8Type, _>(values, |value| value.try_into().ok(), target),
        D::Int16 => tried::<Int16Type, _>(values, |value| value.try_into().ok(), target),
        D::UInt8 => tried::<UInt8Type, _>(values, |value| value.try_into().ok(), target),
        D::UInt16 => tried::<UInt16Type, _>(values, |value| value.try_into().ok(), target),
        _ => Err(differs()),
    }
}

fn longs(values: Vec<i64>, target: &Target<'_>) -> Result<ArrayRef> {
    use DataType as D;
    use TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
    match target.data_type {
        D::Int64 => primitive::<Int64Type>(values, target),
        D::UInt32 => tried::<UInt32Type, _>(values, |value| value.try_into().ok(), target),
        D::UInt64 => tried::<UInt64Type, _>(values, |value| Some(value.cast_unsigned()), target),
        D::Date64 => primitive::<Date64Type>(values, target),
        D::Time64(Nanosecond) => primitive::<Time64NanosecondType>(values, target),
        D::Time64(_) => primitive::<Time64MicrosecondType>(values, target),
        D::Timestamp(Second, _) => tried::<TimestampSecondType, _>(
            values,
            |value| (value % 1000 == 0).then_some(value / 1000),
            target,
        ),
        D::Timestamp(Millisecond, _) => primitive::<TimestampMillisecondType>(values, target),
        D::Timestamp(Microsecond, _) => primitive::<TimestampMicrosecondType>(values, target),
        D::Timestamp(Nanosecond, _) => primitive::<TimestampNanosecondType>(values, target),
        D::Duration(Second) => primitive::<DurationSecondType>(values, target),
        D::Duration(Millisecond) => primitive::<DurationMillisecondType>(values, target),
        D::Duration(Microsecond) => primitive::<DurationMicrosecondType>(values, target),
        D::Duration(Nanosecond) => primitive::<DurationNanosecondType>(values, target),
        _ => Err(differs()),
    }
}

/// Byte strings, and what is stored as such.
pub(super) fn bytes(shape: &Shape, values: Binaries, target: &Target<'_>) -> Result<ArrayRef> {
    use DataType as D;
    let is_unsigned = *shape == Shape::U128;
    match target.data_type {
        D::Decimal32(..) => decimals::<Decimal32Type>(&values, is_unsigned, target),
        D::Decimal64(..) => decimals::<Decimal64Type>(&values, is_unsigned, target),
        D::Decimal128(..) => decimals::<Decimal128Type>(&values, is_unsigned, target),
        D::Decimal256(..) => decimals::<Decimal256Type>(&values, is_unsigned, target),
        D::Interval(_) => {
            let parts = values.iter().map(duration).collect::<Option<Vec<_>>>();
            let parts =
                parts.ok_or_else(|| Error::value("a duration has more months or days than fit 31 bits"))?;
            primitive::<IntervalMonthDayNanoType>(parts, target)
        }
        D::Utf8 | D::LargeUtf8 | D::Utf8View => {
            let (buffer, spans) = values.into_parts();
            text::texts(buffer, &spans, target)
        }
        _ => {
            let (buffer, spans) = values.into_parts();
            text::bytes(buffer, &spans, target)
        }
    }
}

/// Months, days and milliseconds, each four bytes, little-endian.
fn duration(bytes: &[u8]) -> Option<IntervalMonthDayNano> {
    let (parts, _) = bytes.as_chunks::<4>();
    let [months, days, milliseconds] = parts else { return None };
    let [months, days] = [months, days].map(|part| i32::try_from(u32::from_le_bytes(*part)));
    let nanoseconds = i64::from(u32::from_le_bytes(*milliseconds)) * 1_000_000;
    Some(IntervalMonthDayNano::new(months.ok()?, days.ok()?, nanoseconds))
}

/// Intervals of their parts.
pub(super) fn intervals(vector: Vector, target: &Target<'_>) -> Result<ArrayRef> {
    let Vector::Record(record) = vector else { return Err(differs()) };
    match &record.fields[..] {
        [Vector::Int(days), Vector::Int(milliseconds)] => {
            let parts = days.iter().zip(milliseconds);
            let parts = parts.map(|(days, milliseconds)| IntervalDayTime::new(*days, *milliseconds));
            primitive::<IntervalDayTimeType>(parts.collect(), target)
        }
        [Vector::Int(months), Vector::Int(days), Vector::Long(nanoseconds)] => {
            let parts = months.iter().zip(days).zip(nanoseconds);
            let parts = parts
                .map(|((months, days), nanoseconds)| IntervalMonthDayNano::new(*months, *days, *nanoseconds));
            primitive::<IntervalMonthDayNanoType>(parts.collect(), target)
        }
        _ => Err(differs()),
    }
}

fn decimals<T: ArrowPrimitiveType<Native: Integer>>(
    values: &Binaries,
    is_unsigned: bool,
    target: &Target<'_>,
) -> Result<ArrayRef> {
    let integers = values.iter().map(|bytes| T::Native::read(bytes, is_unsigned));
    match integers.collect::<Option<Vec<_>>>() {
        Some(integers) => primitive::<T>(integers, target),
        None => Err(Error::value(format!("a decimal is too large for {}", target.data_type))),
    }
}

fn tried<T: ArrowPrimitiveType, S>(
    values: Vec<S>,
    convert: impl FnMut(S) -> Option<T::Native>,
    target: &Target<'_>,
) -> Result<ArrayRef> {
    match values.into_iter().map(convert).collect::<Option<Vec<_>>>() {
        Some(values) => primitive::<T>(values, target),
        None => Err(Error::value(format!("a value is not one of {}", target.data_type))),
    }
}

fn primitive<T: ArrowPrimitiveType>(values: Vec<T::Native>, target: &Target<'_>) -> Result<ArrayRef> {
    let values = target.spread(values);
    let array = PrimitiveArray::<T>::try_new(values.into(), target.nulls())?;
    // Zones, precisions and scales.
    Ok(Arc::new(array.with_data_type(target.data_type.clone())))
}
