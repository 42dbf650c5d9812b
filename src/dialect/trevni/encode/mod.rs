//! Batches into bytes.

mod column;
mod grow;
mod header;
mod lengths;
mod tree;
mod values;

pub(crate) use column::ColumnSettings;
pub(crate) use tree::{Encoder, FileSettings, PathSettings};
