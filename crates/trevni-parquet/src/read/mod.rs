//! A Parquet file as record batches.

mod file;
mod int96;
mod levels;
mod source;
mod types;

pub use file::ParquetFile;
pub use levels::{Entry, Stored};

use crate::error::{Error, Result};
use crate::guard::guarded;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use int96::Check;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReader, ParquetRecordBatchReaderBuilder,
};
use parquet::file::metadata::{FileMetaData, ParquetMetaData};
use parquet::schema::types::SchemaDescriptor;
use source::Source;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Rows of a batch, unless it is said otherwise.
const BATCH_ROWS: usize = 8192;

/// The unit of instants of 96 bits, which old writers made. They hold nanoseconds of any day.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Int96 {
    /// Nanoseconds. An instant before 1677 or after 2262 is an error of its row.
    #[default]
    Nanos,
    /// Microseconds; smaller parts are lost.
    Micros,
}

/// Reads the rows of a Parquet file as record batches.
///
/// Texts of type ENUM are texts, of whatever bytes their type is stored as, and dictionaries with all symbols where the
/// file has an Avro schema that names them. Instants of 96 bits are timestamps, see [`Int96`].
pub struct ParquetReader {
    rows: ParquetRecordBatchReader,
    schema: SchemaRef,
    check: Option<Check>,
    is_broken: bool,
}

/// Options for reading a Parquet file. Every option has a default.
#[derive(Clone, Debug)]
#[must_use]
pub struct ParquetReaderBuilder {
    part: Part,
    int96: Int96,
    fields: Option<Vec<String>>,
}

/// Which rows are read, and how many at a time.
#[derive(Clone, Debug)]
struct Part {
    batch_size: usize,
    /// All row groups where there are none.
    row_groups: Option<Range<usize>>,
    /// The most rows.
    limit: Option<usize>,
}

impl ParquetReader {
    /// Opens a file with the defaults of [`ParquetReaderBuilder`].
    ///
    /// # Errors
    ///
    /// As [`ParquetReaderBuilder::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::builder().open(path)
    }

    /// Options for reading.
    pub fn builder() -> ParquetReaderBuilder {
        let part = Part { batch_size: BATCH_ROWS, row_groups: None, limit: None };
        ParquetReaderBuilder { part, int96: Int96::default(), fields: None }
    }
}

impl ParquetReaderBuilder {
    /// Sets the most rows of a batch, at least 1. Default: 8,192.
    pub fn batch_size(mut self, rows: usize) -> Self {
        self.part.batch_size = rows.max(1);
        self
    }

    /// Reads only these row groups, by their numbers from 0. Default: all.
    pub fn row_groups(mut self, numbers: Range<usize>) -> Self {
        self.part.row_groups = Some(numbers);
        self
    }

    /// Reads only so many rows, the first ones. Default: all.
    pub fn limit(mut self, rows: u64) -> Self {
        self.part.limit = Some(usize::try_from(rows).unwrap_or(usize::MAX));
        self
    }

    /// Sets the unit of instants of 96 bits. Default: nanoseconds.
    pub fn int96(mut self, unit: Int96) -> Self {
        self.int96 = unit;
        self
    }

    /// Reads only these fields, by their paths, names joined by dots as Parquet's schema has them: a field that has fields means
    /// them all. Default: all.
    pub fn project<S: Into<String>>(mut self, fields: impl IntoIterator<Item = S>) -> Self {
        self.fields = Some(fields.into_iter().map(Into::into).collect());
        self
    }

    /// Opens a file.
    ///
    /// # Errors
    ///
    /// A file that cannot be opened or is no Parquet file, a field that it does not have, and types that are not known.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<ParquetReader> {
        self.read(&ParquetFile::open(path)?)
    }

    /// Reads a file that is open.
    ///
    /// # Errors
    ///
    /// A field and row groups that the file does not have, and types that are not known.
    pub fn read(&self, file: &ParquetFile) -> Result<ParquetReader> {
        let (source, metadata) = (file.source().clone(), with_count_of_rows(file.metadata()));
        self.part.check(metadata.num_row_groups())?;
        let options = ArrowReaderOptions::new();
        let plain = guarded(|| ArrowReaderMetadata::try_new(Arc::clone(&metadata), options.clone()))?;
        let types = types::hinted(plain.schema(), plain.parquet_schema(), self.int96);
        let mask = self.mask(plain.parquet_schema())?;
        let fields = Arc::new(Schema::new(types.fields().clone()));
        let hinted = guarded(|| ArrowReaderMetadata::try_new(metadata, options.with_schema(fields)))?;
        let check = match self.int96 {
            Int96::Nanos => Check::of(&source, &plain, &mask, &self.part)?,
            Int96::Micros => None,
        };
        let rows = rows(source, hinted, mask, &self.part)?;
        // The library's own schema of the rows has no metadata.
        let fields = rows.schema().fields().clone();
        let schema = Arc::new(Schema::new_with_metadata(fields, types.metadata().clone()));
        Ok(ParquetReader { rows, schema, check, is_broken: false })
    }

    /// The columns of the fields.
    fn mask(&self, schema: &SchemaDescriptor) -> Result<ProjectionMask> {
        let Some(fields) = &self.fields else { return Ok(ProjectionMask::all()) };
        let is_in = |path: &str, field: &str| {
            path.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        let paths: Vec<String> = schema.columns().iter().map(|column| column.path().string()).collect();
        if let Some(missing) = fields.iter().find(|field| !paths.iter().any(|path| is_in(path, field))) {
            return Err(Error::NoField(missing.clone()));
        }
        let wanted = |(_, path): &(usize, &String)| fields.iter().any(|field| is_in(path, field));
        let leaves = paths.iter().enumerate().filter(wanted).map(|(leaf, _)| leaf);
        Ok(ProjectionMask::leaves(schema, leaves.collect::<Vec<_>>()))
    }
}

/// The batches of some columns.
fn rows(
    source: Source,
    metadata: ArrowReaderMetadata,
    mask: ProjectionMask,
    part: &Part,
) -> Result<ParquetRecordBatchReader> {
    let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(source, metadata);
    let mut builder = builder.with_projection(mask).with_batch_size(part.batch_size);
    if let Some(numbers) = &part.row_groups {
        builder = builder.with_row_groups(numbers.clone().collect());
    }
    if let Some(rows) = part.limit {
        builder = builder.with_limit(rows);
    }
    guarded(|| builder.build())
}

impl Part {
    /// An error for row groups that a file of so many does not have.
    fn check(&self, count: usize) -> Result<()> {
        match &self.row_groups {
            Some(numbers) if numbers.end > count => Err(Error::NoRowGroup { number: numbers.end - 1, count }),
            _ => Ok(()),
        }
    }
}

/// The metadata with the number of rows that the row groups have: old writers have 0 in its place, and then the
/// library reads no rows.
fn with_count_of_rows(metadata: &Arc<ParquetMetaData>) -> Arc<ParquetMetaData> {
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

impl Iterator for ParquetReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_broken {
            return None;
        }
        let batch = guarded(|| self.rows.next().transpose());
        let batch = batch.and_then(|batch| match (&mut self.check, &batch) {
            (Some(check), Some(rows)) => check.look(rows).map(|()| batch),
            _ => Ok(batch),
        });
        self.is_broken = batch.is_err();
        let batch = batch.map_err(ArrowError::from).transpose()?;
        Some(batch.and_then(|batch| batch.with_schema(Arc::clone(&self.schema))))
    }
}

impl RecordBatchReader for ParquetReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
