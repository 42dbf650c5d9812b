//! Reads batches: makes the tree of columns, and asks it for rows.

use super::super::Ends;
use super::check;
use super::file::File;
use super::given::Given;
use super::make::Maker;
use super::node::{At, Node};
use super::prefetch;
use super::walks::Walks;
use super::wants::Wants;
use crate::error::{Error, Result};
use crate::schema::columns::Layout;
use crate::shape::Shape;
use crate::vector::Vector;
use std::ops::Range;
use std::sync::Arc;

/// Fewer rows than this are decoded by one thread.
const FEW_ROWS: usize = 1024;

/// Decodes rows of a file, batch after batch: only the nodes that have been asked for.
pub(crate) struct Decoder {
    shape: Arc<Shape>,
    layout: Arc<Layout>,
    /// For each node the number of nodes at and below it.
    counts: Vec<u32>,
    root: Node,
    /// Number of the first row of the current batch.
    row: u64,
    /// Rows of the current batch, whether decoded or passed over.
    rows: usize,
    /// Which of them are decoded.
    picks: Vec<Range<usize>>,
    /// How many threads decode the fields of rows.
    threads: usize,
    walks: Walks,
}

impl Decoder {
    /// A decoder at the first row.
    ///
    /// # Errors
    ///
    /// Columns whose type is not that of the shape.
    pub(crate) fn new(file: &File<'_>, shape: &Arc<Shape>, layout: &Arc<Layout>) -> Result<Self> {
        let counts = check::counts(file, shape, layout)?;
        Ok(Self { threads: file.threads, ..Self::of(Arc::clone(shape), Arc::clone(layout), counts) })
    }

    /// A decoder of no columns.
    pub(crate) fn nothing() -> Self {
        Self::of(Arc::new(Shape::Null), Arc::new(Layout::None), Vec::new())
    }

    fn of(shape: Arc<Shape>, layout: Arc<Layout>, counts: Vec<u32>) -> Self {
        let root = Maker { counts: &counts }.later(0, &Arc::default());
        let (picks, walks) = (Vec::new(), Walks::default());
        Self { shape, layout, counts, root, row: 0, rows: 0, picks, threads: 1, walks }
    }

    /// Makes nodes that are asked for, and those above them.
    fn make(&mut self, wants: Wants<'_>) {
        Maker { counts: &self.counts }.make(&mut self.root, &self.shape, &self.layout, wants);
    }

    /// Decodes the fields of rows on this many threads.
    pub(crate) fn use_threads(&mut self, count: usize) {
        self.threads = count;
    }

    /// The numbers of all nodes that have been asked for, in ascending order.
    pub(crate) fn wanted(&self) -> Vec<u32> {
        let mut nodes = Vec::new();
        self.root.wanted(&mut nodes);
        nodes.sort_unstable();
        nodes
    }

    /// Asks for all nodes.
    pub(crate) fn want_all(&mut self) {
        self.want_these(Wants::All);
    }

    /// Asks for some nodes, given by their numbers, which ascend; those above them must be among them.
    pub(crate) fn want(&mut self, nodes: &[u32]) {
        self.want_these(Wants::Some(nodes));
    }

    fn want_these(&mut self, wants: Wants<'_>) {
        self.make(wants);
        self.root.want(wants);
    }

    /// Decodes the `rows` rows from `row` on; what has not been asked for becomes [`Vector::Lazy`].
    pub(crate) fn batch(&mut self, file: &File<'_>, row: u64, rows: usize, out: &mut Vector) -> Result<()> {
        let all = 0..rows;
        self.batch_of(file, row, rows, std::slice::from_ref(&all), &Given::default(), out)
    }

    /// As [`Decoder::batch`], some of the rows only: ranges that ascend and are not empty, counted from
    /// `row`. Columns whose values are given are not read.
    pub(crate) fn batch_of(
        &mut self,
        file: &File<'_>,
        row: u64,
        rows: usize,
        picks: &[Range<usize>],
        given: &Given<'_>,
        out: &mut Vector,
    ) -> Result<()> {
        (self.row, self.rows) = (row, rows);
        self.picks.clear();
        self.picks.extend_from_slice(picks);
        self.prefetch(file, &[], given)?;
        // Threads cost more than few rows.
        let threads = if rows < FEW_ROWS { 1 } else { self.threads };
        self.root.read_if_wanted(
            &At { file, row, picks, given, threads, walks: &self.walks },
            Ends::Each(rows),
            out,
        )
    }

    /// Reads what the nodes that have been asked for need for the current batch, and some others that are
    /// about to be loaded: their numbers, which ascend.
    pub(crate) fn prefetch(&mut self, file: &File<'_>, nodes: &[u32], given: &Given<'_>) -> Result<()> {
        match self.picks.first().cloned() {
            Some(first) if !file.in_memory => {
                self.make(Wants::Some(nodes));
                let mut columns = Vec::new();
                self.root.columns(nodes, &mut columns);
                prefetch::read(file, self.row, self.row + first.start as u64, columns, given)
            }
            _ => Ok(()),
        }
    }

    /// Decodes a node of the current batch, and from now on of each batch.
    pub(crate) fn load(&mut self, file: &File<'_>, id: u32, given: &Given<'_>) -> Result<Vector> {
        self.make(Wants::Some(&[id]));
        let mut out = Vector::Null(0);
        let at = At { file, row: self.row, picks: &self.picks, given, threads: 1, walks: &self.walks };
        if self.root.load(&at, id, Ends::Each(self.rows), &mut out)? {
            Ok(out)
        } else {
            Err(Error::value(format!("the shape has no node {id}")))
        }
    }
}
