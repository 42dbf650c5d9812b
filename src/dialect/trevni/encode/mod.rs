//! Batches into bytes.

mod append;
mod blobs;
mod column;
mod fixed;
mod grow;
pub(super) mod header;
mod lengths;
mod node;
pub(super) mod output;
mod read_back;
mod sealer;
mod settings;
pub(super) mod single;
mod spill;
mod store;
mod texts;
mod tree;
mod values;
mod zone;

pub(crate) use column::ColumnSettings;
pub(crate) use sealer::Resources;
pub(crate) use settings::{FileSettings, PathSettings};
pub(crate) use tree::Encoder;
