//! Takes the lengths and values of a block apart, and encodes each by itself.

use super::super::ColumnType;
use super::context::{Context, Layout};
use super::decode::decode;
use super::floats;
use super::integers;
use super::kind::{Head, Kind};
use super::section::put_section;
use super::texts;
use crate::bytes::reader::{Bytes, Malformed};
use crate::storage::values::decode::{self as values, Bits, Values, Visit};
use crate::storage::values::lengths::decode::Run;
use crate::vector::{Offsets, Vector};
use std::ops::Range;

/// Appends a block in its typed form; as it is where that is smaller, and where it is not what a writer makes of its
/// values, so that the same bytes come back.
pub(super) fn encode(block: &[u8], column_type: ColumnType, context: &mut Context, out: &mut Vec<u8>) {
    let start = out.len();
    if let Some(parts) = Parts::of(block, column_type) {
        parts.write(context, out);
        if out.len() - start <= block.len() {
            return;
        }
        out.truncate(start);
    }
    encode_raw(block, out);
}

/// Appends a block as it is.
pub(super) fn encode_raw(block: &[u8], out: &mut Vec<u8>) {
    out.push(Head::RAW.byte());
    out.extend_from_slice(block);
}

/// What a block has.
pub(super) struct Parts {
    head: Head,
    offsets: Offsets,
    values: Vector,
}

/// In blocks of texts of fewer bytes, a table of symbols takes more than it saves where another codec comes next.
const SYMBOLS_PAY_BYTES: usize = 8 << 10;

impl Parts {
    /// None where a writer would make other bytes of them.
    pub(super) fn of(block: &[u8], column_type: ColumnType) -> Option<Self> {
        let head = Head::of(column_type);
        if head == Head::RAW || block.is_empty() {
            return None;
        }
        let (value_type, mut values) = head.kind.vector();
        let (bytes, mut offsets) = (Bytes::new(block), Offsets::default());
        if !head.lengths {
            values::visit(value_type, &mut values, ReadValues { bytes, head }).ok()?;
            return (block.len() as u64 == values_bytes(&values, head)).then_some(Self {
                head,
                offsets,
                values,
            });
        }
        let read = ReadArrays { bytes, offsets: &mut offsets };
        let runs = values::visit(value_type, &mut values, read).ok()?;
        let size = block.len() as u64 - values_bytes_of(&offsets, &values, head);
        let joined = head.in_runs(&offsets, &runs, size)?;
        let parts = Self { head: Head { joined, ..head }, offsets, values };
        (head.kind != Kind::Booleans || parts.come_back(block)).then_some(parts)
    }

    /// Whether decoding gives the block: bits that are no booleans may be set in it.
    fn come_back(&self, block: &[u8]) -> bool {
        let (mut typed, mut back) = (Vec::new(), Vec::new());
        self.write(&mut Context::default(), &mut typed);
        decode(&typed, block.len(), &mut back).is_ok() && back == block
    }

    /// Appends lengths and values.
    pub(super) fn write(&self, context: &mut Context, out: &mut Vec<u8>) {
        out.push(self.head.byte());
        if self.head.lengths {
            let lengths: Vec<i64> = self.offsets.lengths().map(i64::from).collect();
            put_section(out, |out| integers::encode(&lengths, context, out));
        }
        match &self.values {
            Vector::Boolean(values) => {
                let values: Vec<i64> = values.iter().map(|value| i64::from(*value)).collect();
                integers::encode(&values, context, out);
            }
            Vector::Int(values) => {
                let values: Vec<i64> = values.iter().map(|value| i64::from(*value)).collect();
                integers::encode(&values, context, out);
            }
            Vector::Long(values) => integers::encode(values, context, out),
            Vector::Float(values) => floats::encode(values, context, out),
            Vector::Double(values) => floats::encode(values, context, out),
            Vector::Bytes(values) => {
                let values: Vec<&[u8]> = values.iter().collect();
                texts::encode(&values, context, out);
            }
            _ => {}
        }
    }

    /// How it may lie where another codec comes next, if the block has so many bytes.
    pub(super) fn layouts(&self, bytes: usize) -> &'static [Layout] {
        match self.head.kind {
            Kind::Texts if bytes >= SYMBOLS_PAY_BYTES => &[Layout::Bits, Layout::Bytes, Layout::Alone],
            _ => &[Layout::Bits, Layout::Bytes],
        }
    }

    /// Arrays, or values without lengths.
    pub(super) fn entries(&self) -> usize {
        if self.head.lengths { self.offsets.len() } else { self.values.len() }
    }

    /// Some of the entries, from the middle.
    pub(super) fn middle(&self, entries: usize) -> Option<Self> {
        let start = (self.entries() - entries) / 2;
        let (_, mut values) = self.head.kind.vector();
        let mut offsets = Offsets::default();
        let items = if self.head.lengths {
            offsets.push_range(&self.offsets, start..start + entries).then_some(())?;
            let starts = self.offsets.as_slice();
            *starts.get(start)? as usize..*starts.get(start + entries)? as usize
        } else {
            start..start + entries
        };
        self.values.copy_range(items, &mut values).then_some(Self { head: self.head, offsets, values })
    }
}

/// All values of a block without lengths.
struct ReadValues<'a> {
    bytes: Bytes<'a>,
    head: Head,
}

impl Visit for ReadValues<'_> {
    type Out = Result<(), Malformed>;

    fn visit<V: Values>(mut self, values: &mut V) -> Self::Out {
        let bits = &mut Bits::default();
        let len = self.bytes.remaining();
        let count = match self.head.kind {
            Kind::Raw | Kind::Nulls => 0,
            Kind::Booleans => len * 8,
            Kind::Fixed32 | Kind::Floats => len / 4,
            Kind::Fixed64 | Kind::Doubles => len / 8,
            // Each has one byte without the high bit, its last.
            Kind::Integers => self.bytes.rest().iter().filter(|byte| **byte < 0x80).count(),
            Kind::Texts => {
                while self.bytes.remaining() > 0 {
                    values.decode(&mut self.bytes, bits, 1)?;
                }
                0
            }
        };
        values.decode(&mut self.bytes, bits, count)?;
        all_read(self.bytes)
    }
}

/// All lengths of a block, and their values; gives which of the lengths are joined, each run of them by one number.
struct ReadArrays<'a, 'b> {
    bytes: Bytes<'a>,
    offsets: &'b mut Offsets,
}

impl Visit for ReadArrays<'_, '_> {
    type Out = Result<Vec<Range<usize>>, Malformed>;

    fn visit<V: Values>(mut self, values: &mut V) -> Self::Out {
        let (mut run, mut bits, bytes) = (Run::default(), Bits::default(), &mut self.bytes);
        let mut runs = Vec::new();
        while bytes.remaining() > 0 {
            if values.decode_arrays(bytes, &mut bits, bytes.remaining(), self.offsets)? > 0 {
                continue;
            }
            let (length, count) = run.next_run(bytes, LENGTHS_MAX, V::EMPTY)?;
            let start = self.offsets.len();
            // Lengths of one that are joined, with values between them, come one by one.
            if start + count > LENGTHS_MAX || !run.is_done() {
                return Err(too_many(count));
            }
            if count > 1 {
                runs.push(start..start + count);
            }
            for _ in 0..count {
                if !self.offsets.push_length(length) {
                    return Err(too_many(count));
                }
            }
            bits.restart();
            values.decode(bytes, &mut bits, length as usize * count)?;
        }
        all_read(self.bytes)?;
        Ok(runs)
    }
}

/// A block with more lengths stays as it is: they are few runs.
const LENGTHS_MAX: usize = 1 << 24;

#[cold]
fn too_many(count: usize) -> Malformed {
    Malformed::Limit { value: count as u64, limit: LENGTHS_MAX as u64 }
}

fn all_read(bytes: Bytes<'_>) -> Result<(), Malformed> {
    match bytes.remaining() {
        0 => Ok(()),
        more => Err(Malformed::End { needed: more as u64, available: 0 }),
    }
}

impl Head {
    /// Whether lengths are joined in a block that has these runs of them, and lengths of so many bytes. None where a writer
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

/// The bytes of values without lengths.
fn values_bytes(values: &Vector, head: Head) -> u64 {
    match values {
        Vector::Boolean(values) => values.len().div_ceil(8) as u64,
        Vector::Long(values) if head.kind == Kind::Integers => {
            values.iter().map(|value| zigzag(*value)).sum()
        }
        Vector::Int(values) => 4 * values.len() as u64,
        Vector::Float(values) => 4 * values.len() as u64,
        Vector::Long(values) => 8 * values.len() as u64,
        Vector::Double(values) => 8 * values.len() as u64,
        Vector::Bytes(values) => {
            values.iter().map(|value| zigzag(value.len() as i64) + value.len() as u64).sum()
        }
        _ => 0,
    }
}

/// The same in arrays: booleans of each begin a byte.
fn values_bytes_of(offsets: &Offsets, values: &Vector, head: Head) -> u64 {
    match values {
        Vector::Boolean(_) => offsets.lengths().map(|length| u64::from(length.div_ceil(8))).sum(),
        values => values_bytes(values, head),
    }
}

/// Bytes of a varint after zig-zag.
fn zigzag(number: i64) -> u64 {
    let bits = 64 - ((number << 1 ^ number >> 63).cast_unsigned() | 1).leading_zeros();
    u64::from(bits.div_ceil(7))
}
