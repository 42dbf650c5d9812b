//! Zstandard frames, through the zstd crate.

use super::{Codec, read_up_to};
use crate::error::Result;
use zstd::bulk;

/// The level where none is asked for.
const LEVEL: i32 = 3;

pub(crate) struct Compressor(bulk::Compressor<'static>);

impl Compressor {
    pub(crate) fn new(level: Option<i32>) -> Result<Self> {
        bulk::Compressor::new(level.unwrap_or(LEVEL)).map(Self).map_err(|e| Codec::Zstandard.failed(e))
    }

    /// Compresses into an empty buffer.
    pub(crate) fn compress(&mut self, block: &[u8], out: &mut Vec<u8>) -> Result<()> {
        // The library writes to the start of the buffer, which is empty.
        out.reserve(zstd::zstd_safe::compress_bound(block.len()));
        self.0.compress_to_buffer(block, out).map(|_| ()).map_err(|e| Codec::Zstandard.failed(e))
    }
}

pub(crate) struct Decompressor {
    context: bulk::Decompressor<'static>,
}

/// Sizes up to here are given to the library at once; larger ones come in pieces.
const AT_ONCE: usize = 1 << 20;

impl Decompressor {
    pub(crate) fn new() -> Result<Self> {
        let context = bulk::Decompressor::new().map_err(|e| Codec::Zstandard.failed(e))?;
        Ok(Self { context })
    }

    pub(crate) fn decompress(&mut self, stored: &[u8], size: usize, out: &mut Vec<u8>) -> Result<()> {
        let bound = zstd::bulk::Decompressor::upper_bound(stored);
        if size <= AT_ONCE && bound == Some(size) {
            out.reserve_exact(size);
            return match self.context.decompress_to_buffer(stored, out) {
                Ok(_) => Ok(()),
                Err(error) => Err(Codec::Zstandard.failed(error)),
            };
        }
        let stream =
            zstd::stream::read::Decoder::with_buffer(stored).map_err(|e| Codec::Zstandard.failed(e))?;
        read_up_to(stream, size, out).map_err(|e| Codec::Zstandard.failed(e))
    }
}
