//! The calendar: years, months and days of instants (proleptic Gregorian, as the library's strings of dates).

use crate::moment::{DAY, SECOND};
use trevni::shape::{date_from_days, days_from_date};

/// A unit that instants are cut off to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Year,
    Quarter,
    Month,
    Week,
    Day,
    Hour,
    Minute,
    Second,
}

impl Unit {
    pub(crate) const ALL: [(&'static str, Self); 8] = [
        ("year", Self::Year),
        ("quarter", Self::Quarter),
        ("month", Self::Month),
        ("week", Self::Week),
        ("day", Self::Day),
        ("hour", Self::Hour),
        ("minute", Self::Minute),
        ("second", Self::Second),
    ];

    /// Whether it is shorter than a day.
    pub(crate) fn is_of_day(self) -> bool {
        matches!(self, Self::Hour | Self::Minute | Self::Second)
    }

    /// The start of the unit that an instant is in, both in nanoseconds from 1970-01-01.
    pub(crate) fn start(self, nanos: i128) -> i128 {
        let each = match self {
            Self::Second => SECOND,
            Self::Minute => 60 * SECOND,
            Self::Hour => 3600 * SECOND,
            Self::Day => DAY,
            // 1970-01-01 is a Thursday; weeks begin on Monday.
            Self::Week => return (nanos + 3 * DAY).div_euclid(7 * DAY) * 7 * DAY - 3 * DAY,
            Self::Month | Self::Quarter | Self::Year => {
                let (year, month, _) = date_from_days(days(nanos));
                let month = match self {
                    Self::Month => month,
                    Self::Quarter => (month - 1) / 3 * 3 + 1,
                    _ => 1,
                };
                return i128::from(days_from_date(year, month, 1)) * DAY;
            }
        };
        nanos.div_euclid(each) * each
    }

    /// The number of this part of an instant: the day of its month, the hour of its day.
    pub(crate) fn part(self, nanos: i128) -> i128 {
        let (year, month, day) = date_from_days(days(nanos));
        let of_day = nanos.rem_euclid(DAY);
        match self {
            Self::Year => year.into(),
            Self::Quarter => i128::from((month - 1) / 3 + 1),
            Self::Month => month.into(),
            Self::Week => week(days(nanos)).into(),
            Self::Day => day.into(),
            Self::Hour => of_day / (3600 * SECOND),
            Self::Minute => of_day / (60 * SECOND) % 60,
            Self::Second => of_day / SECOND % 60,
        }
    }
}

/// Whole days from 1970-01-01. Of instants that a number of 64 bits has milliseconds for, and of dates.
fn days(nanos: i128) -> i64 {
    i64::try_from(nanos.div_euclid(DAY)).unwrap_or(i64::MAX / 2)
}

/// The number of the day in its week, from 1 for Monday to 7.
pub(crate) fn weekday(nanos: i128) -> i128 {
    // 1970-01-01 is a Thursday.
    (nanos.div_euclid(DAY) + 3).rem_euclid(7) + 1
}

/// The number of the week in its year, from 1 to 53: the first one has the first Thursday (ISO 8601).
fn week(days: i64) -> i64 {
    let thursday = days - (days + 3).rem_euclid(7) + 3;
    let (year, ..) = date_from_days(thursday);
    (thursday - days_from_date(year, 1, 1)) / 7 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::moment::{Moment, MomentKind};

    fn instant(text: &str) -> i128 {
        Moment::parse(MomentKind::Instant, text).unwrap_or_else(|| panic!("{text}")).nanos
    }

    #[test]
    fn instants_are_cut_off() {
        for (text, unit, expected) in [
            ("2013-06-19T13:45:59.999Z", Unit::Year, "2013-01-01"),
            ("2013-06-19T13:45:59.999Z", Unit::Quarter, "2013-04-01"),
            ("2013-06-19T13:45:59.999Z", Unit::Month, "2013-06-01"),
            ("2013-06-19T13:45:59.999Z", Unit::Week, "2013-06-17"),
            ("2013-06-17T00:00:00Z", Unit::Week, "2013-06-17"),
            ("2013-06-16T23:59:59Z", Unit::Week, "2013-06-10"),
            ("2013-06-19T13:45:59.999Z", Unit::Day, "2013-06-19"),
            ("2013-06-19T13:45:59.999Z", Unit::Hour, "2013-06-19T13:00:00Z"),
            ("2013-06-19T13:45:59.999Z", Unit::Minute, "2013-06-19T13:45:00Z"),
            ("2013-06-19T13:45:59.999Z", Unit::Second, "2013-06-19T13:45:59Z"),
            ("1969-12-31T23:59:59.999Z", Unit::Second, "1969-12-31T23:59:59Z"),
            ("1969-12-31T23:59:59.999Z", Unit::Month, "1969-12-01"),
            ("1970-01-01T00:00:00Z", Unit::Week, "1969-12-29"),
            ("-0044-03-15T12:00:00Z", Unit::Year, "-0044-01-01"),
            ("-0001-12-31T12:00:00Z", Unit::Quarter, "-0001-10-01"),
            ("+12345-06-07T08:09:10Z", Unit::Month, "+12345-06-01"),
            ("2000-02-29T08:09:10Z", Unit::Month, "2000-02-01"),
        ] {
            assert_eq!(unit.start(instant(text)), instant(expected), "{text} {unit:?}");
        }
    }

    #[test]
    fn parts_are_those_of_the_text() {
        for year in (-5000..30_000).step_by(37) {
            for (month, day) in [(1, 1), (2, 28), (3, 1), (6, 30), (12, 31)] {
                let sign = if year < 0 {
                    "-"
                } else if year > 9999 {
                    "+"
                } else {
                    ""
                };
                let text = format!("{sign}{:04}-{month:02}-{day:02}T05:06:07.5Z", i64::abs(year));
                let nanos = instant(&text);
                let parts = [Unit::Year, Unit::Month, Unit::Day, Unit::Hour, Unit::Minute, Unit::Second];
                let parts = parts.map(|unit| unit.part(nanos));
                assert_eq!(parts, [year.into(), month, day, 5, 6, 7], "{text}");
            }
        }
        for (text, week) in
            [("2012-01-01", 52), ("2013-01-01", 1), ("2015-12-31", 53), ("2016-01-03", 53), ("2016-01-04", 1)]
        {
            assert_eq!(Unit::Week.part(instant(text)), week, "{text}");
        }
        for (text, day) in [("1970-01-01", 4), ("1969-12-28", 7), ("2013-06-17", 1), ("-0044-03-15", 4)] {
            assert_eq!(weekday(instant(text)), day, "{text}");
        }
        // The least and the greatest instant that is stored.
        for millis in [i64::MIN, i64::MAX] {
            let nanos = i128::from(millis) * 1_000_000;
            assert!(Unit::ALL.iter().all(|(_, unit)| unit.start(nanos) <= nanos));
            assert!(Unit::Year.part(nanos).abs() > 292_000_000);
        }
    }
}
