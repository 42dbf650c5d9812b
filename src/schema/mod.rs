//! Shapes and schemas as text, those of Avro and messages; the names of types.

pub(crate) mod avro;
pub(crate) mod message;
pub(crate) mod names;
