//! What is looked at where a whole file is checked.

use super::super::MAGIC;
use super::file::Column;
use super::file::File;
use super::footer::StoredPart;
use crate::dialect::FileCheck;
use crate::error::{Error, Result};
use crate::storage::checksum::RunningSum;
use crate::storage::value_type::ValueType;
use std::ops::Range;

/// Bytes that are read at once.
const READ_BYTES: u64 = 64 << 10;

impl FileCheck for File<'_> {
    fn frame(&self) -> Result<Vec<Range<u64>>> {
        let end = self.len.saturating_sub(16);
        let mut start = [0; 8];
        self.source.read_at(end, &mut start)?;
        Ok(vec![0..MAGIC.len() as u64, u64::from_be_bytes(start).min(end)..self.len])
    }

    fn extents(&self, number: usize) -> Result<Vec<Range<u64>>> {
        self.column(number)?;
        Ok(self.extents(number).map(|(_, extent)| extent.borders[0]..extent.borders[3]).collect())
    }

    fn check_blocks(&self, number: usize, found: &mut dyn FnMut(Option<usize>, Error)) -> Result<()> {
        self.column(number)?;
        let Some(sums) = &self.header.sums else {
            return Ok(());
        };
        let mut buffer = Vec::new();
        for (block, (_, extent)) in self.extents(number).enumerate() {
            for part in extent.parts() {
                let computed = self.sum(&part, &mut buffer)?;
                if let Err(error) = sums.compare(part.number, computed) {
                    found(Some(block), error.at_offset(part.range.start));
                }
            }
        }
        Ok(())
    }

    fn is_counted(&self, number: usize) -> bool {
        self.column(number).is_ok_and(|column| column.greatest.definition > 0)
    }

    fn holds_nothing(&self, number: usize) -> bool {
        self.column(number).is_ok_and(|column| column.is_nothing)
    }

    fn has_zone_map(&self, number: usize) -> Result<bool> {
        Ok(self.header.zones.is_some() && !self.holds_nothing(number) && self.tells_of_all_above(number))
    }
}

impl File<'_> {
    /// The checksum that a part has.
    fn sum(&self, part: &StoredPart, buffer: &mut Vec<u8>) -> Result<u32> {
        let (mut sum, mut at) = (RunningSum::default(), part.range.start);
        while at < part.range.end {
            let len = (part.range.end - at).min(READ_BYTES);
            match self.source.slice(at, len as usize) {
                Some(bytes) => sum.update(bytes),
                None => {
                    buffer.resize(len as usize, 0);
                    self.source.read_at(at, buffer)?;
                    sum.update(buffer);
                }
            }
            at += len;
        }
        Ok(sum.value())
    }

    /// The type of the values of a column.
    ///
    /// # Errors
    ///
    /// A number that is not there.
    pub(crate) fn value_type(&self, number: usize) -> Result<ValueType> {
        self.column(number).map(Column::value_type)
    }
}
