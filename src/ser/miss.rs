//! The error of rows that miss the fast path.

use serde::ser;
use std::cell::RefCell;
use std::fmt;

thread_local! {
    /// What a `Serialize` said when it failed.
    static MESSAGE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// A row is not like the rows before, or it fails: the slow path finds out which. It has no size and no message,
/// so that it costs nothing where rows do not miss.
#[derive(Debug)]
pub(crate) struct FastPathMiss;

impl FastPathMiss {
    /// What the last `Serialize` said that failed on this thread, if any has since this was asked.
    pub(crate) fn take_message() -> Option<String> {
        MESSAGE.take()
    }
}

#[cold]
#[inline(never)]
fn keep(message: &dyn fmt::Display) {
    MESSAGE.set(Some(message.to_string()));
}

impl fmt::Display for FastPathMiss {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a row that is not like the rows before")
    }
}

impl std::error::Error for FastPathMiss {}

impl ser::Error for FastPathMiss {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        keep(&message);
        Self
    }
}
