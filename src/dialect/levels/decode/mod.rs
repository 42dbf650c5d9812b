//! Bytes into batches.

mod block;
mod cursor;
mod file;
mod header;
mod info;
mod open;
mod schema;
mod table;

pub(crate) use file::File;
pub(crate) use header::recognize as header_of;
pub(crate) use open::recognize;
