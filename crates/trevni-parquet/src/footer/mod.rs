//! What the footer of a file says: the schema, metadata, row groups and their columns.

pub(crate) mod check;
mod message;
pub(crate) mod structs;
pub(crate) mod thrift;

use crate::read::ParquetFile;
use parquet::basic::{CompressionCodec, Type};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};

/// Some rows of a Parquet file, which are stored together.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct RowGroup {
    /// Number of rows.
    pub rows: u64,
    /// The values of each column, in the order of the schema.
    pub chunks: Vec<ColumnChunk>,
}

/// The values of a column in a row group.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ColumnChunk {
    /// The names in the schema that lead to the column.
    pub path: Vec<String>,
    /// The physical type as Parquet's own tools name it, such as `INT64` or `BINARY`.
    pub physical_type: &'static str,
    /// The codec, as in `SNAPPY`.
    pub codec: String,
    /// The encodings of values and levels, as in `PLAIN`.
    pub encodings: Vec<String>,
    /// Number of values, and of places where one is missing.
    pub values: u64,
    /// Bytes in the file.
    pub compressed_bytes: u64,
    /// Bytes before the codec.
    pub uncompressed_bytes: u64,
    /// Where the first page begins, the one of the dictionary if there is one.
    pub start: u64,
}

impl ParquetFile {
    /// Number of rows: those of the row groups, which may be more than old writers say.
    #[must_use]
    pub fn row_count(&self) -> u64 {
        let rows = self.metadata().row_groups().iter().map(|group| positive(group.num_rows()));
        rows.fold(0, u64::saturating_add)
    }

    /// The version of the format.
    #[must_use]
    pub fn version(&self) -> i32 {
        self.metadata().file_metadata().version()
    }

    /// The program that has written the file, where it says so.
    #[must_use]
    pub fn created_by(&self) -> Option<&str> {
        self.metadata().file_metadata().created_by()
    }

    /// Keys and values of the metadata, in the order of the file; a key need not have a value.
    pub fn key_values(&self) -> impl Iterator<Item = (&str, Option<&str>)> {
        let pairs = self.metadata().file_metadata().key_value_metadata();
        pairs.into_iter().flatten().map(|pair| (pair.key.as_str(), pair.value.as_deref()))
    }

    /// The schema as a text, as Parquet's own tools print it:
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// #[derive(serde::Serialize)]
    /// struct StringPair { left: &'static str, right: &'static str }
    ///
    /// let file = trevni::to_vec([StringPair { left: "L", right: "R" }])?;
    /// let reader = trevni::Reader::from_slice(&file)?;
    /// let parquet = trevni_parquet::to_parquet(&reader, Default::default(), Vec::new())?;
    /// let text = trevni_parquet::ParquetFile::of_source(parquet)?.message();
    /// assert_eq!(
    ///     text,
    ///     "message StringPair {\n  required binary left (UTF8);\n  required binary right (UTF8);\n}\n"
    /// );
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn message(&self) -> String {
        message::text(self.metadata().file_metadata().schema())
    }

    /// The paths of the columns: the names in the schema that lead to each.
    #[must_use]
    pub fn columns(&self) -> Vec<Vec<String>> {
        let schema = self.metadata().file_metadata().schema_descr();
        schema.columns().iter().map(|column| column.path().parts().to_vec()).collect()
    }

    /// The physical type of a column by its number from 0, as [`ColumnChunk::physical_type`].
    #[must_use]
    pub fn physical_type(&self, column: usize) -> Option<&'static str> {
        let schema = self.metadata().file_metadata().schema_descr();
        schema.columns().get(column).map(|column| physical_type(column.physical_type()))
    }

    /// Number of row groups.
    #[must_use]
    pub fn row_group_count(&self) -> usize {
        self.metadata().num_row_groups()
    }

    /// The row groups.
    pub fn row_groups(&self) -> impl Iterator<Item = RowGroup> {
        let groups = self.metadata().row_groups().iter().enumerate();
        groups.map(|(number, group)| RowGroup::of(group, self.chunks().codecs(number)))
    }
}

impl RowGroup {
    fn of(group: &RowGroupMetaData, codecs: impl Iterator<Item = CompressionCodec>) -> Self {
        let chunks = group.columns().iter().zip(codecs);
        let chunks = chunks.map(|(chunk, codec)| ColumnChunk::of(chunk, codec)).collect();
        Self { rows: positive(group.num_rows()), chunks }
    }
}

impl ColumnChunk {
    fn of(chunk: &ColumnChunkMetaData, codec: CompressionCodec) -> Self {
        let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
        Self {
            path: chunk.column_path().parts().to_vec(),
            physical_type: physical_type(chunk.column_type()),
            codec: codec.to_string(),
            encodings: chunk.encodings().map(|encoding| encoding.to_string()).collect(),
            values: positive(chunk.num_values()),
            compressed_bytes: positive(chunk.compressed_size()),
            uncompressed_bytes: positive(chunk.uncompressed_size()),
            start: positive(start),
        }
    }
}

fn physical_type(physical: Type) -> &'static str {
    match physical {
        Type::BOOLEAN => "BOOLEAN",
        Type::INT32 => "INT32",
        Type::INT64 => "INT64",
        Type::INT96 => "INT96",
        Type::FLOAT => "FLOAT",
        Type::DOUBLE => "DOUBLE",
        Type::BYTE_ARRAY => "BINARY",
        Type::FIXED_LEN_BYTE_ARRAY => "FIXED_LEN_BYTE_ARRAY",
    }
}

/// A number of things: a damaged file may have less than none.
fn positive(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}
