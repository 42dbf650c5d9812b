//! The rows of files as batches of one schema.

use crate::error::Failure;
use arrow_array::{RecordBatch, RecordBatchOptions, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use trevni::Reader;
use trevni_arrow::{ArrowReader, cast_record_batch};

/// Rows of a batch, unless it is said otherwise.
pub(crate) const BATCH_ROWS: usize = 65_536;

/// One of the files.
pub(crate) struct Part {
    pub(crate) reader: Reader<'static>,
    /// The columns that it has.
    pub(crate) schema: SchemaRef,
    pub(crate) file: Option<PathBuf>,
}

/// Batches of the rows of some files, one after the other.
pub(crate) struct Stream {
    parts: VecDeque<Part>,
    current: Option<(ArrowReader<'static>, Option<PathBuf>)>,
    schema: SchemaRef,
    batch_size: usize,
}

impl Stream {
    pub(crate) fn new(parts: VecDeque<Part>, schema: SchemaRef, batch_size: usize) -> Self {
        Self { parts, current: None, schema, batch_size }
    }

    /// No batches.
    pub(crate) fn empty(schema: SchemaRef) -> Self {
        Self::new(VecDeque::new(), schema, BATCH_ROWS)
    }

    pub(crate) fn next_batch(&mut self) -> Option<Result<RecordBatch, Failure>> {
        loop {
            if let Some((batches, file)) = &mut self.current {
                match batches.next() {
                    Some(Ok(batch)) => {
                        let file = file.clone();
                        let batch = self.fitted(batch);
                        return Some(batch.map_err(|error| error.of_file(file.as_deref())));
                    }
                    Some(Err(error)) => return Some(Err(Failure::from(error).of_file(file.as_deref()))),
                    None => self.current = None,
                }
            }
            let Part { reader, schema, file } = self.parts.pop_front()?;
            match ArrowReader::builder(&reader).batch_size(self.batch_size).schema(schema).build() {
                Ok(batches) => self.current = Some((batches, file)),
                Err(error) => return Some(Err(Failure::from(error).of_file(file.as_deref()))),
            }
        }
    }

    /// A batch with the columns of all parts, in their order.
    fn fitted(&self, batch: RecordBatch) -> Result<RecordBatch, Failure> {
        if batch.schema_ref().fields() != self.schema.fields() {
            return Ok(cast_record_batch(&batch, &self.schema)?);
        }
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        let columns = batch.columns().to_vec();
        Ok(RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)?)
    }
}

impl Iterator for Stream {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_batch().map(|batch| batch.map_err(Failure::into_arrow))
    }
}

impl RecordBatchReader for Stream {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
