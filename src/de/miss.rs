//! The error of rows that miss the fast path.

use serde::de;
use std::cell::Cell;
use std::fmt;

thread_local! {
    /// Of the row that this thread makes: errors that the slow path makes as well, minus all errors dropped. Negative after a dropped miss.
    static BALANCE: Cell<i64> = const { Cell::new(0) };
}

/// A row is not like the rows before, or it fails: the slow path finds out which. It has no size and no message,
/// so that it costs nothing where rows do not miss.
///
/// A type may ignore errors of its fields, as `T::deserialize(d).ok()` does. A field that has missed has no value yet, so the error
/// notes that it is dropped, and the row is read by the slow path, too.
#[derive(Debug)]
pub(crate) struct FastPathMiss(());

impl FastPathMiss {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self(())
    }

    /// The error of a row that fails by the slow path, too.
    #[cold]
    #[inline(never)]
    pub(crate) fn end() -> Self {
        Self::count(1);
        Self(())
    }

    /// The row, if no part of it has missed.
    #[inline(always)]
    pub(crate) fn checked<T>(row: Result<T, Self>) -> Option<T> {
        match row {
            Ok(row) if BALANCE.get() == 0 => Some(row),
            missed => {
                drop(missed);
                BALANCE.set(0);
                None
            }
        }
    }

    #[cold]
    fn count(change: i64) {
        BALANCE.set(BALANCE.get() + change);
    }
}

/// Keeps the count of a row apart while one of its fields reads rows of another file.
pub(crate) struct RowAround(i64);

impl RowAround {
    pub(crate) fn leave() -> Self {
        Self(BALANCE.replace(0))
    }
}

impl Drop for RowAround {
    fn drop(&mut self) {
        FastPathMiss::count(self.0);
    }
}

impl Drop for FastPathMiss {
    #[inline(never)]
    fn drop(&mut self) {
        Self::count(-1);
    }
}

impl fmt::Display for FastPathMiss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row that is not like the rows before")
    }
}

impl std::error::Error for FastPathMiss {}

impl de::Error for FastPathMiss {
    /// An error of the type itself is the same by the slow path, so it may be ignored.
    #[inline(always)]
    fn custom<T: fmt::Display>(_message: T) -> Self {
        Self::end()
    }
}
