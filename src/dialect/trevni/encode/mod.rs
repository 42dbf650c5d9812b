//! Batches into bytes.

mod column;
mod grow;
mod header;
mod lengths;
mod node;
mod output;
mod sealer;
mod settings;
mod spill;
mod store;
mod tree;
mod values;
mod zone;

pub(crate) use column::ColumnSettings;
pub(crate) use sealer::Resources;
pub(crate) use settings::{FileSettings, PathSettings};
pub(crate) use tree::Encoder;
