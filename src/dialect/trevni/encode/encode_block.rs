//! Encodes some rows of a column as one block.

use super::column::ColumnEncoder;
use crate::bytes::buffer::Buffer;
use crate::dialect::ColumnSettings;
use crate::error::Result;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use crate::storage::value_type::ValueType;
use crate::storage::zone_map::Zone;
use crate::vector::{Offsets, Vector};

/// How a block is encoded, whatever its codec.
#[derive(Clone, Copy, Debug)]
pub(in super::super) struct BlockSettings {
    pub(in super::super) value_type: ValueType,
    pub(in super::super) runs: bool,
    pub(in super::super) first_values: bool,
    pub(in super::super) zones: bool,
}

/// A block before the codec.
pub(in super::super) struct EncodedBlock {
    pub(in super::super) data: Buffer,
    /// The first value, where descriptors hold it.
    pub(in super::super) first: Vec<u8>,
    /// What is known of the values, where that is wanted.
    pub(in super::super) zone: Zone,
    /// Whether the values are known to ascend.
    pub(in super::super) ascending: bool,
}

/// Encodes rows; `offsets` are the ends of lists, in an array column.
pub(in super::super) fn encode_block(
    settings: BlockSettings,
    rows: u32,
    offsets: Option<&Offsets>,
    values: &Vector,
) -> Result<EncodedBlock> {
    let column = ColumnSettings {
        codec: Codec::Null,
        checksum: Checksum::Null,
        block_size: None,
        runs: settings.runs,
        first_values: settings.first_values,
        zones: settings.zones,
        fixed_integers: false,
    };
    let mut encoder = ColumnEncoder::new(settings.value_type, offsets.is_some(), column);
    match offsets {
        Some(offsets) => encoder.append_rows(rows, offsets, Some(values))?,
        None => encoder.append_plain(rows, values),
    }
    encoder.into_open_block()
}
