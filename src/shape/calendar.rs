//! The proleptic Gregorian calendar, in days from 1970-01-01.

/// Days from 0000-03-01 to 1970-01-01.
const EPOCH: i64 = 719_468;
/// Days of 400 years.
const ERA: i64 = 146_097;

/// The days from 1970-01-01 to a date of the proleptic Gregorian calendar. Years that an `i64` has no days for give the least
/// or the greatest number of days.
///
/// ```
/// use trevni::shape::{date_from_days, days_from_date};
///
/// assert_eq!(days_from_date(2013, 6, 1), 15_857);
/// assert_eq!(date_from_days(-1), (1969, 12, 31));
/// ```
#[must_use]
pub fn days_from_date(year: i64, month: u32, day: u32) -> i64 {
    // Years begin in March here, so that the day that some lack is the last.
    let year = if month <= 2 { year.saturating_sub(1) } else { year };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let month = i64::from(month.saturating_add(9) % 12);
    let of_year = (153 * month + 2) / 5 + i64::from(day) - 1;
    era.saturating_mul(ERA).saturating_add(of_era * 365 + of_era / 4 - of_era / 100 + of_year - EPOCH)
}

/// Year, month and day of the date that is this many days after 1970-01-01.
#[must_use]
pub fn date_from_days(days: i64) -> (i64, u32, u32) {
    let days = days.saturating_add(EPOCH);
    let (era, of_era) = (days.div_euclid(ERA), days.rem_euclid(ERA));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + next, month as u32, day as u32)
}
