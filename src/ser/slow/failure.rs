//! The first error within a row: a `Serialize` that goes on nevertheless must not come to an end.

use crate::error::{Error, Result};
use std::cell::OnceCell;

/// Remembers the first error of a row, for all its compounds: each of them only knows that it failed.
#[derive(Default)]
pub(in crate::ser) struct FirstError(OnceCell<Box<str>>);

impl FirstError {
    /// Remembers an error of a compound, unless there is one already; the compound has failed.
    #[cold]
    #[inline(never)]
    pub(super) fn note(&self, failed: &mut bool, error: Error) -> Error {
        *failed = true;
        self.0.get_or_init(|| error.to_string().into());
        error
    }

    /// Refuses the end of a compound that failed.
    #[inline]
    pub(super) fn check(&self, failed: bool) -> Result<()> {
        if failed { Err(self.went_on()) } else { Ok(()) }
    }

    #[cold]
    fn went_on(&self) -> Error {
        let first = self.0.get().map_or("", |text| text);
        Error::option(format!("a Serialize implementation went on after an error: {first}"))
    }
}
