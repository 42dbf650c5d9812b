//! Hands the parts of a file to a sink, many at once; the temporary file of blocks for which memory has no room.

use super::output;
use crate::error::Result;
use crate::storage::temporary::TemporaryFile;
use std::io::{self, ErrorKind, IoSlice, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::PathBuf;

/// Bytes that are copied at once from the temporary file.
const SPILL_COPY_BYTES: u64 = 1 << 20;

/// Bytes of the file to be written.
#[derive(Debug)]
pub(crate) enum Part<'a> {
    Memory(&'a [u8]),
    /// From the temporary file.
    File(Range<u64>),
}

/// Writes all parts, one after the other. Parts that are neighbours in the temporary file are read as
/// one.
pub(crate) fn write_parts<'a>(
    sink: &mut dyn Write,
    spill: &Spill,
    parts: impl Iterator<Item = Result<Part<'a>>>,
) -> Result<()> {
    // What is to be written next: slices, or a range of the file, never both.
    let mut slices = Vec::new();
    let mut range = 0..0;
    let mut buffer = Vec::new();
    for part in parts {
        match part? {
            Part::Memory(bytes) => {
                copy(sink, spill, std::mem::take(&mut range), &mut buffer)?;
                slices.push(IoSlice::new(bytes));
            }
            Part::File(next) if !range.is_empty() && next.start == range.end => range.end = next.end,
            Part::File(next) => {
                write_all(sink, &mut slices)?;
                slices.clear();
                copy(sink, spill, std::mem::replace(&mut range, next), &mut buffer)?;
            }
        }
    }
    copy(sink, spill, range, &mut buffer)?;
    write_all(sink, &mut slices)
}

/// Copies bytes from the temporary file.
fn copy(sink: &mut dyn Write, spill: &Spill, mut range: Range<u64>, buffer: &mut Vec<u8>) -> Result<()> {
    while !range.is_empty() {
        let size = (range.end - range.start).min(SPILL_COPY_BYTES);
        buffer.resize(size as usize, 0);
        spill.read(range.start, buffer)?;
        sink.write_all(buffer)?;
        range.start += size;
    }
    Ok(())
}

/// Writes all parts, one after the other. A sink in memory makes room for many of them at once, and a
/// file takes them in few calls.
pub(crate) fn write_all(sink: &mut dyn Write, mut parts: &mut [IoSlice<'_>]) -> Result<()> {
    // Nothing is written by parts without bytes, which would look like the end of the sink.
    IoSlice::advance_slices(&mut parts, 0);
    while !parts.is_empty() {
        match sink.write_vectored(parts) {
            Ok(0) => return Err(io::Error::from(ErrorKind::WriteZero).into()),
            Ok(written) => IoSlice::advance_slices(&mut parts, written),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(())
}

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

#[cfg(test)]
mod tests {
    use super::*;

    /// Takes few bytes at a time, and is interrupted before each.
    struct Slow(Vec<u8>, bool);

    impl Write for Slow {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(ErrorKind::Interrupted.into());
            }
            let count = bytes.len().min(3);
            self.0.extend_from_slice(&bytes[..count]);
            Ok(count)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn parts_come_from_memory_and_file() {
        let mut spill = Spill::new(std::env::temp_dir().join("trevni-output"));
        let large = vec![b'z'; SPILL_COPY_BYTES as usize * 2 + 5];
        assert_eq!(spill.append(&mut [IoSlice::new(b"abc"), IoSlice::new(b"def")]).unwrap(), 0);
        assert_eq!(spill.append(&mut [IoSlice::new(&large)]).unwrap(), 6);
        let end = 6 + large.len() as u64;
        let parts = [
            Part::File(1..2),
            Part::File(2..4),
            Part::Memory(b"-"),
            Part::Memory(b""),
            Part::File(5..6),
            Part::File(6..6),
            Part::File(6..end),
            Part::File(0..1),
            Part::Memory(b"+"),
        ];
        let mut out = Vec::new();
        write_parts(&mut out, &spill, parts.into_iter().map(Ok)).unwrap();
        assert!(out == [b"bcd-f".as_slice(), &large, b"a+"].concat());
        let missing = [Ok(Part::Memory(b"x")), Err(crate::error::Error::internal("gone"))];
        write_parts(&mut out, &spill, missing.into_iter()).unwrap_err();
        write_parts(&mut io::sink(), &spill, [Ok(Part::File(end..end + 1))].into_iter()).unwrap_err();
    }

    #[test]
    fn parts_arrive_in_order_in_any_sink() {
        let parts: [&[u8]; 6] = [b"", b"one", b"", b"four", b"x", b""];
        let slices = || parts.map(IoSlice::new);
        let (mut slow, mut memory) = (Slow(Vec::new(), false), Vec::new());
        write_all(&mut slow, &mut slices()).unwrap();
        write_all(&mut memory, &mut slices()).unwrap();
        assert_eq!((slow.0, memory), (b"onefourx".to_vec(), b"onefourx".to_vec()));
        let mut full = [0u8; 5];
        assert!(write_all(&mut full.as_mut_slice(), &mut slices()).is_err());
        write_all(&mut io::sink(), &mut []).unwrap();
    }
}
