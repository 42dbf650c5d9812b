//! Columns of logical types: what their values are, and how instants are computed with.

use super::column::{ScalarColumn, ScalarValues, each, spread};
use super::scope::Located;
use super::steps::{both, pairs};
use crate::calendar::{Unit, weekday};
use crate::decimal::Decimal;
use crate::error::Error;
use crate::ip::Ip;
use crate::moment::{DAY, MomentKind, SECOND};
use crate::syntax::Operation;
use std::borrow::Cow;
use std::cell::Cell;
use trevni::shape::{Logical, LogicalShape};
use trevni::{ValueRef, Vector};

/// The values of a logical type; `None` where they are computed with as they are stored.
pub(super) fn values<'b>(
    shape: &LogicalShape,
    located: &Located<'b>,
) -> Result<Option<ScalarValues<'b>>, Error> {
    if let Some((kind, unit)) = MomentKind::of(&shape.logical) {
        let nanos = |count: i64| i128::from(count) * i128::from(unit);
        return Ok(match located.vector {
            Vector::Int(values) => Some(spread(values, located, |value| nanos(i64::from(*value)))),
            Vector::Long(values) => Some(spread(values, located, |value| nanos(*value))),
            _ => None,
        }
        .map(|values| ScalarValues::Moment(kind, values)));
    }
    Ok(Some(match (&shape.logical, located.vector) {
        (Logical::Decimal { scale, .. }, Vector::Bytes(values)) => {
            let is_none = Cell::new(false);
            let decimals = each(located, |at| {
                let decimal = values.get(at).and_then(|bytes| Decimal::of_bytes(bytes, *scale));
                is_none.set(is_none.get() || decimal.is_none());
                decimal.unwrap_or_default()
            });
            if is_none.get() {
                return Err(Error::value(
                    "a decimal of no bytes, or of more than 1,024, cannot be computed with",
                ));
            }
            ScalarValues::Decimal(decimals)
        }
        (Logical::IpAddress(_) | Logical::IpNetwork(_), Vector::Bytes(values)) => {
            let is_none = Cell::new(false);
            let ips = each(located, |at| {
                let ip = values.get(at).and_then(|bytes| Ip::of_bytes(shape, bytes));
                is_none.set(is_none.get() || ip.is_none());
                ip.unwrap_or_default()
            });
            if is_none.get() {
                return Err(Error::value(format!("bytes of no {} cannot be computed with", shape.logical)));
            }
            ScalarValues::Ip(ips)
        }
        (Logical::Uuid | Logical::Duration, Vector::Bytes(values)) => {
            let text = |at| values.get(at).and_then(|bytes| shape.text(ValueRef::Bytes(bytes)));
            ScalarValues::Text(each(located, |at| Cow::Owned(text(at).unwrap_or_default())))
        }
        _ => return Ok(None),
    }))
}

/// The start of the units that instants are in.
pub(super) fn truncated(column: ScalarColumn<'_>, unit: Unit) -> Result<ScalarColumn<'_>, Error> {
    match column.values {
        ScalarValues::Moment(kind, values) => {
            moments(kind, values.iter().map(|nanos| unit.start(*nanos)), column.present)
        }
        values => Ok(ScalarColumn::nulls(ScalarColumn::new(values, None).len())),
    }
}

/// The dates of instants.
pub(super) fn dates(column: ScalarColumn<'_>) -> Result<ScalarColumn<'_>, Error> {
    match column.values {
        ScalarValues::Moment(_, values) => {
            moments(MomentKind::Date, values.iter().map(|nanos| Unit::Day.start(*nanos)), column.present)
        }
        values => Ok(ScalarColumn::nulls(ScalarColumn::new(values, None).len())),
    }
}

/// Numbers of parts of instants, such as years.
pub(super) fn parts(column: ScalarColumn<'_>, unit: Unit) -> ScalarColumn<'_> {
    match column.values {
        ScalarValues::Moment(_, values) => {
            let parts = values.iter().map(|nanos| unit.part(*nanos)).collect();
            ScalarColumn::new(ScalarValues::Integer(parts), column.present)
        }
        values => ScalarColumn::nulls(ScalarColumn::new(values, None).len()),
    }
}

/// Numbers of days in their weeks, from 1 for Monday.
pub(super) fn weekdays(column: ScalarColumn<'_>) -> ScalarColumn<'_> {
    match column.values {
        ScalarValues::Moment(_, values) => {
            let days = values.iter().map(|nanos| weekday(*nanos)).collect();
            ScalarColumn::new(ScalarValues::Integer(days), column.present)
        }
        values => ScalarColumn::nulls(ScalarColumn::new(values, None).len()),
    }
}

/// Seconds from 1970-01-01.
pub(super) fn epochs(column: ScalarColumn<'_>) -> ScalarColumn<'_> {
    match column.values {
        ScalarValues::Moment(_, values) => {
            let values = values.iter().map(|nanos| seconds(*nanos)).collect();
            ScalarColumn::new(ScalarValues::Float(values), column.present)
        }
        values => ScalarColumn::nulls(ScalarColumn::new(values, None).len()),
    }
}

/// Differences: of two dates whole days, otherwise seconds.
pub(super) fn differences<'b>(one: ScalarColumn<'b>, two: ScalarColumn<'b>) -> ScalarColumn<'b> {
    let present = both(one.present, &two.present);
    let values = match (one.values, two.values) {
        (ScalarValues::Moment(MomentKind::Date, one), ScalarValues::Moment(MomentKind::Date, two)) => {
            ScalarValues::Integer(pairs(&one, &two, |one, two| (one - two).div_euclid(DAY)))
        }
        (ScalarValues::Moment(_, one), ScalarValues::Moment(_, two)) => {
            ScalarValues::Float(pairs(&one, &two, |one, two| seconds(one - two)))
        }
        (values, _) => return ScalarColumn::nulls(ScalarColumn::new(values, None).len()),
    };
    ScalarColumn::new(values, present)
}

/// Nanoseconds as seconds: of whole seconds nothing is lost.
fn seconds(nanos: i128) -> f64 {
    (nanos / SECOND) as f64 + (nanos % SECOND) as f64 / SECOND as f64
}

/// Dates a number of days later or earlier.
pub(super) fn moved<'b>(
    operation: Operation,
    dates: ScalarColumn<'b>,
    days: ScalarColumn<'b>,
) -> Result<ScalarColumn<'b>, Error> {
    let present = both(dates.present, &days.present);
    match (dates.values, days.values) {
        (ScalarValues::Moment(kind, dates), ScalarValues::Integer(days)) => {
            let sign = if operation == Operation::Subtract { -1 } else { 1 };
            let moved = dates.iter().zip(&days).map(|(nanos, days)| {
                let days = days.checked_mul(sign * DAY);
                days.and_then(|days| nanos.checked_add(days)).unwrap_or(i128::MAX)
            });
            moments(kind, moved, present)
        }
        (values, _) => Ok(ScalarColumn::nulls(ScalarColumn::new(values, None).len())),
    }
}

/// Moments that can be stored; rows without a value do not matter.
fn moments<'b>(
    kind: MomentKind,
    values: impl Iterator<Item = i128>,
    present: Option<Vec<bool>>,
) -> Result<ScalarColumn<'b>, Error> {
    let values: Vec<i128> = values.collect();
    let (low, high) = kind.bounds();
    for (row, nanos) in values.iter().enumerate() {
        let matters = || present.as_ref().is_none_or(|present| present.get(row) == Some(&true));
        if !(low..=high).contains(nanos) && matters() {
            let name = kind.name();
            return Err(Error::value(format!("{name} gets beyond all that can be stored")));
        }
    }
    Ok(ScalarColumn::new(ScalarValues::Moment(kind, values), present))
}
