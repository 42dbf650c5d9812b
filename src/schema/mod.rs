//! Shapes and Avro schemas: the text, and the names of types.

pub(crate) mod avro;
pub(crate) mod names;
