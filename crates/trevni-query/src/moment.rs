//! Dates, times of day and instants.

use std::fmt;
use std::sync::LazyLock;
use trevni::ValueRef;
use trevni::shape::{Logical, LogicalShape, days_from_date};

/// Nanoseconds of a second, and of a day.
pub(crate) const SECOND: i128 = 1_000_000_000;
pub(crate) const DAY: i128 = 86_400 * SECOND;

/// What a [`Moment`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum MomentKind {
    /// A date.
    Date,
    /// A time of day.
    Time,
    /// An instant in UTC.
    Instant,
    /// An instant in a time zone that is not known.
    Local,
}

/// A date, a time of day or an instant, whatever the unit that it is stored in.
///
/// ```
/// use trevni_query::{Moment, MomentKind};
///
/// let noon = Moment::parse(MomentKind::Instant, "2013-06-01T14:00:00+02:00").unwrap();
/// assert_eq!(noon.to_string(), "2013-06-01T12:00:00Z");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// What it is.
    pub kind: MomentKind,
    /// Nanoseconds from midnight for a time of day, from the start of 1970-01-01 for others.
    pub nanos: i128,
}

impl MomentKind {
    /// The kind of a logical type, and the nanoseconds of its unit; `None` for other types.
    pub(crate) fn of(logical: &Logical) -> Option<(Self, i64)> {
        Some(match logical {
            Logical::Date => (Self::Date, DAY as i64),
            Logical::TimeMillis => (Self::Time, 1_000_000),
            Logical::TimeMicros => (Self::Time, 1000),
            Logical::TimeNanos => (Self::Time, 1),
            Logical::TimestampMillis => (Self::Instant, 1_000_000),
            Logical::TimestampMicros => (Self::Instant, 1000),
            Logical::TimestampNanos => (Self::Instant, 1),
            Logical::LocalTimestampMillis => (Self::Local, 1_000_000),
            Logical::LocalTimestampMicros => (Self::Local, 1000),
            Logical::LocalTimestampNanos => (Self::Local, 1),
            _ => return None,
        })
    }

    /// The logical types of this kind, from the coarsest unit to the finest.
    fn types(self) -> &'static [LogicalShape] {
        static TYPES: LazyLock<[Vec<LogicalShape>; 4]> = LazyLock::new(|| {
            let shapes = |types: &[Logical]| {
                let shape = |logical: &Logical| LogicalShape::new(logical.clone(), logical.storage()?).ok();
                types.iter().filter_map(shape).collect()
            };
            [
                shapes(&[Logical::Date]),
                shapes(&[Logical::TimeMillis, Logical::TimeMicros, Logical::TimeNanos]),
                shapes(&[Logical::TimestampMillis, Logical::TimestampMicros, Logical::TimestampNanos]),
                shapes(&[
                    Logical::LocalTimestampMillis,
                    Logical::LocalTimestampMicros,
                    Logical::LocalTimestampNanos,
                ]),
            ]
        });
        let [dates, times, instants, locals] = &*TYPES;
        match self {
            Self::Date => dates,
            Self::Time => times,
            Self::Instant => instants,
            Self::Local => locals,
        }
    }

    /// In words: `an instant`.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Date => "a date",
            Self::Time => "a time of day",
            Self::Instant => "an instant",
            Self::Local => "a local instant",
        }
    }

    /// Strings of this kind, as examples.
    pub(crate) fn example(self) -> &'static str {
        match self {
            Self::Date => "'2013-06-01'",
            Self::Time => "'05:00:00'",
            Self::Instant => "'2013-06-01T05:00:00Z' or '2013-06-01'",
            Self::Local => "'2013-06-01T05:00:00' or '2013-06-01'",
        }
    }

    /// The nanoseconds of the least and the greatest value that can be stored.
    pub(crate) fn bounds(self) -> (i128, i128) {
        match self {
            Self::Date => (i128::from(i32::MIN) * DAY, i128::from(i32::MAX) * DAY),
            _ => (i128::from(i64::MIN) * 1_000_000, i128::from(i64::MAX) * 1_000_000),
        }
    }

    /// Whether there is an order of values of both kinds: a date is the start of its day.
    pub(crate) fn compares_with(self, other: Self) -> bool {
        let is_day = |kind| matches!(kind, Self::Date);
        let is_of_days = |kind| !matches!(kind, Self::Time);
        self == other || (is_of_days(self) && is_of_days(other) && (is_day(self) || is_day(other)))
    }
}

impl Moment {
    /// The value of a text, as the library reads it; of a date, where an instant is wanted, the start of its day. None
    /// where the text is of none, or of one that cannot be stored.
    pub fn parse(kind: MomentKind, text: &str) -> Option<Self> {
        let find = |of: MomentKind| {
            let found = of.types().iter().find_map(|shape| read(of, shape, text));
            found.or_else(|| of_parts(of, text)).map(|nanos| Self { kind, nanos })
        };
        match kind {
            MomentKind::Instant | MomentKind::Local => find(MomentKind::Date).or_else(|| find(kind)),
            MomentKind::Date | MomentKind::Time => find(kind),
        }
    }

    /// The value of a text, as people write it: the date that an instant is written with is a date, too, and an instant
    /// without an offset is one in UTC.
    pub(crate) fn of_text(kind: MomentKind, text: &str) -> Option<Self> {
        let instant =
            || Self::parse(MomentKind::Instant, text).or_else(|| Self::parse(MomentKind::Local, text));
        match kind {
            MomentKind::Date => Self::parse(kind, text).or_else(|| {
                let (date, _) = instant().and_then(|_| text.split_once(['T', 't', ' ']))?;
                Self::parse(kind, date)
            }),
            MomentKind::Instant => instant().map(|moment| Self { kind, ..moment }),
            MomentKind::Time | MomentKind::Local => Self::parse(kind, text),
        }
    }

    /// The first day of a year.
    pub(crate) fn of_year(year: i64) -> Self {
        Self { kind: MomentKind::Date, nanos: i128::from(days_from_date(year, 1, 1)) * DAY }
    }

    /// The value that a number is, where these nanoseconds are counted.
    pub(crate) fn of_count(kind: MomentKind, unit: i64, count: i128) -> Option<Self> {
        Some(Self { kind, nanos: count.checked_mul(i128::from(unit))? })
    }

    fn text(self) -> Option<String> {
        self.kind.types().iter().find_map(|shape| {
            let each = i128::from(MomentKind::of(&shape.logical)?.1);
            let count = i64::try_from(self.nanos / each).ok().filter(|_| self.nanos % each == 0)?;
            match shape.storage {
                trevni::Shape::Int => shape.text(ValueRef::Int(i32::try_from(count).ok()?)),
                _ => shape.text(ValueRef::Long(count)),
            }
        })
    }
}

/// The nanoseconds of a text of a type.
fn read(kind: MomentKind, shape: &LogicalShape, text: &str) -> Option<i128> {
    let count = shape.parse(text, &mut Vec::new())?.as_i64()?;
    let (_, each) = MomentKind::of(&shape.logical).filter(|(own, _)| *own == kind)?;
    Some(i128::from(count) * i128::from(each))
}

/// The same of a text with a fraction, which no type of the kind has: whole seconds, and what is after the point.
fn of_parts(kind: MomentKind, text: &str) -> Option<i128> {
    let (head, rest) = text.split_once('.').filter(|(head, _)| head.matches(':').count() == 2)?;
    let (fraction, tail) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
    let seconds = read(kind, kind.types().first()?, &format!("{head}{tail}"))?;
    // Zeros after the ninth digit change nothing, as in the library.
    let digits = fraction.trim_end_matches('0');
    let nanos: i128 = format!("{digits:0<9}").parse().ok().filter(|_| (1..=9).contains(&digits.len()))?;
    Some(seconds + nanos)
}

impl fmt::Display for Moment {
    /// The canonical string; nanoseconds where there is no string, as of a time beyond the day.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.text() {
            Some(text) => f.write_str(&text),
            None => write!(f, "{}", self.nanos),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_those_of_the_library() {
        for (kind, text, expected) in [
            (MomentKind::Date, "2013-06-01", Some("2013-06-01")),
            (MomentKind::Date, "-0044-03-15", Some("-0044-03-15")),
            (MomentKind::Date, "2013-06-01T00:00:00Z", None),
            (MomentKind::Time, "05:00", Some("05:00:00")),
            (MomentKind::Time, "05:00:00.000000001", Some("05:00:00.000000001")),
            (MomentKind::Instant, "2013-06-01", Some("2013-06-01T00:00:00Z")),
            (MomentKind::Instant, "2013-06-01T05:00:00", None),
            (MomentKind::Instant, "9999-12-31T23:59:59.999999Z", Some("9999-12-31T23:59:59.999999Z")),
            (MomentKind::Instant, "+200000000-01-01T00:00:00Z", Some("+200000000-01-01T00:00:00Z")),
            (MomentKind::Instant, "2262-04-11T23:47:16.854775807Z", Some("2262-04-11T23:47:16.854775807Z")),
            (MomentKind::Instant, "9999-12-31T23:59:59.999999999Z", Some("253402300799999999999")),
            (MomentKind::Instant, "9999-12-31T23:59:59.9999999999Z", None),
            (MomentKind::Instant, "9999-12-31T23:59:59.9999999990Z", Some("253402300799999999999")),
            (MomentKind::Local, "-0001-06-12t22:42:30.5000000000000", Some("-0001-06-12T22:42:30.500")),
            (MomentKind::Instant, "9999-12-31T23:59.999999999Z", None),
            (MomentKind::Date, "9999-12-31.5", None),
            (MomentKind::Local, "2013-06-01 05:00:00.5", Some("2013-06-01T05:00:00.500")),
            (MomentKind::Local, "2013-06-01T05:00:00Z", None),
            (MomentKind::Instant, "yesterday", None),
        ] {
            let found = Moment::parse(kind, text).map(|moment| moment.to_string());
            assert_eq!(found.as_deref(), expected, "{text}");
        }
        let beyond = Moment { kind: MomentKind::Time, nanos: DAY };
        assert_eq!(beyond.to_string(), DAY.to_string());
    }

    #[test]
    fn only_dates_compare_with_others() {
        use MomentKind::{Date, Instant, Local, Time};
        let pairs =
            [(Date, Instant, true), (Local, Date, true), (Instant, Local, false), (Time, Date, false)];
        for (one, two, compares) in pairs {
            assert_eq!((one.compares_with(two), two.compares_with(one)), (compares, compares));
        }
        assert!([Date, Time, Instant, Local].iter().all(|kind| kind.compares_with(*kind)));
    }
}
