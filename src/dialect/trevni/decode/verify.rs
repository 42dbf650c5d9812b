//! What is looked at where a whole file is checked.

use super::file::File;
use crate::bytes::reader::Bytes;
use crate::error::{Error, ErrorKind, Result};
use crate::storage::value_type::ValueType;
use crate::storage::values::next_value;
use crate::storage::zone_map;
use std::ops::Range;

impl File<'_> {
    /// Where the header is.
    pub(crate) fn frame(&self) -> Range<u64> {
        0..self.header.end()
    }

    /// Where a column is: its block table and its blocks, which follow each other.
    ///
    /// # Errors
    ///
    /// A table that is damaged.
    pub(crate) fn extent(&self, number: usize) -> Result<Range<u64>> {
        let (column, table) = (self.column(number)?, self.table(number)?);
        // Without blocks there is their number alone.
        let end = table.ends(0).last().unwrap_or(column.start.saturating_add(4));
        Ok(column.start..end)
    }

    /// Looks at the bytes of all blocks of a column: checksums, sizes, first values.
    ///
    /// # Errors
    ///
    /// A source that fails, a table that is damaged.
    pub(crate) fn check_blocks(&self, number: usize, found: impl FnMut(Option<usize>, Error)) -> Result<()> {
        let (column, table) = (self.column(number)?, self.table(number)?);
        let value_type = column.spec.value_type;
        let most = (value_type == ValueType::Boolean, self.limits.entries(self.counted_bytes()));
        table.check_each(&*self.source, &self.decompressors, &self.budget, most, found, |block, at, data| {
            if !column.first_values || block.rows == 0 || column.spec.array {
                return Ok(());
            }
            let first = next_value(&mut Bytes::new(data), value_type).map_err(|error| error.of("a value"))?;
            let same = match (first, table.first_value(at), value_type) {
                ([one], [two], ValueType::Boolean) => one & 1 == two & 1,
                (one, two, _) => one == two,
            };
            if same {
                return Ok(());
            }
            let message = "the block does not begin with the first value of its table".to_owned();
            Err(ErrorKind::Statistics { message }.into())
        })
    }

    /// Whether another column says how many values a column has.
    pub(crate) fn is_counted(&self, number: usize) -> bool {
        self.column(number).is_ok_and(|column| column.spec.parent.is_some())
    }

    /// Whether a column has a zone map, such as it may be.
    ///
    /// # Errors
    ///
    /// A source that fails.
    pub(crate) fn has_zone_map(&self, number: usize) -> Result<bool> {
        Ok(self.zone_map_bytes(number)?.is_some_and(|bytes| zone_map::is_known(&bytes)))
    }
}
