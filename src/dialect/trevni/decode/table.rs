//! The block table of a column (specification, "block descriptor"): read from its bytes, and kept in few of them.

use super::header::ColumnHeader;
use crate::bytes::reader::{Bytes, Malformed};
use crate::error::{ErrorKind, Result};
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use crate::storage::value_type::ValueType;
use std::ops::Range;

/// The blocks of a column.
pub(crate) struct Table {
    pub(crate) codec: Codec,
    pub(crate) checksum: Checksum,
    descriptors: Descriptors,
    /// Where every [`STEP`]th block begins.
    starts: Vec<Start>,
}

/// What the descriptors of all blocks say.
pub(in super::super) struct Descriptors {
    sizes: Vec<Sizes>,
    /// The first values of all blocks, where the column has first values; else none.
    firsts: Vec<Box<[u8]>>,
}

/// The numbers of a descriptor.
#[derive(Clone, Copy)]
struct Sizes {
    rows: u32,
    size: u32,
    compressed: u32,
}

/// What a descriptor says of a block, and where the block is.
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

/// The start of one block in so many is kept; those between are counted from there.
const STEP: usize = 16;

impl Table {
    /// `offset` is the position of the first block in the file.
    pub(in super::super) fn new(
        codec: Codec,
        checksum: Checksum,
        descriptors: Descriptors,
        offset: u64,
    ) -> Self {
        let mut table = Self { codec, checksum, descriptors, starts: Vec::new() };
        let mut starts = Vec::with_capacity(table.len().div_ceil(STEP));
        let mut start = Start { row: 0, offset };
        for (number, sizes) in table.descriptors.sizes.iter().enumerate() {
            if number.is_multiple_of(STEP) {
                starts.push(start);
            }
            start = table.behind(&sizes.at(start));
        }
        table.starts = starts;
        table
    }

    /// Number of blocks.
    pub(crate) fn len(&self) -> usize {
        self.descriptors.sizes.len()
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
        let passed = number % STEP;
        let mut start = self.starts.get(number / STEP).copied().unwrap_or_default();
        let sizes = self.descriptors.sizes.get(number - passed..).unwrap_or_default();
        let blocks = sizes.iter().map(move |sizes| {
            let block = sizes.at(start);
            start = self.behind(&block);
            block
        });
        blocks.skip(passed)
    }

    /// Some blocks that follow each other; none of them where not all are there.
    pub(crate) fn range(&self, numbers: Range<usize>) -> impl Iterator<Item = Block> + '_ {
        let count = if numbers.end <= self.len() { numbers.len() } else { 0 };
        self.starting_at(numbers.start).take(count)
    }

    /// The number of rows of a block; 0 where there is none.
    pub(in super::super) fn rows(&self, number: usize) -> u32 {
        self.descriptors.sizes.get(number).map_or(0, |sizes| sizes.rows)
    }

    /// The first value of a block, as the type encodes it; empty where the column has no first values.
    pub(crate) fn first_value(&self, number: usize) -> &[u8] {
        self.descriptors.firsts.get(number).map_or(&[], |first| first)
    }

    /// The last block that begins at a row or before, and its first row.
    pub(in super::super) fn block_of(&self, row: u64) -> (usize, u64) {
        let number = self.starts.partition_point(|start| start.row <= row).saturating_sub(1) * STEP;
        let not_behind = self.starting_at(number).take_while(|block| block.first_row <= row);
        not_behind.enumerate().last().map_or((0, row), |(passed, block)| (number + passed, block.first_row))
    }

    /// Bytes of a block in the file, with its checksum.
    pub(crate) fn stored(&self, block: &Block) -> usize {
        block.compressed as usize + self.checksum.size()
    }

    /// Where the block behind one begins. What has not been checked yet may be anything.
    fn behind(&self, block: &Block) -> Start {
        Start {
            row: block.first_row.saturating_add(u64::from(block.rows)),
            offset: block.offset.saturating_add(self.stored(block) as u64),
        }
    }
}

impl Descriptors {
    /// The descriptors of a column, and the bytes that its table takes. `left` counts the bytes of the file from
    /// the table on, `rows` the rows of the file.
    ///
    /// # Errors
    ///
    /// A table that is cut short, sizes that are negative, more rows than the file has.
    pub(super) fn decode(
        data: &[u8],
        left: u64,
        rows: u64,
        column: &ColumnHeader<'_>,
    ) -> Result<(Self, u64)> {
        let behind = left.saturating_sub(data.len() as u64);
        let cut = |error: Malformed| error.before(behind).of("the block table");
        let mut bytes = Bytes::new(data);
        let count = u64::from(bytes.fixed32().map_err(cut)?);
        // A descriptor has at least twelve bytes.
        if count > left / 12 {
            return Err(Malformed::End { needed: count * 12, available: left }.of("the block table"));
        }
        let room = (count as usize).min(data.len() / 12);
        let mut descriptors = Self { sizes: Vec::with_capacity(room), firsts: Vec::new() };
        let mut found = 0u64;
        for number in 0..count as usize {
            let sizes = Sizes::decode(&mut bytes).map_err(cut)?;
            let all = [sizes.rows, sizes.size, sizes.compressed].map(u32::cast_signed);
            if let Some(negative) = all.into_iter().find(|size| *size < 0) {
                let error = Malformed::Negative(i64::from(negative));
                return Err(error.of("a block's rows or size").in_block(number));
            }
            found += u64::from(sizes.rows);
            if found > rows {
                return Err(ErrorKind::RowCount { expected: rows, found }.into());
            }
            descriptors.sizes.push(sizes);
            if column.first_values {
                let first = first_value(&mut bytes, column.spec.value_type).map_err(cut)?;
                descriptors.firsts.push(first.into());
            }
        }
        Ok((descriptors, bytes.position() as u64))
    }

    /// Blocks of a table for a test: rows and bytes after the codec.
    #[cfg(test)]
    pub(in super::super) fn of(blocks: &[(u32, u32)]) -> Self {
        let sizes = blocks.iter().map(|&(rows, compressed)| Sizes { rows, size: 0, compressed });
        Self { sizes: sizes.collect(), firsts: Vec::new() }
    }
}

impl Sizes {
    fn decode(bytes: &mut Bytes<'_>) -> Result<Self, Malformed> {
        Ok(Self { rows: bytes.fixed32()?, size: bytes.fixed32()?, compressed: bytes.fixed32()? })
    }

    /// The block of these sizes that begins there.
    fn at(&self, start: Start) -> Block {
        let Self { rows, size, compressed } = *self;
        Block { first_row: start.row, rows, size, compressed, offset: start.offset }
    }
}

/// The bytes of a value.
fn first_value<'a>(bytes: &mut Bytes<'a>, value_type: ValueType) -> Result<&'a [u8], Malformed> {
    let rest = bytes.rest();
    let before = bytes.position();
    match value_type {
        ValueType::Null => {}
        ValueType::Boolean => bytes.take(1).map(|_| ())?,
        ValueType::Int => bytes.int().map(|_| ())?,
        ValueType::Long => bytes.long().map(|_| ())?,
        ValueType::Fixed32 | ValueType::Float => bytes.take(4).map(|_| ())?,
        ValueType::Fixed64 | ValueType::Double => bytes.take(8).map(|_| ())?,
        ValueType::String | ValueType::Bytes => bytes.prefixed().map(|_| ())?,
    }
    Ok(rest.get(..bytes.position() - before).unwrap_or_default())
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
            let table = Table::new(Codec::Null, Checksum::Crc32, Descriptors::of(&sizes), 100);
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
            }
            prop_assert_eq!(table.block_of(row), of_row);
            prop_assert_eq!(table.iter().count(), sizes.len());
            prop_assert!(table.get(sizes.len()).is_none());
        }
    }
}
