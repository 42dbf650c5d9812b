//! The logical types that numbers may be marked as.

/// A logical type of numbers.
pub trait Kind {
    /// The name of a newtype struct around such a number.
    const MARK: &'static str;
    /// Units of a second; `None` where days are counted.
    const PER_SECOND: Option<u32>;
    /// Whether its numbers have 32 bits.
    const IS_INT: bool = false;
}

/// A logical type of instants.
pub trait Instants: Kind {}

/// A logical type of times of day.
pub trait Times: Kind {}

macro_rules! kinds {
    ($($kind:ident $mark:literal $per_second:expr, $is_int:literal $(, $class:ident)?;)*) => {
        $(#[derive(Debug)]
        pub enum $kind {}

        impl Kind for $kind {
            const MARK: &'static str = concat!("$trevni::", $mark);
            const PER_SECOND: Option<u32> = $per_second;
            const IS_INT: bool = $is_int;
        }

        $(impl $class for $kind {})?)*
    };
}

kinds! {
    Date "date" None, true;
    TimeMillis "time-millis" Some(1000), true, Times;
    TimeMicros "time-micros" Some(1_000_000), false, Times;
    TimeNanos "time-nanos" Some(1_000_000_000), false, Times;
    TimestampMillis "timestamp-millis" Some(1000), false, Instants;
    TimestampMicros "timestamp-micros" Some(1_000_000), false, Instants;
    TimestampNanos "timestamp-nanos" Some(1_000_000_000), false, Instants;
    LocalTimestampMillis "local-timestamp-millis" Some(1000), false;
    LocalTimestampMicros "local-timestamp-micros" Some(1_000_000), false;
    LocalTimestampNanos "local-timestamp-nanos" Some(1_000_000_000), false;
}
