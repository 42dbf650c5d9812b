//! Deflate (RFC 1951), raw, in zlib's wrapper (RFC 1950) and in gzip's (RFC 1952), through flate2.

use super::DEFLATE_RATIO;
use super::algorithm::{Algorithm, Compress, Decompress, Outcome, failed, justified, read_up_to};
use flate2::read::{GzEncoder, MultiGzDecoder};
use flate2::{Compression, FlushCompress, FlushDecompress, Status};
use std::io::Read;

/// One raw stream: neither zlib's header nor gzip's.
pub(super) const RAW: Algorithm = Algorithm {
    compressor: |level| Ok(Box::new(Compressor(flate2::Compress::new(compression(level), false)))),
    decompressor: || Ok(Box::new(Decompressor(flate2::Decompress::new(false)))),
};

/// A zlib stream; gzip and raw streams are read too.
pub(super) const ZLIB: Algorithm = Algorithm {
    compressor: |level| Ok(Box::new(Compressor(flate2::Compress::new(compression(level), true)))),
    decompressor: || Ok(Box::new(AnyWrapper::new())),
};

/// A gzip stream; zlib streams are read too.
pub(super) const GZIP: Algorithm = Algorithm {
    compressor: |level| Ok(Box::new(GzipCompressor(compression(level)))),
    decompressor: || Ok(Box::new(AnyWrapper::new())),
};

fn compression(level: Option<i32>) -> Compression {
    let level = level.and_then(|level| u32::try_from(level).ok());
    level.map_or_else(Compression::default, Compression::new)
}

struct Compressor(flate2::Compress);

impl Compress for Compressor {
    fn compress(&mut self, block: &[u8], out: &mut Vec<u8>) -> Outcome {
        self.0.reset();
        out.reserve(block.len() / 2 + 64);
        loop {
            let rest = left(block, self.0.total_in())?;
            match self.0.compress_vec(rest, out, FlushCompress::Finish) {
                Ok(Status::StreamEnd) => return Ok(()),
                Ok(_) => out.reserve(rest.len() / 2 + 64),
                Err(error) => return Err(failed(error)),
            }
        }
    }
}

struct GzipCompressor(Compression);

impl Compress for GzipCompressor {
    fn compress(&mut self, block: &[u8], out: &mut Vec<u8>) -> Outcome {
        GzEncoder::new(block, self.0).read_to_end(out).map(|_| ()).map_err(failed)
    }
}

struct Decompressor(flate2::Decompress);

impl Decompress for Decompressor {
    fn decompress(&mut self, stored: &[u8], size: usize, out: &mut Vec<u8>) -> Outcome {
        self.inflate(false, stored, size, out)
    }
}

/// Reads streams in any wrapper, which their first bytes tell.
struct AnyWrapper(Decompressor);

impl AnyWrapper {
    fn new() -> Self {
        Self(Decompressor(flate2::Decompress::new(true)))
    }
}

impl Decompress for AnyWrapper {
    fn decompress(&mut self, stored: &[u8], size: usize, out: &mut Vec<u8>) -> Outcome {
        match stored {
            [0x1f, 0x8b, ..] => read_up_to(MultiGzDecoder::new(stored), size, out),
            [first, second, ..] => {
                // The method is deflate, and the two bytes are a multiple of 31.
                let header = u16::from_be_bytes([*first, *second]);
                self.0.inflate(first & 0x0f == 8 && header.is_multiple_of(31), stored, size, out)
            }
            _ => self.0.inflate(false, stored, size, out),
        }
    }
}

/// What has not been read of some bytes.
fn left(bytes: &[u8], read: u64) -> Outcome<&[u8]> {
    bytes.get(read as usize..).ok_or_else(|| failed("more bytes have been read than there are"))
}

impl Decompressor {
    fn inflate(&mut self, zlib: bool, stored: &[u8], size: usize, out: &mut Vec<u8>) -> Outcome {
        self.0.reset(zlib);
        // One byte more than asked for, so that the end of the stream is reached.
        out.reserve_exact(justified(stored.len(), DEFLATE_RATIO, size) + 1);
        loop {
            let (read, written) = (self.0.total_in(), self.0.total_out());
            let rest = left(stored, read)?;
            match self.0.decompress_vec(rest, out, FlushDecompress::Finish) {
                Ok(Status::StreamEnd) => return Ok(()),
                Ok(_) if out.len() >= size.max(1) => return Ok(()),
                Ok(_) if read == self.0.total_in() && written == self.0.total_out() => {
                    if out.len() < out.capacity() {
                        return Err(failed("the stream is cut short"));
                    }
                    out.reserve(64);
                }
                Ok(_) => {}
                Err(error) => return Err(failed(error)),
            }
        }
    }
}
