//! Takes the bytes of a block out of its stored ones: checksum and codec.

use super::table::{Block, BlockTable};
use crate::error::Result;
use crate::storage::codec::{Codec, Decompressors};

impl BlockTable {
    /// The bytes of a block before the codec, compared with the checksum: part of `stored`, the bytes of the
    /// block in the file, or `data`.
    ///
    /// # Errors
    ///
    /// Bytes that the codec or the checksum refuses.
    pub(crate) fn unpack<'a>(
        &self,
        block: &Block,
        stored: &'a [u8],
        decompressors: &Decompressors,
        data: &'a mut Vec<u8>,
    ) -> Result<&'a [u8]> {
        let (compressed, checksum) = stored.split_at(stored.len().min(block.compressed as usize));
        if self.codec == Codec::Null {
            self.checksum.verify(compressed, checksum, true)?;
            return Ok(compressed);
        }
        decompressors.decompress(self.codec, compressed, block.size as usize, data)?;
        self.checksum.verify(data, checksum, false)?;
        Ok(data)
    }
}
