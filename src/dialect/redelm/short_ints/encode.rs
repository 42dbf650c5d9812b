//! Writes small integers; a run of them is kept as its length until it ends.

use super::width;
use crate::bytes::lanes::{all_bytes, first_bytes, not_zero, pack_eight};
use crate::bytes::varint::encode_long;
use crate::error::{Error, Result};

/// Room for the length of a stream, before it.
const LENGTH_BYTES: usize = 5;

/// The most values of a run that is written as one.
const LEAST_MAX: usize = 5;

/// Values that have come so far, as bits.
#[derive(Clone, Debug)]
pub(in super::super) struct ShortInts {
    width: u32,
    /// Values of a run that is written as one.
    least: u32,
    /// For each number of values that are no such run, 1 in the place of each.
    singles: [u64; LEAST_MAX],
    /// Room for the length, and bits.
    bytes: Vec<u8>,
    /// Where the length begins, once the stream has ended.
    start: usize,
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
        let mut singles = [0; LEAST_MAX];
        for count in 1..LEAST_MAX {
            singles[count] = singles[count - 1] << (width + 1) | 1;
        }
        let bytes = vec![0; LENGTH_BYTES];
        Self { width, least, singles, bytes, start: LENGTH_BYTES, word: 0, bits: 0, value: 0, count: 0 }
    }

    /// Appends a value that comes `count` times. All values of a stream are 31 bits at most in number.
    #[inline]
    pub(in super::super) fn push_run(&mut self, value: u8, count: u32) {
        if value != self.value {
            self.end_run();
            (self.value, self.count) = (value, 0);
        }
        self.count += count;
    }

    /// Appends values.
    pub(in super::super) fn extend(&mut self, values: &[u8]) {
        if self.width == 0 {
            return;
        }
        let (eights, rest) = values.as_chunks::<8>();
        for eight in eights {
            self.push_eight(*eight);
        }
        rest.iter().for_each(|value| self.push_run(*value, 1));
    }

    /// Appends eight values: those that differ from the one before them are found at once.
    #[inline]
    fn push_eight(&mut self, values: [u8; 8]) {
        let word = u64::from_le_bytes(values);
        let begins = not_zero(word ^ (word << 8 | u64::from(self.value)));
        if begins == 0 {
            self.count += 8;
            return;
        }
        let (first, last) = (begins.trailing_zeros() / 8, 7 - begins.leading_zeros() / 8);
        self.count += first;
        self.end_run();
        match self.has_run(begins, first, last) {
            true => self.push_runs(word, begins, first),
            false => {
                let bits = self.width + 1;
                let items = pack_eight((word >> (8 * first) << 1).to_le_bytes(), bits);
                let used = (last - first) * bits;
                self.put(items & ((1 << used) - 1), used);
            }
        }
        (self.value, self.count) = ((word >> (8 * last)) as u8, 8 - last);
    }

    /// Whether one of the runs that begin and end between two bytes, where runs begin, is written as one, or all of
    /// them do not fit into 32 bits.
    #[inline]
    fn has_run(&self, begins: u64, first: u32, last: u32) -> bool {
        let mut goes_on = !begins & all_bytes(0x80) & first_bytes(last) & (u64::MAX << (8 * first));
        (2..self.least).for_each(|_| goes_on &= goes_on >> 8);
        goes_on != 0 || self.width > 3
    }

    /// Appends runs, from the one that begins at a byte up to the last, which has not ended.
    fn push_runs(&mut self, word: u64, begins: u64, first: u32) {
        let mut begins = begins & (begins - 1);
        let mut start = first;
        while begins != 0 {
            let next = begins.trailing_zeros() / 8;
            begins &= begins - 1;
            (self.value, self.count) = ((word >> (8 * start)) as u8, next - start);
            self.end_run();
            start = next;
        }
    }

    #[inline]
    fn end_run(&mut self) {
        let (item, bits) = (u64::from(self.value) << 1, self.width + 1);
        match self.singles.get(self.count as usize).filter(|_| self.count < self.least) {
            // Nine bits at most.
            Some(ones) => self.put(item * ones, bits * self.count),
            None => {
                self.put(item | 1, bits);
                let mut rest = self.count;
                while rest >= 0x80 {
                    self.put(u64::from(rest & 0x7f | 0x80), 8);
                    rest >>= 7;
                }
                self.put(u64::from(rest), 8);
            }
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
        self.bytes.len() - LENGTH_BYTES
    }

    /// Ends the stream of the values, to which nothing can be appended any more.
    ///
    /// # Errors
    ///
    /// More bytes than a stream can have.
    pub(in super::super) fn end(&mut self) -> Result<()> {
        if self.width == 0 {
            return Ok(());
        }
        self.end_run();
        self.count = 0;
        let rest = self.bits.div_ceil(8) as usize;
        self.bytes.extend_from_slice(&self.word.to_le_bytes()[..rest]);
        (self.word, self.bits) = (0, 0);
        let size = self.size();
        let most = i32::MAX as u64;
        i32::try_from(size).map_err(|_| Error::too_large("the size of levels", size as u64, most))?;
        let mut length = Vec::with_capacity(LENGTH_BYTES);
        encode_long(&mut length, size as i64);
        self.start = LENGTH_BYTES.saturating_sub(length.len());
        if let Some(room) = self.bytes.get_mut(self.start..LENGTH_BYTES) {
            room.copy_from_slice(&length);
        }
        Ok(())
    }

    /// The stream of the values, which has been ended: its length, and the bits.
    pub(in super::super) fn stream(&self) -> &[u8] {
        &self.bytes[self.start..]
    }

    /// Forgets all values.
    pub(in super::super) fn clear(&mut self) {
        self.bytes.truncate(LENGTH_BYTES);
        self.start = LENGTH_BYTES;
        (self.word, self.bits, self.value, self.count) = (0, 0, 0, 0);
    }
}
