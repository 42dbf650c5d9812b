//! The values of a block: vectors into bytes and back, one loop for each type.

mod blobs;
pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod first;

/// The length 1, as it is usually written.
const LENGTH_ONE: u8 = 2;
