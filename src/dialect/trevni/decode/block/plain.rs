//! Reads values and lengths of the bytes of a block.

use crate::bytes::reader::Bytes;
use crate::error::{ErrorKind, Result};
use crate::storage::value_type::ValueType;
use crate::storage::values::decode::{self as values, Bits};
use crate::storage::values::lengths::decode::Run;
use crate::storage::values::{as_blobs, skip};
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
        let bits = &mut self.bits;
        let done = as_blobs(out, |out| {
            values::show(value_type, out, &mut |values| values.decode(&mut bytes, bits, count))
        });
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
        let Self { run, bits, .. } = &mut *self;
        let done = as_blobs(out, |out| {
            values::show(value_type, out, &mut |values| {
                values::decode_lists(values, &mut bytes, (&mut *run, &mut *bits), count, offsets)
            })
        });
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
