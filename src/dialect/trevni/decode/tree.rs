//! Reads batches: makes the tree of columns, reads what they are about to need, and asks it for rows.

use super::super::Ends;
use super::column::ColumnReader;
use super::file::File;
use super::make::Maker;
use super::node::{Array, At, Kind, Node};
use super::schema::check_columns;
use super::seek::{Column, ParentCounts};
use crate::dialect::Position;
use crate::dialect::decoded::DecodedColumns;
use crate::dialect::schema::Schema;
use crate::error::{Category, Result};
use crate::sort;
use crate::storage::budget::BatchHold;
use crate::tree::{NodeId, Projection};
use crate::vector::Vector;
use std::ops::Range;
use std::sync::Arc;

/// Rows from which on the fields of a batch are worth several threads.
const THREADED_ROWS: usize = 1024;

/// Decodes rows of a file, batch after batch: only the nodes that have been asked for.
pub(crate) struct Decoder {
    schema: Arc<Schema>,
    /// The part of the rows that is decoded.
    part: Projection,
    root: Node,
    /// Whether texts and byte strings may be positions in a dictionary.
    allows_dictionaries: bool,
    /// How many threads decode the fields of rows.
    threads: usize,
    parent_counts: ParentCounts,
    /// What the current batch takes.
    pub(crate) hold: BatchHold,
}

impl Decoder {
    /// A decoder at the first row of a part of the rows.
    ///
    /// # Errors
    ///
    /// Columns whose type is not that of the shape.
    pub(crate) fn new(file: &File<'_>, schema: &Arc<Schema>, part: &Projection) -> Result<Self> {
        check_columns(file, schema, part)?;
        let root = Maker { schema, part }.unread(0, &Arc::default());
        Ok(Self {
            schema: Arc::clone(schema),
            part: part.clone(),
            root,
            allows_dictionaries: false,
            threads: file.threads,
            parent_counts: ParentCounts::default(),
            hold: BatchHold::new(&file.budget, &file.limits, file.counted_bytes()),
        })
    }

    /// Decodes some of the `rows` rows from `row` on: ranges that ascend and are not empty, counted from `row`.
    /// What has not been asked for becomes [`Vector::Unread`]; what has been decoded already is not read again.
    pub(crate) fn batch(
        &mut self,
        file: &File<'_>,
        row: u64,
        rows: usize,
        selected: &[Range<usize>],
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()> {
        self.hold.begin();
        if let (Some(first), false) = (selected.first(), file.in_memory) {
            let mut columns = Vec::new();
            self.root.columns(&mut columns);
            read_ahead(file, row, row + first.start as u64, columns, decoded)?;
        }
        // Threads cost more than few rows.
        let threads = if rows < THREADED_ROWS { 1 } else { self.threads };
        self.root.read_if_wanted(
            &At {
                file,
                row,
                selected,
                decoded,
                allows_dictionaries: self.allows_dictionaries,
                threads,
                parent_counts: &self.parent_counts,
                hold: &self.hold,
            },
            Ends::Each(rows),
            out,
        )
    }
}

impl Position for Decoder {
    fn hold(&mut self) -> &mut BatchHold {
        &mut self.hold
    }

    fn allow_dictionaries(&mut self, allowed: bool) {
        self.allows_dictionaries = allowed;
    }

    fn use_threads(&mut self, count: usize) {
        self.threads = count;
    }

    fn want(&mut self, nodes: &[NodeId]) {
        Maker { schema: &self.schema, part: &self.part }.make(&mut self.root, nodes);
    }
}

/// About the most bytes that are read together; the rest is read when it is needed.
const PREFETCH_BYTES: usize = 32 << 20;

/// Reads the tables and the blocks that some columns need for a row of a batch, neighbours together, unless they are
/// decoded already. A table that is damaged is reported later, when it is needed.
///
/// # Errors
///
/// A source that fails.
fn read_ahead(
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
    /// The columns of nodes that have been asked for; those of the variants of unions when they are open, for few of many may come.
    fn columns<'n>(&'n mut self, out: &mut Vec<&'n mut Column>) {
        match &mut self.kind {
            Kind::Leaf(column, _) | Kind::Map(column) | Kind::Array(Array { column, .. }) => out.push(column),
            Kind::Union(branches, _) => {
                out.extend(branches.iter_mut().map(|branch| &mut branch.column));
                let mut variants = Vec::new();
                self.below.iter_mut().for_each(|node| node.columns(&mut variants));
                out.extend(variants.into_iter().filter(|column| column.reader.is_some()));
                return;
            }
            Kind::Unread(_) | Kind::Record | Kind::Own | Kind::Constant(..) | Kind::Nothing => {}
        }
        self.below.iter_mut().for_each(|node| node.columns(out));
    }
}
