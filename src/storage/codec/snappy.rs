//! Raw snappy blocks, through snap.

use super::Codec;
use crate::error::Result;

/// The most bytes that one byte of a snappy block can stand for: a copy of 64 bytes takes two.
const RATIO: usize = 32;

pub(crate) struct Compressor {
    encoder: snap::raw::Encoder,
}

impl Compressor {
    pub(crate) fn new() -> Self {
        Self { encoder: snap::raw::Encoder::new() }
    }

    pub(crate) fn compress(&mut self, block: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let start = out.len();
        out.resize(start + snap::raw::max_compress_len(block.len()), 0);
        let room = out.get_mut(start..).unwrap_or_default();
        let written = self.encoder.compress(block, room).map_err(|e| Codec::Snappy.failed(e))?;
        out.truncate(start + written);
        Ok(())
    }
}

pub(crate) struct Decompressor {
    decoder: snap::raw::Decoder,
}

impl Decompressor {
    pub(crate) fn new() -> Self {
        Self { decoder: snap::raw::Decoder::new() }
    }

    pub(crate) fn decompress(&mut self, stored: &[u8], _size: usize, out: &mut Vec<u8>) -> Result<()> {
        let length = snap::raw::decompress_len(stored).map_err(|e| Codec::Snappy.failed(e))?;
        if length > stored.len().saturating_mul(RATIO) {
            return Err(Codec::Snappy.failed(format_args!("{length} bytes cannot be in {}", stored.len())));
        }
        out.reserve_exact(length.saturating_sub(out.len()));
        out.resize(length, 0);
        let written = self.decoder.decompress(stored, out).map_err(|e| Codec::Snappy.failed(e))?;
        out.truncate(written);
        Ok(())
    }
}
