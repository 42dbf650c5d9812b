//! The error of rows that miss the fast path.

use serde::de;
use std::cell::Cell;
use std::fmt;

thread_local! {
    /// Whether a row of this thread has missed.
    static HAS_MISSED: Cell<bool> = const { Cell::new(false) };
}

/// A row is not like the rows before, or it fails: the slow path finds out which. It has no size and no message,
/// so that it costs nothing where rows do not miss.
#[derive(Debug)]
pub(crate) struct FastPathMiss(());

impl FastPathMiss {
    /// Also notes the miss: a type may ignore errors of its fields, but a field that has missed has no value yet.
    #[cold]
    #[inline(never)]
    pub(crate) fn new() -> Self {
        HAS_MISSED.set(true);
        Self(())
    }

    /// The end of rows of which one has failed by the slow path, too.
    pub(crate) fn end() -> Self {
        Self(())
    }

    /// The row; an error if any part of it has missed.
    #[inline(always)]
    pub(crate) fn checked<T>(row: Result<T, Self>) -> Result<T, Self> {
        if HAS_MISSED.get() { Err(Self::forget()) } else { row }
    }

    #[cold]
    #[inline(never)]
    fn forget() -> Self {
        HAS_MISSED.set(false);
        Self(())
    }
}

impl fmt::Display for FastPathMiss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row that is not like the rows before")
    }
}

impl std::error::Error for FastPathMiss {}

impl de::Error for FastPathMiss {
    /// An error of the type itself is the same by the slow path, so it need not be noted.
    #[inline(always)]
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self(())
    }
}
