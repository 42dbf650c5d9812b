//! Dates and instants in the patterns of C's `strftime` and `strptime`, such as `%d/%m/%Y`.

use crate::moment::{DAY, Moment, MomentKind};
use jiff::Timestamp;
use jiff::fmt::strtime::BrokenDownTime;
use jiff::tz::{Offset, TimeZone};

/// 2013-06-01T05:06:07.5Z, which patterns are tried with: its parts differ.
const SAMPLE: i128 = 1_370_063_167_500_000_000;

/// A pattern of dates or instants, such as `%d/%m/%Y`, that has been tried.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimePattern(String);

impl TimePattern {
    /// For [`TimePattern::format`] of values of this kind.
    ///
    /// # Errors
    ///
    /// What is wrong with the pattern: an unknown directive, or one that such values lack.
    pub(crate) fn to_format(pattern: &str, kind: MomentKind) -> Result<Self, String> {
        let parts = parts(Moment { kind, nanos: SAMPLE.rem_euclid(DAY) });
        match parts.map(|parts| parts.to_string(pattern)) {
            Some(Err(error)) => Err(error.to_string()),
            _ => Ok(Self(pattern.to_owned())),
        }
    }

    /// For [`TimePattern::parse`].
    ///
    /// # Errors
    ///
    /// What is wrong with the pattern: an unknown directive, or no date in it.
    pub fn to_parse(pattern: &str) -> Result<Self, String> {
        let own = Self(pattern.to_owned());
        let sample = Moment { kind: MomentKind::Instant, nanos: SAMPLE };
        let written = parts(sample).map(|parts| parts.to_string(pattern)).transpose();
        let written = written.map_err(|error| error.to_string())?.unwrap_or_default();
        let read = BrokenDownTime::parse(pattern, &written).map_err(|error| error.to_string())?;
        match nanos(&read) {
            Some(_) => Ok(own),
            None => Err("it has no date: a year with a month and a day, or %s".to_owned()),
        }
    }

    /// The string of a date, a time of day or an instant; `None` beyond the years -9999 to 9999.
    pub(crate) fn format(&self, moment: Moment) -> Option<String> {
        parts(moment)?.to_string(&self.0).ok()
    }

    /// The nanoseconds from 1970-01-01 of a string, in UTC where it has no offset; `None` if it does not follow the pattern.
    pub fn parse(&self, text: &str) -> Option<i128> {
        nanos(&BrokenDownTime::parse(&self.0, text).ok()?)
    }

    /// What strings of the pattern are: instants where it has `%z` or `%s`, else dates, or local instants where it has a time.
    #[must_use]
    pub fn kind(&self) -> MomentKind {
        let sample = parts(Moment { kind: MomentKind::Instant, nanos: SAMPLE });
        let read = sample.and_then(|parts| {
            let written = parts.to_string(&self.0).ok()?;
            BrokenDownTime::parse(&self.0, written).ok()
        });
        match read {
            Some(read) if read.to_timestamp().is_ok() => MomentKind::Instant,
            Some(read) if read.hour().is_some() => MomentKind::Local,
            _ => MomentKind::Date,
        }
    }
}

fn parts(moment: Moment) -> Option<BrokenDownTime> {
    let instant = Timestamp::from_nanosecond(moment.nanos).ok()?;
    let local = Offset::UTC.to_datetime(instant);
    Some(match moment.kind {
        MomentKind::Instant => BrokenDownTime::from(&instant.to_zoned(TimeZone::UTC)),
        MomentKind::Local => local.into(),
        MomentKind::Date => local.date().into(),
        MomentKind::Time if moment.nanos < DAY => local.time().into(),
        MomentKind::Time => return None,
    })
}

fn nanos(parts: &BrokenDownTime) -> Option<i128> {
    let instant = parts.to_timestamp().ok();
    let in_utc = || Offset::UTC.to_timestamp(parts.to_datetime().ok()?).ok();
    Some(instant.or_else(in_utc)?.as_nanosecond())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moment(kind: MomentKind, text: &str) -> Moment {
        Moment::parse(kind, text).unwrap_or_else(|| panic!("{text}"))
    }

    #[test]
    fn values_are_written_as_the_pattern_says() {
        use MomentKind::{Date, Instant, Local, Time};
        for (kind, text, pattern, expected) in [
            (Date, "2013-06-01", "%d.%m.%Y", Some("01.06.2013")),
            (Date, "2013-06-01", "%A, %e %B %y", Some("Saturday,  1 June 13")),
            (Date, "2013-06-01", "%j %G-W%V", Some("152 2013-W22")),
            (Date, "-0044-03-15", "%Y-%m-%d", Some("-044-03-15")),
            (Date, "+12345-06-07", "%Y", None),
            (
                Instant,
                "2013-06-01T05:06:07.25Z",
                "%Y-%m-%d %H:%M:%S%.f %z",
                Some("2013-06-01 05:06:07.25 +0000"),
            ),
            (Instant, "1969-12-31T23:59:59Z", "%s", Some("-1")),
            (Local, "2013-06-01T17:06:07", "%I:%M %p", Some("05:06 PM")),
            (Time, "05:06:07", "%H%M", Some("0506")),
        ] {
            let own = TimePattern::to_format(pattern, kind).unwrap();
            assert_eq!(own.format(moment(kind, text)).as_deref(), expected, "{text} {pattern}");
        }
        for (kind, pattern) in
            [(Date, "%Y %H:%M"), (Time, "%Y"), (Local, "%z"), (Instant, "%!"), (Instant, "%")]
        {
            assert!(TimePattern::to_format(pattern, kind).is_err(), "{kind:?} {pattern}");
        }
        let beyond = Moment { kind: Time, nanos: DAY };
        assert_eq!(TimePattern::to_format("%H", Time).unwrap().format(beyond), None);
    }

    #[test]
    fn strings_are_read_as_the_pattern_says() {
        for (pattern, text, expected) in [
            ("%d/%m/%Y", "31/12/2020", Some("2020-12-31T00:00:00Z")),
            ("%d/%m/%Y", "31/13/2020", None),
            ("%d/%m/%Y", "31/12/2020 05:00", None),
            ("%d/%m/%Y", "29/02/2021", None),
            ("%m/%d/%y %I:%M %p", "2/3/21 4:05 PM", Some("2021-02-03T16:05:00Z")),
            ("%b %d, %Y", "Jun 01, 2013", Some("2013-06-01T00:00:00Z")),
            ("%Y%m%d%H%M%S", "20130601050607", Some("2013-06-01T05:06:07Z")),
            ("%d/%b/%Y:%H:%M:%S %z", "10/Oct/2000:13:55:36 -0700", Some("2000-10-10T20:55:36Z")),
            ("%s", "1370063167", Some("2013-06-01T05:06:07Z")),
            ("%Y-%m-%d %H:%M:%S%.f", "2013-06-01 05:06:07.5", Some("2013-06-01T05:06:07.500Z")),
            ("%Y-%m-%d", "2013-06-01 ", None),
            ("%Y-%m-%d", "", None),
        ] {
            let own = TimePattern::to_parse(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}"));
            let found = own.parse(text).map(|nanos| Moment { kind: MomentKind::Instant, nanos }.to_string());
            assert_eq!(found.as_deref(), expected, "{text} {pattern}");
        }
        for (pattern, kind) in [
            ("%d.%m.%Y", MomentKind::Date),
            ("%Y%j", MomentKind::Date),
            ("%Y-%m-%d %H", MomentKind::Local),
            ("%m/%d/%y %I:%M %p", MomentKind::Local),
            ("%Y-%m-%d %H:%M%z", MomentKind::Instant),
            ("%s", MomentKind::Instant),
        ] {
            assert_eq!(TimePattern::to_parse(pattern).unwrap().kind(), kind, "{pattern}");
        }
        for pattern in ["%H:%M", "%Y", "%m-%d", "", "text", "%!", "%"] {
            assert!(TimePattern::to_parse(pattern).is_err(), "{pattern}");
        }
    }
}
