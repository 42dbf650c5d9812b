//! Hadoop's framing of codecs that compress blocks: sizes, big-endian, before each of them.

use super::algorithm::{Algorithm, Compress, Decompress, Outcome};
#[cfg(feature = "lz4")]
use super::lz4;
use super::snappy;
use crate::bytes::reader::{Bytes, Malformed};

/// Blocks of raw snappy.
pub(super) const SNAPPY: Algorithm = Algorithm {
    compressor: |level| Ok(Box::new(Framed::new((snappy::RAW.compressor)(level)?))),
    decompressor: || Ok(Box::new(Framed::new((snappy::RAW.decompressor)()?))),
};

/// Blocks of raw LZ4.
#[cfg(feature = "lz4")]
pub(super) const LZ4: Algorithm = Algorithm {
    compressor: |level| Ok(Box::new(Framed::new((lz4::RAW.compressor)(level)?))),
    decompressor: || Ok(Box::new(Framed::new((lz4::RAW.decompressor)()?))),
};

/// The most bytes of a block that is written: what fits Java's buffers of 256 KiB when it does not shrink.
const BLOCK_BYTES: usize = 192 << 10;

/// A codec in the framing.
struct Framed<C: ?Sized> {
    chunk: Vec<u8>,
    codec: Box<C>,
}

impl<C: ?Sized> Framed<C> {
    fn new(codec: Box<C>) -> Self {
        Self { chunk: Vec::new(), codec }
    }
}

/// A block of one chunk for each piece; of nothing, a block of no bytes.
impl Compress for Framed<dyn Compress> {
    fn compress(&mut self, block: &[u8], out: &mut Vec<u8>) -> Outcome {
        if block.is_empty() {
            out.extend_from_slice(&[0; 4]);
        }
        for piece in block.chunks(BLOCK_BYTES) {
            self.chunk.clear();
            self.codec.compress(piece, &mut self.chunk)?;
            out.extend_from_slice(&size(piece.len())?);
            out.extend_from_slice(&size(self.chunk.len())?);
            out.extend_from_slice(&self.chunk);
        }
        Ok(())
    }
}

fn size(size: usize) -> Outcome<[u8; 4]> {
    let size = i32::try_from(size).map_err(|_| format!("a chunk of {size} bytes"))?;
    Ok(size.to_be_bytes())
}

impl Decompress for Framed<dyn Decompress> {
    fn decompress(&mut self, stored: &[u8], size: usize, out: &mut Vec<u8>) -> Outcome {
        let mut bytes = Bytes::new(stored);
        loop {
            let mut left = length(&mut bytes)?;
            while left > 0 {
                let chunk = length(&mut bytes)?;
                let chunk = bytes.take(chunk).map_err(cut)?;
                self.chunk.clear();
                self.codec.decompress(chunk, left, &mut self.chunk)?;
                let found = self.chunk.len();
                left = left
                    .checked_sub(found)
                    .filter(|_| found > 0)
                    .ok_or_else(|| format!("a chunk of {found} bytes where {left} are left of its block"))?;
                out.extend_from_slice(&self.chunk);
                if out.len() >= size.max(1) {
                    return Ok(());
                }
            }
            if bytes.remaining() == 0 {
                return Ok(());
            }
        }
    }
}

fn length(bytes: &mut Bytes<'_>) -> Outcome<usize> {
    let length = bytes.array().map(i32::from_be_bytes).map_err(cut)?;
    usize::try_from(length).map_err(|_| format!("a block or chunk of {length} bytes"))
}

#[cold]
fn cut(_: Malformed) -> String {
    "the stream is cut short".to_owned()
}
