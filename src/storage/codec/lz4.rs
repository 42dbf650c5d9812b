//! LZ4, through lz4_flex.

use super::algorithm::{Algorithm, Compress, Decompress, Outcome, failed, is_far_longer, justified};
use lz4_flex::block;

/// One raw block: no frame, and no size in front.
pub(super) const RAW: Algorithm =
    Algorithm { compressor: |_| Ok(Box::new(Lz4)), decompressor: || Ok(Box::new(Lz4)) };

/// The most bytes that one byte of an LZ4 block can decompress to.
const RATIO: usize = 255;

struct Lz4;

impl Compress for Lz4 {
    fn compress(&mut self, data: &[u8], out: &mut Vec<u8>) -> Outcome {
        out.extend_from_slice(&block::compress(data));
        Ok(())
    }
}

impl Decompress for Lz4 {
    fn decompress(&mut self, stored: &[u8], size: usize, out: &mut Vec<u8>) -> Outcome {
        // The block does not say how long its content is; it may be longer than asked for.
        let mut room = justified(stored.len(), RATIO, size.max(64)).max(size.min(64));
        loop {
            out.reserve_exact(room.saturating_sub(out.len()));
            out.resize(room, 0);
            match block::decompress_into(stored, out) {
                Ok(written) => {
                    out.truncate(written);
                    return Ok(());
                }
                Err(block::DecompressError::OutputTooSmall { expected, .. })
                    if expected > room
                        && expected <= stored.len().saturating_mul(RATIO).saturating_add(64) =>
                {
                    if is_far_longer(expected, size) {
                        out.clear();
                        return Err(format!("{expected} bytes or more where {size} are expected"));
                    }
                    room = expected.max(room.saturating_mul(2));
                }
                Err(error) => {
                    out.clear();
                    return Err(failed(error));
                }
            }
        }
    }
}
