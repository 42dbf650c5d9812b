//! Reads what several columns are about to need, together.

use super::column::ColumnReader;
use super::file::File;
use super::lazy_column::Column;
use super::node::{Array, Item, Kind, Node};
use crate::dialect::decoded::DecodedColumns;
use crate::error::{Category, Result};

/// About the most bytes that are read together; what is beyond is read when it is needed.
const MOST: usize = 32 << 20;

/// Reads the tables and the blocks that some columns need for a row of a batch, those of neighbours together, and
/// those that are decoded left out. A table that is damaged is left for later, when it is needed.
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
        if bytes > MOST {
            break;
        }
        if let Some(range) = reader.wanted(file, first, row) {
            bytes += range.1.len();
            ranges.push(range);
        }
    }
    ranges.sort_unstable_by_key(|(offset, _)| *offset);
    if !ranges.is_empty()
        && let Err(error) = file.source.read_ranges(&mut ranges)
    {
        readers.iter_mut().for_each(|reader| reader.forget());
        return Err(error.into());
    }
    Ok(())
}

impl Node {
    /// The columns of nodes that have been asked for, or are among some numbers, which ascend.
    pub(super) fn columns<'n>(&'n mut self, nodes: &[u32], out: &mut Vec<&'n mut Column>) {
        let wanted = self.wanted || nodes.binary_search(&self.id).is_ok();
        match &mut self.kind {
            Kind::Leaf(column, ..) => out.extend(wanted.then_some(column)),
            Kind::Later(_) | Kind::Own | Kind::Nothing => {}
            Kind::Record(fields) => fields.iter_mut().for_each(|field| field.columns(nodes, out)),
            Kind::Array(array) => array.columns(wanted, nodes, out),
            Kind::Map(column, _, key, value) => {
                out.extend(wanted.then_some(column));
                key.columns(nodes, out);
                value.columns(nodes, out);
            }
            Kind::Union(branches, _) => {
                branches.iter_mut().for_each(|branch| branch.columns(wanted, nodes, out));
            }
        }
    }
}

impl Array {
    fn columns<'n>(&'n mut self, wanted: bool, nodes: &[u32], out: &mut Vec<&'n mut Column>) {
        out.extend(wanted.then_some(&mut self.column));
        match &mut self.item {
            Item::Fused(..) => {}
            Item::Below(node) | Item::Mixed(node, ..) => node.columns(nodes, out),
        }
    }
}
