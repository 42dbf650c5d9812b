//! The rows of files as batches of one schema.

use crate::error::Failure;
use arrow_array::{RecordBatch, RecordBatchOptions, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::Arc;
use trevni::Reader;
use trevni_arrow::{ArrowReader, DictionaryCache, OrderedDictionaries, Simplify, cast_record_batch};

/// Rows of a batch, unless it is said otherwise.
pub(crate) const BATCH_ROWS: usize = 65_536;

/// One of the files.
pub(crate) struct Part {
    pub(crate) reader: Reader<'static>,
    /// The columns that it has.
    pub(crate) schema: SchemaRef,
    pub(crate) ordered: OrderedDictionaries,
    pub(crate) cache: DictionaryCache,
    pub(crate) file: Option<PathBuf>,
}

/// Batches of the rows of some files, one after the other.
pub(crate) struct Stream {
    parts: VecDeque<Part>,
    current: Option<(ArrowReader<'static>, Option<PathBuf>)>,
    /// The columns of all parts.
    joined: SchemaRef,
    simplify: Simplify,
    /// The columns that come.
    schema: SchemaRef,
    batch_size: usize,
    /// Whether a batch without rows is wanted where there are no others: it has the values of dictionaries.
    wants_batch: bool,
}

impl Stream {
    pub(crate) fn new(
        parts: VecDeque<Part>,
        joined: SchemaRef,
        simplify: Simplify,
        batch_size: usize,
    ) -> Self {
        let schema = Arc::new(simplify.schema(&joined));
        Self { parts, current: None, joined, simplify, schema, batch_size, wants_batch: false }
    }

    /// No batches.
    pub(crate) fn empty(schema: SchemaRef) -> Self {
        Self::new(VecDeque::new(), schema, Simplify::default(), BATCH_ROWS)
    }

    /// The same batches, or one without rows: tables without rows have categories too.
    pub(crate) fn or_empty(self) -> Self {
        Self { wants_batch: true, ..self }
    }

    /// The same batches with other types of the same columns, or with fewer columns.
    pub(crate) fn cast(self, schema: SchemaRef) -> Self {
        Self { schema, ..self }
    }

    pub(crate) fn next_batch(&mut self) -> Option<Result<RecordBatch, Failure>> {
        loop {
            if let Some((batches, file)) = &mut self.current {
                match batches.next() {
                    Some(Ok(batch)) => {
                        let file = file.clone();
                        let batch = self.fitted(batch);
                        self.wants_batch = false;
                        return Some(batch.map_err(|error| error.of_file(file.as_deref())));
                    }
                    Some(Err(error)) => return Some(Err(Failure::from(error).of_file(file.as_deref()))),
                    None => {
                        let empty = self.parts.is_empty() && self.wants_batch && batches.has_dictionaries();
                        let last = if empty { Some(batches.empty()) } else { None };
                        self.current = None;
                        if let Some(batch) = last {
                            self.wants_batch = false;
                            return Some(batch.map_err(Failure::from).and_then(|batch| self.fitted(batch)));
                        }
                    }
                }
            }
            let Part { reader, schema, ordered, cache, file } = self.parts.pop_front()?;
            let batches = ArrowReader::builder(&reader).batch_size(self.batch_size).schema(schema);
            match batches.ordered_dictionaries(ordered).dictionary_cache(cache).build() {
                Ok(batches) => self.current = Some((batches, file)),
                Err(error) => return Some(Err(Failure::from(error).of_file(file.as_deref()))),
            }
        }
    }

    /// A batch with the columns of all parts, in their order.
    fn fitted(&self, batch: RecordBatch) -> Result<RecordBatch, Failure> {
        let mut batch = batch;
        if batch.schema_ref().fields() != self.joined.fields() {
            batch = cast_record_batch(&batch, &self.joined)?;
        }
        if self.simplify != Simplify::default() {
            let simple = Arc::new(self.simplify.schema(&self.joined));
            batch = self.simplify.batch(&batch, &simple)?;
        }
        if batch.schema_ref().fields() != self.schema.fields() {
            batch = cast_record_batch(&batch, &self.schema)?;
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
