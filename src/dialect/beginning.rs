//! The first bytes of a file, read once for all dialects that look at them.

use crate::error::{Error, ErrorKind, Result};
use crate::storage::source::Source;
use std::borrow::Cow;

/// What is read of a file at first; most headers are smaller.
const HEADER_FIRST_READ_BYTES: u64 = 16 * 1024;

/// The first bytes of a source: all of one in memory, as many as have been wanted of another.
pub(crate) struct Beginning<'a> {
    source: &'a dyn Source,
    /// Bytes of the whole source.
    len: u64,
    /// Bytes of memory that what is made of it may take.
    memory: u64,
    data: Cow<'a, [u8]>,
}

impl<'a> Beginning<'a> {
    /// Reads some bytes; what is made of them may take `memory` bytes.
    ///
    /// # Errors
    ///
    /// A source that fails.
    pub(crate) fn read(source: &'a dyn Source, memory: u64) -> Result<Self> {
        let len = source.size()?;
        if let Some(all) = usize::try_from(len).ok().and_then(|len| source.slice(0, len)) {
            return Ok(Self { source, len, memory, data: Cow::Borrowed(all) });
        }
        let mut beginning = Self { source, len, memory, data: Cow::Owned(Vec::new()) };
        beginning.extend(HEADER_FIRST_READ_BYTES)?;
        Ok(beginning)
    }

    /// The beginning of a source of `len` bytes, of which these are in memory.
    pub(crate) fn new(source: &'a dyn Source, len: u64, memory: u64, data: &'a [u8]) -> Self {
        Self { source, len, memory, data: Cow::Borrowed(data) }
    }

    /// Bytes of the whole source.
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// Bytes of memory that what is made of it may take.
    pub(crate) fn memory(&self) -> u64 {
        self.memory
    }

    /// Whether the source begins with these bytes.
    pub(crate) fn has(&self, magic: &[u8]) -> bool {
        self.data.starts_with(magic)
    }

    /// The first bytes, at least as many as a magic has where the source has them.
    pub(crate) fn data(&self) -> &[u8] {
        &self.data
    }

    /// Decodes a header, which is given more bytes while it goes on after those there are.
    ///
    /// # Errors
    ///
    /// A source that fails, and what the header is refused for.
    pub(crate) fn decode<T>(&mut self, header: impl Fn(&[u8]) -> Result<T>) -> Result<T> {
        loop {
            match header(&self.data) {
                Err(error) if continues(&error) && (self.data.len() as u64) < self.len => {
                    self.extend((self.data.len() as u64).saturating_mul(4))?;
                }
                result => return result,
            }
        }
    }

    /// Reads on, until there are as many bytes as wanted, or all.
    fn extend(&mut self, wanted: u64) -> Result<()> {
        let (have, wanted) = (self.data.len(), wanted.min(self.len));
        let data = self.data.to_mut();
        data.resize(usize::try_from(wanted).unwrap_or(usize::MAX), 0);
        // No fewer are wanted than there were.
        Ok(self.source.read_at(have as u64, &mut data[have..])?)
    }
}

/// Bytes of memory that a column takes before it is read: its header, its part of the shape, its place in rows.
const MEMORY_PER_COLUMN: u64 = 1024;

/// Checks that a number of columns take no more memory than there is.
///
/// # Errors
///
/// More columns.
pub(crate) fn check_columns(count: u64, memory: u64) -> Result<()> {
    let value = count.saturating_mul(MEMORY_PER_COLUMN);
    if value <= memory {
        return Ok(());
    }
    let what = "the memory for the columns of the header";
    Err(ErrorKind::Limit { what, value, limit: memory, option: "memory" }.into())
}

/// Whether bytes are missing that the file has: `available` counts to its end.
pub(crate) fn continues(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::Truncated { needed, available, .. } if needed <= available)
}
