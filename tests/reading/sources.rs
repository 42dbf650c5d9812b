//! Sources that keep count, or fail.

use std::io;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use trevni::Source;

/// Counts the bytes that are asked for, and how often.
pub(crate) struct Counting {
    bytes: Vec<u8>,
    asked: AtomicU64,
    reads: AtomicU64,
}

impl Counting {
    pub(crate) fn new(bytes: Vec<u8>) -> Self {
        Self { bytes, asked: AtomicU64::new(0), reads: AtomicU64::new(0) }
    }

    /// Bytes asked for since the last call.
    pub(crate) fn take(&self) -> u64 {
        self.asked.swap(0, Ordering::Relaxed)
    }

    /// Reads since the last call.
    pub(crate) fn take_reads(&self) -> u64 {
        self.reads.swap(0, Ordering::Relaxed)
    }
}

impl Source for Counting {
    fn size(&self) -> io::Result<u64> {
        Source::size(&self.bytes)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.asked.fetch_add(buffer.len() as u64, Ordering::Relaxed);
        self.reads.fetch_add(1, Ordering::Relaxed);
        Source::read_at(&self.bytes, offset, buffer)
    }
}

/// Fails at some reads, leaving rubbish in the buffer.
pub(crate) struct Failing {
    pub(crate) bytes: Vec<u8>,
    pub(crate) reads: AtomicUsize,
    /// Numbers of the reads that fail.
    pub(crate) fails: std::ops::Range<usize>,
}

impl Source for Failing {
    fn size(&self) -> io::Result<u64> {
        Source::size(&self.bytes)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        if self.fails.contains(&self.reads.fetch_add(1, Ordering::Relaxed)) {
            buffer.fill(2);
            return Err(io::Error::new(io::ErrorKind::TimedOut, "the line is down"));
        }
        Source::read_at(&self.bytes, offset, buffer)
    }
}
