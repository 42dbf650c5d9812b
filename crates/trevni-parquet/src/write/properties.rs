//! Options by the names that Parquet's library for Hadoop gives them.

use super::ParquetOptions;
use parquet::file::properties::WriterVersion;
use std::fmt;
use trevni::Codec;

/// A property that is not known, or has a value that it cannot have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyError {
    name: String,
    value: String,
}

impl PropertyError {
    pub(super) fn new(name: &str, value: &str) -> Self {
        Self { name: name.to_owned(), value: value.to_owned() }
    }
}

impl fmt::Display for PropertyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} cannot be {:?}", self.name, self.value)
    }
}

impl std::error::Error for PropertyError {}

impl ParquetOptions {
    /// The names of options that [`property`](Self::property) takes.
    pub const PROPERTIES: [&str; 6] = [
        "parquet.block.size",
        "parquet.page.size",
        "parquet.dictionary.page.size",
        "parquet.enable.dictionary",
        "parquet.compression",
        "parquet.writer.version",
    ];

    /// Sets an option by its name in Hadoop: `parquet.block.size` (bytes of a row group), `parquet.page.size`,
    /// `parquet.dictionary.page.size`, `parquet.enable.dictionary`, `parquet.compression` and `parquet.writer.version`
    /// (`v1` or `v2`, the version of pages).
    ///
    /// ```
    /// use trevni_parquet::ParquetOptions;
    ///
    /// let options = ParquetOptions::new().property("parquet.compression", "SNAPPY")?;
    /// let error = options.property("parquet.page.size", "large").unwrap_err();
    /// assert_eq!(error.to_string(), r#"parquet.page.size cannot be "large""#);
    /// # Ok::<(), trevni_parquet::PropertyError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Another name, and a value that the option cannot have, `LZO` for one.
    pub fn property(mut self, name: &str, value: &str) -> Result<Self, PropertyError> {
        let wrong = || PropertyError::new(name, value);
        let bytes = || value.parse().ok().filter(|bytes| *bytes > 0).ok_or_else(wrong);
        match name {
            "parquet.block.size" => self.row_group_bytes = bytes()?,
            "parquet.page.size" => self.page_bytes = bytes()?,
            "parquet.dictionary.page.size" => self.dictionary_page_bytes = bytes()?,
            "parquet.enable.dictionary" => self.dictionary = value.parse().map_err(|_| wrong())?,
            "parquet.compression" => return self.codec(codec(value).ok_or_else(wrong)?),
            "parquet.writer.version" => self.version = version(value).ok_or_else(wrong)?,
            _ => return Err(wrong()),
        }
        Ok(self)
    }
}

/// The codec of a name, in capitals or not.
fn codec(name: &str) -> Option<Codec> {
    Some(match name.to_ascii_uppercase().as_str() {
        "UNCOMPRESSED" => Codec::Null,
        "SNAPPY" => Codec::Snappy,
        "GZIP" => Codec::Deflate,
        "ZSTD" => Codec::Zstandard,
        "LZ4_RAW" => Codec::Lz4,
        _ => return None,
    })
}

/// A version of pages.
fn version(name: &str) -> Option<WriterVersion> {
    match name.to_ascii_lowercase().as_str() {
        "v1" | "parquet_1_0" => Some(WriterVersion::PARQUET_1_0),
        "v2" | "parquet_2_0" => Some(WriterVersion::PARQUET_2_0),
        _ => None,
    }
}
