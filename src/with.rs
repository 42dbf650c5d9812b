//! Modules for `#[serde(with = "…")]`: instants, times, dates and wide integers as such.
//!
//! ```
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Serialize, Deserialize)]
//! struct Departure {
//!     #[serde(with = "trevni::with::timestamp_micros")]
//!     at: i64,
//! }
//!
//! let file = trevni::to_vec([Departure { at: 1_357_016_400_000_000 }])?;
//! let rows: Vec<Departure> = trevni::from_slice(&file)?;
//! assert_eq!(rows[0].at, 1_357_016_400_000_000);
//! # Ok::<(), trevni::Error>(())
//! ```

pub use crate::marked::{
    Marked, date, local_timestamp_micros, local_timestamp_millis, local_timestamp_nanos, time_micros,
    time_millis, time_nanos, timestamp_micros, timestamp_millis, timestamp_nanos, wide_integer,
};
