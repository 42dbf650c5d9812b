//! Appends values and lengths to a column, the type of the values known.

use super::super::Ends;
use super::column::ColumnEncoder;
use crate::error::Result;
use crate::storage::blocks::Sealer;
use crate::storage::values::encode::{Values, Visit};
use crate::vector::Offsets;
use std::ops::Range;

/// [`ColumnEncoder::append_values`], the type of the values known: from `row` on, to the end or to where
/// the column has got another type. Gives the row after.
pub(super) struct AppendValues<'a> {
    pub(super) column: &'a mut ColumnEncoder,
    pub(super) sealer: &'a mut Sealer,
    pub(super) ends: Ends<'a>,
    pub(super) row: usize,
}

impl Visit for AppendValues<'_> {
    type Out = Result<usize>;

    fn visit<V: Values>(self, values: &V) -> Result<usize> {
        let Self { column, sealer, ends, mut row } = self;
        let value_type = column.value_type;
        while row < ends.rows() {
            column.seal_if_full(sealer)?;
            if column.value_type != value_type {
                break;
            }
            let next = column.rows_for_sure(row, ends, |entries| values.most(entries));
            let (start, end) = (ends.entries(row), ends.entries(next));
            column.open.append(values, start..end);
            column.open.count((next - row) as u32, (end - start) as u64);
            row = next;
        }
        Ok(row)
    }
}

/// [`ColumnEncoder::append_arrays`], the type of the values known: from `row` on, to the end or to where
/// the column has got another type. Gives the row after.
pub(super) struct AppendArrays<'a> {
    pub(super) column: &'a mut ColumnEncoder,
    pub(super) sealer: &'a mut Sealer,
    pub(super) offsets: &'a [u32],
    pub(super) ends: Ends<'a>,
    pub(super) row: usize,
}

impl Visit for AppendArrays<'_> {
    type Out = Result<usize>;

    fn visit<V: Values>(self, values: &V) -> Result<usize> {
        let Self { column, sealer, offsets, ends, mut row } = self;
        let value_type = column.value_type;
        let offset = |at: usize| offsets.get(at).map_or(0, |offset| *offset as usize);
        // A length takes five bytes at most, and so does the run before the first one.
        let most = |entries: Range<usize>| {
            5 * (1 + entries.len()) + values.most(offset(entries.start)..offset(entries.end))
        };
        while row < ends.rows() {
            column.seal_if_full(sealer)?;
            if column.value_type != value_type {
                break;
            }
            let next = column.rows_for_sure(row, ends, most);
            column.append_entries(offsets, values, ends.entries(row)..ends.entries(next))?;
            column.open.count((next - row) as u32, 0);
            row = next;
        }
        Ok(row)
    }
}

/// [`ColumnEncoder::append_rows`], the type of the values known.
pub(super) struct AppendEntries<'a> {
    pub(super) column: &'a mut ColumnEncoder,
    pub(super) offsets: &'a Offsets,
}

impl Visit for AppendEntries<'_> {
    type Out = Result<()>;

    fn visit<V: Values>(self, values: &V) -> Result<()> {
        self.column.append_entries(self.offsets.as_slice(), values, 0..self.offsets.len())
    }
}

/// [`ColumnEncoder::append_plain`], the type of the values known.
pub(super) struct AppendPlain<'a> {
    pub(super) column: &'a mut ColumnEncoder,
    pub(super) count: usize,
}

impl Visit for AppendPlain<'_> {
    type Out = ();

    fn visit<V: Values>(self, values: &V) {
        self.column.open.append(values, 0..self.count);
    }
}
