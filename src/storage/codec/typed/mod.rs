//! A codec that knows what is in a block: its values are encoded by their type, each kind of them in the form that takes
//! the fewest bytes (docs/format.md, "Typed blocks"). [`encode`] and [`decode`] mirror each other.

mod bits;
mod context;
mod decode;
mod encode;
mod floats;
mod integers;
mod kind;
mod section;
mod symbols;
mod texts;

use super::ColumnType;
use super::algorithm::{Algorithm, Compress, Decompress, Outcome};
use context::{Context, Layout};

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

/// About the most bytes that one byte can stand for: a frame of equal texts.
pub(super) const RATIO: usize = 1 << 20;

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
        let Some(after) = &mut self.after else {
            encode::encode(block, column_type, &mut self.context, out);
            return Ok(());
        };
        let mut best = Candidate::default();
        for layout in [Layout::Bits, Layout::Bytes] {
            self.context.layout = layout;
            self.encoded.clear();
            encode::encode(block, column_type, &mut self.context, &mut self.encoded);
            best.keep_smaller(&mut self.encoded, after)?;
        }
        self.encoded.clear();
        encode::encode_raw(block, &mut self.encoded);
        best.keep_smaller(&mut self.encoded, after)?;
        after.compress(&best.encoded, out)
    }
}

/// The typed form of a block that seems to take the fewest bytes in the end.
#[derive(Default)]
struct Candidate {
    encoded: Vec<u8>,
    /// About the bytes that it takes; none before there is one.
    size: Option<u64>,
}

/// Bytes in the middle of a typed block that are compressed to see how many all take.
const TRIAL_BYTES: usize = 32 << 10;

impl Candidate {
    /// Takes other bytes if they are smaller after the codec that comes next.
    fn keep_smaller(&mut self, encoded: &mut Vec<u8>, after: &mut Box<dyn Compress>) -> Outcome {
        let start = encoded.len().saturating_sub(TRIAL_BYTES) / 2;
        let part = encoded.get(start..encoded.len().min(start + TRIAL_BYTES)).unwrap_or_default();
        let mut compressed = Vec::new();
        after.compress(part, &mut compressed)?;
        let size = compressed.len() as u64 * encoded.len() as u64 / part.len().max(1) as u64;
        if self.size.is_none_or(|least| size < least) {
            self.size = Some(size);
            std::mem::swap(&mut self.encoded, encoded);
        }
        Ok(())
    }
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

impl Decompress for Decompressor {
    fn decompress(&mut self, stored: &[u8], size: usize, out: &mut Vec<u8>) -> Outcome {
        let Some(before) = &mut self.before else {
            return decode::decode(stored, size, out).map_err(str::to_owned);
        };
        self.encoded.clear();
        // It has a byte more than the block at most.
        before.decompress(stored, size.saturating_add(1), &mut self.encoded)?;
        decode::decode(&self.encoded, size, out).map_err(str::to_owned)
    }
}

#[cfg(test)]
mod tests;
