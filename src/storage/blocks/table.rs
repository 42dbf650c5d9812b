//! The blocks of a column that is read: their sizes, where they are, and how their bytes are unpacked.

use super::BlockForm;
use crate::error::{Error, ErrorKind, Result};
use crate::storage::checksum::{Checksum, Placement};
use crate::storage::codec::{Codec, ColumnType, Cursor, Decompressors, TakeRoom};
use std::ops::Range;

/// The blocks of a column, which follow each other in the file.
pub(crate) struct BlockTable {
    pub(crate) codec: Codec,
    pub(crate) checksum: Checksum,
    pub(crate) form: BlockForm,
    /// Whether a checksum of zero is that of any block, as Java writes it for blocks without a codec.
    zero_sums: bool,
    /// The checksum over those of all blocks, where the file says it.
    order: Option<u32>,
    sizes: Vec<BlockSizes>,
    /// The first values of all blocks, where the column has first values; else none.
    first_values: Vec<Box<[u8]>>,
    /// Where every [`BLOCKS_PER_START`]th block begins.
    starts: Vec<Start>,
    /// Position of the first block in the file.
    first_offset: u64,
}

/// What a file says of a block.
#[derive(Clone, Copy)]
pub(crate) struct BlockSizes {
    pub(crate) rows: u32,
    /// Bytes before the codec.
    pub(crate) size: u32,
    /// Bytes after the codec, without the checksum.
    pub(crate) compressed: u32,
}

/// What a file says of a block, and where the block is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    /// Number of its first row.
    pub(crate) first_row: u64,
    pub(crate) rows: u32,
    /// Bytes before the codec.
    pub(crate) size: u32,
    /// Bytes after the codec, without the checksum.
    pub(crate) compressed: u32,
    /// Position in the file.
    pub(crate) offset: u64,
}

/// Where a block begins.
#[derive(Clone, Copy, Default)]
struct Start {
    row: u64,
    offset: u64,
}

/// The start of one block in this number is kept; those between are counted from there.
const BLOCKS_PER_START: usize = 16;

impl BlockTable {
    /// `offset` is the position of the first block in the file. There are as many first values as blocks,
    /// or none.
    pub(crate) fn new(
        codec: Codec,
        checksum: Checksum,
        sizes: Vec<BlockSizes>,
        first_values: Vec<Box<[u8]>>,
        offset: u64,
    ) -> Self {
        let (form, zero_sums, starts) = (BlockForm::default(), false, Vec::new());
        let (order, first_offset) = (None, offset);
        let mut table =
            Self { codec, checksum, form, zero_sums, order, sizes, first_values, starts, first_offset };
        let mut starts = Vec::with_capacity(table.len().div_ceil(BLOCKS_PER_START));
        let mut start = Start { row: 0, offset };
        for (number, sizes) in table.sizes.iter().enumerate() {
            if number.is_multiple_of(BLOCKS_PER_START) {
                starts.push(start);
            }
            start = table.after(&sizes.at(start));
        }
        table.starts = starts;
        table
    }

    /// The same blocks, in the form of another format.
    pub(crate) fn with_form(self, form: BlockForm) -> Self {
        Self { form, ..self }
    }

    /// The same blocks, where a checksum of zero is that of any block.
    pub(crate) fn with_zero_sums(self) -> Self {
        Self { zero_sums: true, ..self }
    }

    /// The same blocks, whose checksums have this checksum.
    pub(crate) fn with_order(self, order: u32) -> Self {
        Self { order: Some(order), ..self }
    }

    /// The checksum over those of all blocks, where the file says it.
    pub(crate) fn order(&self) -> Option<u32> {
        self.order
    }

    /// Whether a checksum of zero is that of any block.
    pub(crate) fn has_zero_sums(&self) -> bool {
        self.zero_sums
    }

    /// Where the checksums of blocks that are not empty are, if they come after the blocks; that of nothing is zero.
    pub(crate) fn sums_after_blocks(&self) -> impl Iterator<Item = u64> + '_ {
        let filled = self.iter().filter(|block| block.compressed > 0);
        filled.map(|block| block.offset + u64::from(block.compressed))
    }

    /// Checks that all blocks are within a file of `len` bytes, none holds more than `block_bytes` bytes,
    /// and all together hold `rows` rows.
    pub(crate) fn check(&self, len: u64, block_bytes: u64, rows: u64) -> Result<()> {
        let mut found = 0;
        for (number, block) in self.iter().enumerate() {
            if let Some(error) = self.missing(&block, len) {
                return Err(error.in_block(number));
            }
            if u64::from(block.size) > block_bytes {
                let (value, limit) = (u64::from(block.size), block_bytes);
                let what = "the size of a block";
                let error = ErrorKind::Limit { what, value, limit, option: "block_bytes" };
                return Err(Error::from(error).in_block(number));
            }
            found = block.first_row + u64::from(block.rows);
        }
        if found != rows {
            return Err(ErrorKind::RowCount { expected: rows, found }.into());
        }
        Ok(())
    }

    /// What is wrong with a block that is not all within a file of `len` bytes.
    pub(crate) fn missing(&self, block: &Block, len: u64) -> Option<Error> {
        let (needed, available) = (self.stored(block) as u64, len.saturating_sub(block.offset));
        let error = ErrorKind::Truncated { what: "a block", needed, available };
        // One without bytes may come after others that are not there.
        (needed > available || block.offset > len).then(|| Error::from(error).at_offset(block.offset))
    }

    /// Where the last block ends, or where the first would begin.
    pub(crate) fn end(&self) -> u64 {
        let last = self.len().checked_sub(1).and_then(|last| self.get(last));
        last.map_or(self.first_offset, |last| self.after(&last).offset)
    }

    /// Bytes of memory that it takes.
    pub(crate) fn memory(&self) -> u64 {
        let starts = self.starts.capacity() * size_of::<Start>();
        let sizes = self.sizes.capacity() * size_of::<BlockSizes>();
        let values = self.first_values.capacity() * size_of::<Box<[u8]>>();
        let bytes: usize = self.first_values.iter().map(|first| first.len()).sum();
        (starts + sizes + values + bytes) as u64
    }

    /// Number of blocks.
    pub(crate) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// One block.
    pub(crate) fn get(&self, number: usize) -> Option<Block> {
        self.starting_at(number).next()
    }

    /// All blocks.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Block> + '_ {
        self.starting_at(0)
    }

    /// The blocks from one on.
    pub(crate) fn starting_at(&self, number: usize) -> impl Iterator<Item = Block> + '_ {
        let passed = number % BLOCKS_PER_START;
        let mut start = self.starts.get(number / BLOCKS_PER_START).copied().unwrap_or_default();
        // No blocks come after the last.
        let sizes = self.sizes.get(number - passed..).unwrap_or_default();
        let blocks = sizes.iter().map(move |sizes| {
            let block = sizes.at(start);
            start = self.after(&block);
            block
        });
        blocks.skip(passed)
    }

    /// Some blocks that follow each other; empty where not all are there.
    pub(crate) fn range(&self, numbers: Range<usize>) -> impl Iterator<Item = Block> + '_ {
        let count = if numbers.end <= self.len() { numbers.len() } else { 0 };
        self.starting_at(numbers.start).take(count)
    }

    /// The positions in the file where the blocks from one on end.
    pub(crate) fn ends(&self, number: usize) -> impl Iterator<Item = u64> + '_ {
        self.starting_at(number).map(|block| self.after(&block).offset)
    }

    /// The number of rows of a block; 0 without such a block.
    pub(crate) fn rows(&self, number: usize) -> u32 {
        self.sizes.get(number).map_or(0, |sizes| sizes.rows)
    }

    /// The first value of a block, as the type encodes it; empty where the column has no first values.
    pub(crate) fn first_value(&self, number: usize) -> &[u8] {
        self.first_values.get(number).map_or(&[], |first| first)
    }

    /// The last block that begins at a row or before, and its first row.
    pub(crate) fn block_of(&self, row: u64) -> (usize, u64) {
        let start = self.starts.partition_point(|start| start.row <= row).saturating_sub(1);
        let number = start * BLOCKS_PER_START;
        let not_after = self.starting_at(number).take_while(|block| block.first_row <= row);
        not_after.enumerate().last().map_or((0, row), |(passed, block)| (number + passed, block.first_row))
    }

    /// Bytes of a block in the file, with its checksum.
    pub(crate) fn stored(&self, block: &Block) -> usize {
        block.compressed as usize + self.checksum.size()
    }

    /// Where the block after one begins. What has not been checked yet may be anything.
    fn after(&self, block: &Block) -> Start {
        Start {
            row: block.first_row.saturating_add(u64::from(block.rows)),
            offset: block.offset.saturating_add(self.stored(block) as u64),
        }
    }
}

impl BlockSizes {
    /// The block of these sizes that begins there.
    fn at(&self, start: Start) -> Block {
        let Self { rows, size, compressed } = *self;
        Block { first_row: start.row, rows, size, compressed, offset: start.offset }
    }
}

#[cfg(test)]
impl BlockTable {
    /// A table of blocks of some rows and bytes after the codec.
    pub(crate) fn from_codec(codec: Codec, checksum: Checksum, blocks: &[(u32, u32)], offset: u64) -> Self {
        let sizes = blocks.iter().map(|&(rows, compressed)| BlockSizes { rows, size: 0, compressed });
        Self::new(codec, checksum, sizes.collect(), Vec::new(), offset)
    }
}

impl BlockTable {
    /// The compressed bytes of a block, and its checksum, of all that is stored of it.
    pub(crate) fn split_sum<'a>(&self, block: &Block, stored: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        match self.form.checksum {
            Placement::BeforeLittle => {
                let (checksum, compressed) = stored.split_at(stored.len().min(self.checksum.size()));
                (compressed, checksum)
            }
            Placement::After | Placement::AfterLittle => {
                stored.split_at(stored.len().min(block.compressed as usize))
            }
        }
    }

    /// The bytes of a block before the codec, compared with the checksum: part of `stored`, the bytes of the
    /// block in the file, or `data`. `room` is called with the memory that this takes beside `stored` before it is taken.
    ///
    /// # Errors
    ///
    /// Bytes that the codec or the checksum refuses.
    pub(crate) fn unpack<'a>(
        &self,
        block: &Block,
        stored: &'a [u8],
        decompressors: &Decompressors,
        data: &'a mut Vec<u8>,
        room: &mut TakeRoom<'_>,
    ) -> Result<&'a [u8]> {
        let (compressed, checksum) = self.split_sum(block, stored);
        if self.codec == Codec::Null {
            room(data.capacity())?;
            self.verify(compressed, checksum)?;
            return Ok(compressed);
        }
        if self.codec.encodes_values() {
            self.verify(compressed, checksum)?;
        }
        decompressors.decompress(self.codec, compressed, block.size as usize, data, room)?;
        if !self.codec.encodes_values() {
            self.verify(data, checksum)?;
        }
        Ok(data)
    }

    /// Begins to read a block whose codec knows its values; the bytes of what it made of them are `stored`, or `data` where more
    /// than that was done to them. `None` where the bytes before the codec must be read, which are `data` then.
    ///
    /// # Errors
    ///
    /// As [`BlockTable::unpack`].
    pub(crate) fn open_typed(
        &self,
        block: &Block,
        stored: &[u8],
        column_type: ColumnType,
        decompressors: &Decompressors,
        data: &mut Vec<u8>,
        room: &mut TakeRoom<'_>,
    ) -> Result<Option<Cursor>> {
        let (compressed, checksum) = self.split_sum(block, stored);
        self.verify(compressed, checksum)?;
        decompressors.open(self.codec, compressed, column_type, block.size as usize, data, room)
    }

    fn verify(&self, block: &[u8], checksum: &[u8]) -> Result<()> {
        match self.form.checksum {
            Placement::After => self.checksum.verify(block, checksum, self.has_zero_sums()),
            Placement::AfterLittle | Placement::BeforeLittle => self.checksum.verify_little(block, checksum),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn blocks_are_where_counting_puts_them(
            sizes in prop::collection::vec((0u32..4, 0u32..9), 0..70),
            row in 0u64..200,
        ) {
            let table = BlockTable::from_codec(Codec::Null, Checksum::Crc32, &sizes, 100);
            let (mut first_row, mut offset, mut of_row) = (0, 100, (0, row));
            for (number, &(rows, compressed)) in sizes.iter().enumerate() {
                let block = table.get(number).unwrap();
                prop_assert_eq!((block.first_row, block.rows), (first_row, rows));
                prop_assert_eq!((block.offset, block.compressed), (offset, compressed));
                if first_row <= row {
                    of_row = (number, first_row);
                }
                first_row += u64::from(rows);
                offset += u64::from(compressed) + 4;
                prop_assert_eq!(table.ends(number).next(), Some(offset));
                prop_assert_eq!(table.ends(number).count(), sizes.len() - number);
            }
            prop_assert_eq!(table.block_of(row), of_row);
            prop_assert_eq!(table.iter().count(), sizes.len());
            prop_assert!(table.get(sizes.len()).is_none());
            prop_assert!(table.check(offset, 0, first_row).is_ok());
            prop_assert!(table.check(offset, 0, first_row + 1).is_err());
            prop_assert_eq!(table.check(offset.saturating_sub(1), 0, first_row).is_ok(), sizes.is_empty());
        }
    }
}
