//! Reads batches: the levels and values of the columns that are needed, and from them the vectors.

use super::column::{Column, State};
use super::plan::{Node, Planner, Use};
use super::{Columns, places, threads};
use crate::dialect::decoded::DecodedColumns;
use crate::dialect::decoder::{BatchRows, Decode, Position, own};
use crate::dialect::schema::Schema;
use crate::error::{Error, Result};
use crate::levels::{Place, agree, lengths};
use crate::storage::budget::BatchHold;
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

    /// Decodes some of the rows from `row` on: ranges that ascend and are not empty, counted from `row`. What has not
    /// been asked for becomes [`Vector::Lazy`]; what has been decoded already is not read again.
    pub(crate) fn batch<F: Columns<Cursor = C>>(
        &mut self,
        file: &F,
        row: u64,
        rows: usize,
        picks: &[Range<usize>],
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()> {
        self.row = row;
        self.hold.begin();
        self.picks.clear();
        self.picks.extend_from_slice(picks);
        self.columns.iter_mut().for_each(|column| column.begin());
        if !self.planned {
            self.plan(file);
        }
        let threads = if rows < THREADED_ROWS { 1 } else { self.threads };
        self.read(file, 0, decoded, threads)?;
        let len = picks.iter().map(Range::len).sum();
        self.assemble(file, 0, len, decoded, out)
    }

    /// Reads what the nodes that have been asked for need for the current batch, and some others that are about to
    /// be loaded.
    pub(crate) fn prefetch<F: Columns<Cursor = C>>(
        &mut self,
        file: &F,
        nodes: &[NodeId],
        decoded: &DecodedColumns<'_>,
    ) -> Result<()> {
        if !file.reads_ahead() || nodes.is_empty() {
            return Ok(());
        }
        let before = self.nodes.clone();
        self.want(nodes);
        self.plan(file);
        self.ask(decoded, 0);
        let done = self.read_ahead(file);
        // What is about to be loaded has not been asked for yet.
        self.nodes = before;
        self.plan(file);
        self.planned = false;
        done
    }

    /// Decodes a node of the current batch, and from now on of each batch.
    pub(crate) fn load<F: Columns<Cursor = C>>(
        &mut self,
        file: &F,
        id: NodeId,
        decoded: &DecodedColumns<'_>,
    ) -> Result<Vector> {
        let len = self.len(file, id)?;
        match self.nodes.get_mut(id as usize) {
            Some(node) => node.wanted = true,
            None => return Err(Error::internal(format!("the shape has no node {id}"))),
        }
        self.plan(file);
        // In the next batch nothing need be kept for what comes late.
        self.planned = false;
        self.read(file, id, decoded, 1)?;
        let mut out = Vector::Null(0);
        self.assemble(file, id, len, decoded, &mut out)?;
        Ok(out)
    }

    /// The number of entries that a node has in the current batch.
    fn len<F: Columns<Cursor = C>>(&mut self, file: &F, id: NodeId) -> Result<usize> {
        let entries = self.entries(file, id)?;
        // An entry of a matrix is a row of it.
        let list = self.part.tree.parent(id).and_then(|list| self.nodes.get(list as usize));
        Ok(entries.saturating_mul(list.and_then(|list| list.width).unwrap_or(1)))
    }

    /// The number of entries at a node's place in the current batch.
    fn entries<F: Columns<Cursor = C>>(&mut self, file: &F, id: NodeId) -> Result<usize> {
        let place = self.nodes.get(id as usize).map_or_else(Place::default, |node| node.place);
        if place == Place::default() {
            return Ok(self.picks.iter().map(Range::len).sum());
        }
        // It is a variant, whose column tells of its entries, or a node above it has a column that does.
        let mut above = std::iter::successors(Some(id), |id| self.part.tree.parent(*id));
        let used =
            above.find_map(|id| self.nodes.get(id as usize).and_then(|node| node.column.or(node.presence)));
        let at = used.and_then(|used| self.uses.get(used)).map(|used| used.at);
        let Some(column) = at.and_then(|at| self.columns.get_mut(at)) else {
            return Err(Error::internal(format!("nothing has been read above node {id}")));
        };
        column.need = State { levels: true, values: false };
        column.read(file, self.row, &self.picks, &self.hold)?;
        Ok(lengths::entries(column.levels.as_ref(), column.greatest, place))
    }

    /// Finds the columns that are needed.
    fn plan<F: Columns<Cursor = C>>(&mut self, file: &F) {
        let columns = &self.columns;
        let place = |number: usize| columns.binary_search_by_key(&number, |column| column.number).ok();
        let is_read = |number: usize| {
            place(number).and_then(|at| columns.get(at)).is_some_and(|column| column.done.levels)
        };
        let planner = Planner { schema: &self.schema, part: &self.part, is_read: &is_read };
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
        root: NodeId,
        decoded: &DecodedColumns<'_>,
        threads: usize,
    ) -> Result<()> {
        self.ask(decoded, root);
        if file.reads_ahead() {
            self.read_ahead(file)?;
        }
        let (row, picks, hold) = (self.row, &self.picks, &self.hold);
        let mut needed: Vec<&mut Column<C>> =
            self.columns.iter_mut().filter(|column| column.is_needed()).collect();
        threads::each(threads, needed.iter_mut(), |column| column.read(file, row, picks, hold))?;
        self.check(file)
    }

    /// Notes what is needed of each column for the vector of a node; the values of optionals and lists that have been
    /// decoded come with their lengths, so not by themselves.
    fn ask(&mut self, decoded: &DecodedColumns<'_>, root: NodeId) {
        self.columns.iter_mut().for_each(|column| column.need = State::default());
        for used in &self.uses {
            if let Some(column) = self.columns.get_mut(used.at)
                && !(used.values
                    && decoded.has(used.column)
                    && (column.greatest.definition == 0 || used.node != root))
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

    fn wanted(&self) -> Vec<NodeId> {
        (0..).zip(&self.nodes).filter(|(_, node)| node.wanted).map(|(id, _)| id).collect()
    }

    fn want_all(&mut self) {
        self.nodes.iter_mut().for_each(|node| node.wanted = true);
        self.planned = false;
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
        rows: &BatchRows<'_>,
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()> {
        own::<Decoder<F::Cursor>>(position)?.batch(self, rows.row, rows.rows, rows.picks, decoded, out)
    }

    fn prefetch(
        &self,
        position: &mut dyn Position,
        nodes: &[NodeId],
        decoded: &DecodedColumns<'_>,
    ) -> Result<()> {
        own::<Decoder<F::Cursor>>(position)?.prefetch(self, nodes, decoded)
    }

    fn load(&self, position: &mut dyn Position, id: NodeId, decoded: &DecodedColumns<'_>) -> Result<Vector> {
        own::<Decoder<F::Cursor>>(position)?.load(self, id, decoded)
    }
}
