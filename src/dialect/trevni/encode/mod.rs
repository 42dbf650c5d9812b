//! Batches into bytes.

mod column;
mod compact;
pub(super) mod encode_block;
mod grow;
pub(super) mod header;
mod rewrite;
mod settings;
mod tree;

pub(crate) use tree::Encoder;
