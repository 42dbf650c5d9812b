//! Times of day as strings: `05:00:00`, with 3, 6 or 9 digits of a fraction where it is not zero; or in another style.

use super::Unit;
use super::digits::{Digits, push_padded};
use crate::shape::StringStyle;

/// Seconds of a day.
pub(super) const DAY: i64 = 86_400;
/// Nanoseconds of a second.
pub(super) const SECOND: i64 = 1_000_000_000;

/// The units from midnight to a time of day; `None` where there is no such time, as for leap seconds and 24:00.
pub(super) fn parse(text: &str, unit: Unit) -> Option<i64> {
    let mut digits = Digits::new(text);
    let (seconds, nanos) = parse_part(&mut digits)?;
    let fraction = unit.of_nanos(nanos)?;
    digits.is_empty().then_some(seconds * unit.per_second() + fraction)
}

/// Seconds from midnight and the nanoseconds after them, of a text that goes on. Seconds may be missing.
pub(super) fn parse_part(digits: &mut Digits<'_>) -> Option<(i64, u32)> {
    let hours = digits.exactly(2).filter(|hours| *hours < 24)?;
    digits.take(b":")?;
    let minutes = digits.exactly(2).filter(|minutes| *minutes < 60)?;
    let (mut seconds, mut nanos) = (0, 0);
    if digits.take(b":").is_some() {
        seconds = digits.exactly(2).filter(|seconds| *seconds < 60)?;
        if digits.take(b".").is_some() {
            nanos = digits.billionths()?;
        }
    }
    Some((i64::from(hours * 3600 + minutes * 60 + seconds), nanos))
}

/// Appends the time that is this many units after midnight; false where that is no time of a day.
pub(super) fn format(value: i64, unit: Unit, style: StringStyle, out: &mut String) -> bool {
    let (seconds, nanos) = unit.split(value);
    if !(0..DAY).contains(&seconds) {
        return false;
    }
    format_part(seconds, nanos, style, out);
    true
}

/// Appends a time of day.
pub(super) fn format_part(seconds: i64, nanos: i64, style: StringStyle, out: &mut String) {
    let two = |out: &mut String, number: i64| push_padded(out, number.unsigned_abs(), 2);
    two(out, seconds / 3600);
    out.push(':');
    two(out, seconds / 60 % 60);
    if style == StringStyle::Minutes && seconds % 60 == 0 && nanos == 0 {
        return;
    }
    out.push(':');
    two(out, seconds % 60);
    if style == StringStyle::Time {
        return format_needed(nanos, out);
    }
    if nanos == 0 && style != StringStyle::Millis {
        return;
    }
    out.push('.');
    match (nanos % 1000, nanos % 1_000_000) {
        (_, 0) => push_padded(out, (nanos / 1_000_000).unsigned_abs(), 3),
        (0, _) => push_padded(out, (nanos / 1000).unsigned_abs(), 6),
        _ => push_padded(out, nanos.unsigned_abs(), 9),
    }
}

/// Appends a fraction of as many digits as it needs, at least one.
fn format_needed(nanos: i64, out: &mut String) {
    out.push('.');
    let first = out.len() + 1;
    push_padded(out, nanos.unsigned_abs(), 9);
    while out.len() > first && out.ends_with('0') {
        out.pop();
    }
}
