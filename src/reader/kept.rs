//! The memory of what a call hands over at once: all rows, or all values of a column.

use crate::dialect::File;
use crate::error::{ErrorKind, Result};

/// How much has been made.
pub(super) struct Kept {
    bytes: u64,
    limit: u64,
}

impl Kept {
    /// Nothing yet.
    pub(super) fn new(file: &File<'_>) -> Self {
        Self { bytes: 0, limit: file.limits().kept(file.counted_bytes()) }
    }

    /// Takes memory for more.
    ///
    /// # Errors
    ///
    /// More than there may be.
    pub(super) fn take(&mut self, bytes: u64) -> Result<()> {
        self.bytes = self.bytes.saturating_add(bytes);
        if self.bytes <= self.limit {
            return Ok(());
        }
        let what = "the memory for all rows at once";
        Err(ErrorKind::Limit { what, value: self.bytes, limit: self.limit, option: "memory" }.into())
    }
}
