//! No compression: blocks are stored as they are.

use super::algorithm::{Algorithm, Compress, Decompress, Outcome};

/// Bytes as they are.
pub(super) const PLAIN: Algorithm =
    Algorithm { compressor: |_| Ok(Box::new(Plain)), decompressor: || Ok(Box::new(Plain)) };

struct Plain;

impl Compress for Plain {
    fn compress(&mut self, block: &[u8], out: &mut Vec<u8>) -> Outcome {
        out.extend_from_slice(block);
        Ok(())
    }
}

impl Decompress for Plain {
    fn decompress(&mut self, stored: &[u8], _size: usize, out: &mut Vec<u8>) -> Outcome {
        out.extend_from_slice(stored);
        Ok(())
    }
}
