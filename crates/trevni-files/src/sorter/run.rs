//! Sorted rows in a temporary file. It has no name, so nothing remains of it, however the program ends.

use crate::interrupt;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};

/// Bytes that are written at once.
const WRITTEN_BYTES: usize = 1 << 18;
/// Rows between two looks for a signal.
const ROWS: u64 = 4096;

/// Sorted rows in a file.
#[derive(Debug)]
pub(super) struct Run {
    file: File,
    rows: u64,
}

/// Writes a run.
pub(super) struct Writer {
    file: BufWriter<File>,
    rows: u64,
}

/// Reads a run, a row at a time.
pub(super) struct Reader {
    file: BufReader<File>,
    left: u64,
}

impl Run {
    /// A run of sorted rows.
    pub(super) fn of<'r>(mut rows: impl Iterator<Item = (&'r [u8], &'r [u8])>) -> io::Result<Self> {
        let mut run = Writer::new()?;
        rows.try_for_each(|(key, row)| run.push(key, row))?;
        run.finish()
    }

    /// Reads it from the start, a number of bytes at once.
    pub(super) fn read(self, bytes: usize) -> Reader {
        Reader { file: BufReader::with_capacity(bytes, self.file), left: self.rows }
    }
}

impl Writer {
    pub(super) fn new() -> io::Result<Self> {
        Ok(Self { file: BufWriter::with_capacity(WRITTEN_BYTES, tempfile::tempfile()?), rows: 0 })
    }

    pub(super) fn push(&mut self, key: &[u8], row: &[u8]) -> io::Result<()> {
        if self.rows.is_multiple_of(ROWS) {
            interrupt::check()?;
        }
        self.rows += 1;
        for part in [key, row] {
            self.file.write_all(&(part.len() as u64).to_le_bytes())?;
        }
        self.file.write_all(key)?;
        self.file.write_all(row)
    }

    pub(super) fn finish(self) -> io::Result<Run> {
        let mut file = self.file.into_inner().map_err(io::IntoInnerError::into_error)?;
        file.rewind()?;
        Ok(Run { file, rows: self.rows })
    }
}

impl Reader {
    /// Reads the next row into these buffers; false at the end.
    pub(super) fn next(&mut self, key: &mut Vec<u8>, row: &mut Vec<u8>) -> io::Result<bool> {
        if self.left == 0 {
            return Ok(false);
        }
        if self.left.is_multiple_of(ROWS) {
            interrupt::check()?;
        }
        self.left -= 1;
        let (mut keys, mut rows) = ([0; 8], [0; 8]);
        self.file.read_exact(&mut keys)?;
        self.file.read_exact(&mut rows)?;
        for (part, len) in [(key, keys), (row, rows)] {
            part.resize(u64::from_le_bytes(len) as usize, 0);
            self.file.read_exact(part)?;
        }
        Ok(true)
    }
}
