//! Takes the lengths and values of a block apart, and encodes each by itself.

use super::super::ColumnType;
use super::context::Context;
use super::decode::decode;
use super::floats;
use super::integers;
use super::kind::{Head, Kind};
use super::section::put_section;
use super::texts;
use crate::bytes::reader::{Bytes, Malformed};
use crate::storage::value_type::ValueType;
use crate::storage::values::decode::{self as values, Bits, Values, Visit};
use crate::storage::values::lengths::decode::Run;
use crate::vector::{Binaries, Offsets, Vector};

/// Appends a block in its typed form; as it is where that is smaller, and where it is not what a writer makes of its
/// values, so that the same bytes come back.
pub(super) fn encode(block: &[u8], column_type: ColumnType, context: &mut Context, out: &mut Vec<u8>) {
    let head = Head::of(column_type);
    let parts = column_type.value_type.filter(|_| head != Head::RAW && !block.is_empty());
    let parts = parts.and_then(|value_type| Parts::of(block, value_type, head));
    let start = out.len();
    if let Some(parts) = parts {
        write(&parts, context, out);
        let typed = out.get(start..).unwrap_or_default();
        if typed.len() <= block.len() && parts.is_whole(block, typed) {
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

/// Appends lengths and values.
fn write(Parts { head, offsets, values }: &Parts, context: &mut Context, out: &mut Vec<u8>) {
    out.push(head.byte());
    if head.lengths {
        let lengths: Vec<i64> = offsets.lengths().map(i64::from).collect();
        put_section(out, |out| integers::encode(&lengths, context, out));
    }
    match values {
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

/// What a block has.
struct Parts {
    head: Head,
    offsets: Offsets,
    values: Vector,
}

impl Parts {
    /// None where a writer would make other bytes of them.
    fn of(block: &[u8], value_type: ValueType, head: Head) -> Option<Self> {
        let mut values = match head.kind {
            Kind::Raw => return None,
            Kind::Nulls => Vector::Null(0),
            Kind::Booleans => Vector::Boolean(Vec::new()),
            Kind::Integers | Kind::Fixed64 => Vector::Long(Vec::new()),
            Kind::Fixed32 => Vector::Int(Vec::new()),
            Kind::Floats => Vector::Float(Vec::new()),
            Kind::Doubles => Vector::Double(Vec::new()),
            Kind::Texts => Vector::Bytes(Binaries::default()),
        };
        let value_type = match (head.kind, value_type) {
            (Kind::Integers, _) => ValueType::Long,
            (_, value_type) => value_type,
        };
        let mut offsets = Offsets::default();
        let bytes = Bytes::new(block);
        match head.lengths {
            true => {
                values::visit(value_type, &mut values, ReadArrays { bytes, offsets: &mut offsets }).ok()?
            }
            false => values::visit(value_type, &mut values, ReadValues { bytes, head }).ok()?,
        }
        let [plain, joined] = sizes(&offsets, &values, head);
        let len = block.len() as u64;
        let head = Head { joined: head.lengths && len == joined, ..head };
        (len == plain || head.joined).then_some(Self { head, offsets, values })
    }

    /// Whether the block comes back. One with lengths may not: runs can be parted, and bits that are no booleans set.
    fn is_whole(&self, block: &[u8], typed: &[u8]) -> bool {
        let mut back = Vec::new();
        !self.head.lengths || decode(typed, block.len(), &mut back).is_ok() && back == block
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

/// All lengths of a block, and their values.
struct ReadArrays<'a, 'b> {
    bytes: Bytes<'a>,
    offsets: &'b mut Offsets,
}

impl Visit for ReadArrays<'_, '_> {
    type Out = Result<(), Malformed>;

    fn visit<V: Values>(mut self, values: &mut V) -> Self::Out {
        let (mut run, mut bits, bytes) = (Run::default(), Bits::default(), &mut self.bytes);
        while bytes.remaining() > 0 || !run.is_done() {
            if run.is_done() && values.decode_arrays(bytes, &mut bits, bytes.remaining(), self.offsets)? > 0 {
                continue;
            }
            let (length, count) = run.next_run(bytes, LENGTHS_MAX, V::EMPTY)?;
            if self.offsets.len() + count > LENGTHS_MAX {
                return Err(too_many(count));
            }
            for _ in 0..count {
                if !self.offsets.push_length(length) {
                    return Err(too_many(count));
                }
            }
            bits.restart();
            values.decode(bytes, &mut bits, length as usize * count)?;
        }
        all_read(self.bytes)
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

/// The bytes that a block of these values has: each length by itself, and runs of them joined.
fn sizes(offsets: &Offsets, values: &Vector, head: Head) -> [u64; 2] {
    let zigzag = |number: i64| u64::from(varint_bytes((number << 1 ^ number >> 63).cast_unsigned()));
    let values: u64 = match values {
        Vector::Boolean(values) if !head.lengths => values.len().div_ceil(8) as u64,
        Vector::Boolean(_) => offsets.lengths().map(|length| u64::from(length.div_ceil(8))).sum(),
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
    };
    let (mut plain, mut joined) = (values, values);
    let (mut last, mut run) = (0, 0i64);
    let mut end_run = |last: u32, run: i64| {
        joined += match run {
            0 => 0,
            1 => zigzag(i64::from(last)),
            _ => zigzag(3 - i64::from(last) - 2 * run),
        };
    };
    for length in offsets.lengths() {
        plain += zigzag(i64::from(length));
        let joins = length == 0 || length == 1 && head.kind == Kind::Nulls;
        if !joins || length != last {
            end_run(last, run);
            run = 0;
        }
        if joins {
            (last, run) = (length, run + 1);
        } else {
            end_run(length, 1);
        }
    }
    end_run(last, run);
    [plain, joined]
}

/// Bytes of an unsigned varint.
fn varint_bytes(number: u64) -> u32 {
    (64 - (number | 1).leading_zeros()).div_ceil(7)
}
