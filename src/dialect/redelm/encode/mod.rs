//! Writes RedElm files.

mod column;
mod encoder;
mod footer;
mod grow;
mod row_group;
mod schema;
mod settings;
mod zones;

pub(crate) use encoder::{CAPABILITIES, Encoder};
