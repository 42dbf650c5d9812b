//! A codec that knows what is in a block: its values are encoded by their type, each kind of them in the form that takes
//! the fewest bytes (docs/format.md, "Typed blocks"). [`encode`] and [`decode`] mirror each other.
//!
//! Integers lie in frames of reference with patched exceptions, as in PFOR (Zukowski, Héman, Nes, Boncz, 2006); strings take symbols from a
//! table, as in FSST (Boncz, Neumann, Leis, 2020); floats that are decimals become integers, as in ALP (Afroozeh, Kuffo, Boncz, 2023);
//! integers that come again in the same order are copies, as in LZ77 (Ziv and Lempel, 1977).

#[cfg(feature = "archive")]
mod archive;
mod bits;
mod context;
mod cursor;
mod decode;
mod encode;
mod floats;
mod integers;
mod kind;
mod lanes;
mod parts;
mod section;
mod strings;
mod symbols;
mod values;

use super::ColumnType;
use super::algorithm::{Algorithm, Compress, Decompress, Outcome};
use crate::bytes::buffer::Buffer;
use crate::storage::values::held::Held;
#[cfg(feature = "archive")]
pub(super) use archive::{ARCHIVE, memory};
use context::{Context, Layout};
pub(crate) use cursor::Cursor;
pub(super) use decode::decode;
use parts::Parts;

/// Bytes that a typed block before another codec may have more than the block: where these are split, they are as many, and some say so.
pub(super) const MORE: usize = 16;

/// The values alone.
pub(super) const ALONE: Algorithm = Algorithm {
    compressor: |_| Ok(Box::new(Compressor::new(None))),
    decompressor: || Ok(Box::new(Decompressor::new(None))),
};

/// The values, and a Zstandard frame of what that gives.
#[cfg(feature = "zstandard")]
pub(super) const ZSTANDARD: Algorithm = Algorithm {
    compressor: |level| Ok(Box::new(Compressor::new(Some((super::zstandard::FRAME.compressor)(level)?)))),
    decompressor: || Ok(Box::new(Decompressor::new(Some((super::zstandard::FRAME.decompressor)()?)))),
};

/// Without the codec `archive`, nothing is read of it.
#[cfg(not(feature = "archive"))]
pub(super) fn memory(_: &[u8], _: usize) -> usize {
    0
}

struct Compressor {
    after: Option<Box<dyn Compress>>,
    context: Context,
    encoded: Vec<u8>,
}

impl Compressor {
    fn new(after: Option<Box<dyn Compress>>) -> Self {
        Self { after, context: Context::default(), encoded: Vec::new() }
    }
}

impl Compress for Compressor {
    fn compress(&mut self, block: &[u8], out: &mut Vec<u8>) -> Outcome {
        self.compress_values(block, ColumnType::BYTES, out)
    }

    fn compress_values(&mut self, block: &[u8], column_type: ColumnType, out: &mut Vec<u8>) -> Outcome {
        let parts = Parts::new(block, column_type);
        if self.after.is_some() {
            return self.compress_twice(parts.as_ref(), block, out);
        }
        if !encode::encode(parts.as_ref(), block.len(), &mut self.context, out) {
            encode::encode_raw(block, out);
        }
        Ok(())
    }

    fn compress_held(&mut self, held: &Held, column_type: ColumnType, out: &mut Vec<u8>) -> Outcome {
        let (parts, mut block) = (Parts::held(held, column_type), Buffer::default());
        if self.after.is_none() && encode::encode(Some(&parts), held.size(), &mut self.context, out) {
            return Ok(());
        }
        held.encode(&mut block);
        match self.after {
            Some(_) => self.compress_twice(Some(&parts), block.as_slice(), out),
            None => {
                encode::encode_raw(block.as_slice(), out);
                Ok(())
            }
        }
    }
}

impl Compressor {
    /// Compresses the typed form with the codec that comes after it.
    fn compress_twice(&mut self, parts: Option<&Parts>, block: &[u8], out: &mut Vec<u8>) -> Outcome {
        let Self { after: Some(after), context, encoded } = self else { return Ok(()) };
        encoded.clear();
        if let Some(parts) = parts
            && let Some(layout) = layout(parts, block, context, after)?
        {
            context.layout = layout;
            encode::encode(Some(parts), block.len() + MORE, context, encoded);
        }
        if encoded.is_empty() {
            encode::encode_raw(block, encoded);
        }
        after.compress(encoded, out)
    }
}

/// Entries of a block that are encoded to find the best layout: one part in this number, if these are not too few.
const SAMPLE_IN: usize = 8;
const SAMPLE_LEAST: usize = 512;

/// The layout in which a block seems to take the fewest bytes in the end; `None` where that is as it is.
fn layout(
    parts: &Parts,
    block: &[u8],
    context: &mut Context,
    after: &mut Box<dyn Compress>,
) -> Outcome<Option<Layout>> {
    let entries = parts.entries();
    let sample = if entries / SAMPLE_IN < SAMPLE_LEAST { None } else { parts.middle(entries / SAMPLE_IN) };
    let sample = sample.as_ref().unwrap_or(parts);
    let mut least = compressed_bytes(block, after)?;
    let (mut best, mut encoded) = (None, Vec::new());
    for layout in parts.layouts(block.len()) {
        context.layout = *layout;
        encoded.clear();
        sample.write(context, &mut encoded);
        // All bytes of one place are many in a block, and are compressed by themselves.
        let apart = if *layout == Layout::Split { size_of::<f64>() } else { 1 };
        let mut bytes = 0;
        for part in encoded.chunks(encoded.len().div_ceil(apart)) {
            bytes += compressed_bytes(part, after)?;
        }
        let bytes = bytes * entries as u64 / sample.entries().max(1) as u64;
        // Symbols hide what comes again farther away than the sample shows.
        let hidden = if layout.has_symbols() { bytes / 32 } else { 0 };
        if bytes + hidden < least {
            (best, least) = (Some(*layout), bytes);
        }
    }
    Ok(best)
}

/// Bytes in the middle that are compressed to see how many all take.
const TRIAL_BYTES: usize = 32 << 10;

/// About how many bytes some take in the end.
fn compressed_bytes(bytes: &[u8], after: &mut Box<dyn Compress>) -> Outcome<u64> {
    let start = bytes.len().saturating_sub(TRIAL_BYTES) / 2;
    let part = &bytes[start..bytes.len().min(start + TRIAL_BYTES)];
    let mut compressed = Vec::new();
    after.compress(part, &mut compressed)?;
    Ok(compressed.len() as u64 * bytes.len() as u64 / part.len().max(1) as u64)
}

struct Decompressor {
    before: Option<Box<dyn Decompress>>,
    encoded: Vec<u8>,
}

impl Decompressor {
    fn new(before: Option<Box<dyn Decompress>>) -> Self {
        Self { before, encoded: Vec::new() }
    }
}

/// As [`decode`], with all the memory that it takes.
fn decode_freely(stored: &[u8], size: usize, out: &mut Vec<u8>) -> section::Read<()> {
    decode(stored, size, out, 0, &mut |_| Ok(())).unwrap_or(Err("it takes too much memory"))
}

impl Decompress for Decompressor {
    fn decompress(&mut self, stored: &[u8], size: usize, out: &mut Vec<u8>) -> Outcome {
        let Some(before) = &mut self.before else {
            return decode_freely(stored, size, out).map_err(str::to_owned);
        };
        self.encoded.clear();
        before.decompress(stored, size.saturating_add(MORE), &mut self.encoded)?;
        decode_freely(&self.encoded, size, out).map_err(str::to_owned)
    }
}

#[cfg(test)]
mod tests;
