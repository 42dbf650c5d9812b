//! The values of a block: vectors into bytes and back, one loop for each type.

mod blobs;
pub(crate) mod decode;
pub(crate) mod encode;
pub(crate) mod first;
