//! Puts the bytes of a block together again.

use super::super::TakeRoom;
use super::integers::{Integers, Numbers};
use super::kind::{Head, Kind};
use super::section::{Read, Section, byte, section};
use super::values::Values;
use crate::bytes::buffer::Buffer;
use crate::bytes::reader::Bytes;
use crate::bytes::reader::Part;
use crate::error::Error;
use crate::storage::value_type::ValueType;
use crate::storage::values::encode::{self as values, Bits, encode_length};
use crate::storage::values::lengths::encode::{RUN_LENGTHS, Run};
use crate::vector::Vector;
use std::ops::Range;

/// Appends the block of which `stored` is the typed form: about `size` bytes, an error where it has many more. `room` is called
/// with the memory that this takes, beyond `held` bytes, before it is taken; its error is the outer one.
pub(in super::super) fn decode(
    stored: &[u8],
    size: usize,
    out: &mut Vec<u8>,
    held: usize,
    room: &mut TakeRoom<'_>,
) -> Result<Read<()>, Error> {
    let opened = match Block::open(stored, size) {
        Ok(opened) => opened,
        Err(wrong) => return Ok(Err(wrong)),
    };
    let Some((block, lengths)) = opened else {
        let raw = stored.part(1..)?;
        room(held.saturating_add(raw.len().min(size)).max(out.capacity()))?;
        out.extend_from_slice(raw.get(..size).unwrap_or(raw));
        return Ok(Ok(()));
    };
    // The block, and some of its values at a time.
    let some = if matches!(block.value_type, ValueType::String | ValueType::Bytes) {
        size
    } else {
        AT_ONCE as usize * size_of::<i64>()
    };
    block.values.hold(stored, size, held.saturating_add(size).saturating_add(some), room)?;
    Ok(block.finish(lengths, out))
}

/// Values of a block, from the first to the last.
pub(super) trait Source {
    /// How many have not been read.
    fn left(&self) -> u64;
    /// Appends the next ones to a vector of their kind.
    fn next(&mut self, stored: &[u8], count: usize, out: &mut Vector) -> Read<()>;
}

impl Source for Values {
    fn left(&self) -> u64 {
        self.left()
    }

    fn next(&mut self, stored: &[u8], count: usize, out: &mut Vector) -> Read<()> {
        self.next(stored, count, out)
    }
}

/// Lengths of a block, from the first to the last.
pub(super) trait Lengths {
    /// How many have not been read.
    fn left(&self) -> u64;
    /// The one that all are, if they are equal.
    fn constant(&self) -> Option<i64>;
    /// The next ones, at most a number of them.
    fn next(&mut self, stored: &[u8], most: usize) -> Read<Numbers<'_>>;
}

impl Lengths for Integers {
    fn left(&self) -> u64 {
        self.left()
    }

    fn constant(&self) -> Option<i64> {
        self.constant()
    }

    fn next(&mut self, stored: &[u8], most: usize) -> Read<Numbers<'_>> {
        self.next(stored, most)
    }
}

/// A block under construction.
pub(super) struct Block<'a, V> {
    stored: &'a [u8],
    values: V,
    value_type: ValueType,
    /// Some of the values, and those of them that have not been written.
    some: Vector,
    ready: Range<usize>,
    buffer: Buffer,
    /// The bytes that it should have.
    size: usize,
}

/// Values that are read at once.
const AT_ONCE: u64 = 1024;

/// The lengths of a block, if it has any, and its first byte.
type LengthsOf = Option<(Integers, Head)>;

impl<'a> Block<'a, Values> {
    /// The block of which `stored` is the typed form, and its lengths; `None` where it is kept as it was.
    fn open(stored: &'a [u8], size: usize) -> Read<Option<(Self, LengthsOf)>> {
        let mut bytes = Bytes::new(stored);
        let head = Head::from_byte(byte(&mut bytes)?).ok_or("it begins with an unknown byte")?;
        if head.kind == Kind::Raw {
            return Ok(None);
        }
        let lengths = if head.lengths { Some(Integers::new(stored, section(&mut bytes)?)?) } else { None };
        let values = Values::new(head.kind, stored, Section::rest(&bytes), size)?;
        let block = Self::new(stored, head, values, size);
        Ok(Some((block, lengths.map(|lengths| (lengths, head)))))
    }
}

impl<'a, V: Source> Block<'a, V> {
    /// A block that has such values, and `size` bytes.
    pub(super) fn new(stored: &'a [u8], head: Head, values: V, size: usize) -> Self {
        let (value_type, some) = head.kind.vector();
        Self { stored, values, value_type, some, ready: 0..0, buffer: Buffer::default(), size }
    }

    /// Appends all of it.
    pub(super) fn finish(mut self, lengths: Option<(impl Lengths, Head)>, out: &mut Vec<u8>) -> Read<()> {
        match lengths {
            Some((lengths, head)) => self.arrays(lengths, head)?,
            None => self.plain()?,
        }
        match out.is_empty() {
            true => *out = self.buffer.take(0),
            false => out.extend_from_slice(self.buffer.as_slice()),
        }
        Ok(())
    }

    /// Checks that it has not become longer than it should be.
    #[inline]
    fn check(&self) -> Read<()> {
        if self.buffer.len() > self.size { Err("it holds more bytes than it should") } else { Ok(()) }
    }

    /// Writes the next values; booleans begin a byte.
    fn write(&mut self, mut count: u64) -> Read<()> {
        let mut bits = Bits::default();
        while count > 0 {
            if self.ready.is_empty() {
                self.read(count)?;
            }
            let Range { start, end } = self.ready;
            let middle = end.min(start.saturating_add(usize::try_from(count).unwrap_or(usize::MAX)));
            let Self { buffer, some, value_type, .. } = &mut *self;
            values::show(*value_type, Some(some), &mut |values| {
                values.encode(start..middle, &mut bits, buffer)
            });
            self.check()?;
            self.ready.start = middle;
            count -= (middle - start) as u64;
        }
        Ok(())
    }

    /// Reads some values, of which `wanted` are wanted.
    fn read(&mut self, wanted: u64) -> Read<()> {
        let some = self.values.left().max(wanted).min(AT_ONCE) as usize;
        self.some.clear();
        self.values.next(self.stored, some, &mut self.some)?;
        self.ready = 0..some;
        Ok(())
    }

    /// Writes values without lengths.
    fn plain(&mut self) -> Read<()> {
        self.write(self.values.left())
    }

    /// Writes lengths, each with its values.
    fn arrays(&mut self, mut lengths: impl Lengths, head: Head) -> Read<()> {
        let is_null = head.kind == Kind::Nulls;
        let joins = |length: u32| head.joined && (length == 0 || length == 1 && is_null);
        let mut run = Run::default();
        while lengths.left() > 0 {
            if let Some(length) = lengths.constant().and_then(|length| u32::try_from(length).ok())
                && joins(length)
            {
                if lengths.left() / RUN_LENGTHS > self.size as u64 {
                    return Err("it holds more lengths than it can");
                }
                run.push(length, lengths.left(), &mut self.buffer);
                break;
            }
            for length in lengths.next(self.stored, AT_ONCE as usize)?.iter() {
                let length = u32::try_from(length).map_err(|_| "a length is negative or too large")?;
                if joins(length) {
                    run.push(length, 1, &mut self.buffer);
                    continue;
                }
                run.end(&mut self.buffer);
                encode_length(length as i32, &mut self.buffer);
                if !is_null {
                    self.write(u64::from(length))?;
                }
            }
            self.check()?;
        }
        run.end(&mut self.buffer);
        if self.values.left() > 0 || !self.ready.is_empty() {
            return Err("there are more values than lengths say");
        }
        self.check()
    }
}

#[cfg(test)]
mod tests {
    use super::super::decode_freely as decode;
    use super::super::section::{put_count, put_section};

    #[test]
    fn what_claims_to_be_long_is_refused_early() {
        // A constant, 2^60 times, as integers.
        let mut constant = vec![3];
        put_count(1 << 60, &mut constant);
        constant.extend_from_slice(&[0, 10]);
        let mut out = Vec::new();
        assert!(decode(&constant, 1 << 16, &mut out).is_err());
        assert!(out.is_empty());
        // The same as lengths of nulls, joined.
        for joined in [0x11, 0x31] {
            let mut lengths = vec![joined];
            put_section(&mut lengths, |out| {
                put_count(u64::MAX, out);
                out.extend_from_slice(&[0, 0]);
            });
            assert!(decode(&lengths, 1 << 10, &mut out).is_err());
        }
        assert_eq!(decode(&[9], 10, &mut out), Err("it begins with an unknown byte"));
        assert!(decode(&[], 10, &mut out).is_err());
    }
}
