//! The least and the greatest value of a column, by its zone map: exact only where the bounds are values.

use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::ScalarValue;
use datafusion::common::stats::Precision;
use std::cmp::Ordering;
use trevni::column::{Bound, ZoneMap};

/// Bounds of strings and bytes of this size and more may be cut.
const CUT_BYTES: usize = 32;

/// How bounds of a column become values of a table's column.
pub(super) struct Bounds<'t> {
    file: &'t DataType,
    table: &'t DataType,
}

/// Which end of the values.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Least,
    Greatest,
}

impl<'t> Bounds<'t> {
    pub(super) fn new(file: &'t DataType, table: &'t DataType) -> Self {
        Self { file, table }
    }

    /// The least and the greatest value of all zones.
    pub(super) fn of(&self, map: &ZoneMap) -> (Precision<ScalarValue>, Precision<ScalarValue>) {
        // The order of Arrow has NaN at both ends, by its sign.
        if map.zones.iter().any(|zone| zone.nan) {
            return (Precision::Absent, Precision::Absent);
        }
        let (least, greatest) = (extreme(map, End::Least), extreme(map, End::Greatest));
        // Numbers above the greatest signed one are stored as negative ones.
        let wraps = self.file == &DataType::UInt64
            && !matches!((&least, &greatest), (Some(Bound::Integer(0..)), Some(Bound::Integer(0..))));
        if wraps {
            return (Precision::Absent, Precision::Absent);
        }
        let value =
            |bound: Option<&Bound>, end| bound.map_or(Precision::Absent, |bound| self.value(bound, end));
        (value(least, End::Least), value(greatest, End::Greatest))
    }

    fn value(&self, bound: &Bound, end: End) -> Precision<ScalarValue> {
        let found = match bound {
            Bound::Boolean(value) if self.file == &DataType::Boolean => Precision::Exact((*value).into()),
            Bound::Integer(value) => integer(*value, self.file).map_or(Precision::Absent, Precision::Exact),
            Bound::Float(value) => float(*value, self.file),
            Bound::Bytes(bytes) => text(bytes, self.file, end),
            _ => Precision::Absent,
        };
        if self.file == self.table {
            return found;
        }
        let widens = self.file.is_integer() && self.table.is_integer()
            || self.file.is_string() && self.table.is_string()
            || self.file.is_binary() && self.table.is_binary();
        match found.get_value().filter(|_| widens).and_then(|value| value.cast_to(self.table).ok()) {
            Some(value) if !value.is_null() => match found {
                Precision::Exact(_) => Precision::Exact(value),
                _ => Precision::Inexact(value),
            },
            _ => Precision::Absent,
        }
    }
}

/// The outermost bound of the zones that have values; `None` where one of them has no bound.
fn extreme(map: &ZoneMap, end: End) -> Option<&Bound> {
    let with_values = map.zones.iter().filter(|zone| zone.values > 0);
    let mut found: Option<&Bound> = None;
    for zone in with_values {
        let next = match end {
            End::Least => zone.min.as_ref()?,
            End::Greatest => zone.max.as_ref()?,
        };
        found = Some(match found {
            None => next,
            Some(known) => match next.compare(known)? {
                Ordering::Less if end == End::Least => next,
                Ordering::Greater if end == End::Greatest => next,
                _ => known,
            },
        });
    }
    found
}

/// An integer as a value of a type; `None` where the type has other values.
fn integer(value: i64, data_type: &DataType) -> Option<ScalarValue> {
    let seconds = || (value % 1000 == 0).then_some(value / 1000);
    let narrow = || i32::try_from(value).ok();
    Some(match data_type {
        DataType::Int8 => i8::try_from(value).ok()?.into(),
        DataType::Int16 => i16::try_from(value).ok()?.into(),
        DataType::Int32 => narrow()?.into(),
        DataType::Int64 => value.into(),
        DataType::UInt8 => u8::try_from(value).ok()?.into(),
        DataType::UInt16 => u16::try_from(value).ok()?.into(),
        DataType::UInt32 => u32::try_from(value).ok()?.into(),
        DataType::UInt64 => u64::try_from(value).ok()?.into(),
        DataType::Date32 => ScalarValue::Date32(Some(narrow()?)),
        DataType::Date64 => ScalarValue::Date64(Some(value)),
        DataType::Time32(TimeUnit::Second) => {
            ScalarValue::Time32Second(Some(i32::try_from(seconds()?).ok()?))
        }
        DataType::Time32(TimeUnit::Millisecond) => ScalarValue::Time32Millisecond(Some(narrow()?)),
        DataType::Time64(TimeUnit::Microsecond) => ScalarValue::Time64Microsecond(Some(value)),
        DataType::Time64(TimeUnit::Nanosecond) => ScalarValue::Time64Nanosecond(Some(value)),
        DataType::Timestamp(unit, zone) => match unit {
            TimeUnit::Second => ScalarValue::TimestampSecond(Some(seconds()?), zone.clone()),
            TimeUnit::Millisecond => ScalarValue::TimestampMillisecond(Some(value), zone.clone()),
            TimeUnit::Microsecond => ScalarValue::TimestampMicrosecond(Some(value), zone.clone()),
            TimeUnit::Nanosecond => ScalarValue::TimestampNanosecond(Some(value), zone.clone()),
        },
        DataType::Duration(TimeUnit::Second) => ScalarValue::DurationSecond(Some(value)),
        DataType::Duration(TimeUnit::Millisecond) => ScalarValue::DurationMillisecond(Some(value)),
        DataType::Duration(TimeUnit::Microsecond) => ScalarValue::DurationMicrosecond(Some(value)),
        DataType::Duration(TimeUnit::Nanosecond) => ScalarValue::DurationNanosecond(Some(value)),
        _ => return None,
    })
}

/// Zeros have two signs, which bounds do not tell apart.
fn float(value: f64, data_type: &DataType) -> Precision<ScalarValue> {
    let value: ScalarValue = match data_type {
        DataType::Float32 => (value as f32).into(),
        DataType::Float64 => value.into(),
        _ => return Precision::Absent,
    };
    let is_zero = matches!(value, ScalarValue::Float32(Some(0.0)) | ScalarValue::Float64(Some(0.0)));
    if is_zero { Precision::Inexact(value) } else { Precision::Exact(value) }
}

/// Bounds of strings are cut after some bytes, and upper ones rounded up.
fn text(bytes: &[u8], data_type: &DataType, end: End) -> Precision<ScalarValue> {
    let is_whole = bytes.len() < CUT_BYTES;
    let text = match std::str::from_utf8(bytes) {
        Ok(text) => Some(text),
        // A part of a lower bound is a lower bound.
        Err(error) if end == End::Least => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok(),
        Err(_) => None,
    };
    let text = text.map(str::to_owned);
    let value = match data_type {
        DataType::Utf8 => text.map(|text| ScalarValue::Utf8(Some(text))),
        DataType::LargeUtf8 => text.map(|text| ScalarValue::LargeUtf8(Some(text))),
        DataType::Utf8View => text.map(|text| ScalarValue::Utf8View(Some(text))),
        DataType::Binary => Some(ScalarValue::Binary(Some(bytes.to_vec()))),
        DataType::LargeBinary => Some(ScalarValue::LargeBinary(Some(bytes.to_vec()))),
        DataType::BinaryView => Some(ScalarValue::BinaryView(Some(bytes.to_vec()))),
        _ => None,
    };
    // Bytes rounded up may be short: those after the one that is increased are dropped.
    let is_exact = is_whole && (data_type.is_string() || end == End::Least);
    match value {
        Some(value) if is_exact => Precision::Exact(value),
        Some(value) => Precision::Inexact(value),
        None => Precision::Absent,
    }
}
