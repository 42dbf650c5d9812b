//! Bytes into batches.

mod block;
mod cursor;
mod file;
mod header;
mod index;
mod info;
mod schema;
mod table;
mod verify;

pub(crate) use cursor::Cursor;
pub(crate) use file::{File, Options};
pub(crate) use header::recognize;
