//! Which bytes of a file the rows of a reader are read from.

use crate::statistics::tables;
use std::ops::Range;
use trevni::{BlockInfo, Reader, RowSelection};

/// The columns that a reader reads, whole: where they begin, up to where the next one begins. Without columns that are not in one piece,
/// or in memory.
pub(super) fn of_columns(reader: &Reader<'_>, len: u64) -> Vec<Range<u64>> {
    let all: Vec<u64> = (0..reader.columns().len()).filter_map(|number| reader.table_start(number)).collect();
    let extent = |number: usize| {
        let start = reader.table_start(number)?;
        let after = all.iter().copied().filter(|other| *other > start).min();
        Some(start..after.unwrap_or(len).min(len))
    };
    reader.columns_read().into_iter().filter_map(extent).filter(|range| !range.is_empty()).collect()
}

/// The block tables of the columns that a reader reads.
pub(super) fn of_tables(reader: &Reader<'_>) -> Vec<Range<u64>> {
    tables(reader, &reader.columns_read())
}

/// The blocks of some columns.
pub(super) fn blocks(reader: &Reader<'_>) -> trevni::Result<Vec<Vec<BlockInfo>>> {
    reader.columns_read().into_iter().map(|number| reader.blocks(number)).collect()
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
