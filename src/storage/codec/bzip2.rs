//! bzip2, through the bzip2 crate on its pure-Rust library.

use super::algorithm::{Algorithm, Compress, Decompress, Outcome, failed, read_up_to};
use bzip2::Compression;
use bzip2::read::{BzDecoder, BzEncoder};
use std::io::Read;

/// One stream with its header.
pub(super) const STREAM: Algorithm = Algorithm {
    compressor: |level| Ok(Box::new(Compressor(compression(level)))),
    decompressor: || Ok(Box::new(Decompressor)),
};

fn compression(level: Option<i32>) -> Compression {
    let level = level.and_then(|level| u32::try_from(level).ok());
    level.map_or_else(Compression::best, Compression::new)
}

struct Compressor(Compression);

impl Compress for Compressor {
    fn compress(&mut self, block: &[u8], out: &mut Vec<u8>) -> Outcome {
        BzEncoder::new(block, self.0).read_to_end(out).map(|_| ()).map_err(failed)
    }
}

struct Decompressor;

impl Decompress for Decompressor {
    fn decompress(&mut self, stored: &[u8], size: usize, out: &mut Vec<u8>) -> Outcome {
        read_up_to(BzDecoder::new(stored), size, out)
    }
}
