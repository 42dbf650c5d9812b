//! Bytes into batches.

pub(crate) mod block;
mod check;
mod column;
mod file;
mod header;
mod info;
mod lazy_column;
mod make;
mod node;
mod open;
mod parent_counts;
mod position;
mod prefetch;
mod room;
mod row_window;
mod schema;
mod table;
mod threads;
mod tree;
mod union;
mod verify;
mod zones;

pub(crate) use file::File;
pub(crate) use open::recognize;
pub(crate) use tree::Decoder;
