//! Logical types: what values mean beyond how they are stored (Avro specification, "Logical Types").

use super::branch::Branches;
use super::{FixedShape, Name, Shape};
use crate::error::{Error, Result};
use std::borrow::Cow;
use std::fmt;

/// No text of more digits is a decimal.
pub(crate) const DECIMAL_DIGITS_MAX: u32 = 2466;

/// Values that mean more than their storage says.
///
/// Types that request strings get strings, and types that request numbers get numbers; see [`Logical`].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LogicalShape {
    /// What the values mean.
    pub logical: Logical,
    /// How they are stored: a number, text, bytes or a fixed.
    pub storage: Shape,
    /// How strings of them are written.
    pub style: StringStyle,
}

/// How strings of instants and times of day are written; those of other types have one style.
///
/// | | time | timestamp | local timestamp |
/// |---|---|---|---|
/// | [`Iso`](Self::Iso) | `05:00:00`, `05:00:00.250` | `2013-06-01T05:00:00Z` | `2013-06-01T05:00:00` |
/// | [`Time`](Self::Time) | `05:00:00.0`, `05:00:00.25` | `2013-06-01 05:00:00.0 +00:00:00` | `2013-06-01 05:00:00.0` |
/// | [`Space`](Self::Space) | as `Iso` | `2013-06-01 05:00:00+00:00` | `2013-06-01 05:00:00` |
/// | [`Minutes`](Self::Minutes) | `05:00` | `2013-06-01 05:00+00:00` | `2013-06-01 05:00` |
/// | [`Millis`](Self::Millis) | `05:00:00.000` | `2013-06-01T05:00:00.000Z` | `2013-06-01T05:00:00.000` |
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum StringStyle {
    /// ISO 8601 and RFC 3339, with no fraction, or one of 3, 6 or 9 digits.
    #[default]
    Iso,
    /// That of the `time` crate with its feature `serde-human-readable`: as many digits of a fraction as it needs, at least
    /// one. The schema says this style and the next ones with a property that other implementations ignore.
    Time,
    /// As in SQL and Python: a space before the time.
    Space,
    /// The same without seconds, where they are zero.
    Minutes,
    /// As in JavaScript: ISO 8601 with three digits of a fraction at least.
    Millis,
}

/// What values mean.
///
/// # Strings
///
/// | type | canonical text | also read |
/// |---|---|---|
/// | date | `2013-06-01`, `-0044-03-15`, `+10000-01-01` | |
/// | time | `05:00:00`, with 3, 6 or 9 digits of a fraction that is not zero | other numbers of digits, `05:00` |
/// | timestamp | `2013-06-01T05:00:00Z`, fractions likewise | offsets, small letters, a space for the `T` and before the offset |
/// | local timestamp | the same without `Z` | the same without offsets |
/// | decimal | `-12.50`: as many digits after the point as the scale | fewer or more zeros, `+`, exponents |
/// | UUID | `67e55044-10b1-426f-9247-bb680e5fe0c8` | any case, no hyphens |
/// | duration | `P1Y2M3DT4H5M6.5S`: months below 12, minutes and seconds below 60, no zeros | greater parts, weeks |
/// | IP address | `10.0.0.1`, `2001:db8::1`, as `std::net` writes it | any case, zeros that could be left out |
/// | IP network | `10.0.0.0/8`, `2001:db8::/32`: an address and the length of its prefix | the same |
///
/// All values have a text, except times beyond the day, decimals of more than 1,024 bytes, addresses of a family that there
/// is not, and prefixes longer than their address. The strings are those that `chrono`, `uuid` and `ipnet` write, and what `jiff`,
/// `rust_decimal` and `bigdecimal` read. The `time` crate has its own strings of instants and times, which are canonical in its own
/// [`StringStyle`].
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Logical {
    /// Days since 1970-01-01, in an int.
    Date,
    /// Milliseconds since midnight, in an int.
    TimeMillis,
    /// Microseconds since midnight, in a long.
    TimeMicros,
    /// Nanoseconds since midnight, in a long. Avro has no such type, so other implementations read a long.
    TimeNanos,
    /// Milliseconds since 1970-01-01T00:00:00Z, in a long.
    TimestampMillis,
    /// Microseconds since 1970-01-01T00:00:00Z, in a long.
    TimestampMicros,
    /// Nanoseconds since 1970-01-01T00:00:00Z, in a long.
    TimestampNanos,
    /// Milliseconds since 1970-01-01T00:00:00 in a time zone that is not known, in a long.
    LocalTimestampMillis,
    /// Microseconds since 1970-01-01T00:00:00 in a time zone that is not known, in a long.
    LocalTimestampMicros,
    /// Nanoseconds since 1970-01-01T00:00:00 in a time zone that is not known, in a long.
    LocalTimestampNanos,
    /// An integer times 10 to the power of `-scale`, as big-endian two's complement in bytes or a fixed.
    Decimal {
        /// Number of digits, 1 or more.
        precision: u32,
        /// Number of digits after the point, at most `precision`.
        scale: u32,
    },
    /// A UUID: hyphenated text, or 16 bytes in a fixed.
    Uuid,
    /// Months, days and milliseconds: three little-endian `u32` in a fixed of 12 bytes.
    Duration,
    /// An IP address: the 4 bytes of a v4 address, or the 16 of a v6 address, in a fixed. Of any family they are 17: one byte that
    /// is 4 or 6, the address, and zeros after one of 4 bytes. The order of the bytes is that of [`IpAddr`](std::net::IpAddr).
    /// Avro has no such type, so other implementations read a fixed.
    IpAddress(IpFamily),
    /// An IP network, or an address in a network: the bytes of the address, and one with the length of the prefix. Avro has
    /// no such type either.
    IpNetwork(IpFamily),
    /// A logical type that this crate does not know, by its name.
    Other(Name),
}

/// Which IP addresses there are.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use std::net::Ipv4Addr;
/// use trevni::shape::{IpFamily, Logical};
/// use trevni::{Reader, Writer, col};
///
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Visit {
///     from: Ipv4Addr,
/// }
///
/// let mut writer = Writer::builder().logical("from", Logical::IpAddress(IpFamily::V4)).build(Vec::new())?;
/// writer.write(&Visit { from: Ipv4Addr::new(9, 255, 0, 1) })?;
/// writer.write(&Visit { from: Ipv4Addr::new(10, 0, 0, 9) })?;
/// let file = writer.finish()?;
///
/// let late = Reader::from_slice(&file)?.filter(col("from").ge("10.0.0.0"))?;
/// let visits: Vec<Visit> = late.rows()?.collect::<trevni::Result<_>>()?;
/// assert_eq!(visits, [Visit { from: Ipv4Addr::new(10, 0, 0, 9) }]);
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IpFamily {
    /// Addresses of 4 bytes.
    V4,
    /// Addresses of 16 bytes.
    V6,
    /// Both: all v4 addresses come before all v6 addresses.
    Any,
}

impl IpFamily {
    /// The one that has the addresses of both.
    pub(crate) fn join(self, other: Self) -> Self {
        if self == other { self } else { Self::Any }
    }

    /// Bytes of an address.
    pub(crate) fn size(self) -> usize {
        match self {
            Self::V4 => 4,
            Self::V6 => 16,
            Self::Any => 17,
        }
    }
}

/// What types that ask for anything are shown of values of logical types.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    /// Canonical strings.
    Texts,
    /// What is stored.
    Stored,
}

impl Shown {
    /// In foreign files, and where the schema was given, what is stored.
    pub(crate) fn by(branches: Branches) -> Self {
        match branches {
            Branches::Kinds => Self::Texts,
            Branches::Variants => Self::Stored,
        }
    }
}

impl Logical {
    /// The logical type of a name; of `decimal`, whose numbers are not in the name, [`Logical::Other`].
    pub(crate) fn from_name(name: &str) -> Self {
        match name {
            "date" => Self::Date,
            "time-millis" => Self::TimeMillis,
            "time-micros" => Self::TimeMicros,
            "time-nanos" => Self::TimeNanos,
            "timestamp-millis" => Self::TimestampMillis,
            "timestamp-micros" => Self::TimestampMicros,
            "timestamp-nanos" => Self::TimestampNanos,
            "local-timestamp-millis" => Self::LocalTimestampMillis,
            "local-timestamp-micros" => Self::LocalTimestampMicros,
            "local-timestamp-nanos" => Self::LocalTimestampNanos,
            "uuid" => Self::Uuid,
            "duration" => Self::Duration,
            "ipv4-address" => Self::IpAddress(IpFamily::V4),
            "ipv6-address" => Self::IpAddress(IpFamily::V6),
            "ip-address" => Self::IpAddress(IpFamily::Any),
            "ipv4-network" => Self::IpNetwork(IpFamily::V4),
            "ipv6-network" => Self::IpNetwork(IpFamily::V6),
            "ip-network" => Self::IpNetwork(IpFamily::Any),
            other => Self::Other(Cow::Owned(other.to_owned())),
        }
    }

    /// Its name, as Avro's `logicalType` has it.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Date => "date",
            Self::TimeMillis => "time-millis",
            Self::TimeMicros => "time-micros",
            Self::TimeNanos => "time-nanos",
            Self::TimestampMillis => "timestamp-millis",
            Self::TimestampMicros => "timestamp-micros",
            Self::TimestampNanos => "timestamp-nanos",
            Self::LocalTimestampMillis => "local-timestamp-millis",
            Self::LocalTimestampMicros => "local-timestamp-micros",
            Self::LocalTimestampNanos => "local-timestamp-nanos",
            Self::Decimal { .. } => "decimal",
            Self::Uuid => "uuid",
            Self::Duration => "duration",
            Self::IpAddress(IpFamily::V4) => "ipv4-address",
            Self::IpAddress(IpFamily::V6) => "ipv6-address",
            Self::IpAddress(IpFamily::Any) => "ip-address",
            Self::IpNetwork(IpFamily::V4) => "ipv4-network",
            Self::IpNetwork(IpFamily::V6) => "ipv6-network",
            Self::IpNetwork(IpFamily::Any) => "ip-network",
            Self::Other(name) => name,
        }
    }

    /// How its values are stored, where the type itself says that: a UUID as 16 bytes, a decimal as bytes.
    ///
    /// ```
    /// use trevni::Shape;
    /// use trevni::shape::Logical;
    ///
    /// assert_eq!(Logical::TimestampMicros.storage(), Some(Shape::Long));
    /// assert_eq!(Logical::Other("colour".into()).storage(), None);
    /// ```
    #[must_use]
    pub fn storage(&self) -> Option<Shape> {
        Some(match self {
            Self::Date | Self::TimeMillis => Shape::Int,
            Self::TimeMicros
            | Self::TimeNanos
            | Self::TimestampMillis
            | Self::TimestampMicros
            | Self::TimestampNanos
            | Self::LocalTimestampMillis
            | Self::LocalTimestampMicros
            | Self::LocalTimestampNanos => Shape::Long,
            Self::Decimal { .. } => Shape::Bytes,
            Self::Uuid => Shape::Fixed(FixedShape::new("uuid", 16)),
            Self::Duration => Shape::Fixed(FixedShape::new("duration", 12)),
            // A name of Avro has no hyphen.
            Self::IpAddress(family) => {
                Shape::Fixed(FixedShape::new(self.name().replace('-', "_"), family.size()))
            }
            Self::IpNetwork(family) => {
                Shape::Fixed(FixedShape::new(self.name().replace('-', "_"), family.size() + 1))
            }
            Self::Other(_) => return None,
        })
    }

    /// Whether its values have strings, but for some.
    pub(crate) fn has_texts(&self) -> bool {
        match self {
            Self::Decimal { scale, .. } => *scale <= DECIMAL_DIGITS_MAX,
            Self::Other(_) => false,
            _ => true,
        }
    }

    /// The type that has the values of both: of decimals the greater precision, of instants and times the finer unit, of IP
    /// addresses any family.
    /// Where values are shown as strings, these stay the same, so that decimals must have one scale.
    pub(crate) fn wider(&self, other: &Self, shown: Shown) -> Option<Self> {
        if let (Self::Decimal { precision: one, scale }, Self::Decimal { precision: two, scale: other }) =
            (self, other)
        {
            let whole = one.saturating_sub(*scale).max(two.saturating_sub(*other));
            let finer = *scale.max(other);
            let precision = whole.checked_add(finer)?;
            return (scale == other || shown == Shown::Stored)
                .then_some(Self::Decimal { precision, scale: finer });
        }
        match (self, other) {
            (Self::IpAddress(one), Self::IpAddress(two)) => return Some(Self::IpAddress(one.join(*two))),
            (Self::IpNetwork(one), Self::IpNetwork(two)) => return Some(Self::IpNetwork(one.join(*two))),
            _ => {}
        }
        let ((kind, one), (same, two)) = (self.unit()?, other.unit()?);
        let finer = if one < two { other } else { self };
        (kind == same).then(|| finer.clone())
    }

    /// Whether there are several styles of its strings.
    pub(crate) fn has_styles(&self) -> bool {
        self.unit().is_some()
    }

    /// What it counts, and how finely, where it counts units of time.
    fn unit(&self) -> Option<(u8, u8)> {
        Some(match self {
            Self::TimeMillis => (0, 3),
            Self::TimeMicros => (0, 6),
            Self::TimeNanos => (0, 9),
            Self::TimestampMillis => (1, 3),
            Self::TimestampMicros => (1, 6),
            Self::TimestampNanos => (1, 9),
            Self::LocalTimestampMillis => (2, 3),
            Self::LocalTimestampMicros => (2, 6),
            Self::LocalTimestampNanos => (2, 9),
            _ => return None,
        })
    }

    /// Whether values of this storage can be it.
    pub(crate) fn fits(&self, storage: &Shape) -> bool {
        let is_fixed = |bytes| matches!(storage, Shape::Fixed(fixed) if fixed.size == bytes);
        match self {
            Self::Decimal { precision, scale } => {
                let digits = match storage {
                    Shape::Bytes => u32::MAX,
                    Shape::Fixed(fixed) => digits_of(fixed.size),
                    _ => 0,
                };
                (1..=digits).contains(precision) && scale <= precision
            }
            Self::Uuid => *storage == Shape::String || is_fixed(16),
            Self::Duration => is_fixed(12),
            Self::IpAddress(family) => is_fixed(family.size()),
            Self::IpNetwork(family) => is_fixed(family.size() + 1),
            Self::Other(name) => {
                let is_known =
                    matches!(&**name, "map" | "decimal") || !matches!(Self::from_name(name), Self::Other(_));
                !is_known && can_be_logical(storage)
            }
            _ => self.storage().as_ref() == Some(storage),
        }
    }
}

/// Whether a storage can have a logical type.
fn can_be_logical(storage: &Shape) -> bool {
    let is_own =
        matches!(storage, Shape::Null | Shape::I128 | Shape::U128 | Shape::Enum(_) | Shape::Logical(_));
    storage.is_simple() && !is_own
}

/// How many decimal digits any integer of this number of bytes has room for, with sign.
fn digits_of(bytes: usize) -> u32 {
    let bits = (bytes as f64).mul_add(8.0, -1.0);
    // Saturates for sizes that no value has.
    (bits * std::f64::consts::LOG10_2).max(0.0) as u32
}

impl fmt::Display for Logical {
    /// The name, with precision and scale of a decimal.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Decimal { precision, scale } => write!(f, "decimal({precision}, {scale})"),
            other => f.write_str(other.name()),
        }
    }
}

impl Shape {
    /// Values of a logical type.
    ///
    /// ```
    /// use trevni::Shape;
    /// use trevni::shape::Logical;
    ///
    /// let price = Shape::logical(Logical::Decimal { precision: 9, scale: 2 }, Shape::Bytes)?;
    /// let schema = r#"{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}"#;
    /// assert_eq!(price.to_avro(), schema);
    /// assert_eq!(Shape::from_avro(schema)?, price);
    /// assert!(Shape::logical(Logical::Date, Shape::String).is_err());
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A storage that the logical type does not have in Avro: see each of [`Logical`].
    pub fn logical(logical: Logical, storage: Shape) -> Result<Self> {
        LogicalShape::new(logical, storage).map(|shape| Self::Logical(Box::new(shape)))
    }
}

impl LogicalShape {
    /// Values of a logical type with this storage.
    ///
    /// # Errors
    ///
    /// As [`Shape::logical`].
    pub fn new(logical: Logical, storage: Shape) -> Result<Self> {
        let shape = Self::unchecked(logical, storage);
        shape.check().map(|()| shape)
    }

    /// The same, whose storage is known to be one of the type.
    pub(crate) fn unchecked(logical: Logical, storage: Shape) -> Self {
        Self { logical, storage, style: StringStyle::Iso }
    }

    /// The same values with strings of another style.
    ///
    /// ```
    /// use trevni::shape::{Logical, LogicalShape, StringStyle};
    /// use trevni::{Shape, ValueRef};
    ///
    /// let when = LogicalShape::new(Logical::TimestampMillis, Shape::Long)?.with_style(StringStyle::Time)?;
    /// let string = when.text(ValueRef::Long(1_370_062_800_250));
    /// assert_eq!(string.as_deref(), Some("2013-06-01 05:00:00.25 +00:00:00"));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A type that is neither of instants nor of times of day, and has one style.
    pub fn with_style(self, style: StringStyle) -> Result<Self> {
        let shape = Self { style, ..self };
        shape.check().map(|()| shape)
    }

    /// Checks that the storage can have the logical type.
    pub(super) fn check(&self) -> Result<()> {
        let Self { logical, storage, style } = self;
        if !logical.fits(storage) {
            return Err(Error::schema(format!("{logical} cannot be stored as {storage}")));
        }
        if *style != StringStyle::Iso && !logical.has_styles() {
            return Err(Error::schema(format!("strings of {logical} have one style")));
        }
        Ok(())
    }
}
