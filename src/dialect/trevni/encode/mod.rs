//! Batches into bytes.

mod append;
mod column;
mod compact;
mod decode_block;
pub(super) mod described;
pub(super) mod encode_block;
mod fixed;
mod grow;
pub(super) mod header;
mod node;
mod rewrite;
mod settings;
pub(super) mod table;
mod tree;

pub(crate) use tree::Encoder;
