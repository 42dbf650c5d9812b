//! Numbers that are marked as values of a logical type, for `#[serde(with = "…")]`.

mod containers;
mod kind;
mod number;
mod value;
mod wide;

pub use value::Marked;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use value::Wrapped;

/// `#[serde(with = "trevni::with::wide_integer")]`: an `i128` or a `u128`, or [a container](Marked) of these, within what serde keeps in buffers of
/// its own before it is read: the fields of untagged and tagged enums, and of flattened structs. These buffers keep no integers of 128 bits.
///
/// Columns and values are the same without it.
///
/// ```
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// #[serde(untagged)]
/// enum Id {
///     Number(#[serde(with = "trevni::with::wide_integer")] u128),
///     Name(String),
/// }
///
/// let ids = [Id::Number(u128::MAX), Id::Number(7), Id::Name("7".to_owned())];
/// assert_eq!(trevni::from_slice::<Vec<Id>>(&trevni::to_vec(&ids)?)?, ids);
/// # Ok::<(), trevni::Error>(())
/// ```
pub mod wide_integer {
    use crate::marked::wide::WideInteger;
    use crate::marked::{Marked, read, write};
    use serde::{Deserializer, Serializer};

    /// Writes the integer.
    ///
    /// # Errors
    ///
    /// As the serializer.
    pub fn serialize<T: Marked<WideInteger>, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        write(value, serializer)
    }

    /// Reads the integer, from a narrower one too.
    ///
    /// # Errors
    ///
    /// An integer that the type does not have, and the errors of the deserializer.
    pub fn deserialize<'de, T: Marked<WideInteger>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        read(deserializer)
    }
}

/// `#[serde(with = "trevni::with::timestamp_millis")]`: milliseconds since 1970-01-01T00:00:00Z, as
/// [`timestamp_micros`](crate::with::timestamp_micros) has microseconds.
pub mod timestamp_millis {
    use crate::marked::kind::TimestampMillis;
    use crate::marked::{Marked, read, write};
    use serde::{Deserializer, Serializer};

    /// Writes the value; to other formats a plain number.
    ///
    /// # Errors
    ///
    /// A value out of range, and the errors of the serializer.
    pub fn serialize<T: Marked<TimestampMillis>, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        write(value, serializer)
    }

    /// Reads the value from a number, converted where the file counts in another unit, or from a text.
    ///
    /// # Errors
    ///
    /// A number that is not exact in this unit, a text of no such value, and the errors of the deserializer.
    pub fn deserialize<'de, T: Marked<TimestampMillis>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        read(deserializer)
    }
}

/// `#[serde(with = "trevni::with::timestamp_micros")]`: microseconds since 1970-01-01T00:00:00Z in an `i64` or a
/// [`SystemTime`](std::time::SystemTime), which is rounded down; also in
/// [containers](Marked) of these: options, lists, arrays, tuples, values of maps and others.
///
/// A file has them as [`Logical::TimestampMicros`](crate::shape::Logical::TimestampMicros), so that others see instants, and
/// types that request strings get RFC 3339. To other formats they are plain numbers.
///
/// ```
/// use serde::{Deserialize, Serialize};
/// use std::time::{Duration, SystemTime};
///
/// #[derive(Serialize, Deserialize, PartialEq, Debug)]
/// struct Visit {
///     #[serde(with = "trevni::with::timestamp_micros")]
///     start: i64,
///     #[serde(with = "trevni::with::timestamp_micros")]
///     end: Option<SystemTime>,
/// }
///
/// let end = SystemTime::UNIX_EPOCH + Duration::from_millis(1_370_062_800_500);
/// let visits = [Visit { start: 1_370_062_800_000_000, end: Some(end) }];
/// let file = trevni::to_vec(&visits)?;
/// assert_eq!(trevni::from_slice::<Vec<Visit>>(&file)?, visits);
/// let texts: Vec<serde_json::Value> = trevni::from_slice(&file)?;
/// assert_eq!(texts[0]["start"], "2013-06-01T05:00:00Z");
/// assert_eq!(texts[0]["end"], "2013-06-01T05:00:00.500Z");
/// # Ok::<(), trevni::Error>(())
/// ```
pub mod timestamp_micros {
    use crate::marked::kind::TimestampMicros;
    use crate::marked::{Marked, read, write};
    use serde::{Deserializer, Serializer};

    /// Writes the value; to other formats a plain number.
    ///
    /// # Errors
    ///
    /// A value out of range, and the errors of the serializer.
    pub fn serialize<T: Marked<TimestampMicros>, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        write(value, serializer)
    }

    /// Reads the value from a number, converted where the file counts in another unit, or from a text.
    ///
    /// # Errors
    ///
    /// A number that is not exact in this unit, a text of no such value, and the errors of the deserializer.
    pub fn deserialize<'de, T: Marked<TimestampMicros>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        read(deserializer)
    }
}

/// `#[serde(with = "trevni::with::timestamp_nanos")]`: nanoseconds since 1970-01-01T00:00:00Z, as
/// [`timestamp_micros`](crate::with::timestamp_micros) has microseconds.
pub mod timestamp_nanos {
    use crate::marked::kind::TimestampNanos;
    use crate::marked::{Marked, read, write};
    use serde::{Deserializer, Serializer};

    /// Writes the value; to other formats a plain number.
    ///
    /// # Errors
    ///
    /// A value out of range, and the errors of the serializer.
    pub fn serialize<T: Marked<TimestampNanos>, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        write(value, serializer)
    }

    /// Reads the value from a number, converted where the file counts in another unit, or from a text.
    ///
    /// # Errors
    ///
    /// A number that is not exact in this unit, a text of no such value, and the errors of the deserializer.
    pub fn deserialize<'de, T: Marked<TimestampNanos>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        read(deserializer)
    }
}

/// `#[serde(with = "trevni::with::local_timestamp_millis")]`: milliseconds since 1970-01-01T00:00:00 in a time zone that is not
/// known, in an `i64`; also in [containers](Marked).
pub mod local_timestamp_millis {
    use crate::marked::kind::LocalTimestampMillis;
    use crate::marked::{Marked, read, write};
    use serde::{Deserializer, Serializer};

    /// Writes the value; to other formats a plain number.
    ///
    /// # Errors
    ///
    /// A value out of range, and the errors of the serializer.
    pub fn serialize<T: Marked<LocalTimestampMillis>, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        write(value, serializer)
    }

    /// Reads the value from a number, converted where the file counts in another unit, or from a text.
    ///
    /// # Errors
    ///
    /// A number that is not exact in this unit, a text of no such value, and the errors of the deserializer.
    pub fn deserialize<'de, T: Marked<LocalTimestampMillis>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        read(deserializer)
    }
}

/// `#[serde(with = "trevni::with::local_timestamp_micros")]`: microseconds since 1970-01-01T00:00:00 in a time zone that is not
/// known, in an `i64`; also in [containers](Marked).
pub mod local_timestamp_micros {
    use crate::marked::kind::LocalTimestampMicros;
    use crate::marked::{Marked, read, write};
    use serde::{Deserializer, Serializer};

    /// Writes the value; to other formats a plain number.
    ///
    /// # Errors
    ///
    /// A value out of range, and the errors of the serializer.
    pub fn serialize<T: Marked<LocalTimestampMicros>, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        write(value, serializer)
    }

    /// Reads the value from a number, converted where the file counts in another unit, or from a text.
    ///
    /// # Errors
    ///
    /// A number that is not exact in this unit, a text of no such value, and the errors of the deserializer.
    pub fn deserialize<'de, T: Marked<LocalTimestampMicros>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        read(deserializer)
    }
}

/// `#[serde(with = "trevni::with::local_timestamp_nanos")]`: nanoseconds since 1970-01-01T00:00:00 in a time zone that is not
/// known, in an `i64`; also in [containers](Marked).
pub mod local_timestamp_nanos {
    use crate::marked::kind::LocalTimestampNanos;
    use crate::marked::{Marked, read, write};
    use serde::{Deserializer, Serializer};

    /// Writes the value; to other formats a plain number.
    ///
    /// # Errors
    ///
    /// A value out of range, and the errors of the serializer.
    pub fn serialize<T: Marked<LocalTimestampNanos>, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        write(value, serializer)
    }

    /// Reads the value from a number, converted where the file counts in another unit, or from a text.
    ///
    /// # Errors
    ///
    /// A number that is not exact in this unit, a text of no such value, and the errors of the deserializer.
    pub fn deserialize<'de, T: Marked<LocalTimestampNanos>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        read(deserializer)
    }
}

/// `#[serde(with = "trevni::with::date")]`: days since 1970-01-01 in an `i32` or `i64`; also in [containers](Marked).
///
/// ```
/// #[derive(serde::Serialize, serde::Deserialize)]
/// struct Day {
///     #[serde(with = "trevni::with::date")]
///     days: Vec<i32>,
/// }
///
/// let file = trevni::to_vec([Day { days: vec![0, 15_857] }])?;
/// let texts: Vec<serde_json::Value> = trevni::from_slice(&file)?;
/// assert_eq!(texts[0]["days"], serde_json::json!(["1970-01-01", "2013-06-01"]));
/// # Ok::<(), trevni::Error>(())
/// ```
pub mod date {
    use crate::marked::kind::Date;
    use crate::marked::{Marked, read, write};
    use serde::{Deserializer, Serializer};

    /// Writes the value; to other formats a plain number.
    ///
    /// # Errors
    ///
    /// A value out of range, and the errors of the serializer.
    pub fn serialize<T: Marked<Date>, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        write(value, serializer)
    }

    /// Reads the value from a number, converted where the file counts in another unit, or from a text.
    ///
    /// # Errors
    ///
    /// A number that is not exact in this unit, a text of no such value, and the errors of the deserializer.
    pub fn deserialize<'de, T: Marked<Date>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        read(deserializer)
    }
}

/// `#[serde(with = "trevni::with::time_millis")]`: milliseconds since midnight in an `i32`, an `i64` or a
/// [`Duration`](std::time::Duration), which is rounded down; also in [containers](Marked).
pub mod time_millis {
    use crate::marked::kind::TimeMillis;
    use crate::marked::{Marked, read, write};
    use serde::{Deserializer, Serializer};

    /// Writes the value; to other formats a plain number.
    ///
    /// # Errors
    ///
    /// A value out of range, and the errors of the serializer.
    pub fn serialize<T: Marked<TimeMillis>, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        write(value, serializer)
    }

    /// Reads the value from a number, converted where the file counts in another unit, or from a text.
    ///
    /// # Errors
    ///
    /// A number that is not exact in this unit, a text of no such value, and the errors of the deserializer.
    pub fn deserialize<'de, T: Marked<TimeMillis>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        read(deserializer)
    }
}

/// `#[serde(with = "trevni::with::time_micros")]`: microseconds since midnight in an `i64` or a
/// [`Duration`](std::time::Duration), which is rounded down; also in [containers](Marked).
pub mod time_micros {
    use crate::marked::kind::TimeMicros;
    use crate::marked::{Marked, read, write};
    use serde::{Deserializer, Serializer};

    /// Writes the value; to other formats a plain number.
    ///
    /// # Errors
    ///
    /// A value out of range, and the errors of the serializer.
    pub fn serialize<T: Marked<TimeMicros>, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        write(value, serializer)
    }

    /// Reads the value from a number, converted where the file counts in another unit, or from a text.
    ///
    /// # Errors
    ///
    /// A number that is not exact in this unit, a text of no such value, and the errors of the deserializer.
    pub fn deserialize<'de, T: Marked<TimeMicros>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        read(deserializer)
    }
}

/// `#[serde(with = "trevni::with::time_nanos")]`: nanoseconds since midnight in an `i64` or a
/// [`Duration`](std::time::Duration); also in [containers](Marked).
pub mod time_nanos {
    use crate::marked::kind::TimeNanos;
    use crate::marked::{Marked, read, write};
    use serde::{Deserializer, Serializer};

    /// Writes the value; to other formats a plain number.
    ///
    /// # Errors
    ///
    /// A value out of range, and the errors of the serializer.
    pub fn serialize<T: Marked<TimeNanos>, S: Serializer>(
        value: &T,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        write(value, serializer)
    }

    /// Reads the value from a number, converted where the file counts in another unit, or from a text.
    ///
    /// # Errors
    ///
    /// A number that is not exact in this unit, a text of no such value, and the errors of the deserializer.
    pub fn deserialize<'de, T: Marked<TimeNanos>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        read(deserializer)
    }
}

fn write<K, T: Marked<K>, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    Wrapped::<K, &T>::new(value).serialize(serializer)
}

fn read<'de, K, T: Marked<K>, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    Wrapped::<K, T>::deserialize(deserializer).map(Wrapped::into_inner)
}
