//! bzip2 streams, through the bzip2 crate on its pure-Rust library.

use super::{Codec, read_up_to};
use crate::error::Result;
use bzip2::Compression;
use bzip2::read::{BzDecoder, BzEncoder};
use std::io::Read;

pub(crate) struct Compressor(Compression);

impl Compressor {
    pub(crate) fn new(level: Option<i32>) -> Self {
        let level = level.and_then(|level| u32::try_from(level).ok());
        Self(level.map_or_else(Compression::best, Compression::new))
    }

    pub(crate) fn compress(&self, block: &[u8], out: &mut Vec<u8>) -> Result<()> {
        BzEncoder::new(block, self.0).read_to_end(out).map(|_| ()).map_err(|e| Codec::Bzip2.failed(e))
    }
}

pub(crate) fn decompress(stored: &[u8], size: usize, out: &mut Vec<u8>) -> Result<()> {
    read_up_to(BzDecoder::new(stored), size, out).map_err(|e| Codec::Bzip2.failed(e))
}
