//! Record batches as a file.

use crate::array::batch_of_record_batch_as;
use crate::error::{Error, Result};
use crate::kept::{ARROW_DICTIONARIES, Collected};
use crate::schema::stored::{self, ARROW_SCHEMA};
use crate::schema::{AVRO_SCHEMA, schema_of_shape, shape_of_schema};
use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, Schema, SchemaRef};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use trevni::{AtomicFile, Shape, Writer, WriterBuilder};

/// Rows that are made vectors and encoded at a time.
const ROWS_AT_ONCE: usize = 8192;

/// Writes record batches of one schema to a file.
///
/// The file keeps the schema, so that [`ArrowReader`](crate::ArrowReader) gives the same types and metadata back; other
/// readers see the values as `docs/arrow.md` says.
///
/// ```
/// use arrow_array::record_batch;
/// use trevni::{Codec, Reader, Writer};
/// use trevni_arrow::{ArrowReader, ArrowWriter};
///
/// let batch = record_batch!(("word", LargeUtf8, ["the", "end"]), ("count", UInt8, [Some(3), None])).unwrap();
/// let options = Writer::builder().codec(Codec::Deflate);
/// let mut writer = ArrowWriter::with_options(options, Vec::new(), batch.schema())?;
/// writer.write(&batch)?;
/// let file = writer.finish()?;
///
/// let reader = Reader::from_slice(&file)?;
/// assert_eq!(reader.column::<String>("word")?, ["the", "end"]);
/// assert_eq!(ArrowReader::new(&reader)?.next().unwrap()?, batch);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct ArrowWriter<W: Write> {
    writer: Writer<W>,
    schema: SchemaRef,
    shape: Arc<Shape>,
    dictionaries: Collected,
}

/// Options of a writer for record batches of a schema, as [`ArrowWriter`] has them: with the shape of the rows, which is
/// returned too, and the schema itself where the shape says less. Batches of such rows are made by
/// [`batch_of_record_batch_as`](crate::batch_of_record_batch_as).
///
/// # Errors
///
/// As [`shape_of_schema`].
pub fn options_for_schema(options: WriterBuilder, schema: &Schema) -> Result<(WriterBuilder, Shape)> {
    let shape = shape_of_schema(schema)?;
    // The text of an Avro schema may say more than the shape: defaults, aliases, documentation.
    let text = schema.metadata().get(AVRO_SCHEMA);
    let text = text.filter(|text| Shape::from_avro(text).is_ok_and(|given| given == shape));
    let mut options = match text {
        Some(text) => options.schema(text),
        None => options.shape(&shape),
    };
    if schema_of_shape(&shape)? != *schema {
        options = options.metadata(ARROW_SCHEMA, stored::write(schema));
    }
    Ok((options, shape))
}

impl ArrowWriter<AtomicFile> {
    /// Creates a file, with the defaults of [`WriterBuilder`]. [`finish`](Self::finish) gives it its name.
    ///
    /// # Errors
    ///
    /// As [`shape_of_schema`], and a folder that cannot be written to.
    pub fn create(path: impl AsRef<Path>, schema: SchemaRef) -> Result<Self> {
        Self::create_with_options(Writer::builder(), path, schema)
    }

    /// As [`create`](Self::create), with options. They need not have a shape.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create), and options that do not go together.
    pub fn create_with_options(
        options: WriterBuilder,
        path: impl AsRef<Path>,
        schema: SchemaRef,
    ) -> Result<Self> {
        Self::start(options, schema, |options| options.create(path))
    }
}

impl<W: Write> ArrowWriter<W> {
    /// Writes to a sink, with the defaults of [`WriterBuilder`].
    ///
    /// # Errors
    ///
    /// As [`shape_of_schema`].
    pub fn new(sink: W, schema: SchemaRef) -> Result<Self> {
        Self::with_options(Writer::builder(), sink, schema)
    }

    /// Writes to a sink, with options. They need not have a shape.
    ///
    /// # Errors
    ///
    /// As [`shape_of_schema`], and options that do not go together.
    pub fn with_options(options: WriterBuilder, sink: W, schema: SchemaRef) -> Result<Self> {
        Self::start(options, schema, |options| options.build(sink))
    }

    fn start(
        options: WriterBuilder,
        schema: SchemaRef,
        build: impl FnOnce(WriterBuilder) -> trevni::Result<Writer<W>>,
    ) -> Result<Self> {
        let (options, _) = options_for_schema(options, &schema)?;
        let dictionaries = Collected::new(&schema)?;
        let writer = build(options)?;
        let shape = Arc::new(writer.shape().clone());
        Ok(Self { writer, schema, shape, dictionaries })
    }

    /// The schema of the batches.
    #[must_use]
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Number of rows written so far.
    #[must_use]
    pub fn row_count(&self) -> u64 {
        self.writer.row_count()
    }

    /// About how many bytes the file has so far, as [`Writer::size`] has it.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.writer.size()
    }

    /// Appends the rows of a batch.
    ///
    /// # Errors
    ///
    /// A batch of other columns than the schema's, a value that cannot be stored (as
    /// [`batch_of_record_batch`](crate::batch_of_record_batch)), and I/O errors. Some rows of the batch may be written then:
    /// give the writer up.
    pub fn write(&mut self, batch: &RecordBatch) -> Result<()> {
        if batch.schema_ref() != &self.schema && batch.schema_ref().fields() != self.schema.fields() {
            let of = batch.schema_ref().fields().iter().zip(self.schema.fields());
            let differs = of.into_iter().find(|(one, two)| one != two);
            let name = differs.map_or_else(String::new, |(_, field)| field.name().clone());
            return Err(Error::schema("the batch has other columns than the writer's schema").in_field(&name));
        }
        self.dictionaries.add(batch)?;
        let mut first = 0;
        while first < batch.num_rows() {
            let rows = ROWS_AT_ONCE.min(batch.num_rows() - first);
            self.writer.write_batch(&batch_of_record_batch_as(&self.shape, &batch.slice(first, rows))?)?;
            first += rows;
        }
        Ok(())
    }

    /// Appends the rows of several batches, of a [`RecordBatchReader`](arrow_array::RecordBatchReader) for example.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write), and what the batches come with.
    pub fn write_all(
        &mut self,
        batches: impl IntoIterator<Item = Result<RecordBatch, ArrowError>>,
    ) -> Result<()> {
        batches.into_iter().try_for_each(|batch| self.write(&batch?))
    }

    /// Completes the file and returns the sink.
    ///
    /// # Errors
    ///
    /// As [`Writer::finish`].
    pub fn finish(mut self) -> Result<W> {
        if let Some(values) = self.dictionaries.file()? {
            self.writer.set_metadata(ARROW_DICTIONARIES, values)?;
        }
        Ok(self.writer.finish()?)
    }
}
