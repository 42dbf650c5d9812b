//! Reads batches: makes the tree of columns, and asks it for rows.

use super::super::Ends;
use super::check;
use super::file::File;
use super::make::Maker;
use super::node::{At, Node};
use super::parent_counts::ParentCounts;
use super::prefetch;
use crate::dialect::Position;
use crate::dialect::decoded::DecodedColumns;
use crate::dialect::schema::Schema;
use crate::error::Result;
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
        check::columns(file, schema, part)?;
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
            prefetch::read(file, row, row + first.start as u64, columns, decoded)?;
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
