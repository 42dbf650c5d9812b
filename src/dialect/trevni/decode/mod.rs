//! Bytes into batches.

pub(crate) mod block;
mod check;
mod column;
mod file;
mod header;
mod info;
mod lengths;
mod make;
mod node;
mod opened;
mod position;
mod prefetch;
mod schema;
mod stretch;
mod table;
mod threads;
mod tree;
mod union;
mod walks;
mod wants;
mod zones;

pub(crate) use file::File;
pub(crate) use header::{ColumnHeader, Header};
pub(crate) use tree::Decoder;
