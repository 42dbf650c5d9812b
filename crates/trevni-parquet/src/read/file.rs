//! A Parquet file that is open: its bytes, and its footer.

use super::chunks::Chunks;
use super::source::Source;
use crate::error::{Error, Result};
use crate::footer::check;
use crate::guard::guarded;
use parquet::file::metadata::{FooterTail, ParquetMetaData, ParquetMetaDataReader};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use trevni::Limits;

/// Bytes of the end of a file: the length of the footer, and the format's mark.
const TAIL: usize = 8;

/// A Parquet file that is open, whose footer has been read.
#[derive(Clone)]
pub struct ParquetFile {
    source: Source,
    chunks: Arc<Chunks>,
    limits: Limits,
}

impl ParquetFile {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// A file that cannot be opened, or is no Parquet file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        Self::open_with(path, Limits::default())
    }

    /// Opens a file that may take so much.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn open_with(path: impl AsRef<Path>, limits: Limits) -> Result<Self> {
        Self::of_source_with(File::open(path)?, limits)
    }

    /// Opens what a source has.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn of_source(source: impl trevni::Source + 'static) -> Result<Self> {
        Self::of_source_with(source, Limits::default())
    }

    /// Opens what a source has, which may take so much. A page is one block of [`Limits::block_bytes`].
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn of_source_with(source: impl trevni::Source + 'static, limits: Limits) -> Result<Self> {
        let source = Source::new(source)?;
        let Some(end) = source.size().checked_sub(TAIL as u64) else {
            let message = format!("a file of {} bytes is too short", source.size());
            return Err(Error::Damaged(message));
        };
        let tail = source.bytes(end, TAIL)?;
        let tail = guarded(|| FooterTail::try_from(tail.as_slice()))?;
        if tail.is_encrypted_footer() {
            return Err(Error::Damaged("the footer is encrypted".to_owned()));
        }
        let length = tail.metadata_length();
        let Some(start) = end.checked_sub(length as u64) else {
            let message = format!("the footer has {length} bytes, more than the file");
            return Err(Error::Damaged(message));
        };
        let bytes = source.bytes(start, length)?;
        let footer = check::check(&bytes, &limits)?;
        let metadata = guarded(|| ParquetMetaDataReader::decode_metadata(&footer.known(&bytes)))?;
        let chunks = Arc::new(Chunks::new(metadata, &footer, start)?);
        Ok(Self { source, chunks, limits })
    }

    pub(crate) fn chunks(&self) -> &Arc<Chunks> {
        &self.chunks
    }

    pub(super) fn source(&self) -> &Source {
        &self.source
    }

    pub(super) fn limits(&self) -> Limits {
        self.limits
    }

    pub(crate) fn metadata(&self) -> &Arc<ParquetMetaData> {
        self.chunks.metadata()
    }
}
