//! A Parquet file that is open: its bytes, and its footer.

use super::source::Source;
use crate::error::Result;
use crate::guard::guarded;
use parquet::file::metadata::{ParquetMetaData, ParquetMetaDataReader};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

/// A Parquet file that is open, whose footer has been read.
#[derive(Clone)]
pub struct ParquetFile {
    source: Source,
    metadata: Arc<ParquetMetaData>,
}

impl ParquetFile {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// A file that cannot be opened, or is no Parquet file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::of_source(File::open(path)?)
    }

    /// Opens what a source has.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn of_source(source: impl trevni::Source + 'static) -> Result<Self> {
        let source = Source::new(source)?;
        let metadata = guarded(|| ParquetMetaDataReader::new().parse_and_finish(&source));
        let metadata = metadata.map_err(|error| source.cause(error))?;
        Ok(Self { source, metadata: Arc::new(metadata) })
    }

    pub(crate) fn source(&self) -> &Source {
        &self.source
    }

    pub(crate) fn metadata(&self) -> &Arc<ParquetMetaData> {
        &self.metadata
    }
}
