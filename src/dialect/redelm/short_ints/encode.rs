//! Writes small integers; a run of them is kept as its length until it ends.

use super::width;
use crate::bytes::varint::encode_long;
use crate::error::{Error, Result};

/// Values that have come so far, as bits.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct ShortInts {
    width: u32,
    /// Values of a run that is written as one.
    least: u32,
    bytes: Vec<u8>,
    /// Bits that do not fill a byte yet.
    word: u64,
    bits: u32,
    value: u8,
    /// How often the value has come last.
    count: u32,
}

impl ShortInts {
    /// No values yet, of those up to `bound`.
    pub(in super::super) fn new(bound: u8) -> Self {
        let width = width(bound);
        // As the Java implementation decides it.
        let least = ((width + 9) / (width + 1)).max(2);
        Self { width, least, ..Self::default() }
    }

    #[inline]
    pub(in super::super) fn push(&mut self, value: u8) {
        self.push_run(value, 1);
    }

    /// Appends a value that comes `count` times. All values of a stream are 31 bits at most in number.
    #[inline]
    pub(in super::super) fn push_run(&mut self, value: u8, count: u32) {
        if value == self.value {
            self.count += count;
        } else {
            self.end_run();
            (self.value, self.count) = (value, count);
        }
    }

    /// Appends values.
    pub(in super::super) fn extend(&mut self, values: &[u8]) {
        if self.width > 0 {
            values.iter().for_each(|value| self.push(*value));
        }
    }

    fn end_run(&mut self) {
        let item = u64::from(self.value) << 1;
        if self.count >= self.least {
            self.put(item | 1, self.width + 1);
            let mut rest = self.count;
            while rest >= 0x80 {
                self.put(u64::from(rest & 0x7f | 0x80), 8);
                rest >>= 7;
            }
            self.put(u64::from(rest), 8);
        } else {
            (0..self.count).for_each(|_| self.put(item, self.width + 1));
        }
    }

    #[inline]
    fn put(&mut self, value: u64, bits: u32) {
        self.word |= value << self.bits;
        self.bits += bits;
        if self.bits >= 32 {
            self.bytes.extend_from_slice(&(self.word as u32).to_le_bytes());
            self.word >>= 32;
            self.bits -= 32;
        }
    }

    /// Bytes that have been written.
    pub(in super::super) fn size(&self) -> usize {
        self.bytes.len()
    }

    /// Replaces `out` by the stream of the values, and forgets them.
    pub(in super::super) fn finish(&mut self, out: &mut Vec<u8>) -> Result<()> {
        out.clear();
        if self.width > 0 {
            self.end_run();
            let rest = self.bits.div_ceil(8) as usize;
            self.bytes.extend_from_slice(self.word.to_le_bytes().get(..rest).unwrap_or_default());
            let length = self.bytes.len();
            let most = i32::MAX as u64;
            i32::try_from(length).map_err(|_| Error::too_large("the size of levels", length as u64, most))?;
            encode_long(out, length as i64);
            out.extend_from_slice(&self.bytes);
        }
        self.bytes.clear();
        (self.word, self.bits, self.value, self.count) = (0, 0, 0, 0);
        Ok(())
    }
}
