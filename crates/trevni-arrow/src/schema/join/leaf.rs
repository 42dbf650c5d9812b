//! Types without children: which one has the values of two others.

use super::number;
use arrow_schema::{DataType, IntervalUnit, TimeUnit};
use std::sync::Arc;

/// The zone of instants of several.
const UTC: &str = "UTC";

/// A type that holds the values of both types, which differ; `None` if there is no such type.
pub(super) fn joined(one: &DataType, two: &DataType) -> Option<DataType> {
    number::joined(one, two).or_else(|| binary(one, two)).or_else(|| time(one, two))
}

/// The type of strings and bytes: bytes, where one is not strings.
pub(super) fn binary(one: &DataType, two: &DataType) -> Option<DataType> {
    let (is_string, other_is) = (one.is_string(), two.is_string());
    if !is_string && !is_bytes(one) || !other_is && !is_bytes(two) {
        return None;
    }
    let has = |wanted: [DataType; 2]| wanted.contains(one) || wanted.contains(two);
    let is_view = has([DataType::Utf8View, DataType::BinaryView]);
    let is_large = has([DataType::LargeUtf8, DataType::LargeBinary]);
    Some(match (is_string && other_is, is_view, is_large) {
        (true, true, _) => DataType::Utf8View,
        (true, false, true) => DataType::LargeUtf8,
        (true, false, false) => DataType::Utf8,
        (false, true, _) => DataType::BinaryView,
        (false, false, true) => DataType::LargeBinary,
        (false, false, false) => DataType::Binary,
    })
}

fn is_bytes(data_type: &DataType) -> bool {
    use DataType::{Binary, BinaryView, FixedSizeBinary, LargeBinary};
    matches!(data_type, Binary | LargeBinary | BinaryView | FixedSizeBinary(_))
}

/// The type of dates, times, instants and spans: that of the finer unit.
fn time(one: &DataType, two: &DataType) -> Option<DataType> {
    use DataType::{Date32, Date64, Duration, Interval, Time32, Time64, Timestamp};
    Some(match (one, two) {
        (Date32 | Date64, Date32 | Date64) => Date64,
        (Time32(one) | Time64(one), Time32(two) | Time64(two)) => match finer(*one, *two) {
            unit @ (TimeUnit::Second | TimeUnit::Millisecond) => Time32(unit),
            unit => Time64(unit),
        },
        (Timestamp(one, zone), Timestamp(two, other)) => Timestamp(finer(*one, *two), zones(zone, other)?),
        (Duration(one), Duration(two)) => Duration(finer(*one, *two)),
        (Interval(_), Interval(_)) => Interval(IntervalUnit::MonthDayNano),
        _ => return None,
    })
}

/// The zone of instants of both; local times are no instants.
fn zones(one: &Option<Arc<str>>, two: &Option<Arc<str>>) -> Option<Option<Arc<str>>> {
    match (one, two) {
        (None, None) => Some(None),
        (Some(one), Some(two)) => Some(Some(if one == two { Arc::clone(one) } else { UTC.into() })),
        _ => None,
    }
}

fn finer(one: TimeUnit, two: TimeUnit) -> TimeUnit {
    let digits = |unit: TimeUnit| match unit {
        TimeUnit::Second => 0,
        TimeUnit::Millisecond => 3,
        TimeUnit::Microsecond => 6,
        TimeUnit::Nanosecond => 9,
    };
    if digits(one) >= digits(two) { one } else { two }
}
