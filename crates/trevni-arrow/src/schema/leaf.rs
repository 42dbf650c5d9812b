//! Types without children: what is stored of each Arrow type, and the Arrow type of each shape.

use crate::error::{Error, Result};
use arrow_schema::extension::EXTENSION_TYPE_NAME_KEY;
use arrow_schema::{DataType, IntervalUnit, TimeUnit};
use std::collections::HashMap;
use trevni::Shape;
use trevni::shape::{FixedShape, IpFamily, Logical};

/// The name of the extension type for identifiers.
const UUID: &str = "arrow.uuid";
/// The names of the extension types for IP addresses begin like this, and go on with the name of the logical type.
const OWN: &str = "trevni.";
/// The types for IP addresses.
const IPS: [Logical; 6] = [
    Logical::IpAddress(IpFamily::V4),
    Logical::IpAddress(IpFamily::V6),
    Logical::IpAddress(IpFamily::Any),
    Logical::IpNetwork(IpFamily::V4),
    Logical::IpNetwork(IpFamily::V6),
    Logical::IpNetwork(IpFamily::Any),
];
/// The zone of timestamps that a file has no zone for.
const UTC: &str = "UTC";
/// Digits that any integer of 128 bits has at most.
const WIDE_DIGITS: u8 = 39;

/// The metadata of a field.
type Metadata = HashMap<String, String>;

/// What is stored of a type without children; none for types with children.
pub(crate) fn from_arrow(data_type: &DataType, name: &str, metadata: &Metadata) -> Result<Option<Shape>> {
    use DataType as D;
    Ok(Some(match data_type {
        D::Null => Shape::Null,
        D::Boolean => Shape::Boolean,
        D::Int8 | D::Int16 | D::Int32 | D::UInt8 | D::UInt16 => Shape::Int,
        D::Interval(IntervalUnit::YearMonth) => Shape::Int,
        D::Int64 | D::UInt32 | D::Duration(_) => Shape::Long,
        D::UInt64 => Shape::U64,
        D::Float16 | D::Float32 => Shape::Float,
        D::Float64 => Shape::Double,
        D::Utf8 | D::LargeUtf8 | D::Utf8View => Shape::String,
        D::Binary | D::LargeBinary | D::BinaryView => Shape::Bytes,
        D::FixedSizeBinary(size) => {
            let size =
                usize::try_from(*size).map_err(|_| Error::unsupported(data_type, "its size is negative"))?;
            let fixed = Shape::Fixed(FixedShape::new(name.to_owned(), size));
            let logical = metadata.get(EXTENSION_TYPE_NAME_KEY).and_then(|name| logical_of_extension(name));
            // An extension type of another size is what is stored.
            logical.and_then(|logical| Shape::logical(logical, fixed.clone()).ok()).unwrap_or(fixed)
        }
        D::Date32 => Shape::logical(Logical::Date, Shape::Int)?,
        D::Date64 => Shape::logical(Logical::LocalTimestampMillis, Shape::Long)?,
        D::Time32(_) => Shape::logical(Logical::TimeMillis, Shape::Int)?,
        D::Time64(TimeUnit::Nanosecond) => time_nanos()?,
        D::Time64(_) => Shape::logical(Logical::TimeMicros, Shape::Long)?,
        D::Timestamp(unit, zone) => {
            let logical = match (unit, zone) {
                (TimeUnit::Second | TimeUnit::Millisecond, Some(_)) => Logical::TimestampMillis,
                (TimeUnit::Microsecond, Some(_)) => Logical::TimestampMicros,
                (TimeUnit::Nanosecond, Some(_)) => Logical::TimestampNanos,
                (TimeUnit::Second | TimeUnit::Millisecond, None) => Logical::LocalTimestampMillis,
                (TimeUnit::Microsecond, None) => Logical::LocalTimestampMicros,
                (TimeUnit::Nanosecond, None) => Logical::LocalTimestampNanos,
            };
            Shape::logical(logical, Shape::Long)?
        }
        D::Interval(IntervalUnit::DayTime) => {
            interval(name, [("days", Shape::Int), ("milliseconds", Shape::Int)])
        }
        D::Interval(IntervalUnit::MonthDayNano) => {
            let parts = [("months", Shape::Int), ("days", Shape::Int), ("nanoseconds", Shape::Long)];
            interval(name, parts)
        }
        D::Decimal32(precision, scale)
        | D::Decimal64(precision, scale)
        | D::Decimal128(precision, scale)
        | D::Decimal256(precision, scale) => match u8::try_from(*scale) {
            Ok(scale) if scale <= *precision => {
                let (precision, scale) = (u32::from(*precision), u32::from(scale));
                Shape::logical(Logical::Decimal { precision, scale }, Shape::Bytes)?
            }
            // Avro has no words for these.
            _ => Shape::Bytes,
        },
        _ => return Ok(None),
    }))
}

fn interval<const N: usize>(name: &str, parts: [(&'static str, Shape); N]) -> Shape {
    Shape::record(name.to_owned(), parts)
}

/// The logical type of an extension type of fixed-size binary, by its name: UUIDs, IP addresses and networks.
///
/// ```
/// use trevni::shape::{IpFamily, Logical};
///
/// let logical = trevni_arrow::logical_of_extension("trevni.ipv4-address");
/// assert_eq!(logical, Some(Logical::IpAddress(IpFamily::V4)));
/// ```
#[must_use]
pub fn logical_of_extension(name: &str) -> Option<Logical> {
    if name == UUID { Some(Logical::Uuid) } else { ip(name) }
}

/// The type for IP addresses that an extension type is.
pub(super) fn ip(name: &str) -> Option<Logical> {
    let name = name.strip_prefix(OWN)?;
    IPS.into_iter().find(|logical| logical.name() == name)
}

/// The name of the extension type of a logical type that is stored as a fixed.
pub(super) fn extension(logical: &Logical) -> Option<String> {
    match logical {
        Logical::Uuid => Some(UUID.to_owned()),
        Logical::IpAddress(_) | Logical::IpNetwork(_) => Some(format!("{OWN}{}", logical.name())),
        _ => None,
    }
}

/// Nanoseconds since midnight, in a long.
fn time_nanos() -> Result<Shape> {
    Ok(Shape::from_avro(r#"{"type":"long","logicalType":"time-nanos"}"#)?)
}

/// The type that a shape without children has by itself, and whether it is an identifier; none for shapes with
/// children.
pub(crate) fn to_arrow(shape: &Shape) -> Option<DataType> {
    use DataType as D;
    Some(match shape {
        Shape::Null | Shape::Unknown => D::Null,
        Shape::Boolean => D::Boolean,
        Shape::Int => D::Int32,
        Shape::Long => D::Int64,
        Shape::U64 => D::UInt64,
        Shape::I128 | Shape::U128 => D::Decimal256(WIDE_DIGITS, 0),
        Shape::Float => D::Float32,
        Shape::Double => D::Float64,
        Shape::String => D::Utf8,
        Shape::Bytes => D::Binary,
        Shape::Fixed(fixed) => i32::try_from(fixed.size).map_or(D::Binary, D::FixedSizeBinary),
        Shape::Enum(_) => D::Dictionary(Box::new(D::Int32), Box::new(D::Utf8)),
        Shape::Logical(logical) => match meaning(&logical.logical) {
            Some(data_type) => data_type,
            None => return to_arrow(&logical.storage),
        },
        _ => return None,
    })
}

/// The type of a logical type; `None` where it is that of the storage.
fn meaning(logical: &Logical) -> Option<DataType> {
    use DataType as D;
    let utc = || Some(UTC.into());
    // By name, so that a type is the same whether the library knows it or not.
    Some(match logical.name() {
        "date" => D::Date32,
        "time-millis" => D::Time32(TimeUnit::Millisecond),
        "time-micros" => D::Time64(TimeUnit::Microsecond),
        "time-nanos" => D::Time64(TimeUnit::Nanosecond),
        "timestamp-millis" => D::Timestamp(TimeUnit::Millisecond, utc()),
        "timestamp-micros" => D::Timestamp(TimeUnit::Microsecond, utc()),
        "timestamp-nanos" => D::Timestamp(TimeUnit::Nanosecond, utc()),
        "local-timestamp-millis" => D::Timestamp(TimeUnit::Millisecond, None),
        "local-timestamp-micros" => D::Timestamp(TimeUnit::Microsecond, None),
        "local-timestamp-nanos" => D::Timestamp(TimeUnit::Nanosecond, None),
        "duration" => D::Interval(IntervalUnit::MonthDayNano),
        _ => match logical {
            Logical::Decimal { precision, scale } => decimal(*precision, *scale)?,
            _ => return None,
        },
    })
}

/// The narrowest decimal type with this precision that all engines have.
fn decimal(precision: u32, scale: u32) -> Option<DataType> {
    let (digits, scale) = (u8::try_from(precision).ok()?, i8::try_from(scale).ok()?);
    match digits {
        0..=38 => Some(DataType::Decimal128(digits, scale)),
        39..=76 => Some(DataType::Decimal256(digits, scale)),
        _ => None,
    }
}

/// Whether arrays of a type without children hold the values of a shape.
pub(crate) fn fits(data_type: &DataType, metadata: &Metadata, shape: &Shape) -> bool {
    if matches!(shape, Shape::Unknown) {
        return *data_type == DataType::Null;
    }
    let Ok(Some(own)) = from_arrow(data_type, "", metadata) else {
        return false;
    };
    match (data_type, shape) {
        (DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View, Shape::Enum(_)) => true,
        (DataType::Decimal256(WIDE_DIGITS, 0), Shape::I128 | Shape::U128) => true,
        (DataType::Decimal256(..), Shape::I128 | Shape::U128) => false,
        (DataType::Interval(IntervalUnit::MonthDayNano), Shape::Logical(logical)) => {
            logical.logical == Logical::Duration
        }
        _ => match (&own, shape) {
            (Shape::Logical(one), Shape::Logical(two)) => {
                let is_decimal = matches!(one.logical, Logical::Decimal { .. });
                one.logical == two.logical && (is_decimal || is_same(&one.storage, &two.storage))
            }
            (Shape::Logical(_), _) => false,
            // Numbers as they are stored.
            (one, two) => is_same(one, two.storage()),
        },
    }
}

/// Whether values of both are stored alike.
fn is_same(one: &Shape, two: &Shape) -> bool {
    match (one, two) {
        (Shape::Fixed(one), Shape::Fixed(two)) => one.size == two.size,
        (Shape::Record(one), Shape::Record(two)) => one.fields == two.fields,
        _ => one == two,
    }
}
