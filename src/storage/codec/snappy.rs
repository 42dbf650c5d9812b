//! Snappy, through snap.

use super::algorithm::{Algorithm, Compress, Decompress, Outcome, failed, is_far_longer};
use snap::raw::{Decoder, Encoder};

/// One raw block: the number of bytes, then literals and copies.
pub(super) const RAW: Algorithm = Algorithm {
    compressor: |_| Ok(Box::new(Compressor(Encoder::new()))),
    decompressor: || Ok(Box::new(Decompressor(Decoder::new()))),
};

/// The most bytes that one byte of a snappy block can decompress to: a copy of 64 bytes takes two.
pub(super) const RATIO: usize = 32;

struct Compressor(Encoder);

impl Compress for Compressor {
    fn compress(&mut self, block: &[u8], out: &mut Vec<u8>) -> Outcome {
        compress(&mut self.0, block, out).map_err(failed)
    }
}

/// Replaces what is in `out` with some bytes after snappy.
pub(super) fn compress(encoder: &mut Encoder, bytes: &[u8], out: &mut Vec<u8>) -> Result<(), snap::Error> {
    out.resize(snap::raw::max_compress_len(bytes.len()), 0);
    let written = encoder.compress(bytes, out)?;
    out.truncate(written);
    Ok(())
}

const DAMAGED: &str = "what snappy has compressed is damaged";

/// The number of bytes before snappy, `most` at most.
pub(super) fn decompressed_len(stored: &[u8], most: usize) -> Result<usize, &'static str> {
    let len = snap::raw::decompress_len(stored).map_err(|_| DAMAGED)?;
    if len > most.min(stored.len().saturating_mul(RATIO)) {
        return Err("what snappy has compressed is longer than it can be");
    }
    Ok(len)
}

/// Replaces what is in `out` with the bytes before snappy, `most` at most.
pub(super) fn decompress(stored: &[u8], most: usize, out: &mut Vec<u8>) -> Result<(), &'static str> {
    out.resize(decompressed_len(stored, most)?, 0);
    Decoder::new().decompress(stored, out).map(|_| ()).map_err(|_| DAMAGED)
}

struct Decompressor(Decoder);

impl Decompress for Decompressor {
    fn decompress(&mut self, stored: &[u8], size: usize, out: &mut Vec<u8>) -> Outcome {
        let length = snap::raw::decompress_len(stored).map_err(failed)?;
        if length > stored.len().saturating_mul(RATIO) {
            return Err(format!("{length} bytes cannot be in {}", stored.len()));
        }
        if is_far_longer(length, size) {
            return Err(format!("{length} bytes where {size} are expected"));
        }
        out.try_reserve_exact(length).map_err(failed)?;
        out.resize(length, 0);
        let written = self.0.decompress(stored, out).map_err(failed)?;
        out.truncate(written);
        Ok(())
    }
}
