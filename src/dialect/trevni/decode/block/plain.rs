//! Reads values and lengths of the bytes of a block.

use crate::bytes::reader::{Bytes, Malformed};
use crate::error::{ErrorKind, Result};
use crate::storage::value_type::ValueType;
use crate::storage::values::as_blobs;
use crate::storage::values::decode::{self as values, Bits, Values, Visit};
use crate::storage::values::lengths::decode::Run;
use crate::storage::values::skip;
use crate::vector::{Offsets, Vector};

/// A position within a block's uncompressed bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct PlainReader {
    position: usize,
    run: Run,
    bits: Bits,
}

impl PlainReader {
    /// Appends the next `count` values to `out`.
    pub(super) fn values(
        &mut self,
        data: &[u8],
        value_type: ValueType,
        count: usize,
        out: &mut Vector,
    ) -> Result<()> {
        let mut bytes = Bytes::at(data, self.position);
        let read = ReadValues { bits: &mut self.bits, bytes: &mut bytes, count };
        let done = as_blobs(out, |out| values::visit(value_type, out, read));
        self.position = bytes.position();
        done.map_err(|error| error.of("a value"))
    }

    /// Appends the next `count` lengths to `offsets`, and their values to `out`.
    pub(super) fn arrays(
        &mut self,
        data: &[u8],
        value_type: ValueType,
        count: usize,
        offsets: &mut Offsets,
        out: &mut Vector,
    ) -> Result<()> {
        let mut bytes = Bytes::at(data, self.position);
        let read = ReadArrays { block: self, bytes: &mut bytes, count, offsets };
        let done = as_blobs(out, |out| values::visit(value_type, out, read));
        self.position = bytes.position();
        done.map_err(|error| error.of("an array"))
    }

    /// Passes over the next `count` values.
    pub(super) fn skip_values(&mut self, data: &[u8], value_type: ValueType, count: u64) -> Result<()> {
        let mut bytes = Bytes::at(data, self.position);
        let done = skip::skip(&mut bytes, &mut self.bits, value_type, count);
        self.position = bytes.position();
        done.map_err(|error| error.of("a value"))
    }

    /// Passes over the next `count` lengths and their values; returns the sum of the lengths.
    pub(super) fn skip_arrays(&mut self, data: &[u8], value_type: ValueType, count: u64) -> Result<u64> {
        let mut bytes = Bytes::at(data, self.position);
        let done = skip::skip_arrays(&mut bytes, &mut self.bits, &mut self.run, value_type, count);
        self.position = bytes.position();
        done.map_err(|error| error.of("an array"))
    }

    /// Bytes of the block that have not been read.
    pub(super) fn rest(&self, data: &[u8]) -> usize {
        data.len().saturating_sub(self.position)
    }

    /// Checks that the last row has been read and nothing is left.
    pub(super) fn finish(&self, data: &[u8]) -> Result<()> {
        match data.len().saturating_sub(self.position) {
            0 if self.run.is_done() => Ok(()),
            count => Err(ErrorKind::TrailingBytes { count }.into()),
        }
    }
}

/// [`PlainReader::values`], the type of the values known.
struct ReadValues<'a, 'b> {
    bits: &'a mut Bits,
    bytes: &'a mut Bytes<'b>,
    count: usize,
}

impl Visit for ReadValues<'_, '_> {
    type Out = Result<(), Malformed>;

    fn visit<V: Values>(self, values: &mut V) -> Self::Out {
        values.decode(self.bytes, self.bits, self.count)
    }
}

/// [`PlainReader::arrays`], the type of the values known.
struct ReadArrays<'a, 'b> {
    block: &'a mut PlainReader,
    bytes: &'a mut Bytes<'b>,
    count: usize,
    offsets: &'a mut Offsets,
}

impl Visit for ReadArrays<'_, '_> {
    type Out = Result<(), Malformed>;

    fn visit<V: Values>(self, values: &mut V) -> Self::Out {
        let PlainReader { run, bits, .. } = self.block;
        self.offsets.reserve(self.count.min(1 << 16));
        let mut left = self.count;
        while left > 0 {
            if run.is_done() {
                left -= values.decode_arrays(self.bytes, bits, left, self.offsets)?;
                if left == 0 {
                    break;
                }
            }
            let (length, count) = run.next_run(self.bytes, left, V::EMPTY)?;
            push(self.offsets, length, count)?;
            bits.restart();
            if length > 0 {
                values.decode(self.bytes, bits, length as usize * count)?;
            }
            left -= count;
        }
        Ok(())
    }
}

/// Appends `count` times the same length; it is at most 1 where they are several.
#[inline]
fn push(offsets: &mut Offsets, length: u32, count: usize) -> Result<(), Malformed> {
    let fits = match length {
        0 => {
            offsets.push_empties(count);
            true
        }
        1 => offsets.push_ones(count),
        _ => offsets.push_length(length),
    };
    if fits { Ok(()) } else { Err(Malformed::Limit { value: u64::from(length), limit: u64::from(u32::MAX) }) }
}
