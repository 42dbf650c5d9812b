//! Takes the bytes of a block out of its stored ones: checksum and codec.

use super::table::{Block, BlockTable};
use crate::error::Result;
use crate::storage::checksum::Placement;
use crate::storage::codec::{Codec, ColumnType, Cursor, Decompressors, TakeRoom};

impl BlockTable {
    /// The compressed bytes of a block, and its checksum, of all that is stored of it.
    pub(crate) fn split_sum<'a>(&self, block: &Block, stored: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        match self.form.checksum {
            Placement::BeforeLittle => {
                let (checksum, compressed) = stored.split_at(stored.len().min(self.checksum.size()));
                (compressed, checksum)
            }
            Placement::After | Placement::AfterLittle => {
                stored.split_at(stored.len().min(block.compressed as usize))
            }
        }
    }

    /// The bytes of a block before the codec, compared with the checksum: part of `stored`, the bytes of the
    /// block in the file, or `data`. `room` is called with the memory that this takes beside `stored` before it is taken.
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
        room: &mut TakeRoom<'_>,
    ) -> Result<&'a [u8]> {
        let (compressed, checksum) = self.split_sum(block, stored);
        if self.codec == Codec::Null {
            room(data.capacity())?;
            self.verify(compressed, checksum)?;
            return Ok(compressed);
        }
        if self.codec.sums_stored() {
            self.verify(compressed, checksum)?;
        }
        decompressors.decompress(self.codec, compressed, block.size as usize, data, room)?;
        if !self.codec.sums_stored() {
            self.verify(data, checksum)?;
        }
        Ok(data)
    }

    /// Begins to read a block whose codec knows its values; the bytes of what it made of them are `stored`, or `data` where more
    /// than that was done to them. None where the bytes before the codec must be read, which are `data` then.
    ///
    /// # Errors
    ///
    /// As [`BlockTable::unpack`].
    pub(crate) fn open_typed(
        &self,
        block: &Block,
        stored: &[u8],
        column_type: ColumnType,
        decompressors: &Decompressors,
        data: &mut Vec<u8>,
        room: &mut TakeRoom<'_>,
    ) -> Result<Option<Cursor>> {
        let (compressed, checksum) = self.split_sum(block, stored);
        self.verify(compressed, checksum)?;
        decompressors.open(self.codec, compressed, column_type, block.size as usize, data, room)
    }

    fn verify(&self, block: &[u8], checksum: &[u8]) -> Result<()> {
        match self.form.checksum {
            Placement::After => self.checksum.verify(block, checksum, self.has_zero_sums()),
            Placement::AfterLittle | Placement::BeforeLittle => self.checksum.verify_little(block, checksum),
        }
    }
}
