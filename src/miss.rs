//! The error of rows on the fast path.

use serde::{de, ser};
use std::fmt;

/// A row is not like the rows before, or it fails: the slow path finds out which. It has no size and no message,
/// so that it costs nothing where rows do not miss.
#[derive(Debug)]
pub(crate) struct FastPathMiss;

impl fmt::Display for FastPathMiss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row that is not like the rows before")
    }
}

impl std::error::Error for FastPathMiss {}

impl ser::Error for FastPathMiss {
    #[inline(always)]
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self
    }
}

impl de::Error for FastPathMiss {
    #[inline(always)]
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self
    }
}
