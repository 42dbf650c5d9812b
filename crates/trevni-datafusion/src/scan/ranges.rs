//! Which bytes of a file the rows of a reader are read from.

use crate::statistics::tables;
use std::ops::Range;
use trevni::{BlockInfo, Dialect, Reader, RowSelection};

/// The columns that a reader reads, whole: where they begin, up to where the next one begins. None for formats in which columns are
/// not in one piece.
pub(super) fn of_columns(reader: &Reader<'_>, len: u64) -> Option<Vec<Range<u64>>> {
    if reader.dialect() == Dialect::RedElm {
        return None;
    }
    let all = reader.columns();
    let extent = |number: usize| {
        let start = all[number].start();
        let after = all.iter().map(trevni::column::ColumnInfo::start).filter(|other| *other > start).min();
        start..after.unwrap_or(len).min(len)
    };
    Some(reader.columns_read().into_iter().map(extent).filter(|range| !range.is_empty()).collect())
}

/// The block tables of the columns that a reader reads.
pub(super) fn of_tables(reader: &Reader<'_>) -> Vec<Range<u64>> {
    tables(reader, &reader.columns_read())
}

/// The blocks of some columns.
pub(super) fn blocks(reader: &Reader<'_>) -> trevni::Result<Vec<Vec<BlockInfo>>> {
    reader.columns_read().into_iter().map(|number| reader.blocks(number)).collect()
}

/// The bytes of the blocks that some rows are in.
pub(super) fn of_rows(columns: &[Vec<BlockInfo>], rows: &RowSelection, len: u64) -> Vec<Range<u64>> {
    let of_column = |blocks: &Vec<BlockInfo>| -> Vec<Range<u64>> {
        let wanted = blocks.iter().enumerate().filter(|(_, block)| meets(block, rows));
        wanted.map(|(number, block)| block.offset..end(blocks, number, len)).collect()
    };
    columns.iter().flat_map(of_column).collect()
}

/// The number of blocks that some rows are in.
pub(super) fn count(columns: &[Vec<BlockInfo>], rows: &RowSelection) -> usize {
    columns.iter().flatten().filter(|block| meets(block, rows)).count()
}

fn meets(block: &BlockInfo, rows: &RowSelection) -> bool {
    let end = block.first_row + u64::from(block.rows);
    let ranges = rows.ranges();
    let next = ranges.get(ranges.partition_point(|range| range.end <= block.first_row));
    next.is_some_and(|range| range.start < end)
}

/// Where a block ends: where the next one begins, if they follow each other.
fn end(blocks: &[BlockInfo], number: usize, len: u64) -> u64 {
    /// The longest checksum.
    const CHECKSUM_BYTES: u64 = 8;
    let block = &blocks[number];
    let end = block.offset.saturating_add(u64::from(block.compressed_size)).saturating_add(CHECKSUM_BYTES);
    let next = blocks.get(number + 1).map(|next| next.offset).filter(|next| *next > block.offset);
    next.unwrap_or(end).min(end).min(len)
}
