//! The bytes of a Parquet file, as the Parquet library reads them: a header of a page, then the page, both of
//! which are checked first.

use super::chunks::Chunks;
use super::header::Header;
use super::pages::{Pages, Way};
use crate::error::{Error, Result};
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::reader::{ChunkReader, Length};
use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use trevni::Limits;

/// Bytes that are read at first for a header, which is longer where it has long statistics.
const HEADER_BYTES: usize = 8 << 10;
/// The most bytes of a header.
const HEADER_MOST: usize = 16 << 20;

/// A file, which can be read in several places.
#[derive(Clone)]
pub(crate) struct Source {
    bytes: Arc<dyn trevni::Source>,
    len: u64,
}

impl Source {
    pub(super) fn new(bytes: impl trevni::Source + 'static) -> io::Result<Self> {
        let len = bytes.size()?;
        Ok(Self { bytes: Arc::new(bytes), len })
    }

    /// Bytes of the file.
    pub(super) fn size(&self) -> u64 {
        self.len
    }

    /// Bytes of the file, all of which it must have.
    pub(super) fn bytes(&self, start: u64, length: usize) -> Result<Vec<u8>> {
        if start.checked_add(length as u64).is_none_or(|end| end > self.len) {
            let why = format!("{length} bytes from {start} on are beyond the end of the file");
            return Err(Error::Damaged(why));
        }
        let mut bytes = vec![0; length];
        self.bytes.read_at(start, &mut bytes)?;
        Ok(bytes)
    }

    /// The pages of the file for one reader.
    pub(super) fn pages(&self, chunks: &Arc<Chunks>, limits: Limits, way: Way) -> PageSource {
        let pages = Pages::new(Arc::clone(chunks), limits, way, self.len);
        PageSource { source: self.clone(), pages: Arc::new(Mutex::new(pages)), failure: Arc::default() }
    }
}

/// The pages of a file for one reader.
#[derive(Clone)]
pub(crate) struct PageSource {
    source: Source,
    pages: Arc<Mutex<Pages>>,
    /// What went wrong; the Parquet library makes a text of it.
    failure: Arc<Mutex<Option<Error>>>,
}

impl PageSource {
    pub(super) fn state(&self) -> MutexGuard<'_, Pages> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What lies behind an error: a file that cannot be read is not damaged.
    pub(super) fn cause(&self, error: Error) -> Error {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or(error)
    }

    /// Keeps an error, and returns its text.
    fn keep(&self, error: Error) -> String {
        let text = error.to_string();
        *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
        text
    }

    /// Reads a header that begins at `start`, and no byte more.
    fn header(&self, start: u64) -> Result<Vec<u8>> {
        let mut pages = self.state();
        let lost = || Error::Damaged(format!("byte {start}: there is no page"));
        let chunk = pages.chunks().at(start).ok_or_else(lost)?;
        if chunk.is_encrypted {
            return Err(pages.chunks().damaged(chunk, "it is encrypted"));
        }
        let end = chunk.bytes.end.min(self.source.len);
        let mut length = HEADER_BYTES;
        loop {
            let left = usize::try_from(end.saturating_sub(start)).unwrap_or(usize::MAX);
            let mut bytes = self.source.bytes(start, length.min(left))?;
            match Header::read(&bytes) {
                Ok((header, length)) => {
                    bytes.truncate(length);
                    pages.header(header, start + length as u64)?;
                    return Ok(bytes);
                }
                Err(_) if length < left.min(HEADER_MOST) => length *= 2,
                Err(error) => {
                    let chunk = pages.chunks().at(start).ok_or_else(lost)?;
                    return Err(match error {
                        Error::Damaged(why) => pages.chunks().damaged(chunk, &format!("byte {start}: {why}")),
                        error => error,
                    });
                }
            }
        }
    }

    /// The bytes of a page, decompressed.
    fn page(&self, start: u64, length: usize) -> Result<Vec<u8>> {
        let stored = self.source.bytes(start, length)?;
        self.state().page(start, stored)
    }
}

impl Length for PageSource {
    fn len(&self) -> u64 {
        self.source.len
    }
}

impl ChunkReader for PageSource {
    type T = HeaderBytes;

    fn get_read(&self, start: u64) -> ParquetResult<Self::T> {
        Ok(HeaderBytes { source: self.clone(), start, bytes: None })
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<bytes::Bytes> {
        let page = self.page(start, length);
        page.map(Into::into).map_err(|error| ParquetError::General(self.keep(error)))
    }
}

/// The bytes of a header, which are read when they are wanted.
pub(crate) struct HeaderBytes {
    source: PageSource,
    start: u64,
    bytes: Option<io::Cursor<Vec<u8>>>,
}

impl Read for HeaderBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let bytes = match &mut self.bytes {
            Some(bytes) => bytes,
            none => {
                let header = self.source.header(self.start);
                let header = header.map_err(|error| io::Error::other(self.source.keep(error)))?;
                none.insert(io::Cursor::new(header))
            }
        };
        bytes.read(buffer)
    }
}
