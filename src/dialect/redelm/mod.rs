//! RedElm, the format that Parquet grew out of: row groups of columns with Dremel levels, and a footer.

mod codec;
pub(crate) mod decode;
pub(crate) mod encode;
mod footer;
mod format;
mod leaves;
mod short_ints;
mod summary;
mod sums;
#[cfg(test)]
mod tests;
mod values;

pub use footer::RedElmFooter;
pub use format::{RedElm, RedElmInfo};
pub use summary::{RedElmSummary, SummaryFile};

/// The first and the last bytes of a file: `Red Elm` and a line break.
pub(crate) const MAGIC: [u8; 8] = *b"Red Elm\n";

/// The metadata block with the zone maps of all columns; specific to this crate.
const ZONES: &str = "trevni.zones";
