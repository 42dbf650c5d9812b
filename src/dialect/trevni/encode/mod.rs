//! Batches into bytes.

mod append;
mod column;
mod fixed;
mod grow;
pub(super) mod header;
mod lengths;
mod node;
mod read_back;
mod settings;
pub(super) mod single;
pub(super) mod table;
mod tree;

pub(crate) use column::ColumnSettings;
pub(crate) use settings::{FileSettings, PathSettings};
pub(crate) use tree::Encoder;

/// What rows may be in a Trevni file.
pub(crate) const CAPABILITIES: crate::dialect::Capabilities = crate::dialect::Capabilities::all("Trevni");
