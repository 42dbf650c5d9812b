//! Reads blocks as they are stored, many at once.

use crate::dialect::trevni::decode::File;
use crate::error::{Error, Result};
use crate::storage::blocks::{Block, BlockOrder, BlockTable};
use crate::storage::budget::Hold;
use std::ops::Range;

/// About how many stored bytes are read and copied at once.
const COPY_BYTES: u64 = 1 << 20;

/// Where blocks that follow each other are in the file.
pub(super) fn place(table: &BlockTable, blocks: &Range<usize>) -> Range<u64> {
    let mut blocks = table.range(blocks.clone());
    let Some(first) = blocks.next() else {
        return 0..0;
    };
    let last = blocks.last().unwrap_or(first);
    first.offset..last.offset + table.stored(&last) as u64
}

/// Parts of a range of bytes, none of them too large.
pub(super) fn chunks(range: Range<u64>) -> impl Iterator<Item = Range<u64>> {
    let end = range.end;
    let start = move |at: &u64| *at..end.min(at.saturating_add(COPY_BYTES));
    (range.start..end).step_by(COPY_BYTES as usize).map(move |at| start(&at))
}

/// Parts of a range of blocks, none of them too large but for single blocks.
pub(super) fn groups(table: &BlockTable, blocks: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let mut next = blocks.start;
    std::iter::from_fn(move || {
        let start = next;
        let mut size = 0;
        let fits = table.range(start..blocks.end).take_while(|block| {
            size += table.stored(block) as u64;
            size <= COPY_BYTES
        });
        next += fits.count().max(1);
        (start < blocks.end).then_some(start..next)
    })
}

/// Bytes of the file.
pub(super) fn read<'a>(file: &'a File<'_>, range: Range<u64>, buffer: &'a mut Vec<u8>) -> Result<&'a [u8]> {
    let len = usize::try_from(range.end.saturating_sub(range.start))
        .map_err(|_| Error::too_large("the size of a block", range.end - range.start, usize::MAX as u64))?;
    if let Some(slice) = file.source.slice(range.start, len) {
        return Ok(slice);
    }
    buffer.resize(len, 0);
    file.source.read_at(range.start, buffer)?;
    Ok(buffer)
}

/// Calls with the checksum of each of some blocks as it is stored; nothing else of them is read.
pub(super) fn each_sum(
    file: &File<'_>,
    table: &BlockTable,
    blocks: Range<usize>,
    mut call: impl FnMut(&[u8]),
) -> Result<()> {
    let mut buffer = Vec::new();
    for block in table.range(blocks) {
        let start = block.offset + u64::from(block.compressed);
        let end = block.offset + table.stored(&block) as u64;
        call(read(file, start..end, &mut buffer)?);
    }
    Ok(())
}

/// Calls with each of some blocks, whose stored bytes are given: its bytes before the codec, compared
/// with the checksum. `order` takes note of the checksums.
pub(super) fn unpack_each(
    (file, table): (&File<'_>, &BlockTable),
    blocks: Range<usize>,
    mut stored: &[u8],
    order: &mut Option<BlockOrder>,
    data: &mut Vec<u8>,
    mut call: impl FnMut(usize, &Block, &[u8]) -> Result<()>,
) -> Result<()> {
    let mut memory = Hold::new(&file.budget);
    for (number, block) in blocks.clone().zip(table.range(blocks)) {
        let (own, rest) = stored.split_at(stored.len().min(table.stored(&block)));
        stored = rest;
        table
            .unpack(&block, own, &file.decompressors, data, &mut memory.beside(0))
            .and_then(|data| call(number, &block, data))
            .and_then(|()| match order {
                Some(order) => order.take(table, number, table.split_sum(&block, own).1),
                None => Ok(()),
            })
            .map_err(|error| error.in_block(number).at_offset(block.offset))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::checksum::Checksum;
    use crate::storage::codec::Codec;

    #[test]
    fn groups_are_not_too_large() {
        let blocks = [400 << 10, 600 << 10, 2 << 20, 5, 5, 1 << 20].map(|compressed| (1, compressed));
        let table = BlockTable::from_codec(Codec::Snappy, Checksum::Crc32, &blocks, 0);
        let found = |range| groups(&table, range).collect::<Vec<_>>();
        assert_eq!(found(0..6), [0..2, 2..3, 3..5, 5..6]);
        assert!(found(3..3).is_empty());
        assert_eq!(
            chunks(5..(2 << 20) + 5).collect::<Vec<_>>(),
            [5..COPY_BYTES + 5, COPY_BYTES + 5..2 * COPY_BYTES + 5]
        );
        assert_eq!(chunks(7..7).count(), 0);
    }
}
