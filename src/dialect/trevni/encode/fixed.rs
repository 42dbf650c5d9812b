//! Decides whether the integers of a column have a fixed width.

use super::column::ColumnEncoder;
use super::decode_block::decode_block;
use super::encode_block::{BlockSettings, encode_block};
use crate::error::Result;

impl ColumnEncoder {
    /// Gives integers a fixed width where those of the open block, which are the column's first, take
    /// fewer bytes so. Before there are values nothing is decided.
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
