//! The rows of files as batches of one schema.

use crate::error::Failure;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions, RecordBatchReader, new_null_array};
use arrow_cast::cast;
use arrow_schema::{ArrowError, SchemaRef};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use trevni::Reader;
use trevni_arrow::ArrowReader;

/// Rows of a batch, unless it is said otherwise.
pub(crate) const BATCH_ROWS: usize = 65_536;

/// Batches of the rows of some files, one after the other.
pub(crate) struct Stream {
    parts: VecDeque<(Reader<'static>, Option<PathBuf>)>,
    current: Option<(ArrowReader<'static>, Option<PathBuf>)>,
    schema: SchemaRef,
    batch_size: usize,
}

impl Stream {
    pub(crate) fn new(
        parts: VecDeque<(Reader<'static>, Option<PathBuf>)>,
        schema: SchemaRef,
        batch_size: usize,
    ) -> Self {
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
                        return Some(batch.map_err(|error| Failure::from(error).of_file(file.as_deref())));
                    }
                    Some(Err(error)) => return Some(Err(Failure::from(error).of_file(file.as_deref()))),
                    None => self.current = None,
                }
            }
            let (part, file) = self.parts.pop_front()?;
            match self.open(&part) {
                Ok(batches) => self.current = Some((batches, file)),
                Err(failure) => return Some(Err(failure.of_file(file.as_deref()))),
            }
        }
    }

    /// The batches of a part: with the types of all, where it has these.
    fn open(&self, part: &Reader<'static>) -> Result<ArrowReader<'static>, Failure> {
        let builder = || ArrowReader::builder(part).batch_size(self.batch_size);
        match builder().schema(Arc::clone(&self.schema)).build() {
            Ok(batches) => Ok(batches),
            Err(_) => Ok(builder().own_types().build()?),
        }
    }

    /// A batch with the columns of all parts, in their order.
    fn fitted(&self, batch: RecordBatch) -> Result<RecordBatch, ArrowError> {
        let columns: Vec<ArrayRef> = match batch.schema_ref().fields() == self.schema.fields() {
            true => batch.columns().to_vec(),
            false => {
                let fields = self.schema.fields().iter();
                let column = fields.map(|field| match batch.column_by_name(field.name()) {
                    Some(array) if array.data_type() == field.data_type() => Ok(Arc::clone(array)),
                    Some(array) => cast(array, field.data_type()),
                    None => Ok(new_null_array(field.data_type(), batch.num_rows())),
                });
                column.collect::<Result<_, _>>()?
            }
        };
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)
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
