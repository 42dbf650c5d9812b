//! Bytes into batches.

mod ahead;
pub(crate) mod block;
mod check;
mod column;
mod file;
mod form;
mod given;
mod header;
mod lengths;
mod make;
mod names;
mod node;
mod opened;
mod position;
mod prefetch;
mod stretch;
mod threads;
mod tree;
mod union;
mod values;
mod walks;
mod wants;
mod zones;

pub(crate) use file::{Block, File, Table};
pub(crate) use given::Given;
pub(crate) use header::{ColumnHeader, Header};
pub(crate) use tree::Decoder;
