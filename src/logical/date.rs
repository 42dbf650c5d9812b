//! Dates as texts: ISO 8601, `2013-06-01`; years beyond 0 to 9999 with a sign, `+10000-01-01`.

use super::digits::{Digits, push_padded};

/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: i64 = 719_468;
/// Days of 400 years.
const ERA: i64 = 146_097;

/// The days from 1970-01-01 to a date of the proleptic Gregorian calendar; none where there is no such date.
pub(super) fn parse(text: &str) -> Option<i64> {
    let mut digits = Digits::of(text);
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
    is_date.then(|| days_from_civil(year, month, day))
}

/// Appends the date that is this many days after 1970-01-01.
pub(super) fn format(days: i64, out: &mut String) {
    let (year, month, day) = civil_from_days(days);
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

/// Years begin in March here, so that the day that some lack is the last. Of years of at most nine digits.
fn days_from_civil(year: i64, month: u32, day: u32) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let month = i64::from((month + 9) % 12);
    let of_year = (153 * month + 2) / 5 + i64::from(day) - 1;
    era * ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH
}

/// Of at most the days that an `i64` has milliseconds for.
fn civil_from_days(days: i64) -> (i64, u32, u32) {
    let days = days.saturating_add(EPOCH);
    let (era, of_era) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + next, month as u32, day as u32)
}
