//! The binary form of values: as they lie in the blocks of a file.

use super::value::{Source, ValueError};
use std::borrow::Cow;
use std::cell::Cell;

/// Bytes of a block, from which values are taken one after the other.
#[derive(Debug)]
pub struct Bytes<'d> {
    rest: Cell<&'d [u8]>,
    /// Whether a value was not as the schema says.
    is_wrong: Cell<bool>,
    /// What items of lists count, and all values that have been read so far, in this block and in those before it.
    item: u64,
    work: Cell<u64>,
    most: u64,
}

/// Items without bytes, such as nulls, that a list may claim to have.
const MOST_EMPTY: u64 = 1 << 20;

impl<'d> Bytes<'d> {
    /// Bytes of a block after `work` values, of which there may be `most`; an item of a list may be up to `item` of them.
    pub(super) fn new(bytes: &'d [u8], item: u64, work: u64, most: u64) -> Self {
        Self { rest: Cell::new(bytes), is_wrong: Cell::new(false), item, work: Cell::new(work), most }
    }

    /// Counts values.
    pub(super) fn count(&self, values: u64) {
        self.work.set(self.work.get().saturating_add(values));
    }

    /// The values so far.
    pub(super) fn work(&self) -> u64 {
        self.work.get()
    }

    /// Whether there have been more values than there may be.
    pub(super) fn is_too_much(&self) -> bool {
        self.work.get() > self.most
    }

    pub(super) fn len(&self) -> usize {
        self.rest.get().len()
    }

    pub(super) fn is_wrong(&self) -> bool {
        self.is_wrong.get()
    }

    fn wrong<T>(&self, wrong: ValueError) -> Result<T, ValueError> {
        self.is_wrong.set(true);
        Err(wrong)
    }

    fn take(&self, count: usize) -> Result<&'d [u8], ValueError> {
        match self.rest.get().split_at_checked(count) {
            Some((taken, rest)) => {
                self.rest.set(rest);
                Ok(taken)
            }
            None => self.wrong("a value ends behind its block"),
        }
    }

    fn array<const N: usize>(&self) -> Result<[u8; N], ValueError> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N)?);
        Ok(out)
    }

    fn sized(&self) -> Result<&'d [u8], ValueError> {
        match usize::try_from(self.long()?) {
            Ok(count) => self.take(count),
            Err(_) => self.wrong("a negative number of bytes"),
        }
    }
}

impl Source for Bytes<'_> {
    fn boolean(&self) -> Result<bool, ValueError> {
        match self.array()? {
            [0] => Ok(false),
            [1] => Ok(true),
            _ => self.wrong("a boolean that is neither 0 nor 1"),
        }
    }

    fn int(&self) -> Result<i32, ValueError> {
        match i32::try_from(self.long()?) {
            Ok(value) => Ok(value),
            Err(_) => self.wrong("an int of more than 32 bits"),
        }
    }

    fn long(&self) -> Result<i64, ValueError> {
        match varint(self.rest.get()) {
            Some((value, rest)) => {
                self.rest.set(rest);
                Ok(value)
            }
            None => self.wrong("an integer without end"),
        }
    }

    fn float(&self) -> Result<f32, ValueError> {
        self.array().map(f32::from_le_bytes)
    }

    fn double(&self) -> Result<f64, ValueError> {
        self.array().map(f64::from_le_bytes)
    }

    fn text(&self) -> Result<Cow<'_, str>, ValueError> {
        match std::str::from_utf8(self.sized()?) {
            Ok(text) => Ok(text.into()),
            Err(_) => self.wrong("a string that is not UTF-8"),
        }
    }

    fn bytes(&self) -> Result<Cow<'_, [u8]>, ValueError> {
        self.sized().map(Cow::Borrowed)
    }

    fn fixed(&self, size: usize) -> Result<Cow<'_, [u8]>, ValueError> {
        self.take(size).map(Cow::Borrowed)
    }

    fn choice(&self, count: usize) -> Result<usize, ValueError> {
        match usize::try_from(self.long()?) {
            Ok(number) if number < count => Ok(number),
            _ => self.wrong("a symbol or branch that the schema does not have"),
        }
    }

    fn items(&self, _first: bool) -> Result<u64, ValueError> {
        let count = self.long()?;
        if count < 0 {
            // The number of bytes, for readers that skip them.
            self.long()?;
        }
        self.count(count.unsigned_abs().saturating_mul(self.item));
        if self.is_too_much() {
            return Err("more values than the limits allow");
        }
        match count.unsigned_abs() {
            count if count <= MOST_EMPTY.max(self.len() as u64) => Ok(count),
            _ => self.wrong("a list of more items than its block has bytes"),
        }
    }
}

/// An integer in zigzag and groups of seven bits, and what follows it.
pub(super) fn varint(bytes: &[u8]) -> Option<(i64, &[u8])> {
    let mut value = 0u64;
    for (number, byte) in bytes.iter().take(10).enumerate() {
        if number == 9 && *byte > 1 {
            break;
        }
        value |= u64::from(byte & 0x7f) << (number * 7);
        if byte & 0x80 == 0 {
            let value = (value >> 1).cast_signed() ^ -(value & 1).cast_signed();
            return Some((value, bytes.get(number + 1..)?));
        }
    }
    None
}

/// Appends an integer as [`varint`] takes it.
pub(super) fn push_varint(value: i64, out: &mut Vec<u8>) {
    let mut rest = ((value << 1) ^ (value >> 63)).cast_unsigned();
    while rest >= 0x80 {
        out.push(rest as u8 | 0x80);
        rest >>= 7;
    }
    out.push(rest as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_come_back() {
        for value in [0, -1, 1, 63, -64, 64, i64::from(i32::MIN), i64::MAX, i64::MIN] {
            let mut bytes = Vec::new();
            push_varint(value, &mut bytes);
            assert_eq!(varint(&bytes), Some((value, &[][..])));
            assert_eq!(varint(&bytes[..bytes.len() - 1]), None);
        }
        assert_eq!(varint(&[0x80; 11]), None);
    }

    #[test]
    fn damage_is_found() {
        let is_wrong = |bytes: &[u8], read: fn(&Bytes<'_>) -> bool| {
            let source = Bytes::new(bytes, 1, 0, u64::MAX);
            let found = read(&source);
            assert_eq!(found, source.is_wrong());
            found
        };
        assert!(is_wrong(&[2], |source| source.boolean().is_err()));
        assert!(is_wrong(&[0xfe, 0xff, 0xff, 0xff, 0x7f], |source| source.int().is_err()));
        assert!(is_wrong(&[1], |source| source.bytes().is_err()));
        assert!(is_wrong(&[4, b'a'], |source| source.bytes().is_err()));
        assert!(is_wrong(&[2, 0xff], |source| source.text().is_err()));
        assert!(is_wrong(&[6], |source| source.choice(3).is_err()));
        assert!(is_wrong(&[0xfe, 0xff, 0xff, 0x7f], |source| source.items(true).is_err()));
        assert!(!is_wrong(&[5, 2, 9], |source| source.items(true) != Ok(3) || source.len() != 1));
    }
}
