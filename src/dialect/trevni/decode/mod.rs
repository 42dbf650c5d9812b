//! Bytes into batches.

pub(crate) mod block;
mod column;
mod file;
mod header;
mod lengths;
mod node;
mod tree;
mod values;

pub(crate) use file::File;
pub(crate) use tree::Decoder;
