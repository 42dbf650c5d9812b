//! Dates, times and spans of time as objects of Python.
//!
//! These have microseconds and the years 1 to 9999. A value that they cannot hold is an integer: the one that is stored.

use arrow_array::cast::AsArray;
use arrow_array::types::*;
use arrow_array::{Array, ArrowPrimitiveType};
use arrow_schema::{DataType, IntervalUnit, TimeUnit};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyNotImplementedError, PyOverflowError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;

/// The number of 1970-01-01 among the days that Python counts from 0001-01-01, which is 1.
const EPOCH_ORDINAL: i64 = 719_163;
const DAY_MILLIS: i64 = 86_400_000;

pub(crate) fn value<'py>(py: Python<'py>, array: &dyn Array, row: usize) -> PyResult<Bound<'py, PyAny>> {
    let of = Moment { array, row };
    match array.data_type() {
        DataType::Date32 => date(py, i64::from(of.number::<Date32Type>())),
        DataType::Date64 => date64(py, of.number::<Date64Type>()),
        DataType::Time32(TimeUnit::Second) => {
            time(py, TimeUnit::Second, i64::from(of.number::<Time32SecondType>()))
        }
        DataType::Time32(unit) => time(py, *unit, i64::from(of.number::<Time32MillisecondType>())),
        DataType::Time64(TimeUnit::Microsecond) => {
            time(py, TimeUnit::Microsecond, of.number::<Time64MicrosecondType>())
        }
        DataType::Time64(unit) => time(py, *unit, of.number::<Time64NanosecondType>()),
        DataType::Timestamp(unit, zone) => {
            let number = match unit {
                TimeUnit::Second => of.number::<TimestampSecondType>(),
                TimeUnit::Millisecond => of.number::<TimestampMillisecondType>(),
                TimeUnit::Microsecond => of.number::<TimestampMicrosecondType>(),
                TimeUnit::Nanosecond => of.number::<TimestampNanosecondType>(),
            };
            timestamp(py, *unit, number, zone.as_deref())
        }
        DataType::Duration(unit) => {
            let number = match unit {
                TimeUnit::Second => of.number::<DurationSecondType>(),
                TimeUnit::Millisecond => of.number::<DurationMillisecondType>(),
                TimeUnit::Microsecond => of.number::<DurationMicrosecondType>(),
                TimeUnit::Nanosecond => of.number::<DurationNanosecondType>(),
            };
            or_number(py, span(py, *unit, number), number)
        }
        DataType::Interval(IntervalUnit::YearMonth) => {
            of.number::<IntervalYearMonthType>().into_bound_py_any(py)
        }
        DataType::Interval(IntervalUnit::DayTime) => {
            let span = of.number::<IntervalDayTimeType>();
            (span.days, span.milliseconds).into_bound_py_any(py)
        }
        DataType::Interval(IntervalUnit::MonthDayNano) => {
            let span = of.number::<IntervalMonthDayNanoType>();
            (span.months, span.days, span.nanoseconds).into_bound_py_any(py)
        }
        other => Err(PyNotImplementedError::new_err(format!("no value of Python stands for {other}"))),
    }
}

struct Moment<'a> {
    array: &'a dyn Array,
    row: usize,
}

impl Moment<'_> {
    fn number<T: ArrowPrimitiveType>(&self) -> T::Native {
        self.array.as_primitive::<T>().value(self.row)
    }
}

fn date(py: Python<'_>, days: i64) -> PyResult<Bound<'_, PyAny>> {
    let class = datetime(py)?.getattr(intern!(py, "date"))?;
    or_number(py, class.call_method1(intern!(py, "fromordinal"), (days.saturating_add(EPOCH_ORDINAL),)), days)
}

fn date64(py: Python<'_>, millis: i64) -> PyResult<Bound<'_, PyAny>> {
    match millis.rem_euclid(DAY_MILLIS) {
        0 => date(py, millis.div_euclid(DAY_MILLIS)),
        _ => timestamp(py, TimeUnit::Millisecond, millis, None),
    }
}

fn time(py: Python<'_>, unit: TimeUnit, number: i64) -> PyResult<Bound<'_, PyAny>> {
    let Some(micros) = micros(unit, number).filter(|micros| (0..86_400_000_000).contains(micros)) else {
        return number.into_bound_py_any(py);
    };
    let (seconds, fraction) = (micros / 1_000_000, micros % 1_000_000);
    let parts = (seconds / 3600, seconds / 60 % 60, seconds % 60, fraction);
    datetime(py)?.getattr(intern!(py, "time"))?.call1(parts)
}

fn timestamp<'py>(
    py: Python<'py>,
    unit: TimeUnit,
    number: i64,
    zone: Option<&str>,
) -> PyResult<Bound<'py, PyAny>> {
    let made = || {
        let module = datetime(py)?;
        let utc = module.getattr(intern!(py, "timezone"))?.getattr(intern!(py, "utc"))?;
        let class = module.getattr(intern!(py, "datetime"))?;
        let epoch = match zone {
            Some(_) => class.call1((1970, 1, 1, 0, 0, 0, 0, utc))?,
            None => class.call1((1970, 1, 1))?,
        };
        let moment = epoch.add(span(py, unit, number)?)?;
        match zone {
            Some("UTC") | None => Ok(moment),
            Some(zone) => moment.call_method1(intern!(py, "astimezone"), (self::zone(py, zone)?,)),
        }
    };
    or_number(py, made(), number)
}

/// A zone by its name or its offset; UTC where this machine does not know it.
fn zone<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    let module = datetime(py)?;
    let class = module.getattr(intern!(py, "timezone"))?;
    if let Some(minutes) = offset(name) {
        return class.call1((module.getattr(intern!(py, "timedelta"))?.call1((0, minutes * 60))?,));
    }
    let zone = py.import(intern!(py, "zoneinfo"))?.getattr(intern!(py, "ZoneInfo"))?.call1((name,));
    zone.or_else(|_| class.getattr(intern!(py, "utc")))
}

/// The minutes of `+05:30` and `-0800`.
fn offset(zone: &str) -> Option<i64> {
    let (sign, digits) = match zone.split_at_checked(1)? {
        ("+", digits) => (1, digits.replace(':', "")),
        ("-", digits) => (-1, digits.replace(':', "")),
        _ => return None,
    };
    let number: i64 = digits.parse().ok().filter(|_| digits.len() == 4)?;
    Some(sign * (number / 100 * 60 + number % 100))
}

fn span(py: Python<'_>, unit: TimeUnit, number: i64) -> PyResult<Bound<'_, PyAny>> {
    let class = datetime(py)?.getattr(intern!(py, "timedelta"))?;
    match unit {
        TimeUnit::Second => class.call1((0, number)),
        _ => match micros(unit, number) {
            Some(micros) => class.call1((0, 0, micros)),
            None => Err(PyOverflowError::new_err("more digits than a timedelta has")),
        },
    }
}

/// The microseconds of a number of units, where these say it exactly.
fn micros(unit: TimeUnit, number: i64) -> Option<i64> {
    match unit {
        TimeUnit::Second => number.checked_mul(1_000_000),
        TimeUnit::Millisecond => number.checked_mul(1000),
        TimeUnit::Microsecond => Some(number),
        TimeUnit::Nanosecond => (number % 1000 == 0).then_some(number / 1000),
    }
}

/// A value, or the number that is stored where Python has no value for it.
fn or_number<'py>(
    py: Python<'py>,
    made: PyResult<Bound<'py, PyAny>>,
    number: i64,
) -> PyResult<Bound<'py, PyAny>> {
    match made {
        Err(error)
            if error.is_instance_of::<PyOverflowError>(py) || error.is_instance_of::<PyValueError>(py) =>
        {
            number.into_bound_py_any(py)
        }
        made => made,
    }
}

fn datetime(py: Python<'_>) -> PyResult<Bound<'_, PyModule>> {
    py.import(intern!(py, "datetime"))
}
