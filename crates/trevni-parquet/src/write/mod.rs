//! How Parquet files are written.

mod properties;

pub use properties::PropertyError;

use crate::error::{Error, Result};
use crate::spans;
use arrow_schema::{DataType, Field, Fields, IntervalUnit, Schema};
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, GzipLevel, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use std::collections::BTreeMap;
use trevni::{Codec, Reader, Shape};

/// Bytes of a row group.
const ROW_GROUP_BYTES: usize = 128 << 20;
/// Bytes of a page.
const PAGE_BYTES: usize = 1 << 20;
/// The name of the record of rows without a name.
const ROOT: &str = "Row";
/// The key under which Avro's Parquet reader looks for the schema of the rows.
const AVRO_KEY: &str = "parquet.avro.schema";

/// Options for writing Parquet. Every option has a default: that of the Parquet library for Hadoop, except that pages are
/// compressed with snappy, as pyarrow does.
#[derive(Clone, Debug)]
#[must_use]
pub struct ParquetOptions {
    codec: Codec,
    level: Option<u32>,
    row_group_bytes: usize,
    page_bytes: usize,
    dictionary_page_bytes: usize,
    dictionary: bool,
    version: WriterVersion,
}

impl Default for ParquetOptions {
    fn default() -> Self {
        Self::new()
    }
}

impl ParquetOptions {
    /// The defaults.
    pub fn new() -> Self {
        Self {
            codec: Codec::Snappy,
            level: None,
            row_group_bytes: ROW_GROUP_BYTES,
            page_bytes: PAGE_BYTES,
            dictionary_page_bytes: PAGE_BYTES,
            dictionary: true,
            version: WriterVersion::PARQUET_1_0,
        }
    }

    /// Sets the codec of all pages. Default: snappy. Deflate is Parquet's GZIP, LZ4 its `LZ4_RAW`.
    ///
    /// # Errors
    ///
    /// A codec that Parquet does not have.
    pub fn codec(mut self, codec: Codec) -> Result<Self, PropertyError> {
        compression(&codec, None).ok_or_else(|| PropertyError::new("codec", &format!("{codec:?}")))?;
        self.codec = codec;
        self.level = None;
        Ok(self)
    }

    /// Sets how hard the codec tries, Parquet's GZIP from 0 to 9 and ZSTD from 1 to 22. Default: that of the codec.
    ///
    /// # Errors
    ///
    /// A level that the codec does not have.
    pub fn level(mut self, level: u32) -> Result<Self, PropertyError> {
        let has_levels = matches!(self.codec, Codec::Deflate | Codec::Gzip | Codec::Zstandard);
        if !has_levels || compression(&self.codec, Some(level)).is_none() {
            return Err(PropertyError::new("level", &level.to_string()));
        }
        self.level = Some(level);
        Ok(self)
    }

    /// Sets the bytes of encoded rows after which a row group ends. Default: 128 MiB. A reader may need that much memory, and
    /// the writer does.
    pub fn row_group_bytes(mut self, bytes: usize) -> Self {
        self.row_group_bytes = bytes.max(1);
        self
    }

    /// Sets the bytes after which a page ends. Default: 1 MiB.
    pub fn page_bytes(mut self, bytes: usize) -> Self {
        self.page_bytes = bytes.max(1);
        self
    }

    /// Sets the bytes that the dictionary of a column may have; beyond it, values are stored plainly. Default: 1 MiB.
    pub fn dictionary_page_bytes(mut self, bytes: usize) -> Self {
        self.dictionary_page_bytes = bytes.max(1);
        self
    }

    /// Writes columns without dictionaries.
    pub fn without_dictionaries(mut self) -> Self {
        self.dictionary = false;
        self
    }

    /// What the Parquet library takes, for the rows of a reader.
    pub(crate) fn for_schema(&self, reader: &Reader<'_>, schema: &Schema) -> Result<ArrowWriterOptions> {
        let properties = WriterProperties::builder()
            .set_compression(compression(&self.codec, self.level).unwrap_or(Compression::UNCOMPRESSED))
            .set_writer_version(self.version)
            .set_max_row_group_row_count(None)
            .set_max_row_group_bytes(Some(self.row_group_bytes))
            .set_data_page_size_limit(self.page_bytes)
            .set_dictionary_page_size_limit(self.dictionary_page_bytes)
            .set_dictionary_enabled(self.dictionary)
            .set_statistics_enabled(EnabledStatistics::Page)
            .set_coerce_types(true)
            .set_key_value_metadata(Some(key_values(reader, schema)))
            .build();
        let root = match reader.shape() {
            Shape::Record(record) if !record.name.is_empty() => record.name.to_string(),
            _ => ROOT.to_owned(),
        };
        let options = ArrowWriterOptions::new().with_properties(properties);
        Ok(match spans::annotated(schema, &root)? {
            Some(annotated) => options.with_parquet_schema(annotated),
            None => options.with_schema_root(root),
        })
    }
}

/// The metadata of the file, and its Avro schema as it is stored.
fn key_values(reader: &Reader<'_>, schema: &Schema) -> Vec<KeyValue> {
    let own: BTreeMap<&String, &String> = schema.metadata().iter().collect();
    let own = own.into_iter().filter(|(key, _)| **key != trevni_arrow::AVRO_SCHEMA);
    let own = own.map(|(key, value)| KeyValue::new(key.clone(), value.clone()));
    // Of some of the fields, the text of all would say too much.
    let is_whole = |text: &str| Shape::from_avro(text).is_ok_and(|whole| whole == *reader.shape());
    let text = reader.metadata().get_str(trevni_arrow::AVRO_SCHEMA);
    let text = text.map(|text| if is_whole(text) { text.to_owned() } else { reader.shape().to_avro() });
    let avro = text.map(|text| KeyValue::new(AVRO_KEY.to_owned(), text));
    own.chain(avro).collect()
}

/// Parquet's name of a codec.
fn compression(codec: &Codec, level: Option<u32>) -> Option<Compression> {
    Some(match codec {
        Codec::Null => Compression::UNCOMPRESSED,
        Codec::Snappy => Compression::SNAPPY,
        Codec::Deflate | Codec::Gzip => match level {
            Some(level) => Compression::GZIP(GzipLevel::try_new(level).ok()?),
            None => Compression::GZIP(GzipLevel::default()),
        },
        Codec::Zstandard => match level {
            Some(level) => Compression::ZSTD(ZstdLevel::try_new(i32::try_from(level).ok()?).ok()?),
            None => Compression::ZSTD(ZstdLevel::default()),
        },
        Codec::Lz4 => Compression::LZ4_RAW,
        _ => return None,
    })
}

/// Whether Parquet has types for these fields; its library panics without one.
pub(crate) fn check(fields: &Fields) -> Result<()> {
    fields.iter().try_for_each(|field| check_field(field, field.name()))
}

fn check_field(field: &Field, path: &str) -> Result<()> {
    let member = |member: &Field| check_field(member, &format!("{path}.{}", member.name()));
    match field.data_type() {
        DataType::Struct(fields) if fields.is_empty() => Err(unsupported(field, path)),
        DataType::Struct(fields) => fields.iter().try_for_each(|field| member(field)),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => member(item),
        DataType::Union(..)
        | DataType::RunEndEncoded(..)
        | DataType::Interval(IntervalUnit::MonthDayNano) => Err(unsupported(field, path)),
        _ => Ok(()),
    }
}

fn unsupported(field: &Field, path: &str) -> Error {
    Error::Unsupported { field: path.to_owned(), data_type: field.data_type().to_string() }
}
