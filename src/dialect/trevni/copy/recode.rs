//! Gives blocks another codec or checksum, without decoding their values.

use super::target::Target;
use super::{Work, stored};
use crate::dialect::trevni::decode::File;
use crate::error::{Error, Result};
use crate::storage::blocks::{BlockOrder, BlockTable};
use crate::storage::codec::{ColumnType, Compressors, Uncompressed};
use std::ops::Range;

/// A block that is not in any file yet.
#[derive(Debug)]
pub(super) struct Made {
    pub(super) rows: u32,
    /// Bytes before the codec.
    pub(super) size: u32,
    /// Bytes after the codec, without the checksum.
    pub(super) compressed: u32,
    /// The first value, where descriptors hold it.
    pub(super) first: Vec<u8>,
    /// Compressed bytes and checksum.
    pub(super) stored: Vec<u8>,
}

/// Compresses a block, and adds the checksum.
pub(super) fn pack(
    compressors: &mut Compressors,
    target: Target,
    rows: u32,
    (block, column_type): (&[u8], ColumnType),
    first: Vec<u8>,
) -> Result<Made> {
    let too_large = |_| Error::too_large("the size of a block", block.len() as u64, u64::from(u32::MAX));
    let uncompressed = Uncompressed::Bytes(block);
    let mut stored =
        compressors.compress_block(target.codec, uncompressed, column_type, target.checksum.size())?;
    let compressed = u32::try_from(stored.len()).map_err(too_large)?;
    let sum = target.checksum.of(if target.codec.encodes_values() { &stored } else { block });
    stored.extend_from_slice(sum.as_slice().as_flattened());
    Ok(Made { rows, size: u32::try_from(block.len()).map_err(too_large)?, compressed, first, stored })
}

/// Packs blocks that follow each other once more.
pub(super) fn recode(
    (file, number): (&File<'_>, usize),
    table: &BlockTable,
    blocks: Range<usize>,
    target: Target,
    work: &mut Work,
    mut push: impl FnMut(Made) -> Result<()>,
) -> Result<()> {
    let Work { compressors, stored: buffer, data } = work;
    let spec = file.column(number)?.spec;
    let column_type = ColumnType { value_type: Some(spec.value_type), array: spec.array };
    let mut order = BlockOrder::from_table(table);
    for group in stored::groups(table, blocks) {
        let bytes = stored::read(file, stored::place(table, &group), buffer)
            .map_err(|error| error.in_block(group.start))?;
        stored::unpack_each((file, table), group, bytes, &mut order, data, |number, block, data| {
            push(pack(
                compressors,
                target,
                block.rows,
                (data, column_type),
                table.first_value(number).to_vec(),
            )?)
        })?;
    }
    Ok(())
}
