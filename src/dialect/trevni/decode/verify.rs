//! What is looked at where a whole file is checked.

use super::file::File;
use crate::bytes::reader::Bytes;
use crate::dialect::FileCheck;
use crate::error::{Error, ErrorKind, Result};
use crate::storage::value_type::ValueType;
use crate::storage::values::next_value;
use crate::storage::zone_map;
use std::ops::Range;

impl FileCheck for File<'_> {
    fn frame(&self) -> Result<Vec<Range<u64>>> {
        let header = 0..self.header.end();
        Ok(vec![header])
    }

    fn extents(&self, number: usize) -> Result<Vec<Range<u64>>> {
        let (column, table) = (self.column(number)?, self.table(number)?);
        // Without blocks there is their number alone.
        let extent = column.start..table.ends(0).last().unwrap_or(column.start.saturating_add(4));
        Ok(vec![extent])
    }

    fn check_blocks(&self, number: usize, found: &mut dyn FnMut(Option<usize>, Error)) -> Result<()> {
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

    fn is_counted(&self, number: usize) -> bool {
        self.column(number).is_ok_and(|column| column.spec.parent.is_some())
    }

    fn has_zone_map(&self, number: usize) -> Result<bool> {
        Ok(self.zone_map_bytes(number)?.is_some_and(|bytes| zone_map::is_known(&bytes)))
    }
}
