//! The temporary file of blocks for which there is no room in memory.

use super::output;
use crate::error::Result;
use crate::storage::temporary::TemporaryFile;
use std::io::{IoSlice, Read, Seek, SeekFrom};
use std::path::PathBuf;

/// Bytes on a disk, to be read again; there is a file only when there are bytes.
#[derive(Debug)]
pub(crate) struct Spill {
    /// Beside which path the file is to be.
    beside: PathBuf,
    file: Option<TemporaryFile>,
    end: u64,
}

impl Spill {
    pub(crate) fn new(beside: PathBuf) -> Self {
        Self { beside, file: None, end: 0 }
    }

    /// Appends all parts, one after the other; returns where the first begins.
    pub(crate) fn append(&mut self, parts: &mut [IoSlice<'_>]) -> Result<u64> {
        let size: u64 = parts.iter().map(|part| part.len() as u64).sum();
        let file = match self.file.take() {
            Some(file) => file,
            None => TemporaryFile::create_beside(&self.beside)?,
        };
        let mut file = self.file.insert(file).file()?;
        let start = file.seek(SeekFrom::Start(self.end))?;
        output::write_all(&mut file, parts)?;
        self.end += size;
        Ok(start)
    }

    /// Fills the buffer with the bytes from `offset` on.
    pub(crate) fn read(&self, offset: u64, buffer: &mut [u8]) -> Result<()> {
        if let Some(file) = &self.file {
            let mut file = file.file()?;
            file.seek(SeekFrom::Start(offset))?;
            file.read_exact(buffer)?;
        }
        Ok(())
    }

    /// Removes the file.
    pub(crate) fn clear(&mut self) {
        self.file = None;
        self.end = 0;
    }
}
