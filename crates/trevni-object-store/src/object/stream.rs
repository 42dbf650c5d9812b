//! The bytes of an object one after the other.

use super::Object;
use std::io::{self, Read};
use trevni::Source;

/// Bytes that are copied at a time, so that a long read can end early.
const STEP_BYTES: u64 = 1 << 20;

/// Reads an object from its beginning, such as a text. Made by [`Object::read`].
#[derive(Debug)]
pub struct ObjectRead {
    object: Object,
    at: u64,
}

impl ObjectRead {
    pub(super) fn new(object: Object) -> Self {
        Self { object, at: 0 }
    }
}

impl Read for ObjectRead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.object.size()?.saturating_sub(self.at).min(STEP_BYTES);
        let count = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        self.object.read_at(self.at, &mut buffer[..count])?;
        self.at += count as u64;
        Ok(count)
    }
}
