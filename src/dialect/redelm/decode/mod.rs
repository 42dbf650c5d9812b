//! Reads RedElm files.

mod chunk;
mod columns;
mod file;
mod footer;
mod info;
mod open;
mod schema;
mod verify;

pub(crate) use file::File;
pub(super) use footer::{footer_limit, footer_of};
pub(crate) use open::{open_with_footer, recognize};
pub(super) use schema::column_numbers;
