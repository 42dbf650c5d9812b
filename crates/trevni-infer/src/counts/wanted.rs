//! Types that the user wants, by their names.

use crate::plan::Counted;
use trevni::shape::{IpFamily, Logical};
use trevni_query::TimePattern;

/// A type that is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WantedType {
    /// Text; values of other kinds by their JSON.
    String,
    Int64,
    Int32,
    Float64,
    Float32,
    Boolean,
    /// Bytes, whose strings are hexadecimal digits.
    Bytes,
    /// The JSON of values, as text.
    Json,
    /// Objects are maps.
    Map,
    /// Objects are structs, however many keys there are.
    Struct,
    /// Strings of a logical type, and which numbers are values too.
    Logical(Logical, Counted),
    /// Dates or instants of a pattern.
    Pattern(TimePattern),
    /// The logical type that all strings have, if they have one.
    Auto,
    /// The values whose JSON strings are.
    Any,
}

const NAMES: &str = "string, int64, int32, float64, float32, boolean, bytes, json, map, struct, date, time, timestamp, \
timestamp-seconds, local-timestamp, decimal(9,2), uuid, duration, ip, ipv4, ipv6, ip-network, ipv4-network, ipv6-network, auto, any";

impl WantedType {
    /// The type of a name.
    ///
    /// # Errors
    ///
    /// There is no such type.
    pub fn parse(text: &str) -> Result<Self, String> {
        use Counted::{Nothing, Seconds, Units};
        if text.contains('%') {
            return pattern(text).map(Self::Pattern);
        }
        let name = text.trim().to_ascii_lowercase();
        if let Some(numbers) = name.strip_prefix("decimal(").and_then(|rest| rest.strip_suffix(')')) {
            return decimal(numbers);
        }
        Ok(match &*name {
            "string" => Self::String,
            "int64" => Self::Int64,
            "int32" => Self::Int32,
            "float64" => Self::Float64,
            "float32" => Self::Float32,
            "boolean" => Self::Boolean,
            "bytes" => Self::Bytes,
            "json" => Self::Json,
            "map" => Self::Map,
            "struct" => Self::Struct,
            "auto" => Self::Auto,
            "any" => Self::Any,
            "date" => Self::Logical(Logical::Date, Nothing),
            "time" => Self::Logical(Logical::TimeMicros, Nothing),
            "time-millis" => Self::Logical(Logical::TimeMillis, Units),
            "time-micros" => Self::Logical(Logical::TimeMicros, Units),
            "time-nanos" => Self::Logical(Logical::TimeNanos, Units),
            "timestamp" => Self::Logical(Logical::TimestampMicros, Nothing),
            "timestamp-seconds" => Self::Logical(Logical::TimestampMicros, Seconds),
            "timestamp-millis" => Self::Logical(Logical::TimestampMillis, Units),
            "timestamp-micros" => Self::Logical(Logical::TimestampMicros, Units),
            "timestamp-nanos" => Self::Logical(Logical::TimestampNanos, Units),
            "local-timestamp" => Self::Logical(Logical::LocalTimestampMicros, Nothing),
            "local-timestamp-millis" => Self::Logical(Logical::LocalTimestampMillis, Units),
            "local-timestamp-micros" => Self::Logical(Logical::LocalTimestampMicros, Units),
            "local-timestamp-nanos" => Self::Logical(Logical::LocalTimestampNanos, Units),
            "uuid" => Self::Logical(Logical::Uuid, Nothing),
            "duration" => Self::Logical(Logical::Duration, Nothing),
            "ip" | "ip-address" => Self::Logical(Logical::IpAddress(IpFamily::Any), Nothing),
            "ipv4" | "ipv4-address" => Self::Logical(Logical::IpAddress(IpFamily::V4), Nothing),
            "ipv6" | "ipv6-address" => Self::Logical(Logical::IpAddress(IpFamily::V6), Nothing),
            "ip-network" => Self::Logical(Logical::IpNetwork(IpFamily::Any), Nothing),
            "ipv4-network" => Self::Logical(Logical::IpNetwork(IpFamily::V4), Nothing),
            "ipv6-network" => Self::Logical(Logical::IpNetwork(IpFamily::V6), Nothing),
            _ => return Err(format!("there is no type {text:?}; there are {NAMES}")),
        })
    }
}

/// A pattern of dates or instants.
pub(crate) fn pattern(text: &str) -> Result<TimePattern, String> {
    TimePattern::to_parse(text).map_err(|error| format!("{text:?} is not a format of dates: {error}"))
}

/// A decimal of a precision, and of a scale that is 0 where it is left out.
fn decimal(numbers: &str) -> Result<WantedType, String> {
    let (precision, scale) = numbers.split_once(',').unwrap_or((numbers, "0"));
    match (precision.trim().parse(), scale.trim().parse()) {
        (Ok(precision @ 1..=PRECISION_MAX), Ok(scale)) if scale <= precision => {
            Ok(WantedType::Logical(Logical::Decimal { precision, scale }, Counted::Units))
        }
        _ => Err(format!(
            "decimal takes its number of digits, from 1 to {PRECISION_MAX}, and how many of them are after the point: \
             decimal(9,2)"
        )),
    }
}

/// Digits that decimals of 1,024 bytes have, which all have strings.
const PRECISION_MAX: u32 = 2465;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_avro_and_shorter_ones() {
        let logical = |text: &str| match WantedType::parse(text) {
            Ok(WantedType::Logical(logical, counts)) => (logical.to_string(), counts != Counted::Nothing),
            other => panic!("{text}: {other:?}"),
        };
        for (text, expected) in [
            ("timestamp", ("timestamp-micros", false)),
            ("Timestamp-Micros", ("timestamp-micros", true)),
            ("time", ("time-micros", false)),
            ("local-timestamp-nanos", ("local-timestamp-nanos", true)),
            ("decimal(9,2)", ("decimal(9, 2)", true)),
            ("decimal( 40 , 40 )", ("decimal(40, 40)", true)),
            ("ip", ("ip-address", false)),
            ("IPv4", ("ipv4-address", false)),
            ("ipv6-network", ("ipv6-network", false)),
            ("timestamp-seconds", ("timestamp-micros", true)),
            ("DECIMAL(5)", ("decimal(5, 0)", true)),
        ] {
            assert_eq!(logical(text), (expected.0.to_owned(), expected.1), "{text}");
        }
        for text in [
            "decimal",
            "decimal()",
            "decimal(0)",
            "decimal(2,3)",
            "decimal(9,-1)",
            "decimal(9999)",
            "",
            "%H:%M",
            "%d.%m",
        ] {
            assert!(WantedType::parse(text).is_err(), "{text}");
        }
        for name in NAMES.split(", ") {
            assert!(WantedType::parse(name).is_ok(), "{name}");
        }
    }
}
