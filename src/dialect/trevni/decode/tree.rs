//! Reads batches: makes the tree of columns, and asks it for rows.

use super::super::Ends;
use super::check;
use super::file::File;
use super::make::Maker;
use super::node::{At, Node};
use super::parent_counts::ParentCounts;
use super::prefetch;
use super::wants::Wants;
use crate::dialect::decoded::DecodedColumns;
use crate::dialect::schema::Schema;
use crate::error::{Error, Result};
use crate::tree::{NodeId, Projection};
use crate::vector::Vector;
use std::ops::Range;
use std::sync::Arc;

/// Fewer rows than this are decoded by one thread.
const FEW_ROWS: usize = 1024;

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
    picks: Vec<Range<usize>>,
    /// How many threads decode the fields of rows.
    threads: usize,
    walks: ParentCounts,
}

impl Decoder {
    /// A decoder at the first row of a part of the rows.
    ///
    /// # Errors
    ///
    /// Columns whose type is not that of the shape.
    pub(crate) fn new(file: &File<'_>, schema: &Arc<Schema>, part: &Projection) -> Result<Self> {
        check::columns(file, schema, part)?;
        let root = Maker { schema, part }.later(0, &Arc::default());
        Ok(Self {
            schema: Arc::clone(schema),
            part: part.clone(),
            root,
            row: 0,
            rows: 0,
            picks: Vec::new(),
            threads: file.threads,
            walks: ParentCounts::default(),
        })
    }

    /// Makes nodes that are asked for, and those above them.
    fn make(&mut self, wants: Wants<'_>) {
        Maker { schema: &self.schema, part: &self.part }.make(&mut self.root, wants);
    }

    /// Decodes the fields of rows on this many threads.
    pub(crate) fn use_threads(&mut self, count: usize) {
        self.threads = count;
    }

    /// The numbers of all nodes that have been asked for, in ascending order.
    pub(crate) fn wanted(&self) -> Vec<NodeId> {
        let mut nodes = Vec::new();
        self.root.wanted(&mut nodes);
        nodes.sort_unstable();
        nodes
    }

    /// Asks for all nodes.
    pub(crate) fn want_all(&mut self) {
        self.want_these(Wants::All);
    }

    /// Asks for some nodes, which ascend; those above them must be among them.
    pub(crate) fn want(&mut self, nodes: &[NodeId]) {
        self.want_these(Wants::Some(nodes));
    }

    fn want_these(&mut self, wants: Wants<'_>) {
        self.make(wants);
        self.root.want(wants);
    }

    /// Decodes some of the `rows` rows from `row` on: ranges that ascend and are not empty, counted from `row`.
    /// What has not been asked for becomes [`Vector::Lazy`]; what has been decoded already is not read again.
    pub(crate) fn batch(
        &mut self,
        file: &File<'_>,
        row: u64,
        rows: usize,
        picks: &[Range<usize>],
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()> {
        (self.row, self.rows) = (row, rows);
        self.picks.clear();
        self.picks.extend_from_slice(picks);
        self.prefetch(file, &[], decoded)?;
        // Threads cost more than few rows.
        let threads = if rows < FEW_ROWS { 1 } else { self.threads };
        self.root.read_if_wanted(
            &At { file, row, picks, decoded, threads, walks: &self.walks },
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
        match self.picks.first().cloned() {
            Some(first) if !file.in_memory => {
                self.make(Wants::Some(nodes));
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
        self.make(Wants::Some(&[id]));
        let mut out = Vector::Null(0);
        let at = At { file, row: self.row, picks: &self.picks, decoded, threads: 1, walks: &self.walks };
        if self.root.load(&at, id, Ends::Each(self.rows), &mut out)? {
            Ok(out)
        } else {
            Err(Error::internal(format!("the shape has no node {id}")))
        }
    }
}
