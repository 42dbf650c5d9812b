//! Which logical type strings have in common.

use super::timestamp::OFFSET;
use super::{Texts, Unit, Zone, ip, time, timestamp};
use crate::shape::{IpFamily, Logical, LogicalShape, StringStyle};

/// The digits of a decimal that is found in strings, at most: what decimals of other systems have.
const DIGITS_MAX: usize = 38;
/// The bytes of its text, at most: with a sign, a zero and a point.
const DECIMAL_BYTES_MAX: usize = DIGITS_MAX + 3;
/// The bytes of the text of a network, at most: eight groups of four digits, and a prefix of three.
const IP_BYTES_MAX: usize = 43;

/// Finds the logical type that strings have in common: one whose canonical strings they all are, so that each text comes
/// back as it was.
///
/// A text counts only if it is the canonical text of its value ([`Logical`] has them): `2013-06-01T05:00:00Z` is an instant,
/// `2013-06-01T05:00:00.0Z` and `2013-06-01T07:00:00+02:00` are just strings. Strings of two styles ([`StringStyle`]) have no
/// type in common either: `2013-06-01 05:00:00.0 +00:00:00` is an instant beside others that the `time` crate has written.
/// The types are
///
/// * dates, times of day, and instants in UTC or local, in the coarsest unit that has all of them, milliseconds or finer;
/// * decimals that have the same number of digits after the point, one or more, and 38 digits at most. The precision is
///   that of the longest. **Whole numbers are no decimals**: many are not amounts but names, such as postal codes and
///   account numbers, which begin with a zero sooner or later;
/// * UUIDs and durations;
/// * IP addresses, or networks: of the family that all have, or of any.
///
/// The order of the strings does not matter. Strings that have no type end the search early, so trying costs little.
///
/// ```
/// use trevni::LogicalDetector;
/// use trevni::shape::Logical;
///
/// let mut detector = LogicalDetector::new();
/// assert!(detector.push("2013-06-01T05:00:00Z"));
/// assert_eq!(detector.logical(), Some(Logical::TimestampMillis));
/// assert!(detector.push("2013-06-01T05:00:00.000250Z"));
/// assert_eq!(detector.logical(), Some(Logical::TimestampMicros));
/// assert!(!detector.push("yesterday"));
/// assert_eq!(detector.logical(), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct LogicalDetector {
    found: Found,
    /// Room for the text of what was read.
    text: String,
    bytes: Vec<u8>,
}

/// What the strings so far have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Found {
    /// There was no text.
    #[default]
    Anything,
    Date,
    Time(Units),
    Timestamp(Units, Zone),
    /// The digits of the longest, and those after the point.
    Decimal {
        digits: usize,
        scale: usize,
    },
    Uuid,
    Duration,
    Ip(ip::Form),
    Nothing,
}

/// The units that have all values, and the styles that have all strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Units {
    millis: bool,
    micros: bool,
    nanos: bool,
    iso: bool,
    time: bool,
}

impl Units {
    const ALL: Self = Self { millis: true, micros: true, nanos: true, iso: true, time: true };

    /// The units that have a number of seconds and nanoseconds as well; `None` if there is no such unit.
    fn with(self, seconds: i64, nanos: u32) -> Option<Self> {
        let has = |unit: Unit| unit.of_parts(seconds, nanos).is_some();
        self.and(Self {
            millis: self.millis && has(Unit::Millis),
            micros: self.micros && has(Unit::Micros),
            nanos: self.nanos && has(Unit::Nanos),
            ..self
        })
    }

    /// The same for the styles of a string.
    fn written(self, iso: bool, time: bool) -> Option<Self> {
        self.and(Self { iso, time, ..Self::ALL })
    }

    /// The intersection; `None` if it is empty.
    fn and(self, other: Self) -> Option<Self> {
        let units = Self {
            millis: self.millis && other.millis,
            micros: self.micros && other.micros,
            nanos: self.nanos && other.nanos,
            iso: self.iso && other.iso,
            time: self.time && other.time,
        };
        let has_unit = units.millis || units.micros || units.nanos;
        (has_unit && (units.iso || units.time)).then_some(units)
    }

    fn coarsest(self) -> Unit {
        match self {
            Self { millis: true, .. } => Unit::Millis,
            Self { micros: true, .. } => Unit::Micros,
            _ => Unit::Nanos,
        }
    }

    fn style(self) -> StringStyle {
        if self.iso { StringStyle::Iso } else { StringStyle::Time }
    }
}

impl LogicalDetector {
    /// Creates a detector that has seen no text.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes one more text into account. Returns false once no type is left; it stays so.
    pub fn push(&mut self, text: &str) -> bool {
        let found = match self.found {
            Found::Nothing => return false,
            Found::Anything => usual(text),
            found => Some(found),
        };
        self.found = found.and_then(|found| self.with(found, text)).unwrap_or(Found::Nothing);
        self.found != Found::Nothing
    }

    /// Takes the strings that another detector has seen into account.
    ///
    /// ```
    /// use trevni::LogicalDetector;
    /// use trevni::shape::Logical;
    ///
    /// let [mut one, mut two] = [LogicalDetector::new(), LogicalDetector::new()];
    /// one.push("05:00:00");
    /// two.push("05:00:00.000250");
    /// one.merge(&two);
    /// assert_eq!(one.logical(), Some(Logical::TimeMicros));
    /// ```
    pub fn merge(&mut self, other: &Self) {
        let found = match (self.found, other.found) {
            (Found::Anything, found) | (found, Found::Anything) => Some(found),
            (Found::Time(one), Found::Time(two)) => one.and(two).map(Found::Time),
            (Found::Timestamp(one, zone), Found::Timestamp(two, same)) if zone == same => {
                one.and(two).map(|units| Found::Timestamp(units, zone))
            }
            (Found::Decimal { digits, scale }, Found::Decimal { digits: more, scale: same })
                if scale == same =>
            {
                Some(Found::Decimal { digits: digits.max(more), scale })
            }
            (Found::Ip(one), Found::Ip(two)) => joined(one, two).map(Found::Ip),
            (one, two) => (one == two).then_some(one),
        };
        self.found = found.unwrap_or(Found::Nothing);
    }

    /// The type of all strings so far; `None` without strings, or if they have no common type.
    #[must_use]
    pub fn logical(&self) -> Option<Logical> {
        let texts = match self.found {
            Found::Anything | Found::Nothing => return None,
            Found::Decimal { digits, scale } => {
                let (precision, scale) = (u32::try_from(digits).ok()?, u32::try_from(scale).ok()?);
                return Some(Logical::Decimal { precision, scale });
            }
            Found::Date => Texts::Date,
            Found::Time(units) => Texts::Time(units.coarsest(), units.style()),
            Found::Timestamp(units, zone) => Texts::Timestamp(units.coarsest(), zone, units.style()),
            Found::Uuid => Texts::Uuid,
            Found::Duration => Texts::Duration,
            Found::Ip(form) => Texts::Ip(form),
        };
        Some(Logical::from_name(texts.name()))
    }

    /// The same, with its storage and the style of the strings: values of this shape have all strings so far.
    ///
    /// ```
    /// use trevni::LogicalDetector;
    /// use trevni::shape::{Logical, StringStyle};
    ///
    /// let mut detector = LogicalDetector::new();
    /// detector.push("2013-06-01 05:00:00.0 +00:00:00");
    /// let shape = detector.shape().unwrap();
    /// assert_eq!((shape.logical, shape.style), (Logical::TimestampMillis, StringStyle::Time));
    /// ```
    #[must_use]
    pub fn shape(&self) -> Option<LogicalShape> {
        let logical = self.logical()?;
        let storage = logical.storage()?;
        let style = match self.found {
            Found::Time(units) | Found::Timestamp(units, _) => units.style(),
            _ => StringStyle::Iso,
        };
        Some(LogicalShape { style, ..LogicalShape::unchecked(logical, storage) })
    }

    /// What is found with one more text.
    fn with(&mut self, found: Found, text: &str) -> Option<Found> {
        self.text.clear();
        match found {
            Found::Time(units) => {
                let (seconds, nanos) = Unit::Nanos.split(time::parse(text, Unit::Nanos)?);
                let is = |style| is_canonical_time(text.as_bytes(), style);
                let units = units.written(is(StringStyle::Iso), is(StringStyle::Time))?;
                Some(Found::Time(units.with(seconds, nanos as u32)?))
            }
            Found::Timestamp(units, zone) => {
                let (seconds, nanos) = timestamp::parts(text, zone)?;
                let style = if text.contains(' ') { StringStyle::Time } else { StringStyle::Iso };
                if !is_canonical_instant(text.as_bytes(), zone, style) {
                    // One whose year has a sign, or none.
                    timestamp::format_part(seconds, nanos.into(), zone, style, &mut self.text);
                    (self.text == text).then_some(())?;
                }
                let units = units.written(style == StringStyle::Iso, style == StringStyle::Time)?;
                Some(Found::Timestamp(units.with(seconds, nanos)?, zone))
            }
            Found::Decimal { digits, scale } => {
                let (more, same) = decimal(text)?;
                (same == scale).then_some(Found::Decimal { digits: digits.max(more), scale })
            }
            Found::Date => self.has(Texts::Date, text).then_some(found),
            Found::Uuid => self.has(Texts::Uuid, text).then_some(found),
            Found::Duration => self.has(Texts::Duration, text).then_some(found),
            Found::Ip(form) => {
                let family = ip::canonical(text, form.is_network, &mut self.text)?;
                Some(Found::Ip(ip::Form { family: form.family.join(family), ..form }))
            }
            Found::Anything | Found::Nothing => None,
        }
    }

    /// Whether a text is the canonical one of a value.
    fn has(&mut self, texts: Texts, text: &str) -> bool {
        // A year without a sign has four digits, and then there is one text for each day.
        if texts == Texts::Date && text.starts_with(|first: char| first.is_ascii_digit()) {
            return texts.reads(text);
        }
        if texts == Texts::Uuid {
            return text.len() == 36
                && !text.bytes().any(|byte| byte.is_ascii_uppercase())
                && texts.reads(text);
        }
        texts.parse_canonical(text, &mut self.bytes, &mut self.text).is_some()
    }
}

/// What has the values of both.
fn joined(one: ip::Form, two: ip::Form) -> Option<ip::Form> {
    (one.is_network == two.is_network).then(|| ip::Form { family: one.family.join(two.family), ..one })
}

/// The style of a string of an instant or a time, whose offset may be another than UTC.
pub(crate) fn style_of(text: &str) -> StringStyle {
    let at = text.len().saturating_sub(OFFSET.len());
    let local = match text.split_at_checked(at) {
        Some((local, offset)) if offset.starts_with(" +") || offset.starts_with(" -") => local,
        _ => text,
    };
    let mut detector = LogicalDetector::new();
    detector.push(local);
    detector.shape().map_or(StringStyle::Iso, |found| found.style)
}

/// Whether a time that is read is canonical: it has seconds, and no fraction or one of 3, 6 or 9 digits, all needed; or else
/// one of as many digits as it needs, at least one.
fn is_canonical_time(time: &[u8], style: StringStyle) -> bool {
    match style {
        StringStyle::Iso => {
            time.len() == 8 || (matches!(time.len(), 12 | 15 | 18) && !time.ends_with(b"000"))
        }
        StringStyle::Time => time.len() == 10 || (matches!(time.len(), 11..=18) && !time.ends_with(b"0")),
        _ => false,
    }
}

/// Whether an instant that is read is canonical, where its year has no sign.
fn is_canonical_instant(text: &[u8], zone: Zone, style: StringStyle) -> bool {
    let Some((date, time)) = text.split_at_checked(11) else { return false };
    let (between, offset) = match style {
        StringStyle::Time => (b" ", OFFSET),
        _ => (b"T", "Z"),
    };
    let time = if zone == Zone::Utc { time.strip_suffix(offset.as_bytes()) } else { Some(time) };
    let is_plain = date.first().is_some_and(u8::is_ascii_digit) && date.ends_with(between);
    is_plain && time.is_some_and(|time| is_canonical_time(time, style))
}

/// What a text may be, by its length and some of its bytes.
fn usual(text: &str) -> Option<Found> {
    let bytes = text.as_bytes();
    let is = |index: usize, expected: u8| bytes.get(index) == Some(&expected);
    let (first, last) = (*bytes.first()?, *bytes.last()?);
    let is_number = last.is_ascii_digit();
    let ip = usual_ip(bytes);
    Some(match (first, bytes.len()) {
        (b'0'..=b'9' | b'a'..=b'f', 36) if is(8, b'-') => Found::Uuid,
        (b'0'..=b'9', 8) if is(2, b':') && is(5, b':') => Found::Time(Units::ALL),
        (b'0'..=b'9', 10..=18) if is(2, b':') && is(5, b':') && is(8, b'.') => Found::Time(Units::ALL),
        (b'0'..=b'9', 10) if is(4, b'-') && is_number => Found::Date,
        (b'P', 3..=40) => Found::Duration,
        (b'0'..=b'9' | b'-' | b'+', 19..) if last == b'Z' || text.ends_with(OFFSET) => {
            Found::Timestamp(Units::ALL, Zone::Utc)
        }
        (b'0'..=b'9' | b'-' | b'+', 19..=40) if is_number && text.contains(['T', ' ']) => {
            Found::Timestamp(Units::ALL, Zone::Local)
        }
        _ if ip.is_some() => Found::Ip(ip?),
        (b'0'..=b'9' | b'-', 3..=DECIMAL_BYTES_MAX) if is_number && bytes.contains(&b'.') => {
            Found::Decimal { digits: 1, scale: bytes.iter().rev().position(|byte| *byte == b'.')? }
        }
        (b'-' | b'+', 11..=16) if is_number => Found::Date,
        _ => return None,
    })
}

/// What a text may be that is an address or a network, by the points and colons of all of them.
fn usual_ip(bytes: &[u8]) -> Option<ip::Form> {
    let count = |wanted: u8| bytes.iter().filter(|byte| **byte == wanted).count();
    let family = match (count(b':'), count(b'.')) {
        (0, 3) => IpFamily::V4,
        (2.., _) if bytes.len() <= IP_BYTES_MAX => IpFamily::V6,
        _ => return None,
    };
    Some(ip::Form { family, is_network: bytes.contains(&b'/') })
}

/// The digits that the precision of a canonical decimal must have, and those after its point.
fn decimal(text: &str) -> Option<(usize, usize)> {
    let (is_negative, magnitude) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let (whole, fraction) = magnitude.split_once('.')?;
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let is_zero = |part: &str| part.bytes().all(|byte| byte == b'0');
    let is_canonical = is_digits(whole)
        && is_digits(fraction)
        && (whole == "0" || !whole.starts_with('0'))
        && !(is_negative && is_zero(whole) && is_zero(fraction));
    let before = if whole == "0" { 0 } else { whole.len() };
    let digits = before + fraction.len();
    (is_canonical && digits <= DIGITS_MAX).then_some((digits, fraction.len()))
}
