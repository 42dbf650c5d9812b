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
