//! Batches into bytes.

mod column;
mod earlier;
mod encoder;
mod header;
mod settings;

pub(crate) use encoder::Encoder;
