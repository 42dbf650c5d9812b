//! A file as record batches.

use crate::array::{Dictionaries, check_fits, export_decoded, export_rows, has_narrow_keys, has_views};
use crate::error::{Error, ErrorKind, Result};
use crate::kept::{self, ARROW_DICTIONARIES, DictionaryCache, Kept, OrderedDictionaries};
use crate::memory::keep_freed;
use crate::schema::stored::{self, ARROW_SCHEMA};
use crate::schema::{AVRO_SCHEMA, to_arrow};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, Schema, SchemaRef};
use std::collections::HashMap;
use std::sync::Arc;
use trevni::reader::{Batches, Vectors};
use trevni::{Batch, Metadata, Reader, Shape, Vector};

/// Rows of a batch, unless it is said otherwise.
const BATCH_ROWS: usize = 8192;

/// Reads the rows of a file as record batches: those rows and fields that its [`trevni::Reader`] reads.
///
/// A file that was written from Arrow has the types that it had there, and the metadata of schema and fields; of other
/// files, `docs/arrow.md` has the types.
///
/// ```
/// use arrow_array::{cast::AsArray, types::Float64Type};
/// use trevni::{Reader, col};
/// use trevni_arrow::ArrowReader;
///
/// #[derive(serde::Serialize)]
/// struct Flight { carrier: &'static str, delay: Option<f64>, distance: f64 }
///
/// let file = trevni::to_vec([
///     Flight { carrier: "AA", delay: Some(12.0), distance: 1089.0 },
///     Flight { carrier: "UA", delay: None, distance: 2475.0 },
/// ])?;
/// let reader = Reader::from_slice(&file)?.project(["carrier", "distance"])?.filter(col("delay").gt(0.0))?;
/// for batch in ArrowReader::builder(&reader).batch_size(1000).build()? {
///     let batch = batch?;
///     assert_eq!(batch.column(0).as_string::<i32>().value(0), "AA");
///     assert_eq!(batch.column(1).as_primitive::<Float64Type>().values(), &[1089.0]);
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ArrowReader<'s> {
    rows: Source<'s>,
    schema: SchemaRef,
    shape: Arc<Shape>,
}

/// Where the rows come from.
enum Source<'s> {
    Decoded(Decoding<'s>),
    Cut(Cutting<'s>),
}

/// Rows as they are decoded fastest, of a shape.
struct Decoding<'s> {
    vectors: Vectors<'s>,
    shape: Arc<Shape>,
    dictionaries: Dictionaries,
}

/// Batches that may have too many values for their types, and are cut where they have.
struct Cutting<'s> {
    batches: Batches<'s>,
    /// The parts of a batch that was cut, the next one last.
    parts: Vec<Batch>,
    dictionaries: Dictionaries,
}

/// Options for reading record batches. Every option has a default.
#[must_use]
pub struct ArrowReaderBuilder<'r, 's> {
    reader: &'r Reader<'s>,
    batch_size: usize,
    types: Types,
    ordered: OrderedDictionaries,
    cache: DictionaryCache,
}

enum Types {
    Stored,
    Own,
    Given(SchemaRef),
}

impl<'s> ArrowReader<'s> {
    /// Reads with the defaults of [`ArrowReaderBuilder`].
    ///
    /// # Errors
    ///
    /// As [`ArrowReaderBuilder::build`].
    pub fn new(reader: &Reader<'s>) -> Result<Self> {
        Self::builder(reader).build()
    }

    /// Whether columns are dictionaries whose values the file keeps.
    #[must_use]
    pub fn has_dictionaries(&self) -> bool {
        self.dictionaries().kept.is_any()
    }

    /// A batch without rows, whose dictionaries have the values that the file keeps.
    ///
    /// # Errors
    ///
    /// As that of a batch with rows.
    pub fn empty(&self) -> Result<RecordBatch> {
        let rows = Batch::try_new(Arc::clone(&self.shape), Vector::new(&self.shape))?;
        export_rows(rows, &self.schema, self.dictionaries())
    }

    fn dictionaries(&self) -> &Dictionaries {
        match &self.rows {
            Source::Decoded(rows) => &rows.dictionaries,
            Source::Cut(rows) => &rows.dictionaries,
        }
    }

    /// Options for reading.
    pub fn builder<'r>(reader: &'r Reader<'s>) -> ArrowReaderBuilder<'r, 's> {
        ArrowReaderBuilder {
            reader,
            batch_size: BATCH_ROWS,
            types: Types::Stored,
            ordered: OrderedDictionaries::default(),
            cache: DictionaryCache::default(),
        }
    }
}

impl Decoding<'_> {
    fn next(&mut self, schema: &SchemaRef) -> Option<Result<RecordBatch>> {
        let decoded = self.vectors.next()?;
        let rows = |decoded| export_decoded(&self.shape, decoded, schema, &mut self.dictionaries);
        Some(decoded.map_err(Error::from).and_then(rows))
    }
}

impl Cutting<'_> {
    fn next(&mut self, schema: &SchemaRef) -> Option<Result<RecordBatch>> {
        let batch = match self.parts.pop() {
            Some(part) => Ok(part),
            None => self.batches.next()?.map_err(Error::from),
        };
        Some(batch.and_then(|batch| self.convert(batch, schema)))
    }

    /// The rows of a batch, or of its first part.
    fn convert(&mut self, batch: Batch, schema: &SchemaRef) -> Result<RecordBatch> {
        if batch.len() < 2 {
            return export_rows(batch, schema, &self.dictionaries);
        }
        let (shape, vector) = batch.into_parts();
        let copy = Batch::try_new(Arc::clone(&shape), vector.clone())?;
        match export_rows(copy, schema, &self.dictionaries) {
            Err(error) if matches!(error.kind(), ErrorKind::TooMany { .. }) => {
                let whole = [Batch::try_new(shape, vector)?];
                let len = whole.iter().map(Batch::len).sum();
                let part = |rows: std::ops::Range<usize>| {
                    Batch::gather(&whole, &rows.map(|row| (0, row)).collect::<Vec<_>>())
                };
                let (first, second) = (part(0..len / 2)?, part(len / 2..len)?);
                self.parts.push(second);
                self.convert(first, schema)
            }
            done => done,
        }
    }
}

impl ArrowReaderBuilder<'_, '_> {
    /// Sets the most rows of a batch, at least 1. Default: 8,192. Batches may have fewer: see
    /// [`Batches::batch_rows`](trevni::reader::Batches::batch_rows). Where a batch has more values than the keys of its
    /// dictionaries can count, it comes in parts.
    pub fn batch_size(mut self, rows: usize) -> Self {
        self.batch_size = rows;
        self
    }

    /// Reads as a schema that holds the same values with other types, such as `LargeUtf8` for `Utf8`, or a
    /// dictionary for strings. Default: the types that the file's rows had in Arrow, if they come from there.
    ///
    /// ```
    /// use arrow_schema::{DataType, Field, Schema};
    /// use trevni_arrow::ArrowReader;
    ///
    /// let file = trevni::to_vec(["north", "south"])?;
    /// let reader = trevni::Reader::from_slice(&file)?;
    /// let schema = Schema::new(vec![Field::new("value", DataType::Utf8View, false)]);
    /// let mut batches = ArrowReader::builder(&reader).schema(schema.into()).build()?;
    /// assert_eq!(batches.next().unwrap()?.column(0).data_type(), &DataType::Utf8View);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn schema(mut self, schema: SchemaRef) -> Self {
        self.types = Types::Given(schema);
        self
    }

    /// Gives columns the ordered dictionaries of several files. Default: those of the file.
    pub fn ordered_dictionaries(mut self, dictionaries: OrderedDictionaries) -> Self {
        self.ordered = dictionaries;
        self
    }

    /// Reads the values of dictionaries only if the cache is empty; it is one of the same columns of the same file.
    pub fn dictionary_cache(mut self, cache: DictionaryCache) -> Self {
        self.cache = cache;
        self
    }

    /// Reads with the types of `docs/arrow.md`, also where the file says which ones its rows had in Arrow.
    pub fn own_types(mut self) -> Self {
        self.types = Types::Own;
        self
    }
}

impl<'s> ArrowReaderBuilder<'_, 's> {
    /// Starts to read.
    ///
    /// # Errors
    ///
    /// A schema that was given and does not fit the rows, a union of more than 127 variants, and as
    /// [`Reader::batches`](trevni::Reader::batches).
    pub fn build(self) -> Result<ArrowReader<'s>> {
        keep_freed();
        let schema = match self.types {
            Types::Given(schema) => {
                check_fits(&schema, self.reader.shape())?;
                schema
            }
            Types::Own => Arc::new(own_schema(self.reader)?),
            Types::Stored => Arc::new(schema_of_reader(self.reader)?),
        };
        let dictionaries = Dictionaries::of(self.cache.get(|| {
            let mut kept = kept_of_reader(self.reader, &schema);
            self.ordered.replace(schema.fields(), &mut kept);
            kept
        }));
        let shape = Arc::new(self.reader.shape().clone());
        let rows = match schema.fields().iter().any(|field| has_narrow_keys(field.data_type())) {
            true => {
                let batches = self.reader.batches()?.batch_rows(self.batch_size);
                Source::Cut(Cutting { batches, parts: Vec::new(), dictionaries })
            }
            false => {
                // Arrow looks at all strings.
                let reader = self.reader.texts_as_bytes();
                let mut vectors = reader.vectors()?.batch_rows(self.batch_size);
                if !schema.fields().iter().any(|field| has_views(field.data_type())) {
                    vectors = vectors.without_dictionaries();
                }
                Source::Decoded(Decoding { vectors, shape: Arc::clone(&shape), dictionaries })
            }
        };
        Ok(ArrowReader { rows, schema, shape })
    }
}

/// The schema of the record batches of a file: of those fields that its reader reads.
///
/// ```
/// let file = trevni::to_vec([("AA", 1089.0)])?;
/// let schema = trevni_arrow::schema_of_reader(&trevni::Reader::from_slice(&file)?)?;
/// assert_eq!(schema.field(1).to_string(), r#"Field { "_1": Float64 }"#);
/// # Ok::<(), trevni_arrow::Error>(())
/// ```
///
/// # Errors
///
/// A union of more than 127 variants.
pub fn schema_of_reader(reader: &Reader<'_>) -> Result<Schema> {
    match stored_schema(reader) {
        Some(stored) => {
            let columns = to_arrow::columns(reader.shape(), Some(stored.fields()))?;
            Ok(Schema::new_with_metadata(columns, stored.metadata().clone()))
        }
        None => own_schema(reader),
    }
}

/// The Arrow schema that a file says its rows had. Dictionaries whose values it does not keep have no order.
fn stored_schema(reader: &Reader<'_>) -> Option<Schema> {
    let metadata = reader.metadata();
    stored::read(metadata.get_str(ARROW_SCHEMA)?, metadata.contains(ARROW_DICTIONARIES))
}

/// The values of the dictionaries of columns that are read, where the file keeps them.
pub(crate) fn kept_of_reader(reader: &Reader<'_>, schema: &Schema) -> Kept {
    if kept::dictionaries(schema.fields()).is_empty() {
        return Kept::default();
    }
    match stored_schema(reader) {
        Some(stored) => Kept::of_reader(reader, stored.fields(), schema.fields()),
        None => Kept::default(),
    }
}

/// The part of a file's schema that a reader with fewer fields reads, without the metadata of the schema: to read the types that
/// a file stores takes longer than to take some out.
///
/// # Errors
///
/// A union of more than 127 variants.
pub fn part_of_schema(schema: &Schema, reader: &Reader<'_>) -> Result<Schema> {
    Ok(Schema::new(to_arrow::columns(reader.shape(), Some(schema.fields()))?))
}

/// The schema by the shape of the rows alone, with the metadata of the file that are not the format's.
fn own_schema(reader: &Reader<'_>) -> Result<Schema> {
    let mut metadata = own_metadata(reader.metadata());
    metadata.insert(AVRO_SCHEMA.to_owned(), reader.shape().to_avro());
    Ok(Schema::new_with_metadata(to_arrow::columns(reader.shape(), None)?, metadata))
}

fn own_metadata(metadata: &Metadata) -> HashMap<String, String> {
    let is_own = |key: &str| {
        !key.starts_with("trevni.")
            && ![AVRO_SCHEMA, ARROW_SCHEMA, ARROW_DICTIONARIES, "serde.schema"].contains(&key)
    };
    let text =
        |(key, value): (&str, &[u8])| Some((key.to_owned(), std::str::from_utf8(value).ok()?.to_owned()));
    metadata.iter().filter(|(key, _)| is_own(key)).filter_map(text).collect()
}

impl Iterator for ArrowReader<'_> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let rows = match &mut self.rows {
            Source::Decoded(rows) => rows.next(&self.schema),
            Source::Cut(rows) => rows.next(&self.schema),
        };
        rows.map(|rows| rows.map_err(ArrowError::from))
    }
}

impl RecordBatchReader for ArrowReader<'_> {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}
