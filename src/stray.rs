//! The error of rows on the straight way.

use serde::{de, ser};
use std::fmt;

/// A row is not like the rows before, or it fails: the general way will show. It weighs nothing and tells
/// nothing, so that what can go wrong costs the rows that do not little.
#[derive(Debug)]
pub(crate) struct Stray;

impl fmt::Display for Stray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row that is not like the rows before")
    }
}

impl std::error::Error for Stray {}

impl ser::Error for Stray {
    #[inline(always)]
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self
    }
}

impl de::Error for Stray {
    #[inline(always)]
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self
    }
}
