//! The values of a block: vectors into bytes and back, one loop for each type.

mod blobs;
mod bytes;
pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod first;
pub(crate) mod lengths;
mod packing;
pub(crate) mod skip;
mod texts;

pub(crate) use texts::as_blobs;

/// The length 1, as it is usually written.
const LENGTH_ONE: u8 = 2;

/// Bytes of a timestamp.
pub(crate) const TIMESTAMP_BYTES: usize = 12;
