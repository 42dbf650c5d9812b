//! Reads small integers, as runs: one of 2³¹ values is seven bytes.

use super::width;
use crate::bytes::reader::Bytes;
use crate::error::{Error, Result};

/// The runs of a stream, in order. It is a position in the stream, which is lent to each call.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Runs {
    /// Where the bytes are that have not been taken.
    at: usize,
    /// Bits that have been taken from the bytes and not been used, the next one lowest; zeros above them.
    word: u64,
    bits: u32,
    width: u32,
    bound: u8,
    /// Values to come.
    left: u32,
}

impl Runs {
    /// The runs of `count` values up to `bound`.
    ///
    /// # Errors
    ///
    /// A stream that is not as long as it says.
    pub(in super::super) fn new(stream: &[u8], bound: u8, count: u32) -> Result<Self> {
        let mut bytes = Bytes::new(stream);
        if bound > 0 {
            let length = bytes.int().map_err(|bad| bad.of("the length of levels"))?;
            let found = bytes.remaining();
            if usize::try_from(length) != Ok(found) {
                return Err(Error::value(format!("levels of {length} bytes have {found}")));
            }
        }
        let at = bytes.position();
        let runs = Self { at, word: 0, bits: 0, width: width(bound), bound, left: count };
        match bound == 0 && !stream.is_empty() {
            true => Err(runs.too_many()),
            false => Ok(runs),
        }
    }

    /// The next value, and how often it comes; none at the end.
    #[inline]
    pub(in super::super) fn next(&mut self, stream: &[u8]) -> Result<Option<(u8, u32)>> {
        if self.left == 0 {
            return self.end(stream);
        }
        if self.bound == 0 {
            return Ok(Some((0, std::mem::take(&mut self.left))));
        }
        let item = self.take(stream, 1 + self.width)?;
        let value = (item >> 1) as u8;
        if value > self.bound {
            return Err(self.above(value));
        }
        let count = if item & 1 == 1 { self.count(stream)? } else { 1 };
        match self.left.checked_sub(count) {
            Some(left) => self.left = left,
            None => return Err(self.too_many()),
        }
        Ok(Some((value, count)))
    }

    /// Checks that nothing follows the last value but zeros up to the end of its byte.
    fn end(&self, stream: &[u8]) -> Result<Option<(u8, u32)>> {
        let rest = self.bits as usize + stream.len().saturating_sub(self.at) * 8;
        if rest >= 8 || self.word != 0 { Err(self.too_many()) } else { Ok(None) }
    }

    #[inline]
    fn take(&mut self, stream: &[u8], count: u32) -> Result<u64> {
        if self.bits < count {
            self.fill(stream.get(self.at..).unwrap_or_default());
            if self.bits < count {
                return Err(self.too_few());
            }
        }
        let value = self.word & ((1 << count) - 1);
        self.word >>= count;
        self.bits -= count;
        Ok(value)
    }

    #[inline]
    fn fill(&mut self, rest: &[u8]) {
        match rest.first_chunk::<4>() {
            Some(word) => {
                self.word |= u64::from(u32::from_le_bytes(*word)) << self.bits;
                self.bits += 32;
                self.at += 4;
            }
            None => {
                for byte in rest {
                    self.word |= u64::from(*byte) << self.bits;
                    self.bits += 8;
                    self.at += 1;
                }
            }
        }
    }

    /// How often a value comes.
    fn count(&mut self, stream: &[u8]) -> Result<u32> {
        let (mut count, mut shift) = (0u64, 0);
        loop {
            let byte = self.take(stream, 8)?;
            count |= (byte & 0x7f) << shift;
            if byte < 0x80 {
                return u32::try_from(count).map_err(|_| self.too_many());
            }
            shift += 7;
            if shift > 28 {
                return Err(self.too_many());
            }
        }
    }

    #[cold]
    fn above(&self, value: u8) -> Error {
        Error::value(format!("a level is {value}, and can be {} at most", self.bound))
    }

    #[cold]
    fn too_few(&self) -> Error {
        Error::value(format!("levels end {} before the last", self.left))
    }

    #[cold]
    fn too_many(&self) -> Error {
        Error::value("levels go on after the last")
    }
}
