//! serde values into batches: rows that look like the rows before take the fast path, straight into their
//! vectors; the others take the slow path, where the shape grows if a value does not fit yet.

mod compound;
#[cfg_attr(not(feature = "detect"), path = "no_detect.rs")]
mod detect;
mod fast;
mod maps;
mod miss;
mod row;
mod sample;
mod slow;
mod wishes;

pub(crate) use detect::Detection;
pub(crate) use maps::Maps;
pub(crate) use row::{Next, Shredder, SlowRow};
pub(crate) use slow::Defaults;
pub(crate) use wishes::Wishes;

/// Tuples and arrays of up to this many items get a column for each; longer ones are lists.
pub(crate) const TUPLE_COLUMNS_MAX: usize = 16;

/// Bytes of values after which a batch is encoded, whatever its number of rows.
pub(crate) const WRITE_BATCH_BYTES: usize = 8 << 20;
