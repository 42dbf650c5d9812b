//! The bytes of a Parquet file. Reading beyond them is an error: the Parquet library would go on at the end of a damaged file,
//! for as long as its numbers say.

use crate::error::Error;
use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::io::{self, BufReader, Read};
use std::sync::{Arc, Mutex, PoisonError};

/// A file, which can be read in several places.
#[derive(Clone)]
pub(crate) struct Source {
    bytes: Arc<dyn trevni::Source>,
    len: u64,
    /// What went wrong with the file itself; the Parquet library makes a text of it.
    failure: Arc<Mutex<Option<io::Error>>>,
}

impl Source {
    pub(super) fn new(bytes: impl trevni::Source + 'static) -> io::Result<Self> {
        let len = bytes.size()?;
        Ok(Self { bytes: Arc::new(bytes), len, failure: Arc::default() })
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.bytes.read_at(offset, buffer).map_err(|error| {
            let text = io::Error::new(error.kind(), error.to_string());
            *self.failure.lock().unwrap_or_else(PoisonError::into_inner) = Some(error);
            text
        })
    }

    /// What lies behind an error: a file that cannot be read is not damaged.
    pub(super) fn cause(&self, error: Error) -> Error {
        let failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner).take();
        failure.map_or(error, Error::Io)
    }
}

impl Length for Source {
    fn len(&self) -> u64 {
        self.len
    }
}

impl ChunkReader for Source {
    type T = BufReader<Within>;

    fn get_read(&self, start: u64) -> Result<Self::T> {
        Ok(BufReader::new(Within { source: self.clone(), at: start }))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<bytes::Bytes> {
        let is_within = start.checked_add(length as u64).is_some_and(|end| end <= self.len);
        if !is_within {
            return Err(ParquetError::EOF(format!(
                "{length} bytes from {start} on are beyond the end of the file"
            )));
        }
        let mut bytes = vec![0; length];
        self.read_at(start, &mut bytes)?;
        Ok(bytes.into())
    }
}

/// A file from a place on, whose end is an error.
pub(crate) struct Within {
    source: Source,
    at: u64,
}

impl Read for Within {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.source.len.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let count = left.min(buffer.len());
        if count == 0 && !buffer.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.source.read_at(self.at, &mut buffer[..count])?;
        self.at += count as u64;
        Ok(count)
    }
}
