//! Reads batches: the levels and values of the columns that are needed, and from them the vectors.

use super::column::{Column, State};
use super::plan::{Node, Planner, Use};
use super::{Columns, places};
use crate::dialect::decoder::DecodedColumns;
use crate::dialect::decoder::{Decode, Position, Window, own};
use crate::dialect::schema::Schema;
use crate::error::Result;
use crate::levels::agree;
use crate::storage::budget::BatchHold;
use crate::storage::pool;
use crate::tree::{Kind, NodeId, Projection};
use crate::vector::Vector;
use std::ops::Range;
use std::sync::Arc;

/// Fewer rows than this are decoded by one thread.
const THREADED_ROWS: usize = 1024;

/// Decodes rows of a file, batch after batch: only the nodes that have been asked for.
pub(crate) struct Decoder<C> {
    pub(super) schema: Arc<Schema>,
    /// The part of the rows that is decoded.
    pub(super) part: Projection,
    /// The nodes of the part.
    pub(super) nodes: Vec<Node>,
    pub(super) uses: Vec<Use>,
    /// Whether the columns in use are those of all nodes that have been asked for, and no others.
    planned: bool,
    /// The columns that have been in use, in the order of the file.
    pub(super) columns: Vec<Column<C>>,
    /// Number of the first row of the current batch.
    pub(super) row: u64,
    /// Which of its rows are decoded.
    pub(super) picks: Vec<Range<usize>>,
    threads: usize,
    /// What the current batch takes.
    pub(crate) hold: BatchHold,
}

impl<C: Send + 'static> Decoder<C> {
    /// A decoder at the first row of a part of the rows.
    pub(crate) fn new(file: &impl Columns<Cursor = C>, schema: &Arc<Schema>, part: &Projection) -> Self {
        Self {
            schema: Arc::clone(schema),
            part: part.clone(),
            nodes: places::nodes(file, schema, part),
            uses: Vec::new(),
            planned: false,
            columns: Vec::new(),
            row: 0,
            picks: Vec::new(),
            threads: file.threads(),
            hold: file.hold(),
        }
    }

    /// Decodes some rows. What has not been asked for becomes [`Vector::Unread`]; what has been decoded already is not read again.
    pub(crate) fn batch<F: Columns<Cursor = C>>(
        &mut self,
        file: &F,
        batch: &Window<'_>,
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()> {
        let Window { row, rows, picks } = *batch;
        self.row = row;
        self.hold.begin();
        self.picks.clear();
        self.picks.extend_from_slice(picks);
        self.columns.iter_mut().for_each(|column| column.begin());
        if !self.planned {
            self.plan(file);
        }
        let threads = if rows < THREADED_ROWS { 1 } else { self.threads };
        self.read(file, decoded, threads)?;
        let len = picks.iter().map(Range::len).sum();
        self.assemble(file, 0, len, decoded, out)
    }

    /// Finds the columns that are needed.
    fn plan<F: Columns<Cursor = C>>(&mut self, file: &F) {
        let planner = Planner { schema: &self.schema, part: &self.part };
        let mut uses = planner.plan(&mut self.nodes).uses;
        for used in &uses {
            let place = self.columns.binary_search_by_key(&used.column, |column| column.number);
            if let Err(at) = place {
                self.columns.insert(at, Column::new(used.column, file.greatest(used.column)));
            }
        }
        for used in &mut uses {
            let place = self.columns.binary_search_by_key(&used.column, |column| column.number);
            used.at = place.unwrap_or_default();
            let around = self.lists_around(used.node);
            if let Some(column) = self.columns.get_mut(used.at) {
                column.lists = around;
                if let Kind::Leaf(leaf) = self.part.tree.kind(used.node) {
                    column.leaf = leaf;
                }
            }
        }
        self.uses = uses;
        self.planned = true;
    }

    /// The definition level within each of the lists around a node, outermost first, its own included.
    fn lists_around(&self, id: NodeId) -> Vec<u8> {
        let tree = &self.part.tree;
        let around = std::iter::successors(Some(id), |id| tree.parent(*id));
        let lists = around.filter(|id| matches!(tree.kind(*id), Kind::List | Kind::Map));
        let nodes = lists.filter_map(|id| self.nodes.get(id as usize)).filter(|node| node.width.is_none());
        let mut within: Vec<u8> = nodes.map(|node| node.place.items().definition).collect();
        within.reverse();
        within
    }

    /// Reads what the columns in use lack of the current batch, and checks it.
    fn read<F: Columns<Cursor = C>>(
        &mut self,
        file: &F,
        decoded: &DecodedColumns<'_>,
        threads: usize,
    ) -> Result<()> {
        self.ask(decoded);
        if file.reads_ahead() {
            self.read_ahead(file)?;
        }
        let (row, picks, hold) = (self.row, &self.picks, &self.hold);
        let mut needed: Vec<&mut Column<C>> =
            self.columns.iter_mut().filter(|column| column.is_needed()).collect();
        pool::each(threads, needed.iter_mut(), |column| column.read(file, row, picks, hold))?;
        self.check(file)
    }

    /// Notes what is needed of each column; the values of optionals and lists that have been decoded come with their
    /// lengths, so not by themselves.
    fn ask(&mut self, decoded: &DecodedColumns<'_>) {
        self.columns.iter_mut().for_each(|column| column.need = State::default());
        for used in &self.uses {
            if let Some(column) = self.columns.get_mut(used.at)
                && !(used.values
                    && decoded.has(used.column)
                    && (column.greatest.definition == 0 || used.node != 0))
            {
                column.need = State { levels: column.greatest.definition > 0, values: used.values };
            }
        }
    }

    /// Reads the bytes that the columns need, together.
    fn read_ahead<F: Columns<Cursor = C>>(&mut self, file: &F) -> Result<()> {
        let Some(first) = self.picks.first() else {
            return Ok(());
        };
        let row = self.row + first.start as u64;
        let mut cursors = Vec::new();
        for column in self.columns.iter_mut().filter(|column| column.is_needed()) {
            // A column that is damaged is left for later, when it is read.
            if let Some(cursor) = column.opened(file)? {
                cursors.push(cursor);
            }
        }
        match cursors.len() {
            0 | 1 => Ok(()),
            _ => file.prefetch(&mut cursors, self.row, row),
        }
    }

    /// Compares columns that have just been read with their neighbours.
    fn check<F: Columns<Cursor = C>>(&mut self, file: &F) -> Result<()> {
        for used in &self.uses {
            let neighbour = used.neighbour.and_then(|(number, place)| Some((self.uses.get(number)?, place)));
            let Some((neighbour, place)) = neighbour else {
                continue;
            };
            let (Some(one), Some(two)) = (self.columns.get(neighbour.at), self.columns.get(used.at)) else {
                continue;
            };
            if (one.is_new || two.is_new) && one.done.levels && two.done.levels {
                let [one, two] = [one, two].map(|column| (column.levels.as_ref(), column.greatest));
                agree::check(one, two, place).map_err(|error| file.in_column(used.column, error))?;
            }
        }
        self.columns.iter_mut().for_each(|column| column.is_new = false);
        Ok(())
    }
}

impl<C: Send + 'static> Position for Decoder<C> {
    fn hold(&mut self) -> &mut BatchHold {
        &mut self.hold
    }

    fn use_threads(&mut self, count: usize) {
        self.threads = count;
    }

    fn want(&mut self, nodes: &[NodeId]) {
        for id in nodes {
            if let Some(node) = self.nodes.get_mut(*id as usize) {
                node.wanted = true;
            }
        }
        self.planned = false;
    }

    fn has_buffers(&self) -> bool {
        true
    }

    fn forget(&mut self) {
        self.columns.iter_mut().for_each(Column::forget);
    }
}

impl<F: Columns> Decode for F {
    fn position(&self, schema: &Arc<Schema>, part: &Projection) -> Result<Box<dyn Position>> {
        Ok(Box::new(Decoder::new(self, schema, part)))
    }

    fn batch(
        &self,
        position: &mut dyn Position,
        rows: &Window<'_>,
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()> {
        own::<Decoder<F::Cursor>>(position)?.batch(self, rows, decoded, out)
    }
}
