//! Raw LZ4 blocks, through lz4_flex.

use super::{Codec, justified};
use crate::error::Result;
use lz4_flex::block;

/// The most bytes that one byte of an LZ4 block can stand for.
const RATIO: usize = 255;

pub(crate) fn compress(data: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&block::compress(data));
}

pub(crate) fn decompress(stored: &[u8], size: usize, out: &mut Vec<u8>) -> Result<()> {
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
                if expected > room && expected <= stored.len().saturating_mul(RATIO).saturating_add(64) =>
            {
                room = expected.max(room.saturating_mul(2));
            }
            Err(error) => {
                out.clear();
                return Err(Codec::Lz4.failed(error));
            }
        }
    }
}
