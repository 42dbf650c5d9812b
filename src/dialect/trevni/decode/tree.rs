//! Reads batches: makes the tree of columns, and asks it for rows.

use super::super::Ends;
use super::check;
use super::file::File;
use super::make::Maker;
use super::node::{At, Node};
use super::parent_counts::ParentCounts;
use super::prefetch;
use super::required::Required;
use crate::dialect::Position;
use crate::dialect::decoded::DecodedColumns;
use crate::dialect::schema::Schema;
use crate::error::{Error, Result};
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
    /// Number of the first row of the current batch.
    row: u64,
    /// Rows of the current batch, whether decoded or passed over.
    rows: usize,
    /// Which of them are decoded.
    selected: Vec<Range<usize>>,
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
        let root = Maker { schema, part }.unbuilt(0, &Arc::default());
        Ok(Self {
            schema: Arc::clone(schema),
            part: part.clone(),
            root,
            row: 0,
            rows: 0,
            selected: Vec::new(),
            allows_dictionaries: false,
            threads: file.threads,
            parent_counts: ParentCounts::default(),
            hold: BatchHold::new(&file.budget, &file.limits, file.counted_bytes()),
        })
    }

    /// Makes nodes that are asked for, and those above them.
    fn make(&mut self, nodes: Required<'_>) {
        Maker { schema: &self.schema, part: &self.part }.make(&mut self.root, nodes);
    }

    fn require(&mut self, nodes: Required<'_>) {
        self.make(nodes);
        self.root.require(nodes);
    }

    /// Decodes some of the `rows` rows from `row` on: ranges that ascend and are not empty, counted from `row`.
    /// What has not been asked for becomes [`Vector::Lazy`]; what has been decoded already is not read again.
    pub(crate) fn batch(
        &mut self,
        file: &File<'_>,
        row: u64,
        rows: usize,
        selected: &[Range<usize>],
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()> {
        (self.row, self.rows) = (row, rows);
        self.hold.begin();
        self.selected.clear();
        self.selected.extend_from_slice(selected);
        self.prefetch(file, &[], decoded)?;
        // Threads cost more than few rows.
        let threads = if rows < THREADED_ROWS { 1 } else { self.threads };
        self.root.read_if_required(
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

    /// Reads what the nodes that have been asked for need for the current batch, and some others that are
    /// about to be loaded: their numbers, which ascend.
    pub(crate) fn prefetch(
        &mut self,
        file: &File<'_>,
        nodes: &[NodeId],
        decoded: &DecodedColumns<'_>,
    ) -> Result<()> {
        match self.selected.first().cloned() {
            Some(first) if !file.in_memory => {
                self.make(Required::Nodes(nodes));
                let mut columns = Vec::new();
                self.root.columns(nodes, &mut columns);
                prefetch::read(file, self.row, self.row + first.start as u64, columns, decoded)
            }
            _ => Ok(()),
        }
    }

    /// Decodes a node of the current batch, and from now on of each batch.
    pub(crate) fn load(
        &mut self,
        file: &File<'_>,
        id: NodeId,
        decoded: &DecodedColumns<'_>,
    ) -> Result<Vector> {
        self.make(Required::Nodes(&[id]));
        let mut out = Vector::Null(0);
        let at = At {
            file,
            row: self.row,
            selected: &self.selected,
            decoded,
            allows_dictionaries: self.allows_dictionaries,
            threads: 1,
            parent_counts: &self.parent_counts,
            hold: &self.hold,
        };
        if self.root.load(&at, id, Ends::Each(self.rows), &mut out)? {
            Ok(out)
        } else {
            Err(Error::internal(format!("the shape has no node {id}")))
        }
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

    fn wanted(&self) -> Vec<NodeId> {
        let mut nodes = Vec::new();
        self.root.required(&mut nodes);
        sort::by_key(&mut nodes, |node| u64::from(*node));
        nodes
    }

    fn want_all(&mut self) {
        self.require(Required::All);
    }

    fn want(&mut self, nodes: &[NodeId]) {
        self.require(Required::Nodes(nodes));
    }
}
