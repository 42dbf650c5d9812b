//! What the columns that have been opened take of a file, and of its memory.

use crate::error::{Error, Result};
use crate::storage::budget::{Budget, Hold};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The tables and blocks of columns that have been opened.
pub(crate) struct Extents {
    /// Bytes of the file.
    len: u64,
    taken: Mutex<Taken>,
}

/// What they take.
struct Taken {
    /// Bytes of the file.
    bytes: u64,
    /// The memory of the tables.
    memory: Hold,
}

impl Extents {
    /// Of a file of `len` bytes, of which nothing has been opened.
    pub(crate) fn new(len: u64, budget: &Arc<Budget>) -> Self {
        Self { len, taken: Mutex::new(Taken { bytes: 0, memory: Hold::of(budget) }) }
    }

    /// Keeps the table of a column that takes `bytes` bytes of the file with its blocks, and `memory` bytes of memory.
    ///
    /// # Errors
    ///
    /// Columns that take more bytes than the file has, which overlap then, and tables above the limit of memory.
    pub(crate) fn keep<T>(
        &self,
        slot: &OnceLock<Arc<T>>,
        bytes: u64,
        memory: u64,
        table: T,
    ) -> Result<Arc<T>> {
        let mut taken = self.taken();
        // Another thread may have been faster.
        if let Some(table) = slot.get() {
            return Ok(Arc::clone(table));
        }
        let all = self.fitting(&taken, bytes)?;
        taken.memory.add(memory)?;
        taken.bytes = all;
        Ok(Arc::clone(slot.get_or_init(|| Arc::new(table))))
    }

    /// Checks, before a table of so many blocks is read, that there is room for it in the file beside the columns that
    /// have been opened, and in memory.
    ///
    /// # Errors
    ///
    /// As [`Extents::keep`]; also where another thread has kept this very table meanwhile.
    pub(crate) fn check(&self, blocks: u64) -> Result<()> {
        let taken = self.taken();
        self.fitting(&taken, blocks.saturating_mul(DESCRIPTOR_BYTES))?;
        taken.memory.check(blocks.saturating_mul(MEMORY_PER_BLOCK))
    }

    /// Bytes of the file that are taken with so many more.
    fn fitting(&self, taken: &Taken, bytes: u64) -> Result<u64> {
        let all = taken.bytes.saturating_add(bytes);
        if all <= self.len {
            return Ok(all);
        }
        let len = self.len;
        Err(Error::metadata(format!(
            "the columns overlap: their blocks take {all} bytes of the file's {len}"
        )))
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The fewest bytes of a block descriptor.
const DESCRIPTOR_BYTES: u64 = 12;
/// Bytes of memory that a block takes in tables, and while one is read.
const MEMORY_PER_BLOCK: u64 = 32;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_take_no_more_than_there_is() {
        let budget = Budget::new(100);
        let extents = Extents::new(10, &budget);
        let (one, two): (OnceLock<Arc<u8>>, OnceLock<Arc<u8>>) = Default::default();
        assert_eq!(*extents.keep(&one, 6, 60, 1).unwrap(), 1);
        assert_eq!(*extents.keep(&one, 6, 60, 2).unwrap(), 1);
        assert!(extents.keep(&two, 5, 0, 2).unwrap_err().to_string().contains("11 bytes of the file's 10"));
        assert!(extents.keep(&two, 4, 41, 2).is_err() && two.get().is_none());
        assert_eq!(*extents.keep(&two, 4, 40, 2).unwrap(), 2);
        assert!(extents.check(1).unwrap_err().to_string().contains("overlap"));
        drop(extents);
        assert_eq!(budget.left(), 100);
        let large = Extents::new(1000, &budget);
        assert!(large.check(3).is_ok() && large.check(4).is_err());
    }
}
