//! Instants as strings: RFC 3339 in UTC, `2013-06-01T05:00:00Z`, or `2013-06-01 05:00:00.0 +00:00:00`; local ones without
//! the offset.

use super::digits::Digits;
use super::time::{DAY, SECOND};
use super::{Unit, date, time};
use crate::shape::StringStyle;

/// Whether a time is in UTC or in a time zone that is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Zone {
    Utc,
    Local,
}

/// UTC as an offset of the `time` crate.
pub(super) const OFFSET: &str = " +00:00:00";

/// The units from 1970-01-01T00:00:00 to an instant; `None` where there is no such instant, or none in this unit.
/// Offsets from UTC are taken off.
pub(super) fn parse(text: &str, unit: Unit, zone: Zone) -> Option<i64> {
    let (seconds, nanos) = parts(text, zone)?;
    unit.of_parts(seconds, nanos)
}

/// The nanoseconds from 1970-01-01T00:00:00 to an instant; `None` where there is no such instant.
pub(super) fn nanos(text: &str, zone: Zone) -> Option<i128> {
    let (seconds, nanos) = parts(text, zone)?;
    Some(i128::from(seconds) * i128::from(SECOND) + i128::from(nanos))
}

/// The seconds from 1970-01-01T00:00:00 to an instant, rounded down, and the nanoseconds after them; `None` where there is
/// no such instant.
pub(super) fn parts(text: &str, zone: Zone) -> Option<(i64, u32)> {
    let mut digits = Digits::new(text);
    let days = date::parse_part(&mut digits)?;
    digits.take(b"Tt ")?;
    let (seconds, nanos) = time::parse_part(&mut digits)?;
    let offset = if zone == Zone::Utc { parse_offset(&mut digits)? } else { 0 };
    if !digits.is_empty() {
        return None;
    }
    Some((days * DAY + seconds - offset, nanos))
}

/// Seconds before UTC. There may be a space before the sign, and seconds.
fn parse_offset(digits: &mut Digits<'_>) -> Option<i64> {
    let signs: &[u8] = if digits.take(b" ").is_some() { b"+-" } else { b"Zz+-" };
    let sign = digits.take(signs)?;
    if sign.eq_ignore_ascii_case(&b'z') {
        return Some(0);
    }
    let hours = digits.exactly(2).filter(|hours| *hours < 24)?;
    digits.take(b":")?;
    let minutes = digits.exactly(2).filter(|minutes| *minutes < 60)?;
    let seconds = match digits.take(b":") {
        Some(_) => digits.exactly(2).filter(|seconds| *seconds < 60)?,
        None => 0,
    };
    let offset = i64::from(hours * 3600 + minutes * 60 + seconds);
    Some(if sign == b'-' { -offset } else { offset })
}

/// Appends the instant that is this many units after 1970-01-01T00:00:00.
pub(super) fn format(value: i64, unit: Unit, zone: Zone, style: StringStyle, out: &mut String) {
    let (seconds, nanos) = unit.split(value);
    format_part(seconds, nanos, zone, style, out);
}

/// Appends the instant that is this many seconds and nanoseconds after 1970-01-01T00:00:00.
pub(super) fn format_part(seconds: i64, nanos: i64, zone: Zone, style: StringStyle, out: &mut String) {
    date::format(seconds.div_euclid(DAY), out);
    let is_iso = matches!(style, StringStyle::Iso | StringStyle::Millis);
    out.push(if is_iso { 'T' } else { ' ' });
    time::format_part(seconds.rem_euclid(DAY), nanos, style, out);
    out.push_str(match (zone, style) {
        (Zone::Local, _) => "",
        (Zone::Utc, StringStyle::Iso | StringStyle::Millis) => "Z",
        (Zone::Utc, StringStyle::Space | StringStyle::Minutes) => "+00:00",
        (Zone::Utc, StringStyle::Time) => OFFSET,
    });
}
