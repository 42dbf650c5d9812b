//! Reads lengths and values of a typed block into vectors, from any place on.

use super::super::{ColumnType, TakeRoom};
use super::integers::{Integers, Numbers};
use super::kind::{Head, Kind};
use super::section::{Read, Section, byte, section};
use super::values::{FEWER, Values};
use crate::bytes::reader::Bytes;
use crate::error::Error;
use crate::storage::values::lengths::encode::RUN_LENGTHS;
use crate::vector::{Offsets, Vector};

/// A position in a typed block. The bytes of the block are given with each call.
#[derive(Clone, Debug)]
pub(crate) struct Cursor {
    lengths: Option<Lengths>,
    values: Values,
    /// Bytes that a value takes before the codec; of strings none are counted here.
    value_bytes: u64,
    /// The bytes of the block before the codec.
    size: u64,
}

#[derive(Clone, Debug)]
struct Lengths {
    integers: Integers,
    /// How many there are, and the most bytes that they take before the codec.
    count: u64,
    bytes: u64,
}

impl Lengths {
    /// Bytes before the codec of those that have not been read: one each, unless runs are joined.
    fn rest(&self) -> u64 {
        let left = self.integers.left();
        if self.count <= self.bytes {
            return left;
        }
        (u128::from(self.bytes) * u128::from(left) / u128::from(self.count)) as u64
    }
}

impl Cursor {
    /// The beginning of a block, which has `size` bytes before the codec; `None` where the block is not encoded by the type of its
    /// column, so that its bytes must be read.
    pub(crate) fn open(block: &[u8], column_type: ColumnType, size: usize) -> Read<Option<Self>> {
        let mut bytes = Bytes::new(block);
        let head = Head::from_byte(byte(&mut bytes)?).ok_or("it begins with an unknown byte")?;
        if head.kind == Kind::Raw || head.without_runs() != Head::new(column_type) {
            return Ok(None);
        }
        let lengths = if head.lengths { Some(Integers::new(block, section(&mut bytes)?)?) } else { None };
        let values = Values::new(head.kind, block, Section::rest(&bytes), size)?;
        let lengths = match lengths {
            Some(integers) => Some(Self::lengths(integers, head, size as u64)?),
            None => None,
        };
        let (size, count) = (size as u64, values.left());
        let least = lengths.as_ref().map_or(0, |lengths| lengths.rest().min(size));
        let value_bytes = match head.kind {
            Kind::Raw | Kind::Nulls | Kind::Strings => 0,
            Kind::Booleans => 1,
            Kind::Integers => ((size - least) / count.max(1)).max(1),
            Kind::Fixed32 | Kind::Floats => 4,
            Kind::Fixed64 | Kind::Doubles => 8,
        };
        let most =
            if head.kind == Kind::Booleans { size.saturating_mul(8) } else { size / value_bytes.max(1) };
        if count > most {
            return Err("it has more values than its bytes can be");
        }
        Ok(Some(Self { lengths, values, value_bytes, size }))
    }

    /// Goes on after a block before, whose dictionary may be that of this one.
    pub(crate) fn follow(&mut self, before: &Self) {
        self.values.follow(&before.values);
    }

    fn lengths(integers: Integers, head: Head, size: u64) -> Read<Lengths> {
        let count = integers.left();
        let most = if head.joined { size.saturating_mul(RUN_LENGTHS) } else { size };
        if count > most {
            return Err("it holds more lengths than it can");
        }
        Ok(Lengths { integers, count, bytes: size })
    }

    /// The most bytes before the codec of what has not been read.
    pub(crate) fn rest(&self) -> usize {
        let values = match &self.values {
            Values::Strings(strings) => strings.room().min(self.size),
            values => values.left().saturating_mul(self.value_bytes),
        };
        let lengths = self.lengths.as_ref().map_or(0, Lengths::rest);
        usize::try_from(values.saturating_add(lengths)).unwrap_or(usize::MAX)
    }

    /// Calls `room` with the most memory that reading takes beside vectors, beyond `held` bytes.
    pub(crate) fn hold(&self, block: &[u8], held: usize, room: &mut TakeRoom<'_>) -> Result<(), Error> {
        self.values.hold(block, self.size as usize, held, room)
    }

    /// Appends the next `count` values to `out`.
    pub(crate) fn values(&mut self, block: &[u8], count: usize, out: &mut Vector) -> Read<()> {
        self.values.next(block, count, out)
    }

    /// Appends the next `count` lengths to `offsets`, and their values to `out`.
    pub(crate) fn arrays(
        &mut self,
        block: &[u8],
        mut count: usize,
        offsets: &mut Offsets,
        out: &mut Vector,
    ) -> Read<()> {
        let Some(lengths) = &mut self.lengths else { return Err(NO_LENGTHS) };
        let mut all = 0;
        while count > 0 {
            if let Some(marks) = lengths.integers.marks(block, count)? {
                all += offsets.push_marks(&marks).ok_or(LENGTH)?;
                count -= marks.len();
                continue;
            }
            let some = lengths.integers.next(block, count)?;
            if some.is_empty() {
                return Err(FEWER);
            }
            count -= some.len();
            let items = match some {
                Numbers::Narrow(some) => offsets.push_lengths(some),
                Numbers::Wide(some) => offsets.push_lengths(some),
            };
            all += items.ok_or(LENGTH)?;
        }
        self.values.next(block, all, out)
    }

    /// Passes over the next `count` values.
    pub(crate) fn skip_values(&mut self, block: &[u8], count: u64) -> Read<()> {
        self.values.skip(block, count)
    }

    /// Passes over the next `count` lengths and their values; returns the sum of the lengths.
    pub(crate) fn skip_arrays(&mut self, block: &[u8], count: u64) -> Read<u64> {
        let Some(lengths) = &mut self.lengths else { return Err(NO_LENGTHS) };
        let items = lengths.integers.skip_lengths(block, count)?;
        self.values.skip(block, items)?;
        Ok(items)
    }

    /// Bytes of the next `count` values that are strings: the most that they can be. None of them is decoded, but for a list of
    /// different ones.
    pub(crate) fn text_bytes(&self, block: &[u8], count: u64) -> Read<usize> {
        let Values::Strings(strings) = &self.values else { return Ok(0) };
        Ok(usize::try_from(strings.bytes(block, count)?).unwrap_or(usize::MAX))
    }

    /// Values and lengths that have not been read; bits that fill the last byte of booleans are no values.
    pub(crate) fn left(&self) -> u64 {
        let values = match (&self.values, &self.lengths) {
            (Values::Booleans(bits), None) if bits.left() < 8 => 0,
            (values, _) => values.left(),
        };
        values.saturating_add(self.lengths.as_ref().map_or(0, |lengths| lengths.integers.left()))
    }
}

const NO_LENGTHS: &str = "it has no lengths";
const LENGTH: &str = "a length is negative or too large";
