//! Texts and byte strings from iterators and buffers, and into buffers.

use super::{Binaries, Blobs, Strings};
use crate::error::{Error, Result};
use std::ops::Range;

/// The place of one value in its buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    /// Position of its first byte.
    pub start: u32,
    /// Position after its last byte.
    pub end: u32,
}

impl Span {
    /// The positions of its bytes.
    #[inline]
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl<B> Blobs<B> {
    /// The buffer, and the places of the values in it, without a copy. The places ascend; other bytes may be
    /// between them, before the first and after the last.
    #[must_use]
    pub fn into_parts(self) -> (B, Vec<Span>) {
        (self.data, self.spans)
    }

    /// Takes a buffer of `len` bytes over; `is_border` says whether a value may begin or end at a position.
    fn from_parts(
        data: B,
        len: usize,
        spans: Vec<Span>,
        is_border: impl Fn(&B, usize) -> bool,
    ) -> Result<Self> {
        u32::try_from(len).map_err(|_| too_large())?;
        let mut before = 0;
        for (number, span) in spans.iter().enumerate() {
            let Range { start, end } = span.range();
            if start < before || end < start || end > len {
                return Err(Error::vector(format!("value {number} is out of order, or not in the buffer")));
            }
            if !is_border(&data, start) || !is_border(&data, end) {
                return Err(Error::vector(format!("value {number} begins or ends within a character")));
            }
            before = end;
        }
        Ok(Self { data, spans, mixed: true })
    }
}

#[cold]
fn too_large() -> Error {
    Error::vector("values of more than 4 GiB together")
}

impl Strings {
    /// The values of an iterator.
    ///
    /// # Errors
    ///
    /// Values of more than 4 GiB together.
    pub fn try_from_iter<S: AsRef<str>>(values: impl IntoIterator<Item = S>) -> Result<Self> {
        let mut strings = Self::default();
        match values.into_iter().all(|value| strings.push(value.as_ref())) {
            true => Ok(strings),
            false => Err(too_large()),
        }
    }

    /// Takes over a buffer and the places of the values in it.
    ///
    /// # Errors
    ///
    /// Places that do not ascend, overlap, are not in the buffer or split a character; a buffer of more than
    /// 4 GiB.
    pub fn try_from_parts(buffer: String, spans: Vec<Span>) -> Result<Self> {
        let len = buffer.len();
        Self::from_parts(buffer, len, spans, |buffer, at| buffer.is_char_boundary(at))
    }
}

impl Binaries {
    /// The values of an iterator.
    ///
    /// # Errors
    ///
    /// Values of more than 4 GiB together.
    pub fn try_from_iter<B: AsRef<[u8]>>(values: impl IntoIterator<Item = B>) -> Result<Self> {
        let mut binaries = Self::default();
        match values.into_iter().all(|value| binaries.push(value.as_ref())) {
            true => Ok(binaries),
            false => Err(too_large()),
        }
    }

    /// Takes over a buffer and the places of the values in it.
    ///
    /// # Errors
    ///
    /// Places that do not ascend, overlap or are not in the buffer; a buffer of more than 4 GiB.
    pub fn try_from_parts(buffer: Vec<u8>, spans: Vec<Span>) -> Result<Self> {
        let len = buffer.len();
        Self::from_parts(buffer, len, spans, |_, _| true)
    }
}
