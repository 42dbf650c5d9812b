//! Values of logical types as strings, and strings as values.
//!
//! Each value has one text, the canonical one; those of instants and times have one in each style. [`Texts::parse`] also
//! reads other spellings of the same value, so a string is canonical where what has been read of it is formatted as the same
//! text.

mod column;
mod date;
pub(crate) mod decimal;
mod detect;
mod digits;
mod duration;
pub(crate) mod ip;
#[cfg(test)]
mod tests;
mod time;
mod timestamp;
mod uuid;

pub(crate) use column::Pushed;
pub(crate) use decimal::PRECISION_MAX;
pub use detect::LogicalDetector;
pub(crate) use detect::style_of;

use crate::shape::{IpFamily, Logical, LogicalShape, Shape, StringStyle};
use timestamp::Zone;

/// The name of a newtype struct that marks a number as one of a logical type begins like this, and goes on with the
/// type's name.
pub(crate) const MARK: &str = "$trevni::";

/// A unit of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Millis,
    Micros,
    Nanos,
}

impl Unit {
    /// Units of a second.
    pub(crate) fn per_second(self) -> i64 {
        match self {
            Self::Millis => 1000,
            Self::Micros => 1_000_000,
            Self::Nanos => 1_000_000_000,
        }
    }

    /// Nanoseconds as units; `None` where they are not exact.
    fn of_nanos(self, nanos: u32) -> Option<i64> {
        let each = time::SECOND / self.per_second();
        let nanos = i64::from(nanos);
        (nanos % each == 0).then_some(nanos / each)
    }

    /// Seconds and the nanoseconds after them as units; `None` where they are not exact, or too many.
    fn of_parts(self, seconds: i64, nanos: u32) -> Option<i64> {
        let fraction = self.of_nanos(nanos)?;
        match seconds.checked_mul(self.per_second()).and_then(|units| units.checked_add(fraction)) {
            Some(units) => Some(units),
            // The first second that has units may begin before them.
            None => {
                let units = i128::from(seconds) * i128::from(self.per_second()) + i128::from(fraction);
                i64::try_from(units).ok()
            }
        }
    }

    /// Whole seconds, rounded down, and the nanoseconds after them.
    fn split(self, value: i64) -> (i64, i64) {
        let each = time::SECOND / self.per_second();
        (value.div_euclid(self.per_second()), value.rem_euclid(self.per_second()) * each)
    }
}

/// How values of a logical type are strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Texts {
    Date,
    Time(Unit, StringStyle),
    Timestamp(Unit, Zone, StringStyle),
    Decimal(decimal::Form),
    Uuid,
    Duration,
    Ip(ip::Form),
}

/// What the values of a logical type are stored as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Int,
    Long,
    Bytes,
}

/// A value as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stored<'v> {
    Int(i32),
    Long(i64),
    Bytes(&'v [u8]),
}

/// A value that was read from a text; bytes are in the buffer that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parsed {
    Int(i32),
    Long(i64),
    Bytes,
}

impl Texts {
    /// How values of a logical type are strings; `None` where they are not, or are stored as strings. Decimals that no string has
    /// digits enough for are bytes.
    pub(crate) fn from_shape(shape: &LogicalShape) -> Option<Self> {
        let style = shape.style;
        Some(match &shape.logical {
            Logical::Date => Self::Date,
            Logical::TimeMillis => Self::Time(Unit::Millis, style),
            Logical::TimeMicros => Self::Time(Unit::Micros, style),
            Logical::TimeNanos => Self::Time(Unit::Nanos, style),
            Logical::TimestampMillis => Self::Timestamp(Unit::Millis, Zone::Utc, style),
            Logical::TimestampMicros => Self::Timestamp(Unit::Micros, Zone::Utc, style),
            Logical::TimestampNanos => Self::Timestamp(Unit::Nanos, Zone::Utc, style),
            Logical::LocalTimestampMillis => Self::Timestamp(Unit::Millis, Zone::Local, style),
            Logical::LocalTimestampMicros => Self::Timestamp(Unit::Micros, Zone::Local, style),
            Logical::LocalTimestampNanos => Self::Timestamp(Unit::Nanos, Zone::Local, style),
            Logical::Decimal { precision, scale } => {
                let size = match &shape.storage {
                    Shape::Fixed(fixed) => Some(fixed.size),
                    _ => None,
                };
                let form = decimal::Form { precision: *precision, scale: *scale, size };
                return form.has_texts().then_some(Self::Decimal(form));
            }
            Logical::Uuid if shape.storage != Shape::String => Self::Uuid,
            Logical::Duration => Self::Duration,
            Logical::IpAddress(family) => Self::Ip(ip::Form { family: *family, is_network: false }),
            Logical::IpNetwork(family) => Self::Ip(ip::Form { family: *family, is_network: true }),
            Logical::Uuid | Logical::Other(_) => return None,
        })
    }

    /// The type's name.
    pub(crate) fn name(self) -> &'static str {
        self.mark().strip_prefix(MARK).unwrap_or_default()
    }

    /// The name of newtype structs around its numbers.
    pub(crate) fn mark(self) -> &'static str {
        match self {
            Self::Date => "$trevni::date",
            Self::Time(Unit::Millis, _) => "$trevni::time-millis",
            Self::Time(Unit::Micros, _) => "$trevni::time-micros",
            Self::Time(Unit::Nanos, _) => "$trevni::time-nanos",
            Self::Timestamp(Unit::Millis, Zone::Utc, _) => "$trevni::timestamp-millis",
            Self::Timestamp(Unit::Micros, Zone::Utc, _) => "$trevni::timestamp-micros",
            Self::Timestamp(Unit::Nanos, Zone::Utc, _) => "$trevni::timestamp-nanos",
            Self::Timestamp(Unit::Millis, Zone::Local, _) => "$trevni::local-timestamp-millis",
            Self::Timestamp(Unit::Micros, Zone::Local, _) => "$trevni::local-timestamp-micros",
            Self::Timestamp(Unit::Nanos, Zone::Local, _) => "$trevni::local-timestamp-nanos",
            Self::Decimal(_) => "$trevni::decimal",
            Self::Uuid => "$trevni::uuid",
            Self::Duration => "$trevni::duration",
            Self::Ip(form) => match (form.family, form.is_network) {
                (IpFamily::V4, false) => "$trevni::ipv4-address",
                (IpFamily::V6, false) => "$trevni::ipv6-address",
                (IpFamily::Any, false) => "$trevni::ip-address",
                (IpFamily::V4, true) => "$trevni::ipv4-network",
                (IpFamily::V6, true) => "$trevni::ipv6-network",
                (IpFamily::Any, true) => "$trevni::ip-network",
            },
        }
    }

    /// How values of a type with this name are strings, where they are numbers of a fixed unit.
    pub(crate) fn from_name(name: &str) -> Option<Self> {
        let logical = Logical::from_name(name);
        let storage = logical.storage()?;
        Self::from_shape(&LogicalShape::unchecked(logical, storage))
    }

    /// The type that the name of a newtype struct marks its number with.
    pub(crate) fn from_mark(name: &str) -> Option<Self> {
        name.strip_prefix(MARK).and_then(Self::from_name)
    }

    /// The shape of its values, where the type itself says how they are stored.
    pub(crate) fn shape(self) -> Option<Shape> {
        let logical = Logical::from_name(self.name());
        let storage = logical.storage()?;
        Some(Shape::Logical(Box::new(LogicalShape::unchecked(logical, storage))))
    }

    /// What its values are stored as.
    pub(crate) fn kind(self) -> Kind {
        match self {
            Self::Date | Self::Time(Unit::Millis, _) => Kind::Int,
            Self::Time(..) | Self::Timestamp(..) => Kind::Long,
            Self::Decimal(_) | Self::Uuid | Self::Duration | Self::Ip(_) => Kind::Bytes,
        }
    }

    /// Whether its values are decimals.
    pub(crate) fn is_decimal(self) -> bool {
        matches!(self, Self::Decimal(_))
    }

    /// Whether values of it may be values of another: in a finer unit, of a greater scale or precision, of any family.
    pub(crate) fn becomes(self, other: Self) -> bool {
        match (self, other) {
            (Self::Time(own, _), Self::Time(finer, _)) => own.per_second() <= finer.per_second(),
            (Self::Timestamp(own, zone, _), Self::Timestamp(finer, same, _)) => {
                zone == same && own.per_second() <= finer.per_second()
            }
            (Self::Decimal(own), Self::Decimal(other)) => {
                own.scale <= other.scale
                    && own.precision.saturating_sub(own.scale) <= other.precision.saturating_sub(other.scale)
            }
            (Self::Ip(own), Self::Ip(other)) => own.becomes(other),
            _ => self == other,
        }
    }

    /// Typical maximum length of its strings; a capacity hint.
    pub(crate) fn usual_length(self) -> usize {
        match self {
            Self::Date => 10,
            Self::Time(..) => 18,
            Self::Timestamp(..) | Self::Duration => 30,
            Self::Decimal(form) => form.precision.min(40) as usize + 2,
            Self::Uuid => 36,
            Self::Ip(ip::Form { family: IpFamily::V4, .. }) => 18,
            Self::Ip(_) => 43,
        }
    }

    /// A number of this type as one of another of the same kind; `None` where it is not exact there, or of another kind.
    pub(crate) fn convert(self, number: i64, to: Self) -> Option<i64> {
        let (from, to) = match (self, to) {
            (Self::Date, Self::Date) => return Some(number),
            (Self::Time(from, _), Self::Time(to, _)) => (from, to),
            (Self::Timestamp(from, zone, _), Self::Timestamp(to, same, _)) if zone == same => (from, to),
            _ => return None,
        };
        let (from, to) = (from.per_second(), to.per_second());
        match from <= to {
            true => number.checked_mul(to / from),
            false => (number % (from / to) == 0).then_some(number / (from / to)),
        }
    }

    /// Days or units of a text, rounded down, and whether they are exact; `None` where it is of no such value. A date is
    /// the start of its day.
    pub(crate) fn floor(self, text: &str) -> Option<(i128, bool)> {
        let (unit, nanos) = match self {
            Self::Date => return date::parse(text).map(|days| (days.into(), true)),
            Self::Time(unit, _) => (unit, i128::from(time::parse(text, Unit::Nanos)?)),
            Self::Timestamp(unit, zone, _) => match date::parse(text) {
                Some(days) => (unit, i128::from(days * time::DAY) * i128::from(time::SECOND)),
                None => (unit, timestamp::nanos(text, zone)?),
            },
            Self::Decimal(_) | Self::Uuid | Self::Duration | Self::Ip(_) => return None,
        };
        let each = i128::from(time::SECOND / unit.per_second());
        Some((nanos.div_euclid(each), nanos.rem_euclid(each) == 0))
    }

    /// Appends the canonical string of a value; false where it has no string, such as a time of day beyond the day.
    pub(crate) fn format(self, value: Stored<'_>, out: &mut String) -> bool {
        let number = match value {
            Stored::Int(value) => i64::from(value),
            Stored::Long(value) => value,
            Stored::Bytes(bytes) => {
                return match self {
                    Self::Decimal(form) => decimal::format(bytes, form.scale, out),
                    Self::Uuid => uuid::format(bytes, out),
                    Self::Duration => duration::format(bytes, out),
                    Self::Ip(form) => form.format(bytes, out),
                    Self::Date | Self::Time(..) | Self::Timestamp(..) => false,
                };
            }
        };
        match self {
            Self::Date => date::format(number, out),
            Self::Time(unit, style) => return time::format(number, unit, style, out),
            Self::Timestamp(unit, zone, style) => timestamp::format(number, unit, zone, style, out),
            Self::Decimal(_) | Self::Uuid | Self::Duration | Self::Ip(_) => return false,
        }
        true
    }

    /// The canonical string of a number; `None` where it has no string.
    pub(crate) fn text_of(self, number: i64) -> Option<String> {
        let stored = match self.kind() {
            Kind::Int => Stored::Int(i32::try_from(number).ok()?),
            Kind::Long => Stored::Long(number),
            Kind::Bytes => return None,
        };
        let mut text = String::new();
        self.format(stored, &mut text).then_some(text)
    }

    /// Whether a text is one of a value that is stored exactly.
    pub(crate) fn reads(self, text: &str) -> bool {
        self.parse(text, &mut Vec::new()).is_some()
    }

    /// Appends the bytes of an integer; false where it is no value, or one without bytes.
    pub(crate) fn bytes_of_integer(self, integer: i128, out: &mut Vec<u8>) -> bool {
        match self {
            Self::Decimal(form) => decimal::of_integer(integer, form, out),
            _ => false,
        }
    }

    /// The value of a text that is the canonical one of its value; `None` where it is not. Bytes replace what is in the
    /// buffer, and the value's text what is in the other.
    pub(crate) fn parse_canonical(
        self,
        text: &str,
        bytes: &mut Vec<u8>,
        canonical: &mut String,
    ) -> Option<Parsed> {
        let parsed = self.parse(text, bytes)?;
        let stored = match parsed {
            Parsed::Int(value) => Stored::Int(value),
            Parsed::Long(value) => Stored::Long(value),
            Parsed::Bytes => Stored::Bytes(bytes),
        };
        canonical.clear();
        (self.format(stored, canonical) && canonical == text).then_some(parsed)
    }

    /// The value of a text; `None` where it is of no value, or of none that is stored exactly. Bytes replace what is in
    /// the buffer.
    pub(crate) fn parse(self, text: &str, bytes: &mut Vec<u8>) -> Option<Parsed> {
        Some(match self {
            Self::Date => Parsed::Int(i32::try_from(date::parse(text)?).ok()?),
            Self::Time(Unit::Millis, _) => Parsed::Int(i32::try_from(time::parse(text, Unit::Millis)?).ok()?),
            Self::Time(unit, _) => Parsed::Long(time::parse(text, unit)?),
            Self::Timestamp(unit, zone, _) => Parsed::Long(timestamp::parse(text, unit, zone)?),
            Self::Decimal(form) => {
                bytes.clear();
                decimal::parse(text, form, bytes).then_some(Parsed::Bytes)?
            }
            Self::Uuid => {
                bytes.clear();
                bytes.extend(uuid::parse(text)?);
                Parsed::Bytes
            }
            Self::Duration => {
                bytes.clear();
                bytes.extend(duration::parse(text)?);
                Parsed::Bytes
            }
            Self::Ip(form) => {
                bytes.clear();
                form.parse(text, bytes).then_some(Parsed::Bytes)?
            }
        })
    }
}
