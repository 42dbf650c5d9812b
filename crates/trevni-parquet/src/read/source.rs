//! The bytes of a Parquet file. Reading beyond them is an error: the Parquet library would go on at the end of a damaged file,
//! for as long as its numbers say.

use parquet::errors::{ParquetError, Result};
use parquet::file::reader::{ChunkReader, Length};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// A file, which can be read in several places.
#[derive(Clone)]
pub(super) struct Source {
    file: Arc<Mutex<File>>,
    len: u64,
}

impl Source {
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let file = File::open(path)?;
        let len = file.metadata()?.len();
        Ok(Self { file: Arc::new(Mutex::new(file)), len })
    }

    /// From a place on.
    fn at(&self, start: u64) -> Within {
        Within { file: Arc::clone(&self.file), at: start }
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
        Ok(BufReader::new(self.at(start)))
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<bytes::Bytes> {
        let is_within = start.checked_add(length as u64).is_some_and(|end| end <= self.len);
        if !is_within {
            return Err(ParquetError::EOF(format!(
                "{length} bytes from {start} on are beyond the end of the file"
            )));
        }
        let mut bytes = vec![0; length];
        self.at(start).read_exact(&mut bytes)?;
        Ok(bytes.into())
    }
}

/// A file from a place on, whose end is an error. Others read it elsewhere at the same time.
pub(super) struct Within {
    file: Arc<Mutex<File>>,
    at: u64,
}

impl Read for Within {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        file.seek(SeekFrom::Start(self.at))?;
        match file.read(buffer)? {
            0 if !buffer.is_empty() => Err(io::ErrorKind::UnexpectedEof.into()),
            read => {
                self.at += read as u64;
                Ok(read)
            }
        }
    }
}
