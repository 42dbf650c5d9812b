//! The codec `archive`: each part of the values in the form that takes the fewest bytes after trying all, however long that takes
//! (docs/format.md, "Archive blocks"). [`encode`](Compressor::encode) and [`decode`] mirror each other.

mod floats;
mod integers;
mod packed;
mod pcodec;
mod strings;
mod trial;
mod values;

use super::super::ColumnType;
use super::super::algorithm::{Algorithm, Compress, Decompress, Outcome, SURPLUS_BYTES};
use super::context::Layout;
use super::decode::Block;
use super::kind::{Head, Kind};
use super::parts::{Parts, Values as Kept};
use super::section::{Read, byte, count, put_count};
use super::{decode_freely, encode};
use crate::bytes::reader::Bytes;
use crate::vector::Vector;
use integers::Integers;
use packed::{Memory, unpack};
use trial::{Depth, Trial};
use values::{Lengths, Values};

/// The one form of it.
pub(in super::super) const ARCHIVE: Algorithm = Algorithm {
    compressor: |_| Ok(Box::new(Compressor(Trial::new()?))),
    decompressor: || Ok(Box::new(Decompressor)),
};

/// How a block is encoded: its first byte.
mod form {
    /// As it is, packed.
    pub(super) const BLOCK: u8 = 0;
    /// As a typed block, packed.
    pub(super) const TYPED: u8 = 1;
    /// As parts: the count of bytes of memory that they take comes first.
    pub(super) const PARTS: u8 = 2;
}

struct Compressor(Trial);

impl Compress for Compressor {
    fn compress(&mut self, block: &[u8], out: &mut Vec<u8>) -> Outcome {
        self.compress_values(block, ColumnType::BYTES, out)
    }

    fn compress_values(&mut self, block: &[u8], column_type: ColumnType, out: &mut Vec<u8>) -> Outcome {
        out.push(form::BLOCK);
        self.0.packer.put(block, out)?;
        let Some(parts) = Parts::new(block, column_type) else { return Ok(()) };
        for layout in [Layout::Bits, Layout::Bytes] {
            let (mut encoded, mut typed) = (Vec::new(), vec![form::TYPED]);
            self.0.context.layout = layout;
            if encode::encode(Some(&parts), block.len(), &mut self.0.context, &mut encoded) {
                self.0.packer.put(&encoded, &mut typed)?;
                keep_smaller(typed, block, out);
            }
        }
        let mut of_parts = Vec::new();
        self.put_parts(&parts, &mut of_parts)?;
        // What they take is found by reading them.
        let mut memory = Memory(usize::MAX);
        if decode_parts(&mut Bytes::new(&of_parts), block.len(), &mut memory, &mut Vec::new()).is_ok() {
            let mut all = vec![form::PARTS];
            put_count((usize::MAX - memory.0) as u64, &mut all);
            all.append(&mut of_parts);
            keep_smaller(all, block, out);
        }
        Ok(())
    }
}

/// Puts a form of a block in the place of another that has more bytes, if the block comes back.
fn keep_smaller(form: Vec<u8>, block: &[u8], out: &mut Vec<u8>) {
    let mut back = Vec::new();
    if form.len() < out.len() && decode(&form, block.len(), &mut back).is_ok() && back == block {
        *out = form;
    }
}

impl Compressor {
    /// Appends the kind of the values, lengths and values.
    fn put_parts(&mut self, parts: &Parts, out: &mut Vec<u8>) -> Outcome {
        let trial = &mut self.0;
        out.push(parts.head.byte());
        if parts.head.lengths {
            integers::encode(&parts.lengths, Depth::First, trial, out)?;
        }
        let values = match &parts.values {
            Kept::Strings(strings) => return strings::encode(strings, Depth::First, trial, out),
            Kept::Others(values) => &**values,
        };
        let mut integers = |integers: Vec<i64>, trial| integers::encode(&integers, Depth::First, trial, out);
        match values {
            Vector::Boolean(values) => {
                integers(values.iter().map(|value| i64::from(*value)).collect(), trial)
            }
            Vector::Int(values) => integers(values.iter().map(|value| i64::from(*value)).collect(), trial),
            Vector::Long(values) => integers(values.clone(), trial),
            Vector::Float(values) => floats::encode(values, trial, out),
            Vector::Double(values) => floats::encode(values, trial, out),
            _ => Ok(()),
        }
    }
}

struct Decompressor;

impl Decompress for Decompressor {
    fn decompress(&mut self, stored: &[u8], size: usize, out: &mut Vec<u8>) -> Outcome {
        decode(stored, size, out).map_err(str::to_owned)
    }
}

/// The memory that a block of `size` bytes takes to decode, beside these bytes: no more is taken.
pub(in super::super) fn memory(stored: &[u8], size: usize) -> usize {
    let mut bytes = Bytes::new(stored);
    let more = match byte(&mut bytes) {
        // The typed block, some of its values, and what they are made of.
        Ok(form::TYPED) => size.saturating_mul(3).saturating_add(AT_ONCE_BYTES),
        Ok(form::PARTS) => {
            let parts = count(&mut bytes).ok().and_then(|parts| usize::try_from(parts).ok());
            parts.unwrap_or(usize::MAX).saturating_add(size).saturating_add(AT_ONCE_BYTES)
        }
        _ => 0,
    };
    // A frame gets its first bytes.
    stored.len().saturating_add(more)
}

/// The memory of some values that are written at once.
const AT_ONCE_BYTES: usize = 64 << 10;

/// Appends the block of which `stored` is the archived form.
fn decode(stored: &[u8], size: usize, out: &mut Vec<u8>) -> Read<()> {
    let mut bytes = Bytes::new(stored);
    match byte(&mut bytes)? {
        form::BLOCK => {
            *out = unpack(&mut bytes, &mut Memory(size.max(SURPLUS_BYTES)))?;
            Ok(())
        }
        // It has a byte more than the block at most.
        form::TYPED => {
            let typed = unpack(&mut bytes, &mut Memory(size.saturating_add(1)))?;
            decode_freely(&typed, size, out)
        }
        form::PARTS => {
            let memory = count(&mut bytes)?;
            let mut memory = Memory(usize::try_from(memory).unwrap_or(usize::MAX));
            decode_parts(&mut bytes, size, &mut memory, out)
        }
        _ => Err("it begins with an unknown byte"),
    }
}

/// Lengths that any block may have, and those more for each of its bytes: as many as a writer takes apart.
const LENGTHS_LEAST: u64 = 1 << 20;
const LENGTHS_PER_BYTE: u64 = 64;

/// Reads what [`Compressor::put_parts`] has written.
fn decode_parts(bytes: &mut Bytes<'_>, size: usize, memory: &mut Memory, out: &mut Vec<u8>) -> Read<()> {
    let head = Head::from_byte(byte(bytes)?).filter(|head| head.kind != Kind::Raw);
    let head = head.ok_or("its values are of an unknown kind")?;
    let lengths = match head.lengths {
        true => Some(Integers::new(bytes, Depth::First, memory)?),
        false => None,
    };
    let most = LENGTHS_LEAST.saturating_add(LENGTHS_PER_BYTE.saturating_mul(size as u64));
    if lengths.as_ref().is_some_and(|lengths| lengths.constant().is_none() && lengths.left() > most) {
        return Err("it holds more lengths than it can");
    }
    let values = Values::new(head.kind, bytes, size, memory)?;
    Block::new(&[], head, values, size).finish(lengths.map(|lengths| (Lengths::new(lengths), head)), out)
}

#[cfg(test)]
mod tests;
