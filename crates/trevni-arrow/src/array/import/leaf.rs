//! Arrays without children to vectors.

use super::super::decimal::Integer;
use crate::error::{Error, Result};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type,
    DurationMicrosecondType, DurationMillisecondType, DurationNanosecondType, DurationSecondType,
    Float16Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type, Int64Type, IntervalDayTimeType,
    IntervalMonthDayNanoType, IntervalYearMonthType, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, IntervalUnit, TimeUnit};
use std::collections::HashMap;
use trevni::shape::EnumShape;
use trevni::vector::RecordVector;
use trevni::{Binaries, Shape, Strings, Vector};

/// The values of an array without children that are valid; none of other arrays.
pub(super) fn values(shape: &Shape, array: &ArrayRef, valid: Option<&NullBuffer>) -> Result<Option<Vector>> {
    use DataType as D;
    use TimeUnit::{Microsecond, Millisecond, Nanosecond, Second};
    let all = Values { array, valid };
    Ok(Some(match array.data_type() {
        D::Null => Vector::Null(all.len()),
        D::Boolean => {
            let values = array.as_boolean().values();
            Vector::Boolean(all.indices().map(|index| values.value(index)).collect())
        }
        D::Int8 => all.mapped::<Int8Type, i32>(i32::from).into(),
        D::Int16 => all.mapped::<Int16Type, i32>(i32::from).into(),
        D::Int32 => all.same::<Int32Type>().into(),
        D::UInt8 => all.mapped::<UInt8Type, i32>(i32::from).into(),
        D::UInt16 => all.mapped::<UInt16Type, i32>(i32::from).into(),
        D::Date32 => all.same::<Date32Type>().into(),
        D::Time32(Second) => all.tried::<Time32SecondType, i32>(|seconds| seconds.checked_mul(1000))?.into(),
        D::Time32(_) => all.same::<Time32MillisecondType>().into(),
        D::Interval(IntervalUnit::YearMonth) => all.same::<IntervalYearMonthType>().into(),
        D::Int64 => all.same::<Int64Type>().into(),
        D::UInt32 => all.mapped::<UInt32Type, i64>(i64::from).into(),
        // The bits, as a long.
        D::UInt64 => all.mapped::<UInt64Type, i64>(u64::cast_signed).into(),
        D::Date64 => all.same::<Date64Type>().into(),
        D::Time64(Nanosecond) => all.same::<Time64NanosecondType>().into(),
        D::Time64(_) => all.same::<Time64MicrosecondType>().into(),
        D::Timestamp(Second, _) => {
            all.tried::<TimestampSecondType, i64>(|seconds| seconds.checked_mul(1000))?.into()
        }
        D::Timestamp(Millisecond, _) => all.same::<TimestampMillisecondType>().into(),
        D::Timestamp(Microsecond, _) => all.same::<TimestampMicrosecondType>().into(),
        D::Timestamp(Nanosecond, _) => all.same::<TimestampNanosecondType>().into(),
        D::Duration(Second) => all.same::<DurationSecondType>().into(),
        D::Duration(Millisecond) => all.same::<DurationMillisecondType>().into(),
        D::Duration(Microsecond) => all.same::<DurationMicrosecondType>().into(),
        D::Duration(Nanosecond) => all.same::<DurationNanosecondType>().into(),
        D::Float16 => all.mapped::<Float16Type, f32>(half::f16::to_f32).into(),
        D::Float32 => all.same::<Float32Type>().into(),
        D::Float64 => all.same::<Float64Type>().into(),
        D::Decimal32(..) => all.decimals::<Decimal32Type>(shape)?,
        D::Decimal64(..) => all.decimals::<Decimal64Type>(shape)?,
        D::Decimal128(..) => all.decimals::<Decimal128Type>(shape)?,
        D::Decimal256(..) => all.decimals::<Decimal256Type>(shape)?,
        D::Interval(IntervalUnit::DayTime) => {
            let parts = array.as_primitive::<IntervalDayTimeType>().values();
            let part = |index| parts.get(index).copied().unwrap_or_default();
            let days = all.indices().map(|index| part(index).days).collect::<Vec<i32>>();
            let milliseconds = all.indices().map(|index| part(index).milliseconds).collect::<Vec<i32>>();
            RecordVector::new(days.len(), vec![days.into(), milliseconds.into()]).into()
        }
        D::Interval(IntervalUnit::MonthDayNano) => all.intervals(shape)?,
        D::FixedSizeBinary(_) => {
            let array = array.as_fixed_size_binary();
            all.bytes(|index| array.value(index))?
        }
        D::Binary => {
            let array = array.as_binary::<i32>();
            all.bytes(|index| array.value(index))?
        }
        D::LargeBinary => {
            let array = array.as_binary::<i64>();
            all.bytes(|index| array.value(index))?
        }
        D::BinaryView => {
            let array = array.as_binary_view();
            all.bytes(|index| array.value(index))?
        }
        D::Utf8 => {
            let array = array.as_string::<i32>();
            all.texts(shape, |index| array.value(index))?
        }
        D::LargeUtf8 => {
            let array = array.as_string::<i64>();
            all.texts(shape, |index| array.value(index))?
        }
        D::Utf8View => {
            let array = array.as_string_view();
            all.texts(shape, |index| array.value(index))?
        }
        _ => return Ok(None),
    }))
}

/// The values of an array that are there.
struct Values<'a> {
    array: &'a ArrayRef,
    valid: Option<&'a NullBuffer>,
}

impl<'a> Values<'a> {
    fn len(&self) -> usize {
        self.array.len() - self.valid.map_or(0, NullBuffer::null_count)
    }

    /// Their positions.
    fn indices(&self) -> Box<dyn Iterator<Item = usize> + 'a> {
        match self.valid {
            Some(valid) => Box::new(valid.valid_indices()),
            None => Box::new(0..self.array.len()),
        }
    }

    fn same<T: ArrowPrimitiveType>(&self) -> Vec<T::Native> {
        let values = self.array.as_primitive::<T>().values();
        match self.valid {
            Some(valid) => kept(values, valid, |value| value),
            None => values.to_vec(),
        }
    }

    fn mapped<T: ArrowPrimitiveType, O: Copy + Default>(&self, map: impl Fn(T::Native) -> O) -> Vec<O> {
        let values = self.array.as_primitive::<T>().values();
        match self.valid {
            Some(valid) => kept(values, valid, map),
            None => values.iter().map(|value| map(*value)).collect(),
        }
    }

    fn tried<T: ArrowPrimitiveType, O>(&self, map: impl Fn(T::Native) -> Option<O>) -> Result<Vec<O>> {
        let values = self.array.as_primitive::<T>().values();
        let value = |index: usize| values.get(index).and_then(|value| map(*value));
        let all = self.indices().map(value).collect::<Option<Vec<O>>>();
        all.ok_or_else(|| Error::value("a number of seconds is too large for milliseconds"))
    }

    fn decimals<T: ArrowPrimitiveType<Native: Integer>>(&self, shape: &Shape) -> Result<Vector> {
        let values = self.array.as_primitive::<T>().values();
        let size = match shape.storage() {
            Shape::Fixed(fixed) => Some(fixed.size),
            Shape::I128 | Shape::U128 => Some(16),
            _ => None,
        };
        let is_unsigned = matches!(shape, Shape::U128);
        let (mut bytes, mut buffer) = (Binaries::default(), Vec::new());
        for index in self.indices() {
            let value = values.get(index).copied().unwrap_or_default();
            if !value.write(size, is_unsigned, &mut buffer) {
                return Err(Error::value(format!(
                    "a decimal does not fit {} bytes",
                    size.unwrap_or_default()
                )));
            }
            push(bytes.push(&buffer))?;
        }
        Ok(bytes.into())
    }

    fn intervals(&self, shape: &Shape) -> Result<Vector> {
        let parts = self.array.as_primitive::<IntervalMonthDayNanoType>().values();
        let part = |index| parts.get(index).copied().unwrap_or_default();
        if !matches!(shape, Shape::Logical(_)) {
            let months = self.indices().map(|index| part(index).months).collect::<Vec<i32>>();
            let days = self.indices().map(|index| part(index).days).collect::<Vec<i32>>();
            let nanoseconds = self.indices().map(|index| part(index).nanoseconds).collect::<Vec<i64>>();
            let fields = vec![months.into(), days.into(), nanoseconds.into()];
            return Ok(RecordVector::new(self.len(), fields).into());
        }
        let mut bytes = Binaries::default();
        for index in self.indices() {
            let part = part(index);
            let milliseconds = match part.nanoseconds % 1_000_000 {
                0 => u32::try_from(part.nanoseconds / 1_000_000).ok(),
                _ => None,
            };
            let (Ok(months), Ok(days), Some(milliseconds)) =
                (u32::try_from(part.months), u32::try_from(part.days), milliseconds)
            else {
                return Err(Error::value("a duration is of whole milliseconds, and not negative"));
            };
            let parts = [months, days, milliseconds].map(u32::to_le_bytes);
            push(bytes.push(parts.as_flattened()))?;
        }
        Ok(bytes.into())
    }

    fn bytes(&self, value: impl Fn(usize) -> &'a [u8]) -> Result<Vector> {
        let mut bytes = Binaries::default();
        self.each(|index| push(bytes.push(value(index))))?;
        Ok(bytes.into())
    }

    fn texts(&self, shape: &Shape, value: impl Fn(usize) -> &'a str) -> Result<Vector> {
        if let Shape::Enum(symbols) = shape {
            return self.ordinals(symbols, value);
        }
        let mut texts = Strings::default();
        self.each(|index| push(texts.push(value(index))))?;
        Ok(texts.into())
    }

    fn ordinals(&self, shape: &EnumShape, value: impl Fn(usize) -> &'a str) -> Result<Vector> {
        let known: HashMap<&str, i32> = shape.symbols.iter().map(AsRef::as_ref).zip(0..).collect();
        let ordinal = |index| {
            let symbol = value(index);
            let ordinal = known.get(symbol).copied();
            ordinal.ok_or_else(|| Error::value(format!("{symbol:?} is not a symbol of the enum")))
        };
        Ok(Vector::Enum(self.indices().map(ordinal).collect::<Result<_>>()?))
    }

    /// Calls for each position.
    fn each(&self, call: impl FnMut(usize) -> Result<()>) -> Result<()> {
        match self.valid {
            Some(valid) => valid.valid_indices().try_for_each(call),
            None => (0..self.array.len()).try_for_each(call),
        }
    }
}

/// The values that are valid. Each is stored, and stays where the next one is not stored over it.
fn kept<I: Copy, O: Copy + Default>(values: &[I], valid: &NullBuffer, map: impl Fn(I) -> O) -> Vec<O> {
    let count = valid.len() - valid.null_count();
    let mut out = vec![O::default(); count + 1];
    let mut at = 0;
    for (value, is_valid) in values.iter().zip(valid.iter()) {
        if let Some(place) = out.get_mut(at) {
            *place = map(*value);
        }
        at += usize::from(is_valid);
    }
    out.truncate(count);
    out
}

fn push(done: bool) -> Result<()> {
    if done {
        Ok(())
    } else {
        Err(Error::too_many("the bytes of a column in one batch", u64::from(u32::MAX)))
    }
}
