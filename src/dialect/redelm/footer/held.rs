//! What reading a footer makes of its bytes.

use crate::error::{ErrorKind, Result};

/// How often the most bytes of a footer may be made of it.
const TIMES: u64 = 4;

/// About how many bytes of nodes and names a byte of a message of many groups becomes.
const MESSAGE_TIMES: usize = 16;

/// The memory that is made of a footer: few bytes may say much, or mention it often.
#[derive(Debug)]
pub(super) struct Held {
    bytes: u64,
    limit: u64,
    option: &'static str,
}

impl Held {
    /// For a footer of so many bytes at most, which an option sets.
    pub(super) fn new((bytes, option): (u64, &'static str)) -> Self {
        Self { bytes: 0, limit: bytes.saturating_mul(TIMES), option }
    }

    /// Counts what is made of a message, before it is read.
    pub(super) fn take_message(&mut self, text: &str) -> Result<()> {
        self.take::<u8>(text.len().saturating_mul(MESSAGE_TIMES))
    }

    /// Counts a thing with so many bytes of its own elsewhere, before it is made.
    pub(super) fn take<T>(&mut self, bytes: usize) -> Result<()> {
        self.bytes = self.bytes.saturating_add((size_of::<T>() + bytes) as u64);
        if self.bytes <= self.limit {
            return Ok(());
        }
        let (value, limit, option) = (self.bytes, self.limit, self.option);
        Err(ErrorKind::Limit { what: "the memory that the footer takes", value, limit, option }.into())
    }
}
