//! How rows are read: from the beginning, and once more from a row on, fewer at a time, where they have long
//! strings.

use super::chunks::Chunks;
use super::int96::Check;
use super::pages::{Way, limit};
use super::part::{self, Part};
use super::source::{PageSource, Source};
use super::values;
use crate::error::Result;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ParquetRecordBatchReader};
use parquet::file::metadata::ParquetMetaData;
use std::sync::Arc;
use trevni::Limits;

/// Memory of a value in a batch, beside its bytes: wider types, levels, and whether it is null.
const VALUE_BYTES: u64 = 16;

/// What is read of a file, and how.
pub(super) struct Plan {
    pub(super) source: Source,
    pub(super) chunks: Arc<Chunks>,
    pub(super) limits: Limits,
    /// As the columns are read.
    pub(super) metadata: ArrowReaderMetadata,
    /// As the library would read them, where instants are read twice.
    pub(super) plain: Option<ArrowReaderMetadata>,
    pub(super) mask: ProjectionMask,
    pub(super) part: Part,
}

/// Rows that are being read.
pub(super) struct Rows {
    pub(super) batches: ParquetRecordBatchReader,
    pub(super) source: PageSource,
    pub(super) check: Option<Check>,
}

impl Plan {
    /// Makes batches small enough for columns whose values are wide.
    pub(super) fn fit(&mut self) -> Result<()> {
        let columns = self.metadata.parquet_schema().columns().iter().enumerate();
        let read = columns.filter(|(leaf, _)| self.mask.leaf_included(*leaf));
        let row = read.map(|(_, column)| values::width(column).saturating_add(VALUE_BYTES));
        let row = row.fold(1, u64::saturating_add);
        limit(row, self.limits.memory, "memory", || "the size of a row".to_owned())?;
        let rows = usize::try_from(self.limits.memory / row).unwrap_or(usize::MAX);
        self.part.batch_size = self.part.batch_size.min(rows);
        Ok(())
    }

    /// Begins to read; `decoded` has been decoded before.
    pub(super) fn begin(&self, decoded: u64) -> Result<Rows> {
        let way = Way { rows: self.part.batch_size, copies: true };
        let source = self.source.pages(&self.chunks, self.limits, way);
        source.state().decode(decoded)?;
        let check = match &self.plain {
            Some(plain) => {
                let source = self.source.pages(&self.chunks, self.limits, way);
                Check::of(source, plain, &self.mask, &self.part)?
            }
            None => None,
        };
        let batches = part::rows(source.clone(), self.metadata.clone(), self.mask.clone(), &self.part)?;
        Ok(Rows { batches, source, check })
    }

    /// Begins again, `done` rows after where it began last, with fewer rows at a time.
    pub(super) fn go_on(&mut self, done: usize, batch_size: usize, decoded: u64) -> Result<Rows> {
        let metadata: &Arc<ParquetMetaData> = self.metadata.metadata();
        self.part.skip(done, metadata);
        self.part.batch_size = batch_size;
        self.begin(decoded)
    }
}
