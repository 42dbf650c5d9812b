//! A source that counts what is read, and ends with Ctrl-C.

use crate::interrupt;
use crate::progress::Progress;
use std::io;
use trevni::Source;

/// A source that counts what is read, and ends with Ctrl-C.
pub struct Watched<S> {
    /// The bytes.
    pub source: S,
    /// What is told of it.
    pub progress: Progress,
}

impl<S: Source> Source for Watched<S> {
    fn size(&self) -> io::Result<u64> {
        self.source.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        interrupt::check()?;
        self.progress.add(buffer.len() as u64);
        self.source.read_at(offset, buffer)
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        interrupt::check()?;
        self.progress.add(ranges.iter().map(|(_, buffer)| buffer.len() as u64).sum());
        self.source.read_ranges(ranges)
    }

    fn slice(&self, offset: u64, len: usize) -> Option<&[u8]> {
        let bytes = self.source.slice(offset, len)?;
        self.progress.add(len as u64);
        Some(bytes)
    }
}
