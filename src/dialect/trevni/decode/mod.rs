//! Bytes into batches.

pub(crate) mod block;
mod cache;
mod column;
mod file;
mod header;
mod info;
mod node;
mod open;
mod schema;
mod seek;
mod table;
mod tree;
mod verify;
mod zones;

pub(crate) use file::File;
pub(crate) use open::recognize;
pub(crate) use tree::Decoder;
