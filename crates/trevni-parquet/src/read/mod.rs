//! A Parquet file as record batches.

mod batches;
mod chunks;
mod file;
mod header;
mod int96;
mod levels;
mod pages;
mod part;
mod plan;
mod source;
mod types;
mod unpack;
mod values;
mod variants;

pub use batches::ParquetBatches;
pub use file::ParquetFile;
pub use levels::{Entry, Stored};
pub use variants::Variants;

use crate::error::{Error, Result};
use crate::guard::guarded;
use crate::resolve::{Resolution, View};
use crate::spans;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::schema::types::SchemaDescriptor;
use part::Part;
use plan::{Plan, Rows};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use trevni::Limits;

/// Rows of a batch, unless it is said otherwise.
const BATCH_ROWS: usize = 8192;
/// Bytes of a value that need not be counted.
const VALUE_BYTES: usize = 64;

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
/// Strings of type ENUM are strings, of whatever bytes their type is stored as, and dictionaries with all symbols where the
/// file has an Avro schema that names them. Instants of 96 bits are timestamps, see [`Int96`].
pub struct ParquetReader {
    plan: Plan,
    rows: Rows,
    /// Rows since the plan was begun, or begun again; and those that are left.
    done: usize,
    left: u64,
    schema: SchemaRef,
    resolution: Option<Resolution>,
    /// The schema of the rows before they are resolved, or have JSON in place of variants.
    written: SchemaRef,
    /// Rows of the file before the batch.
    row: u64,
    is_broken: bool,
}

/// Options for reading a Parquet file. Every option has a default.
#[derive(Clone, Debug)]
#[must_use]
pub struct ParquetReaderBuilder {
    part: Part,
    int96: Int96,
    fields: Option<Vec<String>>,
    projection: Option<String>,
    read_schema: Option<String>,
    variants: Variants,
    limits: Option<Limits>,
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
        let part = Part { batch_size: BATCH_ROWS, row_groups: None, offset: 0, limit: None };
        let int96 = Int96::default();
        let variants = Variants::default();
        ParquetReaderBuilder {
            part,
            int96,
            fields: None,
            projection: None,
            read_schema: None,
            variants,
            limits: None,
        }
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

    /// Reads only the first rows, up to a number. Default: all.
    pub fn limit(mut self, rows: u64) -> Self {
        self.part.limit = Some(usize::try_from(rows).unwrap_or(usize::MAX));
        self
    }

    /// Sets what a file may take: a page is one block, and all that is held of pages is memory. Values
    /// without bytes are counted from the first row to the last. Default: the limits of the [`ParquetFile`],
    /// or [`Limits::default`].
    ///
    /// ```
    /// use trevni::{Limits, Reader};
    /// use trevni_parquet::{Error, ParquetFile, ParquetOptions, ParquetReader};
    ///
    /// let rows = trevni::to_vec((0..1000).map(|row| [row]))?;
    /// let rows = Reader::from_slice(&rows)?;
    /// let parquet = trevni_parquet::to_parquet(&rows, ParquetOptions::new(), Vec::new())?;
    /// let file = ParquetFile::of_source(parquet)?;
    /// let small = ParquetReader::builder().limits(Limits::default().block_bytes(100));
    /// let error = Error::from(small.read(&file)?.next().unwrap().unwrap_err());
    /// assert!(matches!(error, Error::Limit { option: "block_bytes", .. }));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = Some(limits);
        self
    }

    /// Sets the unit of instants of 96 bits. Default: nanoseconds.
    pub fn int96(mut self, unit: Int96) -> Self {
        self.int96 = unit;
        self
    }

    /// Sets what values of the type VARIANT are read as; those that a [schema](Self::read_schema) resolves stay as they are stored. Default:
    /// as they are stored.
    pub fn variants(mut self, variants: Variants) -> Self {
        self.variants = variants;
        self
    }

    /// Reads only these fields, by their paths, names joined by dots as Parquet's schema has them: a field that has fields means
    /// them all. A map is read with its keys and at least one column of its values. Default: all.
    pub fn project<S: Into<String>>(mut self, fields: impl IntoIterator<Item = S>) -> Self {
        self.fields = Some(fields.into_iter().map(Into::into).collect());
        self
    }

    /// Reads only the fields that an Avro schema has, at any depth; other columns are not read. Their order and types
    /// are those of the file.
    pub fn projection_schema(mut self, avro: impl Into<String>) -> Self {
        self.projection = Some(avro.into());
        self
    }

    /// Reads rows as those of an Avro schema, by Avro's rules of schema resolution, at any depth:
    ///
    /// * Fields are found by name, or by an alias of the schema. One that the file lacks, or that [a
    ///   projection](Self::projection_schema) skips, has its default; without one it is an error. Others are not read.
    /// * An int may be read as a long, these as a float, and all as a double; text as bytes, and bytes as text. Decimals may be read
    ///   with more digits, instants as those of a time zone or of none. Numbers may be read as they are stored, and the other way
    ///   round; other changes of logical types are errors.
    /// * A symbol that an enum lacks is its default; without one it is an error of the row. Columns of type ENUM are enums, too.
    /// * A union has the type of the file, or the first that it can be read as; the types of a union of the file, as Avro's Parquet
    ///   writer stores it, are read one by one. A null where the schema does not allow it is an error of the row.
    /// * Where the file has an Avro schema, names of records, enums and fixeds are compared, without namespaces; aliases count.
    ///
    /// ```
    /// use arrow_array::cast::AsArray;
    /// use trevni_parquet::{ParquetOptions, ParquetReader};
    ///
    /// # let path = std::env::temp_dir().join(format!("trevni-parquet-read-schema-{}.parquet", std::process::id()));
    /// #[derive(serde::Serialize)]
    /// struct Row { id: i32, name: &'static str }
    ///
    /// let file = trevni::to_vec([Row { id: 1, name: "north" }])?;
    /// let parquet = trevni_parquet::to_parquet(&trevni::Reader::from_slice(&file)?, ParquetOptions::new(), Vec::new())?;
    /// std::fs::write(&path, parquet)?;
    ///
    /// let schema = r#"{"type": "record", "name": "Row", "fields": [
    ///     {"name": "number", "aliases": ["id"], "type": "double"},
    ///     {"name": "colour", "type": "string", "default": "red"}]}"#;
    /// let rows = ParquetReader::builder().read_schema(schema).open(&path)?.next().unwrap()?;
    /// assert_eq!(rows.column(0).as_primitive::<arrow_array::types::Float64Type>().value(0), 1.0);
    /// assert_eq!(rows.column(1).as_string::<i32>().value(0), "red");
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read_schema(mut self, avro: impl Into<String>) -> Self {
        self.read_schema = Some(avro.into());
        self
    }

    /// Opens a file.
    ///
    /// # Errors
    ///
    /// A file that cannot be opened or is no Parquet file, a field that it does not have, types that are not known, and a
    /// schema that is invalid or that the rows cannot be read as.
    pub fn open(&self, path: impl AsRef<Path>) -> Result<ParquetReader> {
        self.read(&ParquetFile::open_with(path, self.limits.unwrap_or_default())?)
    }

    /// Reads a file that is open.
    ///
    /// # Errors
    ///
    /// A field and row groups that the file does not have, types that are not known, and a schema that is invalid or that the rows
    /// cannot be read as.
    pub fn read(&self, file: &ParquetFile) -> Result<ParquetReader> {
        let metadata = spans::without_empty_groups(part::with_count_of_rows(file.metadata()))?;
        self.part.check(metadata.num_row_groups())?;
        let row = self.part.first_row(&metadata);
        let options = ArrowReaderOptions::new();
        let load = |metadata| guarded(|| ArrowReaderMetadata::try_new(metadata, options.clone()));
        let mut plain = load(Arc::clone(&metadata))?;
        if let Some(metadata) = spans::as_bytes(&metadata, plain.schema().fields())? {
            plain = load(metadata)?;
        }
        let columns = file.metadata().file_metadata().schema_descr();
        let types = types::hinted(plain.schema(), columns, self.int96);
        let fields = Arc::new(Schema::new(types.fields().clone()));
        let hinted = guarded(|| {
            ArrowReaderMetadata::try_new(Arc::clone(plain.metadata()), options.clone().with_schema(fields))
        })?;
        let mut view = self.view(&spans::schema(&types), columns)?;
        let resolution = match (&mut view, &self.read_schema) {
            (Some(view), Some(text)) => Some(view.resolve(text)?),
            _ => None,
        };
        let mask = match &view {
            Some(view) => ProjectionMask::leaves(plain.parquet_schema(), view.columns()),
            None => ProjectionMask::all(),
        };
        let mut plan = Plan {
            source: file.source().clone(),
            chunks: Arc::clone(file.chunks()),
            limits: self.limits.unwrap_or(file.limits()),
            metadata: hinted,
            plain: (self.int96 == Int96::Nanos).then_some(plain),
            mask,
            part: self.part.clone(),
        };
        plan.fit()?;
        let (rows, left) = (plan.begin(0)?, self.part.count(&metadata));
        // The library's own schema of the rows has no metadata.
        let fields = spans::fields(rows.batches.schema().fields());
        let written = match &view {
            Some(view) => view.schema(&fields),
            None => Arc::new(Schema::new_with_metadata(fields, types.metadata().clone())),
        };
        let schema = match (&resolution, self.variants) {
            (Some(resolution), _) => Arc::clone(resolution.schema()),
            (None, Variants::Json) => Arc::new(variants::schema(&written)),
            (None, Variants::Stored) => Arc::clone(&written),
        };
        Ok(ParquetReader { plan, rows, done: 0, left, schema, resolution, written, row, is_broken: false })
    }

    /// The part of the rows that is read, where that is not all.
    fn view(&self, types: &Schema, columns: &SchemaDescriptor) -> Result<Option<View>> {
        if self.fields.is_none() && self.projection.is_none() && self.read_schema.is_none() {
            return Ok(None);
        }
        let is_symbol =
            |column: usize| columns.columns().get(column).is_some_and(|column| types::is_enum(column));
        let mut view = View::new(types, &is_symbol)?;
        if let Some(fields) = &self.fields {
            view.keep(chosen(fields, columns)?);
        }
        if let Some(projection) = &self.projection {
            view.project(projection)?;
        }
        Ok(Some(view))
    }
}

/// The columns of some fields.
fn chosen(fields: &[String], schema: &SchemaDescriptor) -> Result<Vec<usize>> {
    let is_in = |path: &str, field: &str| {
        path.strip_prefix(field).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    let paths: Vec<String> = schema.columns().iter().map(|column| column.path().string()).collect();
    if let Some(missing) = fields.iter().find(|field| !paths.iter().any(|path| is_in(path, field))) {
        return Err(Error::NoField(missing.clone()));
    }
    let wanted = |(_, path): &(usize, &String)| fields.iter().any(|field| is_in(path, field));
    Ok(paths.iter().enumerate().filter(wanted).map(|(leaf, _)| leaf).collect())
}

impl ParquetReader {
    /// The next batch as the library reads it.
    fn stored(&mut self) -> Result<Option<RecordBatch>> {
        loop {
            self.rows.source.state().begin();
            let error = match guarded(|| self.rows.batches.next().transpose()) {
                Ok(batch) => return Ok(batch),
                Err(error) => self.rows.source.cause(error),
            };
            let (fitting, decoded) = {
                let state = self.rows.source.state();
                (state.fitting(), state.decoded())
            };
            let Some(fitting) = fitting else { return Err(error) };
            self.rows = self.plan.go_on(self.done, fitting, decoded)?;
            self.done = 0;
        }
    }

    /// The next batch as it is wanted.
    fn batch(&mut self) -> Result<Option<RecordBatch>> {
        let Some(batch) = self.stored()? else {
            let (row, left) = (self.row, self.left);
            return match left {
                0 => Ok(None),
                _ => {
                    Err(Error::Damaged(format!("the columns end after {row} rows, and {left} more are said")))
                }
            };
        };
        let rows = batch.num_rows();
        // Values are counted with their pages; what they take beyond that is strings.
        let usual = VALUE_BYTES.saturating_mul(rows).saturating_mul(batch.num_columns());
        let strings = batch.get_array_memory_size().saturating_sub(usual);
        self.rows.source.state().decode(rows as u64 + strings as u64)?;
        if let Some(check) = &mut self.rows.check {
            check.look(&batch)?;
        }
        self.done += rows;
        self.left = self.left.saturating_sub(rows as u64);
        self.finished(batch).map(Some)
    }

    /// A batch as it is wanted.
    fn finished(&mut self, batch: RecordBatch) -> Result<RecordBatch> {
        let first = self.row;
        let batch = spans::batch(&batch, Arc::clone(&self.written), first)?;
        self.row += batch.num_rows() as u64;
        match &self.resolution {
            Some(resolution) => resolution.rows(&batch, first),
            None if Arc::ptr_eq(&self.schema, &self.written) => Ok(batch),
            None => variants::batch(&batch, &self.schema, first),
        }
    }
}

impl Iterator for ParquetReader {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_broken {
            return None;
        }
        let batch = self.batch();
        self.is_broken = batch.is_err();
        batch.map_err(ArrowError::from).transpose()
    }
}

impl RecordBatchReader for ParquetReader {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
