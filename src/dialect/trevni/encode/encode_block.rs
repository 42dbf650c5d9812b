//! Encodes some rows of a column as one block, or decodes one that must be written in another way.

use super::column::ColumnEncoder;
use crate::bytes::buffer::Buffer;
use crate::dialect::ColumnSettings;
use crate::dialect::trevni::columns::untyped;
use crate::dialect::trevni::decode::block::BlockReader;
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

/// The lengths and values of a block before the codec; a column that is no array has no lengths.
pub(super) fn decode_block(
    value_type: ValueType,
    array: bool,
    entries: u64,
    data: &[u8],
) -> Result<(Offsets, Vector)> {
    let mut offsets = Offsets::default();
    let mut values = Vector::new(&untyped::simple(value_type));
    let entries = usize::try_from(entries).unwrap_or(usize::MAX);
    let mut reader = BlockReader::default();
    if array {
        reader.arrays(data, value_type, entries, &mut offsets, &mut values)?;
    } else {
        reader.values(data, value_type, entries, &mut values)?;
    }
    Ok((offsets, values))
}

impl ColumnEncoder {
    /// Stores integers at a fixed width if that makes the open block, the first of the column, smaller.
    /// Before there are values nothing is decided.
    pub(super) fn decide_width(&mut self) -> Result<()> {
        let Some((fixed, width)) = self.value_type.fixed() else {
            return Ok(());
        };
        let values = if self.array { self.total } else { self.open.entries() };
        if values == 0 {
            return Ok(());
        }
        self.undecided = false;
        if self.open.len() as u64 <= width as u64 * values {
            return Ok(());
        }
        let (offsets, values) =
            decode_block(self.value_type, self.array, self.open.entries(), self.open.as_slice())?;
        let settings =
            BlockSettings { value_type: fixed, runs: self.settings.runs, first_values: false, zones: false };
        let offsets = self.array.then_some(&offsets);
        let block = encode_block(settings, self.open.rows(), offsets, &values)?.data;
        // Lengths take as many bytes in both.
        if block.len() < self.open.len() {
            self.value_type = fixed;
            self.open.replace(block);
        }
        Ok(())
    }
}
