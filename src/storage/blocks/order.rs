//! Whether the blocks of a column are those that were written, in their order: a checksum over their checksums.

use super::table::BlockTable;
use crate::error::{Error, ErrorKind, Result};
use crate::storage::checksum::{Checksum, RunningSum};

/// Compares the checksums of blocks that are read one after the other, all of them, with what the file says of them.
pub(crate) struct BlockOrder {
    expected: u32,
    /// The block that comes next.
    next: usize,
    sum: RunningSum,
}

impl BlockOrder {
    /// Before the first block; none where the file says nothing, or blocks have no checksums.
    pub(crate) fn of(table: &BlockTable) -> Option<Self> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::codec::Codec;

    const SUMS: [&[u8]; 3] = [b"aaaa", b"bbbb", b"cccc"];

    fn table() -> BlockTable {
        let table = BlockTable::of(Codec::Null, Checksum::Crc32, &[(1, 5); 3], 0);
        table.with_order(RunningSum::of(&SUMS.concat()))
    }

    fn taken(order: &[(usize, usize)]) -> Vec<bool> {
        let table = table();
        let mut sums = BlockOrder::of(&table).unwrap();
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
        let none = BlockTable::of(Codec::Null, Checksum::Null, &[(1, 5)], 0).with_order(7);
        assert!(BlockOrder::of(&none).is_none());
        assert!(BlockOrder::of(&BlockTable::of(Codec::Null, Checksum::Crc32, &[(1, 5)], 0)).is_none());
    }
}
