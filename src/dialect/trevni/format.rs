//! Trevni as a format to write: what its options are.

use super::Version;
use super::encode::Encoder;
use crate::dialect::format::Sealed;
use crate::dialect::{Dialect, Encoder as AnyEncoder, FileSettings};
use crate::error::{Error, Result};
use crate::storage::blocks::Resources;

/// Avro's Trevni, the format that a writer has by default, with the options that only this format has. For
/// [`WriterBuilder::format`](crate::WriterBuilder::format).
#[derive(Clone, Copy, Debug, Default)]
#[must_use]
pub struct Trevni {
    version: Version,
    compact: bool,
}

impl Trevni {
    /// The format with its defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the version of the format: 2, or 1 for Avro before 1.7.5. Version 0 cannot be written. Default: 2.
    ///
    /// ```
    /// use trevni::formats::{Trevni, TrevniInfo, Version};
    /// use trevni::{Reader, Writer};
    ///
    /// let mut writer = Writer::builder().format(Trevni::new().version(Version::V1)).build(Vec::new())?;
    /// writer.write_all(0..10)?;
    /// let file = writer.finish()?;
    /// assert!(file.starts_with(b"Trv\x01"));
    /// let info = Reader::from_slice(&file)?.info::<TrevniInfo>();
    /// assert_eq!(info.map(|info| info.version), Some(Version::V1));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn version(self, version: Version) -> Self {
        Self { version, ..self }
    }

    /// Writes a compact file: schema, metadata, block tables and columns of at most 64 KiB are compressed together, and what
    /// the schema says of columns is left out. A column that is smaller by itself stays outside, and a file that is not smaller
    /// so becomes a plain one. Default: a file that other implementations read.
    ///
    /// A file of thousands of columns and few rows becomes a tenth of its size. A reader decompresses up to 8 MiB of columns
    /// and all that is said of columns when it opens the file, and takes as much memory. **Java cannot read such files**:
    /// it refuses the type `compact` of a column. The size of files with large columns does not change.
    ///
    /// ```
    /// use trevni::formats::{Trevni, TrevniInfo};
    /// use trevni::{Reader, Writer};
    ///
    /// let rows = [(1, "one"), (2, "two")];
    /// let mut writer = Writer::builder().format(Trevni::new().compact()).build(Vec::new())?;
    /// writer.write_all(rows)?;
    /// let file = writer.finish()?;
    /// assert!(Reader::from_slice(&file)?.info::<TrevniInfo>().is_some_and(|info| info.is_compact));
    /// assert_eq!(trevni::from_slice::<Vec<(i32, String)>>(&file)?, rows.map(|(n, text)| (n, text.to_owned())));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn compact(self) -> Self {
        Self { compact: true, ..self }
    }
}

impl Sealed for Trevni {
    fn dialect(&self) -> Dialect {
        Dialect::Trevni
    }

    fn encoder(&self, settings: FileSettings, resources: Resources) -> Result<AnyEncoder> {
        if !self.version.has_arrays() {
            return Err(Error::option("version 0 cannot be written: it has no arrays"));
        }
        Ok(Box::new(Encoder::new(self.version, self.compact, settings, resources)))
    }

    fn boxed(&self) -> Box<dyn Sealed> {
        Box::new(*self)
    }
}

/// What only files of Avro's Trevni say of themselves. For [`Reader::info`](crate::Reader::info).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TrevniInfo {
    /// The version of the format.
    pub version: Version,
    /// Whether the file is compact ([`Trevni::compact`]). Offsets and sizes refer to the expanded file.
    pub is_compact: bool,
}

impl TrevniInfo {
    /// What a file says of itself.
    pub(super) fn new(version: Version, is_compact: bool) -> Self {
        Self { version, is_compact }
    }
}
