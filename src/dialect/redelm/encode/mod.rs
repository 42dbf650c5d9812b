//! Writes RedElm files.

mod column;
mod encoder;
mod footer;
mod grow;
mod pieces;
mod row_group;
mod schema;
mod threads;

pub(crate) use encoder::Encoder;
