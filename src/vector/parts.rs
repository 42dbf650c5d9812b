//! Strings and byte strings from iterators and buffers; copies of ranges of entries.

use super::{Binaries, Blobs, ListVector, Strings, Vector};
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

impl Vector {
    /// Appends some entries, which must be there, to a vector of the same form; false for vectors of
    /// several parts.
    pub(crate) fn copy_range(&self, range: Range<usize>, out: &mut Self) -> bool {
        fn copy<T: Clone>(from: &[T], range: Range<usize>, out: &mut Vec<T>) -> bool {
            from.get(range).map(|values| out.extend_from_slice(values)).is_some()
        }
        if let (Self::Dictionary(values), Self::Dictionary(out)) = (self, &mut *out)
            && out.extend_from(values, range.clone())
        {
            return true;
        }
        out.forget_dictionary();
        match (self, out) {
            (Self::Null(_), Self::Null(out)) => {
                *out += range.len();
                true
            }
            (Self::Boolean(values), Self::Boolean(out)) => copy(values, range, out),
            (Self::Int(values), Self::Int(out)) | (Self::Enum(values), Self::Enum(out)) => {
                copy(values, range, out)
            }
            (Self::Long(values), Self::Long(out)) => copy(values, range, out),
            (Self::Float(values), Self::Float(out)) => copy(values, range, out),
            (Self::Double(values), Self::Double(out)) => copy(values, range, out),
            (Self::String(values), Self::String(out)) => out.extend_from(values, range),
            (Self::String(values), Self::Bytes(out)) => out.extend_from(values, range),
            (Self::Bytes(values), Self::Bytes(out)) => out.extend_from(values, range),
            (Self::Dictionary(values), Self::String(out)) => values.texts(range, |text| out.push(text)),
            (Self::Dictionary(values), Self::Bytes(out)) => {
                values.each(range, |value| out.push_packed(value))
            }
            _ => false,
        }
    }
}

impl ListVector {
    /// Appends some lists of simple values, which must be there, to lists of the same form; false for
    /// others.
    pub(crate) fn copy_range(&self, range: Range<usize>, out: &mut Self) -> bool {
        let starts = self.offsets.as_slice();
        match (starts.get(range.start), starts.get(range.end)) {
            (Some(start), Some(end)) => {
                self.item.copy_range(*start as usize..*end as usize, &mut out.item)
                    && out.offsets.push_range(&self.offsets, range)
            }
            _ => false,
        }
    }
}
