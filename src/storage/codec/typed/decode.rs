//! Puts the bytes of a block together again.

use super::floats::Floats;
use super::integers::Integers;
use super::kind::{Head, Kind};
use super::section::{Read, byte, section};
use super::texts::Texts;
use crate::bytes::buffer::{Buffer, SLACK};
use crate::bytes::reader::Bytes;
use crate::bytes::varint::{ZigZag, put_all};
use crate::storage::values::encode::encode_length;
use crate::storage::values::lengths::encode::{RUN_LENGTHS, Run};

/// Appends the block of which `stored` is the typed form: about `size` bytes, an error where it has many more.
pub(super) fn decode(stored: &[u8], size: usize, out: &mut Vec<u8>) -> Read<()> {
    let mut bytes = Bytes::new(stored);
    let head = Head::from_byte(byte(&mut bytes)?).ok_or("it begins with an unknown byte")?;
    if head.kind == Kind::Raw {
        out.extend_from_slice(bytes.rest().get(..size).unwrap_or(bytes.rest()));
        return Ok(());
    }
    let lengths = if head.lengths { Some(Integers::new(section(&mut bytes)?)?) } else { None };
    let values = Source::new(head.kind, bytes.rest(), size)?;
    let mut block = Block { buffer: Buffer::default(), size };
    match lengths {
        Some(lengths) => arrays(lengths, values, head, &mut block)?,
        None => plain(values, &mut block)?,
    }
    out.extend_from_slice(block.buffer.as_slice());
    Ok(())
}

/// A block under construction.
struct Block {
    buffer: Buffer,
    /// The bytes that it should have.
    size: usize,
}

impl Block {
    /// Checks that it has not become longer than it should be.
    #[inline]
    fn check(&self) -> Read<()> {
        if self.buffer.len() > self.size { Err("it holds more bytes than it should") } else { Ok(()) }
    }
}

/// The values of a block.
enum Source<'a> {
    Nulls,
    Booleans(Integers<'a>),
    Integers(Integers<'a>),
    Fixed32(Integers<'a>),
    Fixed64(Integers<'a>),
    Floats(Floats<'a>),
    Doubles(Floats<'a>),
    Texts(Texts<'a>),
}

/// Values that are written at once.
const AT_ONCE: u64 = 1024;

impl<'a> Source<'a> {
    fn new(kind: Kind, bytes: &'a [u8], size: usize) -> Read<Self> {
        Ok(match kind {
            Kind::Raw | Kind::Nulls => Self::Nulls,
            Kind::Booleans => Self::Booleans(Integers::new(bytes)?),
            Kind::Integers => Self::Integers(Integers::new(bytes)?),
            Kind::Fixed32 => Self::Fixed32(Integers::new(bytes)?),
            Kind::Fixed64 => Self::Fixed64(Integers::new(bytes)?),
            Kind::Floats => Self::Floats(Floats::new(bytes)?),
            Kind::Doubles => Self::Doubles(Floats::new(bytes)?),
            Kind::Texts => Self::Texts(Texts::new(bytes, size)?),
        })
    }

    /// Values that have not been written.
    fn left(&self) -> u64 {
        match self {
            Self::Nulls => 0,
            Self::Booleans(integers)
            | Self::Integers(integers)
            | Self::Fixed32(integers)
            | Self::Fixed64(integers) => integers.left(),
            Self::Floats(floats) | Self::Doubles(floats) => floats.left(),
            Self::Texts(texts) => texts.left(),
        }
    }

    /// Writes the next values, which are few, or checked to fit.
    #[inline]
    fn write(&mut self, count: usize, block: &mut Block) -> Read<()> {
        let buffer = &mut block.buffer;
        match self {
            Self::Nulls => Ok(()),
            Self::Booleans(integers) => booleans(integers, count, buffer),
            Self::Integers(integers) => each(integers, count, |some| {
                buffer.write(some.len() * i64::BYTES_MAX + SLACK, |room| put_all(room, 0, some));
            }),
            Self::Fixed32(integers) => each(integers, count, |some| {
                some.iter().for_each(|integer| buffer.extend(&(*integer as i32).to_le_bytes()));
            }),
            Self::Fixed64(integers) => each(integers, count, |some| {
                some.iter().for_each(|integer| buffer.extend(&integer.to_le_bytes()));
            }),
            Self::Floats(floats) => floats.next(count, |value: f32| buffer.extend(&value.to_le_bytes())),
            Self::Doubles(floats) => floats.next(count, |value: f64| buffer.extend(&value.to_le_bytes())),
            Self::Texts(texts) => {
                for _ in 0..count {
                    let text = texts.next()?;
                    let len = i32::try_from(text.len()).map_err(|_| "a text is too long")?;
                    encode_length(len, &mut block.buffer);
                    block.buffer.extend(text);
                    block.check()?;
                }
                Ok(())
            }
        }
    }
}

const FEWER: &str = "there are fewer values than lengths say";

/// Calls with the next integers, some at a time.
#[inline]
fn each(integers: &mut Integers<'_>, mut count: usize, mut call: impl FnMut(&[i64])) -> Read<()> {
    while count > 0 {
        let some = integers.next(count)?;
        if some.is_empty() {
            return Err(FEWER);
        }
        count -= some.len();
        call(some);
    }
    Ok(())
}

/// Writes booleans, from a new byte on.
fn booleans(integers: &mut Integers<'_>, mut count: usize, buffer: &mut Buffer) -> Read<()> {
    while count > 0 {
        let (mut byte, mut bits) = (0, 0);
        while bits < count.min(8) {
            byte |= (integers.one()?.ok_or(FEWER)? as u8 & 1) << bits;
            bits += 1;
        }
        buffer.push(byte);
        count -= bits;
    }
    Ok(())
}

/// Writes values without lengths.
fn plain(mut values: Source<'_>, block: &mut Block) -> Read<()> {
    loop {
        // Booleans begin a byte each time, which eight of them fill.
        let count = values.left().min(AT_ONCE);
        if count == 0 {
            return block.check();
        }
        values.write(count as usize, block)?;
        block.check()?;
    }
}

/// Writes lengths, each with its values.
fn arrays(mut lengths: Integers<'_>, mut values: Source<'_>, head: Head, block: &mut Block) -> Read<()> {
    let is_null = head.kind == Kind::Nulls;
    let joins = |length: u32| head.joined && (length == 0 || length == 1 && is_null);
    let mut run = Run::default();
    while lengths.left() > 0 {
        if let Some(length) = lengths.constant().and_then(|length| u32::try_from(length).ok())
            && joins(length)
        {
            if lengths.left() / RUN_LENGTHS > block.size as u64 {
                return Err("it holds more lengths than it can");
            }
            run.push(length, lengths.left(), &mut block.buffer);
            break;
        }
        for length in lengths.next(AT_ONCE as usize)? {
            let length = u32::try_from(*length).map_err(|_| "a length is negative or too large")?;
            if joins(length) {
                run.push(length, 1, &mut block.buffer);
                continue;
            }
            run.end(&mut block.buffer);
            encode_length(length as i32, &mut block.buffer);
            if !is_null {
                let mut left = u64::from(length);
                while left > 0 {
                    let count = left.min(AT_ONCE);
                    values.write(count as usize, block)?;
                    block.check()?;
                    left -= count;
                }
            }
        }
        block.check()?;
    }
    run.end(&mut block.buffer);
    if values.left() > 0 {
        return Err("there are more values than lengths say");
    }
    block.check()
}

#[cfg(test)]
mod tests {
    use super::super::section::{put_count, put_section};
    use super::*;

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
