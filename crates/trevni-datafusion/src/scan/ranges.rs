//! Which bytes of a file the rows of a reader are read from, and which rows those who share a file read.

use crate::statistics::tables;
use datafusion::datasource::listing::PartitionedFile;
use std::ops::Range;
use trevni::{BlockInfo, Reader, RowSelection};

/// Rows by which parts of a file begin, so that batches are whole.
const STEP_ROWS: u64 = 8 << 10;

/// The rows of a file that are read where the engine has cut it into ranges of bytes: as many parts of them as the range has of the
/// bytes. Ranges that meet have rows that meet, so each row is in one.
pub(super) fn rows(file: &PartitionedFile, rows: u64) -> Range<u64> {
    let Some(range) = &file.range else { return 0..rows };
    let size = file.object_meta.size;
    let at = |byte: i64| match u64::try_from(byte).unwrap_or(0) {
        0 => 0,
        byte if byte >= size => rows,
        byte => {
            let row = u128::from(rows) * u128::from(byte) / u128::from(size);
            u64::try_from(row).map_or(rows, |row| row / STEP_ROWS * STEP_ROWS)
        }
    };
    at(range.start)..at(range.end)
}

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_a_file_have_each_row_once() {
        for (size, count) in [(1, 1), (10, 100_000), (1_000_003, 3), (999_999, 1_234_567), (7, 0)] {
            for parts in [1, 2, 3, 7, 16] {
                let mut next = 0;
                for part in 0..parts {
                    let (start, end) = (size * part / parts, size * (part + 1) / parts);
                    let file = PartitionedFile::new("f.trv", size).with_range(start as i64, end as i64);
                    let found = rows(&file, count);
                    assert_eq!(found.start, next, "{size} {count} {parts}");
                    next = found.end;
                }
                assert_eq!(next, count, "{size} {count} {parts}");
            }
        }
        assert_eq!(rows(&PartitionedFile::new("f.trv", 10), 55), 0..55);
    }
}
