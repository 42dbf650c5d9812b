//! Trevni with Dremel levels: the format of a wiki and of Impala's reader and writer of 2012.

mod bits;
pub(crate) mod decode;
mod derive;
pub(crate) mod encode;
mod format;
#[cfg(test)]
mod tests;

pub use format::{Levels, LevelsInfo};

/// The first bytes of a file.
const MAGIC: [u8; 4] = *b"Trv\x01";
