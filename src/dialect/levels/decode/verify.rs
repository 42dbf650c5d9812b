//! What is looked at where a whole file is checked.

use super::file::File;
use crate::error::{Error, Result};
use crate::metadata;
use crate::storage::value_type::ValueType;
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
        let empty = column.start.saturating_add(4);
        Ok(column.start..table.blocks.ends(0).last().unwrap_or(empty))
    }

    /// Looks at the bytes of all blocks of a column: checksums and sizes. First values are compared when values are read.
    ///
    /// # Errors
    ///
    /// A source that fails, a table that is damaged.
    pub(crate) fn check_blocks(&self, number: usize, found: impl FnMut(Option<usize>, Error)) -> Result<()> {
        let table = self.table(number)?;
        let most = (false, self.limits.entries(self.source.size()?));
        table
            .blocks
            .check_each(&*self.source, &self.decompressors, &self.budget, most, found, |_, _, _| Ok(()))
    }

    /// Whether levels say how many values a column has.
    pub(crate) fn is_counted(&self, number: usize) -> bool {
        self.column(number).is_ok_and(|column| column.greatest.definition > 0)
    }

    /// Whether a column is of a group, and holds no values.
    pub(crate) fn holds_nothing(&self, number: usize) -> bool {
        self.column(number).is_ok_and(|column| column.value_type == ValueType::Null)
    }

    /// Whether a column has a zone map, such as it may be.
    pub(crate) fn has_zone_map(&self, number: usize) -> Result<bool> {
        let entries = self.header.column_entries(self.column(number)?);
        Ok(entries.get(metadata::ZONE_MAP).is_some_and(zone_map::is_known))
    }
}
