//! Reads the block table of a column (specification, "block descriptor").

use super::header::ColumnHeader;
use crate::bytes::reader::{Bytes, Malformed, Read};
use crate::dialect::sums::ColumnSums;
use crate::error::{ErrorKind, Result};
use crate::storage::blocks::DESCRIPTOR_BYTES;
use crate::storage::blocks::{BlockSizes, Extents};
use crate::storage::values::next_value;

/// What the descriptors of all blocks say.
pub(super) struct Descriptors {
    pub(super) sizes: Vec<BlockSizes>,
    /// The first values of all blocks, where the column has first values; else none.
    pub(super) first_values: Vec<Box<[u8]>>,
    /// Bytes of the block count and the descriptors.
    pub(super) len: u64,
    /// The checksum of the blocks' checksums, where the column says it.
    pub(super) order: Option<u32>,
}

/// Reads the descriptors of a column. `left` counts the bytes of the file from the table on, `rows` the
/// rows of the file; `extents` tells what there is room for, `sums` are the column's checksums where they count.
///
/// # Errors
///
/// A table that is cut short, sizes that are negative, more rows than the file has, another checksum, or
/// more blocks than there is memory for.
pub(super) fn decode(
    data: &[u8],
    left: u64,
    rows: u64,
    column: &ColumnHeader<'_>,
    extents: &Extents,
    sums: Option<ColumnSums>,
) -> Result<Descriptors> {
    let after = left.saturating_sub(data.len() as u64);
    let cut = |error: Malformed| error.before(after).of("the block table");
    let mut bytes = Bytes::new(data);
    let count = u64::from(bytes.fixed32().map_err(cut)?);
    if count > left / DESCRIPTOR_BYTES {
        let needed = count * DESCRIPTOR_BYTES;
        return Err(Malformed::End { needed, available: left }.of("the block table"));
    }
    extents.check(count)?;
    let room = (count as usize).min(data.len() / DESCRIPTOR_BYTES as usize);
    let (mut sizes, mut first_values) = (Vec::with_capacity(room), Vec::new());
    let mut found = 0u64;
    for number in 0..count as usize {
        let block = block_sizes(&mut bytes).map_err(cut)?;
        let all = [block.rows, block.size, block.compressed].map(u32::cast_signed);
        if let Some(negative) = all.into_iter().find(|size| *size < 0) {
            let error = Malformed::Negative(i64::from(negative));
            return Err(error.of("a block's rows or size").in_block(number));
        }
        found += u64::from(block.rows);
        if found > rows {
            return Err(ErrorKind::RowCount { expected: rows, found }.into());
        }
        sizes.push(block);
        if column.first_values {
            let first = next_value(&mut bytes, column.spec.value_type).map_err(cut)?;
            first_values.push(first.into());
        }
    }
    if let Some(sums) = sums {
        sums.check_table(&data[..bytes.position()])?;
    }
    let order = sums.map(|sums| sums.order);
    Ok(Descriptors { sizes, first_values, len: bytes.position() as u64, order })
}

fn block_sizes(bytes: &mut Bytes<'_>) -> Read<BlockSizes> {
    Ok(BlockSizes { rows: bytes.fixed32()?, size: bytes.fixed32()?, compressed: bytes.fixed32()? })
}
