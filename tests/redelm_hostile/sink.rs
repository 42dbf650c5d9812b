//! A sink that keeps nothing.

use std::io::{self, Write};

/// Counts the bytes that it takes, and keeps none.
pub(crate) struct Counting(pub(crate) u64);

impl Write for Counting {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
