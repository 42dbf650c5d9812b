//! How Parquet files are written.

mod properties;

pub use properties::PropertyError;

use crate::error::{Error, Result};
use crate::guard::guarded;
use crate::spans;
use arrow_schema::{DataType, Field, Fields, IntervalUnit, Schema};
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, Encoding, GzipLevel, Type, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterVersion};
use parquet::schema::types::{ColumnPath, SchemaDescriptor};
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
    statistics: Statistics,
    bloom_filters: Vec<(String, Option<u64>)>,
    encodings: Vec<(String, PageEncoding)>,
    version: WriterVersion,
}

/// Which least and greatest values and counts of nulls a Parquet file has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Statistics {
    /// No values and counts.
    Nothing,
    /// Those of each column of each row group.
    RowGroups,
    /// Those of each page, too.
    #[default]
    Pages,
}

/// How the values of a column lie in pages without a dictionary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PageEncoding {
    /// One after the other.
    Plain,
    /// Differences of integers, bit packed.
    DeltaBinaryPacked,
    /// Strings or bytes, their lengths apart.
    DeltaLengthByteArray,
    /// Strings or bytes, without the beginning that each shares with the one before.
    DeltaByteArray,
    /// The first bytes of all numbers, then the second ones, and so on.
    ByteStreamSplit,
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
            statistics: Statistics::default(),
            bloom_filters: Vec::new(),
            encodings: Vec::new(),
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

    /// Sets which statistics are written. Default: those of pages.
    pub fn statistics(mut self, statistics: Statistics) -> Self {
        self.statistics = statistics;
        self
    }

    /// Adds a Bloom filter to a column, by its path in Parquet's schema, names joined by dots (`tags.list.element`). `values` says how
    /// many different values a row group has; default: as many as rows. Default: no filters.
    ///
    /// ```
    /// use trevni_parquet::{PageEncoding, ParquetOptions, Statistics};
    ///
    /// let options = ParquetOptions::new()
    ///     .statistics(Statistics::RowGroups)
    ///     .bloom_filter("user", Some(10_000))
    ///     .encoding("time", PageEncoding::DeltaBinaryPacked);
    /// # #[derive(serde::Serialize)]
    /// # struct Row { user: &'static str, time: i64 }
    /// let rows = trevni::to_vec([Row { user: "ann", time: 7 }])?;
    /// let parquet = trevni_parquet::to_parquet(&trevni::Reader::from_slice(&rows)?, options, Vec::new())?;
    /// # assert!(!parquet.is_empty());
    /// # Ok::<(), trevni_parquet::Error>(())
    /// ```
    pub fn bloom_filter(mut self, column: &str, values: Option<u64>) -> Self {
        self.bloom_filters.push((column.to_owned(), values));
        self
    }

    /// Sets the encoding of a column, by its path as in [`bloom_filter`](Self::bloom_filter), which has no dictionary then. Default: dictionaries, or
    /// what suits the type.
    pub fn encoding(mut self, column: &str, encoding: PageEncoding) -> Self {
        self.encodings.push((column.to_owned(), encoding));
        self
    }

    /// The columns that options name; there have to be such ones.
    fn check_columns(&self, columns: &SchemaDescriptor) -> Result<()> {
        let has = |name: &str| columns.columns().iter().any(|column| column.path().string() == name);
        let named = self.bloom_filters.iter().map(|(name, _)| name);
        let mut named = named.chain(self.encodings.iter().map(|(name, _)| name));
        match named.find(|name| !has(name)) {
            Some(name) => Err(Error::NoField(name.clone())),
            None => {
                let wrong = |(name, encoding): &(String, PageEncoding)| {
                    let column = columns.columns().iter().find(|column| column.path().string() == *name)?;
                    let kind = column.physical_type();
                    (!encoding.fits(kind)).then(|| Error::Unresolved {
                        field: name.clone(),
                        message: format!("{kind} has no encoding {encoding:?}"),
                    })
                };
                self.encodings.iter().find_map(wrong).map_or(Ok(()), Err)
            }
        }
    }

    /// What the Parquet library takes, for the rows of a reader.
    pub(crate) fn for_schema(&self, reader: &Reader<'_>, schema: &Schema) -> Result<ArrowWriterOptions> {
        let mut properties = WriterProperties::builder()
            .set_compression(compression(&self.codec, self.level).unwrap_or(Compression::UNCOMPRESSED))
            .set_writer_version(self.version)
            .set_max_row_group_row_count(None)
            .set_max_row_group_bytes(Some(self.row_group_bytes))
            .set_data_page_size_limit(self.page_bytes)
            .set_dictionary_page_size_limit(self.dictionary_page_bytes)
            .set_dictionary_enabled(self.dictionary)
            .set_statistics_enabled(match self.statistics {
                Statistics::Nothing => EnabledStatistics::None,
                Statistics::RowGroups => EnabledStatistics::Chunk,
                Statistics::Pages => EnabledStatistics::Page,
            })
            .set_coerce_types(true)
            .set_key_value_metadata(Some(key_values(reader, schema)));
        let path = |name: &str| ColumnPath::new(name.split('.').map(str::to_owned).collect());
        for (name, values) in &self.bloom_filters {
            properties = properties.set_column_bloom_filter_enabled(path(name), true);
            if let Some(values) = values {
                properties = properties.set_column_bloom_filter_max_ndv(path(name), *values);
            }
        }
        for (name, encoding) in &self.encodings {
            properties = properties.set_column_dictionary_enabled(path(name), false);
            properties = properties.set_column_encoding(path(name), encoding.name());
        }
        let properties = properties.build();
        let root = match reader.shape() {
            Shape::Record(record) if !record.name.is_empty() => record.name.to_string(),
            _ => ROOT.to_owned(),
        };
        let options = ArrowWriterOptions::new().with_properties(properties);
        let annotated = spans::annotated(schema, &root)?;
        if !(self.bloom_filters.is_empty() && self.encodings.is_empty()) {
            let plain = ArrowSchemaConverter::new().with_coerce_types(true);
            match &annotated {
                Some(annotated) => self.check_columns(annotated)?,
                None => self.check_columns(&guarded(|| plain.convert(schema))?)?,
            }
        }
        Ok(match annotated {
            Some(annotated) => options.with_parquet_schema(annotated),
            None => options.with_schema_root(root),
        })
    }
}

impl PageEncoding {
    /// What the Parquet library calls it.
    fn name(self) -> Encoding {
        match self {
            Self::Plain => Encoding::PLAIN,
            Self::DeltaBinaryPacked => Encoding::DELTA_BINARY_PACKED,
            Self::DeltaLengthByteArray => Encoding::DELTA_LENGTH_BYTE_ARRAY,
            Self::DeltaByteArray => Encoding::DELTA_BYTE_ARRAY,
            Self::ByteStreamSplit => Encoding::BYTE_STREAM_SPLIT,
        }
    }

    /// Whether values of a type can be encoded so.
    fn fits(self, kind: Type) -> bool {
        match self {
            Self::Plain => true,
            Self::DeltaBinaryPacked => matches!(kind, Type::INT32 | Type::INT64),
            Self::DeltaLengthByteArray => kind == Type::BYTE_ARRAY,
            Self::DeltaByteArray => matches!(kind, Type::BYTE_ARRAY | Type::FIXED_LEN_BYTE_ARRAY),
            Self::ByteStreamSplit => !matches!(kind, Type::BOOLEAN | Type::BYTE_ARRAY | Type::INT96),
        }
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
