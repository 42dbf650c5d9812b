//! Raw deflate streams (RFC 1951), through flate2.

use super::{Codec, justified};
use crate::error::Result;
use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// The most bytes that one byte of a deflate stream can stand for.
const RATIO: usize = 1032;

pub(crate) struct Compressor(Compress);

impl Compressor {
    pub(crate) fn new(level: Option<i32>) -> Self {
        let level = level.and_then(|level| u32::try_from(level).ok());
        Self(Compress::new(level.map_or_else(Compression::default, Compression::new), false))
    }

    pub(crate) fn compress(&mut self, block: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.0.reset();
        out.reserve(block.len() / 2 + 64);
        loop {
            let rest = block.get(self.0.total_in() as usize..).unwrap_or_default();
            match self.0.compress_vec(rest, out, FlushCompress::Finish) {
                Ok(Status::StreamEnd) => return Ok(()),
                Ok(_) => out.reserve(rest.len() / 2 + 64),
                Err(error) => return Err(Codec::Deflate.failed(error)),
            }
        }
    }
}

pub(crate) struct Decompressor(Decompress);

impl Decompressor {
    pub(crate) fn new() -> Self {
        Self(Decompress::new(false))
    }

    pub(crate) fn decompress(&mut self, stored: &[u8], size: usize, out: &mut Vec<u8>) -> Result<()> {
        self.0.reset(false);
        // One byte more than asked for, so that the end of the stream is reached.
        out.reserve_exact(justified(stored.len(), RATIO, size) + 1);
        loop {
            let (read, written) = (self.0.total_in(), self.0.total_out());
            let rest = stored.get(read as usize..).unwrap_or_default();
            match self.0.decompress_vec(rest, out, FlushDecompress::Finish) {
                Ok(Status::StreamEnd) => return Ok(()),
                Ok(_) if out.len() >= size.max(1) => return Ok(()),
                Ok(_) if read == self.0.total_in() && written == self.0.total_out() => {
                    if out.len() < out.capacity() {
                        return Err(Codec::Deflate.failed("the stream is cut short"));
                    }
                    out.reserve(64);
                }
                Ok(_) => {}
                Err(error) => return Err(Codec::Deflate.failed(error)),
            }
        }
    }
}
