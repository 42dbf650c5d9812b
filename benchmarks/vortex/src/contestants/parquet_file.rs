//! Parquet: the writer's default properties, with a codec. Random rows are a row selection with the page index.

use super::{Contestant, Outcome};
use crate::table::{BATCH_ROWS, Table};
use arrow_array::RecordBatch;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection};
use parquet::basic::Compression;
use parquet::file::metadata::PageIndexPolicy;
use parquet::file::properties::WriterProperties;

pub(super) struct Parquet(Bytes);

impl Parquet {
    pub(super) fn write(table: &Table, compression: Compression) -> Outcome<Self> {
        let properties = WriterProperties::builder().set_compression(compression).build();
        let mut writer = ArrowWriter::try_new(Vec::new(), table.schema.clone(), Some(properties))?;
        for batch in &table.batches {
            writer.write(batch)?;
        }
        Ok(Self(writer.into_inner()?.into()))
    }

    fn open(&self, index: PageIndexPolicy) -> Outcome<ParquetRecordBatchReaderBuilder<Bytes>> {
        let options = ArrowReaderOptions::new().with_page_index_policy(index);
        let builder = ParquetRecordBatchReaderBuilder::try_new_with_options(self.0.clone(), options)?;
        Ok(builder.with_batch_size(BATCH_ROWS))
    }
}

impl Contestant for Parquet {
    fn size(&self) -> usize {
        self.0.len()
    }

    fn take(&self, rows: &[u64]) -> Outcome<Vec<RecordBatch>> {
        let builder = self.open(PageIndexPolicy::Required)?;
        let all = usize::try_from(builder.metadata().file_metadata().num_rows())?;
        let ranges = rows.iter().map(|&row| row as usize..row as usize + 1);
        let selection = RowSelection::from_consecutive_ranges(ranges, all);
        Ok(builder.with_row_selection(selection).build()?.collect::<Result<_, _>>()?)
    }

    fn read(&self) -> Outcome<Vec<RecordBatch>> {
        Ok(self.open(PageIndexPolicy::Skip)?.build()?.collect::<Result<_, _>>()?)
    }
}
