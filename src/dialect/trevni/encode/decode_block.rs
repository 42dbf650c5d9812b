//! Decodes a block that has been written, because it must be written in another way.

use crate::dialect::trevni::columns::untyped;
use crate::dialect::trevni::decode::block::BlockReader;
use crate::error::Result;
use crate::storage::value_type::ValueType;
use crate::vector::{Offsets, Vector};

/// The lengths and values of a block before the codec; a column that is no array has no lengths.
pub(super) fn decode_block(
    value_type: ValueType,
    array: bool,
    entries: u64,
    data: &[u8],
) -> Result<(Offsets, Vector)> {
    let mut offsets = Offsets::default();
    let mut values = Vector::of(&untyped::simple(value_type));
    let entries = usize::try_from(entries).unwrap_or(usize::MAX);
    let mut reader = BlockReader::default();
    if array {
        reader.arrays(data, value_type, entries, &mut offsets, &mut values)?;
    } else {
        reader.values(data, value_type, entries, &mut values)?;
    }
    Ok((offsets, values))
}
