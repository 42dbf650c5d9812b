//! Takes the lengths and values of a block apart.

use super::super::ColumnType;
use super::kind::{Head, Kind};
use crate::bytes::reader::{Bytes, Malformed, Read};
use crate::bytes::varint::{ZigZag, size, size_all};
use crate::storage::values::decode::{self as values, Bits};
use crate::storage::values::held::Held;
use crate::storage::values::kept::{Kept, strings};
use crate::storage::values::lengths::decode::Run;
use crate::vector::{Offsets, Vector};
use std::borrow::Cow;
use std::ops::Range;

/// What a block has.
pub(super) struct Parts<'a> {
    pub(super) head: Head,
    /// Of the arrays.
    pub(super) lengths: Vec<i64>,
    pub(super) values: Values<'a>,
}

/// The values of a block.
pub(super) enum Values<'a> {
    /// Strings and byte strings, where they are in the block.
    Strings(Vec<&'a [u8]>),
    Others(Cow<'a, Vector>),
}

impl<'a> Parts<'a> {
    /// `None` where a writer would make other bytes of them.
    pub(super) fn new(block: &'a [u8], column_type: ColumnType) -> Option<Self> {
        let head = Head::new(column_type);
        if head == Head::RAW || block.is_empty() {
            return None;
        }
        let bytes = Bytes::new(block);
        if !head.lengths {
            let values = Values::read(bytes, head).ok()?;
            let is_own = values.have_64_bits(block, head) && values.bytes(head) == block.len() as u64;
            return is_own.then_some(Self { head, lengths: Vec::new(), values });
        }
        let mut offsets = Offsets::default();
        let (values, runs) = Values::read_arrays(bytes, head, &mut offsets).ok()?;
        let size = block.len() as u64 - values.bytes_in_arrays(&offsets, head);
        let joined = head.in_runs(&offsets, &runs, size)?;
        let is_own = values.have_64_bits(block, head);
        let lengths = offsets.lengths().map(i64::from).collect();
        let parts = Self { head: Head { joined, ..head }, lengths, values };
        (is_own && (head.kind != Kind::Booleans || parts.come_back(block))).then_some(parts)
    }

    /// What a block would have of values that are held.
    pub(super) fn held(held: &'a Held, column_type: ColumnType) -> Self {
        let head = Head { joined: held.has_runs(), ..Head::new(column_type) };
        let values = match held.values() {
            Kept::Integers(integers) => Values::Others(Cow::Owned(Vector::Long(integers.to_longs()))),
            Kept::Floats(floats) => Values::Others(Cow::Borrowed(floats)),
            Kept::Strings(bytes, lengths) => Values::Strings(strings(bytes.as_slice(), lengths)),
        };
        Self { head, lengths: held.lengths(), values }
    }
}

impl<'a> Values<'a> {
    /// All values of a block without lengths.
    fn read(mut bytes: Bytes<'a>, head: Head) -> Read<Self> {
        if head.kind != Kind::Strings {
            let (value_type, mut values) = head.kind.vector();
            values::show(value_type, &mut values, &mut |values| read_all(bytes, head, values))?;
            return Ok(Self::Others(Cow::Owned(values)));
        }
        let mut strings = Vec::new();
        while bytes.remaining() > 0 {
            if strings.len() == SOME_TEXTS {
                strings.reserve(SOME_TEXTS * bytes.remaining() / bytes.position().max(1));
            }
            strings.push(bytes.prefixed()?);
        }
        Ok(Self::Strings(strings))
    }

    /// Reads arrays: their values, and the runs of lengths, each written as one number.
    fn read_arrays(
        mut bytes: Bytes<'a>,
        head: Head,
        offsets: &mut Offsets,
    ) -> Read<(Self, Vec<Range<usize>>)> {
        if head.kind != Kind::Strings {
            let (value_type, mut values) = head.kind.vector();
            let mut runs = Vec::new();
            values::show(value_type, &mut values, &mut |values| {
                read_all_arrays(bytes, offsets, &mut runs, values)
            })?;
            return Ok((Self::Others(Cow::Owned(values)), runs));
        }
        let (mut run, mut runs, mut strings) = (Run::default(), Vec::new(), Vec::new());
        while bytes.remaining() > 0 {
            let length = next_lengths(&mut run, &mut bytes, false, offsets, &mut runs)?;
            for _ in 0..length {
                strings.push(bytes.prefixed()?);
            }
        }
        Ok((Self::Strings(strings), runs))
    }

    /// Some of them.
    pub(super) fn part(&self, range: Range<usize>) -> Option<Self> {
        match self {
            Self::Strings(strings) => strings.get(range).map(|strings| Self::Strings(strings.to_vec())),
            Self::Others(values) => {
                let mut part = values.hollow();
                values.copy_range(range, &mut part).then_some(Self::Others(Cow::Owned(part)))
            }
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Strings(strings) => strings.len(),
            Self::Others(values) => values.len(),
        }
    }

    /// The bytes that a writer makes of them, without lengths.
    fn bytes(&self, head: Head) -> u64 {
        match self {
            Self::Strings(strings) => {
                strings.iter().map(|text| zigzag(text.len() as i64) + text.len() as u64).sum()
            }
            Self::Others(values) => match &**values {
                Vector::Boolean(values) => values.len().div_ceil(8) as u64,
                Vector::Long(values) if head.kind == Kind::Integers => size_all(values) as u64,
                values => values.size() as u64,
            },
        }
    }

    /// As [`Values::bytes`], for arrays: the booleans of each array begin a new byte.
    fn bytes_in_arrays(&self, offsets: &Offsets, head: Head) -> u64 {
        match self {
            Self::Others(values) if matches!(**values, Vector::Boolean(_)) => {
                offsets.lengths().map(|length| u64::from(length.div_ceil(8))).sum()
            }
            values => values.bytes(head),
        }
    }

    /// Whether no integer of ten bytes has more than 64 bits. Readers drop such bits, so the block would not come back.
    fn have_64_bits(&self, block: &[u8], head: Head) -> bool {
        const TEN_BYTES: u64 = 1 << 62;
        let Self::Others(values) = self else { return true };
        let Vector::Long(values) = &**values else { return true };
        let longest = values.iter().fold(0, |all, value| all | (value ^ value >> 63));
        if head.kind != Kind::Integers || longest.cast_unsigned() < TEN_BYTES {
            return true;
        }
        let mut before = 0;
        block.iter().all(|byte| {
            let fits = before < 9 || *byte <= 1;
            before = if *byte < 0x80 { 0 } else { before + 1 };
            fits
        })
    }
}

/// The strings that show how many there are likely to be.
const SOME_TEXTS: usize = 1 << 10;

/// Reads all values of a block without lengths.
fn read_all(mut bytes: Bytes<'_>, head: Head, values: &mut dyn values::Values) -> Read<()> {
    let bits = &mut Bits::default();
    let len = bytes.remaining();
    let count = match head.kind {
        Kind::Raw | Kind::Nulls | Kind::Strings => 0,
        Kind::Booleans => len * 8,
        Kind::Fixed32 | Kind::Floats => len / 4,
        Kind::Fixed64 | Kind::Doubles => len / 8,
        // Each has one byte without the high bit, its last.
        Kind::Integers => bytes.rest().iter().filter(|byte| **byte < 0x80).count(),
    };
    values.decode(&mut bytes, bits, count)?;
    all_read(bytes)
}

/// Reads all arrays of a block; finds the runs of lengths, each written as one number.
fn read_all_arrays(
    mut bytes: Bytes<'_>,
    offsets: &mut Offsets,
    runs: &mut Vec<Range<usize>>,
    values: &mut dyn values::Values,
) -> Read<()> {
    let (mut run, mut bits, bytes) = (Run::default(), Bits::default(), &mut bytes);
    while bytes.remaining() > 0 {
        if values.decode_arrays(bytes, bytes.remaining(), offsets)? > 0 {
            continue;
        }
        let length = next_lengths(&mut run, bytes, values.are_empty(), offsets, runs)?;
        bits.restart();
        values.decode(bytes, &mut bits, length)?;
    }
    all_read(*bytes)
}

/// Reads a length, or a run of them; returns how many values come after it.
#[inline]
fn next_lengths(
    run: &mut Run,
    bytes: &mut Bytes<'_>,
    no_values: bool,
    offsets: &mut Offsets,
    runs: &mut Vec<Range<usize>>,
) -> Read<usize> {
    let (length, count) = run.next_run(bytes, LENGTHS_MAX, no_values)?;
    let start = offsets.len();
    // Lengths of one that are joined, with values between them, come one by one. Of a length of five bytes, readers drop bits.
    let most = LENGTHS_MAX.min(LENGTHS_LEAST + LENGTHS_PER_BYTE * (bytes.position() + bytes.remaining()));
    if start + count > most || !run.is_done() || length >= FIVE_BYTES {
        return Err(too_many(count));
    }
    if count > 1 {
        runs.push(start..start + count);
    }
    for _ in 0..count {
        if !offsets.push_length(length) {
            return Err(too_many(count));
        }
    }
    Ok(length as usize * count)
}

/// Lengths from this one on take five bytes.
const FIVE_BYTES: u32 = 1 << 27;

/// The lengths that a block may have, and how many more for each of its bytes. One with more stays as it is: they are few runs.
const LENGTHS_LEAST: usize = 1 << 20;
const LENGTHS_PER_BYTE: usize = 64;
/// The most lengths of any block.
const LENGTHS_MAX: usize = 1 << 24;

#[cold]
fn too_many(count: usize) -> Malformed {
    Malformed::Limit { value: count as u64, limit: LENGTHS_MAX as u64 }
}

fn all_read(bytes: Bytes<'_>) -> Read<()> {
    match bytes.remaining() {
        0 => Ok(()),
        more => Err(Malformed::End { needed: more as u64, available: 0 }),
    }
}

impl Head {
    /// Whether lengths are joined in a block that has these runs of them, and lengths of a number of bytes. `None` where a writer
    /// makes other bytes of them: it joins all that can be joined or none, in as few bytes as there can be.
    fn in_runs(self, offsets: &Offsets, runs: &[Range<usize>], size: u64) -> Option<bool> {
        if runs.is_empty() {
            let plain: u64 = offsets.lengths().map(|length| zigzag(i64::from(length))).sum();
            return (size == plain).then_some(false);
        }
        let (mut left, mut bytes, mut lengths, mut start) = (runs, 0, offsets.lengths().peekable(), 0);
        while let Some(length) = lengths.next() {
            let mut count = 1;
            if length == 0 || length == 1 && self.kind == Kind::Nulls {
                while lengths.next_if_eq(&length).is_some() {
                    count += 1;
                }
            }
            bytes += match count {
                1 => zigzag(i64::from(length)),
                _ => {
                    let (run, others) = left.split_first()?;
                    (*run == (start..start + count)).then_some(())?;
                    left = others;
                    zigzag(3 - i64::from(length) - 2 * count as i64)
                }
            };
            start += count;
        }
        (left.is_empty() && size == bytes).then_some(true)
    }
}

/// Bytes of an integer in a block.
fn zigzag(number: i64) -> u64 {
    size(number.zigzag()) as u64
}
