//! Takes all blocks of a column out of their stored bytes, whether or not the ones before are whole.

use super::order::BlockOrder;
use super::table::{Block, BlockTable};
use crate::error::{Error, ErrorKind, Result};
use crate::storage::budget::{Budget, Hold};
use crate::storage::codec::Decompressors;
use crate::storage::source::Source;
use std::sync::Arc;

impl BlockTable {
    /// Calls with each block and its bytes before the codec, or what is wrong with them; the number is `None` where it is
    /// about all blocks together. Whether they are booleans, and the values that the file may have, bound the work.
    ///
    /// # Errors
    ///
    /// A source that fails.
    pub(crate) fn check_each(
        &self,
        source: &dyn Source,
        decompressors: &Decompressors,
        budget: &Arc<Budget>,
        (booleans, values_max): (bool, u64),
        mut found: impl FnMut(Option<usize>, Error),
        mut each: impl FnMut(&Block, usize, &[u8]) -> Result<()>,
    ) -> Result<()> {
        let mut order = BlockOrder::from_table(self);
        let (mut buffer, mut data, mut memory) = (Vec::new(), Vec::new(), Hold::new(budget));
        let file_len = source.size()?;
        for (number, block) in self.iter().enumerate() {
            let len = self.stored(&block);
            if let Some(error) = self.missing(&block, file_len) {
                order = None;
                found(Some(number), error);
                continue;
            }
            let room = len.saturating_add(data.capacity());
            let work = budget.unpack(u64::from(block.size), booleans, values_max);
            if let Err(error) = work.and_then(|()| memory.at_least(room as u64)) {
                order = None;
                found(Some(number), error.at_offset(block.offset));
                continue;
            }
            let stored = match source.slice(block.offset, len) {
                Some(stored) => stored,
                None => {
                    buffer.resize(len, 0);
                    source.read_at(block.offset, &mut buffer)?;
                    &buffer
                }
            };
            let here = |error: Error| error.at_offset(block.offset);
            match self.unpack(&block, stored, decompressors, &mut data, &mut memory.beside(len)) {
                Ok(data) => {
                    if data.len() != block.size as usize {
                        let (found_size, size) = (data.len(), block.size);
                        let message = format!("the block has {found_size} bytes, and the table says {size}");
                        found(Some(number), here(ErrorKind::Statistics { message }.into()));
                    }
                    if let Err(error) = each(&block, number, data) {
                        found(Some(number), here(error));
                    }
                }
                Err(error) => {
                    // Then the checksum may be the damaged part, and the order is not known.
                    if matches!(error.kind(), ErrorKind::Checksum { .. }) {
                        order = None;
                    }
                    found(Some(number), here(error));
                }
            }
            if let Some(order) = &mut order
                && let Err(error) = order.take(self, number, self.split_sum(&block, stored).1)
            {
                found(None, error);
            }
        }
        Ok(())
    }
}
