//! Dates as strings: ISO 8601, `2013-06-01`; years beyond 0 to 9999 with a sign, `+10000-01-01`.

use super::digits::{Digits, push_padded};
use crate::shape::{date_from_days, days_from_date};

/// The days from 1970-01-01 to a date of the proleptic Gregorian calendar; `None` where there is no such date.
pub(super) fn parse(text: &str) -> Option<i64> {
    let mut digits = Digits::new(text);
    let days = parse_part(&mut digits)?;
    digits.is_empty().then_some(days)
}

/// The same, of a text that goes on.
pub(super) fn parse_part(digits: &mut Digits<'_>) -> Option<i64> {
    let year = match digits.take(b"+-") {
        None => i64::from(digits.exactly(4)?),
        Some(sign) => {
            let year = digits.all();
            if !(4..=9).contains(&year.len()) {
                return None;
            }
            let year: i64 = std::str::from_utf8(year).ok()?.parse().ok()?;
            if sign == b'-' { -year } else { year }
        }
    };
    digits.take(b"-")?;
    let month = digits.exactly(2)?;
    digits.take(b"-")?;
    let day = digits.exactly(2)?;
    let is_date = (1..=12).contains(&month) && (1..=days_of(year, month)).contains(&day);
    is_date.then(|| days_from_date(year, month, day))
}

/// Appends the date that is this many days after 1970-01-01.
pub(super) fn format(days: i64, out: &mut String) {
    let (year, month, day) = date_from_days(days);
    if !(0..=9999).contains(&year) {
        out.push(if year < 0 { '-' } else { '+' });
    }
    push_padded(out, year.unsigned_abs(), 4);
    out.push('-');
    push_padded(out, u64::from(month), 2);
    out.push('-');
    push_padded(out, u64::from(day), 2);
}

fn days_of(year: i64, month: u32) -> u32 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
