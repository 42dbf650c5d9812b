//! What the columns that have been opened take of a file, and whether their blocks are in the order they were written in.

use super::DESCRIPTOR_BYTES;
use super::table::BlockTable;
use crate::error::{Error, ErrorKind, Result};
use crate::storage::budget::{Budget, Hold};
use crate::storage::checksum::{Checksum, RunningSum};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// Compares the checksums of blocks that are read one after the other, all of them, with what the file says of them.
pub(crate) struct BlockOrder {
    expected: u32,
    /// The block that comes next.
    next: usize,
    sum: RunningSum,
}

impl BlockOrder {
    /// Before the first block; `None` where the file says nothing, or blocks have no checksums.
    pub(crate) fn from_table(table: &BlockTable) -> Option<Self> {
        let expected = table.order().filter(|_| table.checksum != Checksum::Null)?;
        Some(Self { expected, next: 0, sum: RunningSum::default() })
    }

    /// Takes note of the stored checksum of a block. Blocks that do not follow the one before tell nothing.
    ///
    /// # Errors
    ///
    /// The last block, where all of them are not what they were.
    pub(crate) fn take(&mut self, table: &BlockTable, number: usize, sum: &[u8]) -> Result<()> {
        if number != self.next {
            return Ok(());
        }
        self.sum.update(sum);
        self.next += 1;
        if self.next == table.len() { self.compare() } else { Ok(()) }
    }

    fn compare(&self) -> Result<()> {
        let (stored, computed) = (self.expected, self.sum.value());
        if stored == computed {
            return Ok(());
        }
        let what = "the blocks, which are not those that were written, or are in another order";
        Err(Error::from(ErrorKind::PartChecksum { what, stored, computed }))
    }
}

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
        Self { len, taken: Mutex::new(Taken { bytes: 0, memory: Hold::new(budget) }) }
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

    /// Checks, before a table of a number of blocks is read, that there is room for it in the file beside the columns that
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

    /// Bytes of the file that are taken with this number of further ones.
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
/// Bytes of memory that a block takes in tables, and while one is read.
const MEMORY_PER_BLOCK: u64 = 32;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::codec::Codec;

    const SUMS: [&[u8]; 3] = [b"aaaa", b"bbbb", b"cccc"];

    fn table() -> BlockTable {
        let table = BlockTable::from_codec(Codec::Null, Checksum::Crc32, &[(1, 5); 3], 0);
        table.with_order(RunningSum::of(&SUMS.concat()))
    }

    fn taken(order: &[(usize, usize)]) -> Vec<bool> {
        let table = table();
        let mut sums = BlockOrder::from_table(&table).unwrap();
        order.iter().map(|(number, sum)| sums.take(&table, *number, SUMS[*sum]).is_ok()).collect()
    }

    #[test]
    fn exchanged_blocks_are_found_with_the_last() {
        assert_eq!(taken(&[(0, 0), (1, 1), (2, 2)]), [true; 3]);
        assert_eq!(taken(&[(0, 1), (1, 0), (2, 2)]), [true, true, false]);
        assert_eq!(taken(&[(0, 0), (1, 1), (2, 1)]), [true, true, false]);
    }

    #[test]
    fn blocks_that_are_read_in_part_tell_nothing() {
        assert_eq!(taken(&[(1, 0), (2, 0)]), [true; 2]);
        assert_eq!(taken(&[(0, 1), (2, 0), (0, 1)]), [true; 3]);
        // A block that is read again.
        assert_eq!(taken(&[(0, 0), (0, 1), (1, 1), (0, 2), (2, 2)]), [true; 5]);
    }

    #[test]
    fn what_has_no_checksums_has_no_order() {
        let none = BlockTable::from_codec(Codec::Null, Checksum::Null, &[(1, 5)], 0).with_order(7);
        assert!(BlockOrder::from_table(&none).is_none());
        assert!(
            BlockOrder::from_table(&BlockTable::from_codec(Codec::Null, Checksum::Crc32, &[(1, 5)], 0))
                .is_none()
        );
    }

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
