//! Reads small integers: runs, and up to eight others at once. A run of 2³¹ values is seven bytes.

use super::{Piece, width};
use crate::bytes::lanes::{first_bytes, unpack_eight};
use crate::bytes::reader::Bytes;
use crate::bytes::reader::Part;
use crate::error::{Error, Result};

/// Bits that are at hand wherever a stream is read, but at its end.
const WORD_BITS: u32 = 57;

/// The flags of eight items of a width in bits.
const FLAGS: [u64; 9] = {
    let mut flags = [0; 9];
    let mut item = 1;
    while item < flags.len() {
        let mut at = 0;
        while at < 8 {
            flags[item] |= 1 << (item * at);
            at += 1;
        }
        item += 1;
    }
    flags
};

/// The values of a stream, in order. It is a position in the stream, which is lent to each call.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct Runs {
    /// The bit of the stream that comes next.
    bit: u64,
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
        let bit = 8 * bytes.position() as u64;
        let runs = Self { bit, width: width(bound), bound, left: count };
        match bound == 0 && !stream.is_empty() {
            true => Err(runs.too_many()),
            false => Ok(runs),
        }
    }

    /// The next values; `None` at the end.
    #[inline]
    pub(in super::super) fn next(&mut self, stream: &[u8]) -> Result<Option<Piece>> {
        if self.left == 0 {
            return self.end(stream);
        }
        if self.bound == 0 {
            let count = std::mem::take(&mut self.left);
            return Ok(Some(Piece { values: 0, count, is_run: true }));
        }
        let (word, bits) = self.word(stream)?;
        let piece = if word & 1 == 1 { self.run(word, bits)? } else { self.singles(word, bits)? };
        Ok(Some(piece))
    }

    /// Checks that nothing follows the last value but zeros up to the end of its byte.
    fn end(&self, stream: &[u8]) -> Result<Option<Piece>> {
        let (word, bits) = self.word(stream)?;
        if bits >= 8 || word != 0 { Err(self.too_many()) } else { Ok(None) }
    }

    /// The bits that come next, the first one lowest, and how many they are; zeros after them.
    #[inline]
    fn word(&self, stream: &[u8]) -> Result<(u64, u32)> {
        let rest = stream.part((self.bit / 8) as usize..)?;
        let used = (self.bit % 8) as u32;
        Ok(match rest.first_chunk() {
            Some(word) => (u64::from_le_bytes(*word) >> used & (u64::MAX >> (64 - WORD_BITS)), WORD_BITS),
            None => {
                let word = rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
                (word >> used, (8 * rest.len() as u32).saturating_sub(used))
            }
        })
    }

    /// The same value several times.
    #[inline]
    fn run(&mut self, word: u64, bits: u32) -> Result<Piece> {
        let item = self.width + 1;
        let value = (word & ((1 << item) - 1)) >> 1;
        if bits < item {
            return Err(self.too_few());
        }
        if value > u64::from(self.bound) {
            return Err(self.above(value as u8));
        }
        let (mut count, mut shift, mut used) = (0u64, 0, item);
        loop {
            let byte = word >> used & 0xff;
            used += 8;
            if bits < used {
                return Err(self.too_few());
            }
            count |= (byte & 0x7f) << shift;
            if byte < 0x80 {
                break;
            }
            shift += 7;
            if shift > 28 {
                return Err(self.too_many());
            }
        }
        let left = u32::try_from(count).ok().and_then(|count| self.left.checked_sub(count));
        self.left = left.ok_or_else(|| self.too_many())?;
        self.bit += u64::from(used);
        Ok(Piece { values: value, count: count as u32, is_run: true })
    }

    /// Values that follow each other singly.
    #[inline]
    fn singles(&mut self, word: u64, bits: u32) -> Result<Piece> {
        let item = self.width + 1;
        if bits < item {
            return Err(self.too_few());
        }
        let (values, count) = match FLAGS.get(item as usize) {
            Some(flags) => {
                // Eight at most: each flag is followed by its value.
                let singles = ((word & flags).trailing_zeros() / item).min(8);
                let count = singles.min(bits / item).min(self.left);
                let items = u64::from_le_bytes(unpack_eight(word, item));
                (items >> 1 & 0x7f7f_7f7f_7f7f_7f7f & first_bytes(count), count)
            }
            // Values of eight bits.
            None => (word >> 1 & 0xff, 1),
        };
        if let Some(value) = values.to_le_bytes().into_iter().find(|value| *value > self.bound) {
            return Err(self.above(value));
        }
        self.left -= count;
        self.bit += u64::from(count * item);
        Ok(Piece { values, count, is_run: false })
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
