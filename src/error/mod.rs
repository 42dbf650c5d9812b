//! The crate's error: what went wrong, with numbers, and where.

pub(crate) mod kind;
pub(crate) mod whole;

pub(crate) use kind::ErrorKind;
pub use whole::Location;
pub(crate) use whole::{Category, Error, Result};
