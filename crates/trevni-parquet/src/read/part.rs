//! Which rows of a file are read, and how many at a time.

use super::source::PageSource;
use crate::error::{Error, Result};
use crate::guard::guarded;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::file::metadata::{FileMetaData, ParquetMetaData, RowGroupMetaData};
use std::ops::Range;
use std::sync::Arc;

/// Which rows are read, and how many at a time.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) batch_size: usize,
    /// All row groups if the list is empty.
    pub(super) row_groups: Option<Range<usize>>,
    /// Rows of the first row group that are skipped.
    pub(super) offset: usize,
    /// The most rows.
    pub(super) limit: Option<usize>,
}

/// The batches of some columns.
pub(super) fn rows(
    source: PageSource,
    metadata: ArrowReaderMetadata,
    mask: ProjectionMask,
    part: &Part,
) -> Result<ParquetRecordBatchReader> {
    let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(source, metadata);
    let mut builder = builder.with_projection(mask).with_batch_size(part.batch_size);
    if let Some(numbers) = &part.row_groups {
        builder = builder.with_row_groups(numbers.clone().collect());
    }
    if part.offset > 0 {
        builder = builder.with_offset(part.offset);
    }
    if let Some(rows) = part.limit {
        builder = builder.with_limit(rows);
    }
    guarded(|| builder.build())
}

impl Part {
    /// The number in the file of the first row.
    pub(super) fn first_row(&self, metadata: &ParquetMetaData) -> u64 {
        let skipped = self.row_groups.as_ref().map_or(0, |numbers| numbers.start);
        let counts = metadata.row_groups().iter().take(skipped).map(RowGroupMetaData::num_rows);
        counts.map(count).fold(self.offset as u64, u64::saturating_add)
    }

    /// The number of rows that are read.
    pub(super) fn count(&self, metadata: &ParquetMetaData) -> u64 {
        let groups = metadata.row_groups().iter().map(RowGroupMetaData::num_rows).map(count);
        let rows = match &self.row_groups {
            Some(numbers) => groups.skip(numbers.start).take(numbers.len()).fold(0, u64::saturating_add),
            None => groups.fold(0, u64::saturating_add),
        };
        let rows = rows.saturating_sub(self.offset as u64);
        self.limit.map_or(rows, |limit| rows.min(limit as u64))
    }

    /// Leaves out the first rows of those that are read.
    pub(super) fn skip(&mut self, rows: usize, metadata: &ParquetMetaData) {
        self.limit = self.limit.map(|limit| limit.saturating_sub(rows));
        self.offset = self.offset.saturating_add(rows);
        let mut numbers = self.row_groups.clone().unwrap_or(0..metadata.num_row_groups());
        for group in metadata.row_groups().iter().skip(numbers.start).take(numbers.len()) {
            match usize::try_from(group.num_rows()) {
                Ok(rows) if rows <= self.offset => {
                    self.offset -= rows;
                    numbers.start += 1;
                }
                _ => break,
            }
        }
        self.row_groups = Some(numbers);
    }

    /// An error for row groups that a file of this number of row groups does not have.
    pub(super) fn check(&self, count: usize) -> Result<()> {
        match &self.row_groups {
            Some(numbers) if numbers.end > count => Err(Error::NoRowGroup { number: numbers.end - 1, count }),
            _ => Ok(()),
        }
    }
}

fn count(rows: i64) -> u64 {
    u64::try_from(rows).unwrap_or(0)
}

/// The metadata with the number of rows that the row groups have: old writers have 0 in its place, and then the
/// library reads no rows.
pub(super) fn with_count_of_rows(metadata: &Arc<ParquetMetaData>) -> Arc<ParquetMetaData> {
    let count = metadata.row_groups().iter().try_fold(0i64, |sum, group| sum.checked_add(group.num_rows()));
    let file = metadata.file_metadata();
    match count {
        Some(count) if count != file.num_rows() => {
            let file = FileMetaData::new(
                file.version(),
                count,
                file.created_by().map(str::to_owned),
                file.key_value_metadata().cloned(),
                file.schema_descr_ptr(),
                file.column_orders().cloned(),
            );
            Arc::new(ParquetMetaData::new(file, metadata.row_groups().to_vec()))
        }
        _ => Arc::clone(metadata),
    }
}
