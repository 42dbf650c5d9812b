//! The rows of a Parquet file as batches of the core crate.

use super::ParquetReader;
use crate::error::{Error, Result};
use arrow_array::{RecordBatch, RecordBatchReader};
use std::collections::BTreeMap;
use std::sync::Arc;
use trevni::{Batch, Shape, WriterBuilder};
use trevni_arrow::{AVRO_SCHEMA, batch_of_record_batch_as, options_for_schema};

/// Keys of metadata that begin like this are the format's own.
const RESERVED: &str = "trevni.";
/// Rows of a batch, at most: more would be much memory at once.
const ROWS: usize = 8192;

/// The rows of a Parquet file as batches, which a [`trevni::Writer`] with these [`options`](Self::options) takes.
pub struct ParquetBatches {
    rows: ParquetReader,
    shape: Arc<Shape>,
    /// What is left of a record batch.
    rest: Option<RecordBatch>,
}

impl ParquetReader {
    /// The rows as batches of the core crate.
    ///
    /// # Errors
    ///
    /// Types that a column file has no place for.
    pub fn into_batches(self) -> Result<ParquetBatches> {
        let (_, shape) = options_for_schema(trevni::Writer::builder(), &self.schema())?;
        Ok(ParquetBatches { rows: self, shape: Arc::new(shape), rest: None })
    }
}

impl ParquetBatches {
    /// The shape of the rows.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Options of a writer for the rows: with their shape, by the Avro schema of the file if it has one that fits, and
    /// with the metadata of the file.
    ///
    /// # Errors
    ///
    /// As [`ParquetReader::into_batches`].
    pub fn options(&self, options: WriterBuilder) -> Result<WriterBuilder> {
        let schema = self.rows.schema();
        let metadata: BTreeMap<&String, &String> = schema.metadata().iter().collect();
        let own = metadata.into_iter().filter(|(key, _)| **key != AVRO_SCHEMA && !key.starts_with(RESERVED));
        let options =
            own.fold(options, |options, (key, value)| options.metadata(key.as_str(), value.as_str()));
        Ok(options_for_schema(options, &schema)?.0)
    }

    fn convert(&mut self, rows: RecordBatch) -> Result<Batch> {
        let first = rows.slice(0, rows.num_rows().min(ROWS));
        let rest = rows.num_rows() - first.num_rows();
        self.rest = (rest > 0).then(|| rows.slice(first.num_rows(), rest));
        Ok(batch_of_record_batch_as(&self.shape, &first)?)
    }
}

impl Iterator for ParquetBatches {
    type Item = Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        let rows = match self.rest.take() {
            Some(rows) => rows,
            None => match self.rows.next()? {
                Ok(rows) => rows,
                Err(error) => return Some(Err(Error::from(error))),
            },
        };
        Some(self.convert(rows))
    }
}
