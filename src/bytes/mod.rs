//! Checked primitives over byte slices: the lowest layer.

pub(crate) mod buffer;
pub(crate) mod lanes;
pub(crate) mod reader;
pub(crate) mod varint;
