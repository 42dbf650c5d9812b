//! Reads what several columns are about to need, together.

use super::column::ColumnReader;
use super::file::File;
use super::lazy_column::Column;
use super::node::{Array, Kind, Node};
use crate::dialect::decoded::DecodedColumns;
use crate::error::{Category, Result};
use crate::sort;

/// About the most bytes that are read together; the rest is read when it is needed.
const PREFETCH_BYTES: usize = 32 << 20;

/// Reads the tables and the blocks that some columns need for a row of a batch, neighbours together, unless they are
/// decoded already. A table that is damaged is reported later, when it is needed.
///
/// # Errors
///
/// A source that fails.
pub(super) fn read(
    file: &File<'_>,
    first: u64,
    row: u64,
    mut columns: Vec<&mut Column>,
    decoded: &DecodedColumns<'_>,
) -> Result<()> {
    columns.retain(|column| !decoded.has(column.number));
    if columns.len() < 2 {
        return Ok(());
    }
    let unopened = columns.iter().filter(|column| column.reader.is_none());
    file.read_tables(&unopened.map(|column| column.number).collect::<Vec<_>>())?;
    let mut readers: Vec<&mut ColumnReader> = Vec::with_capacity(columns.len());
    for column in columns {
        if column.reader.is_none() {
            column.reader = match ColumnReader::open(file, column.number) {
                Err(error) if error.category() == Category::Io => return Err(error),
                opened => opened.ok().map(Box::new),
            };
        }
        readers.extend(column.reader.as_deref_mut());
    }
    let mut ranges: Vec<(u64, &mut [u8])> = Vec::new();
    let mut bytes = 0;
    for reader in &mut readers {
        if bytes > PREFETCH_BYTES {
            break;
        }
        if let Some(range) = reader.wanted(file, first, row) {
            bytes += range.1.len();
            ranges.push(range);
        }
    }
    sort::by_key(&mut ranges, |(offset, _)| *offset);
    if !ranges.is_empty()
        && let Err(error) = file.source.read_ranges(&mut ranges)
    {
        readers.iter_mut().for_each(|reader| reader.forget());
        return Err(error.into());
    }
    Ok(())
}

impl Node {
    /// The columns of nodes that have been asked for.
    pub(super) fn columns<'n>(&'n mut self, out: &mut Vec<&'n mut Column>) {
        match &mut self.kind {
            Kind::Leaf(column, _) | Kind::Map(column) | Kind::Array(Array { column, .. }) => out.push(column),
            Kind::Union(branches, _) => out.extend(branches.iter_mut().map(|branch| &mut branch.column)),
            Kind::Unread(_) | Kind::Record | Kind::Own | Kind::Constant(..) | Kind::Nothing => {}
        }
        self.below.iter_mut().for_each(|node| node.columns(out));
    }
}
