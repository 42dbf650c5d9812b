//! Appends values and lengths to a column, the type of the values known.

use super::super::Ends;
use super::column::ColumnEncoder;
use crate::error::Result;
use crate::storage::blocks::Sealer;
use crate::storage::values::encode::Values;
use std::ops::Range;

impl ColumnEncoder {
    /// [`ColumnEncoder::append_values`], the type of the values known: from `row` on, to the end or to where
    /// the column has got another type. Gives the row after.
    pub(super) fn append_typed(
        &mut self,
        sealer: &mut Sealer,
        values: &dyn Values,
        ends: Ends<'_>,
        mut row: usize,
    ) -> Result<usize> {
        let value_type = self.value_type;
        while row < ends.rows() {
            self.seal_if_full(sealer)?;
            if self.value_type != value_type {
                break;
            }
            let next = self.rows_for_sure(row, ends, &|entries| values.most(entries));
            let (start, end) = (ends.entries(row), ends.entries(next));
            self.open.append(values, start..end);
            self.open.count((next - row) as u32, (end - start) as u64);
            row = next;
        }
        Ok(row)
    }

    /// [`ColumnEncoder::append_arrays`], the type of the values known: from `row` on, to the end or to where
    /// the column has got another type. Gives the row after.
    pub(super) fn append_typed_arrays(
        &mut self,
        sealer: &mut Sealer,
        offsets: &[u32],
        values: &dyn Values,
        ends: Ends<'_>,
        mut row: usize,
    ) -> Result<usize> {
        let value_type = self.value_type;
        let offset = |at: usize| offsets.get(at).map_or(0, |offset| *offset as usize);
        // A length takes five bytes at most, and so does the run before the first one.
        let most = |entries: Range<usize>| {
            5 * (1 + entries.len()) + values.most(offset(entries.start)..offset(entries.end))
        };
        while row < ends.rows() {
            self.seal_if_full(sealer)?;
            if self.value_type != value_type {
                break;
            }
            let next = self.rows_for_sure(row, ends, &most);
            self.append_entries(offsets, values, ends.entries(row)..ends.entries(next))?;
            self.open.count((next - row) as u32, 0);
            row = next;
        }
        Ok(row)
    }
}
