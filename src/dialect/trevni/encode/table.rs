//! Writes the block table of a column (specification, "block descriptor").

use super::super::DESCRIPTOR_BYTES;
use super::column::ColumnEncoder;
use crate::dialect::sums::ColumnSums;
use crate::storage::blocks::Store;
use crate::storage::checksum::{Checksum, RunningSum};

/// Appends what a block table says of a block; `size` and `compressed` count its bytes before and after
/// the codec.
pub(in super::super) fn encode_descriptor(
    rows: u32,
    size: u32,
    compressed: u32,
    first: &[u8],
    out: &mut Vec<u8>,
) {
    out.extend_from_slice(&rows.to_le_bytes());
    out.extend_from_slice(&size.to_le_bytes());
    out.extend_from_slice(&compressed.to_le_bytes());
    out.extend_from_slice(first);
}

impl ColumnEncoder {
    /// Block count and descriptors.
    pub(super) fn descriptors(&self, store: &Store) -> Vec<u8> {
        let mut out = Vec::with_capacity(4 + DESCRIPTOR_BYTES as usize * self.blocks.len());
        out.extend_from_slice(&(self.blocks.len() as u32).to_le_bytes());
        let checksum = self.settings.checksum.size() as u64;
        for (number, block) in self.blocks.iter().enumerate() {
            let compressed = store.size(block.id).saturating_sub(checksum) as u32;
            encode_descriptor(block.rows, block.size, compressed, self.first_value(number), &mut out);
        }
        out
    }

    /// The checksums of the column, whose block count and descriptors are `table`.
    pub(super) fn sums(&self, table: &[u8], store: &Store) -> ColumnSums {
        let mut order = RunningSum::default();
        if self.settings.checksum != Checksum::Null {
            self.blocks.iter().for_each(|block| order.update(&store.sum(block.id)));
        }
        ColumnSums { table: RunningSum::of(table), order: order.value() }
    }

    /// Bytes of the column in the file: block count, descriptors, blocks.
    pub(super) fn file_size(&self, store: &Store) -> u64 {
        let blocks: u64 = self.blocks.iter().map(|block| DESCRIPTOR_BYTES + store.size(block.id)).sum();
        let first_values: u64 = self.first_values.iter().map(|first| first.len() as u64).sum();
        4 + blocks + first_values
    }

    /// Bytes that the column has come to so far: the open block takes as much as those before it did.
    pub(super) fn size(&self, store: &Store) -> u64 {
        let stored = self.file_size(store);
        let size: u64 = self.blocks.iter().map(|block| u64::from(block.size)).sum();
        let open = self.open.len() as u64;
        let share = u128::from(open) * u128::from(stored) / u128::from(size.max(1));
        stored + if size == 0 { open } else { share as u64 }
    }

    /// The first value of a block; empty where descriptors do not hold it.
    fn first_value(&self, number: usize) -> &[u8] {
        self.first_values.get(number).map_or(&[], |first| first)
    }
}
