//! Reads batches: makes a tree of columns, each when rows ask for it, reads ahead what they need, and asks it for rows.

use super::super::Ends;
use super::column::ColumnReader;
use super::file::File;
use super::node::{Array, At, Kind, Node, Null, Values};
use super::schema::check_columns;
use super::seek::{Column, ParentCounts};
use crate::dialect::Position;
use crate::dialect::decoder::{DecodedColumns, Window};
use crate::dialect::schema::Schema;
use crate::error::{Category, Result};
use crate::sort;
use crate::storage::budget::BatchHold;
use crate::storage::read_ahead::read_together;
use crate::tree::{self, Leaf, NodeId, Projection, Slot};
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
    /// Whether strings and byte strings may be positions in a dictionary.
    allows_dictionaries: bool,
    /// How many threads decode the fields of rows.
    threads: usize,
    parent_counts: ParentCounts,
    /// Whether the blocks that are read are kept for other rows.
    keeps_blocks: bool,
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
            keeps_blocks: false,
            hold: BatchHold::new(&file.budget, &file.limits, file.counted_bytes()),
        })
    }

    /// Decodes some rows. What has not been asked for becomes [`Vector::Unread`]; what has been decoded already is not read again.
    pub(crate) fn batch(
        &mut self,
        file: &File<'_>,
        batch: &Window<'_>,
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()> {
        let Window { row, rows, picks: selected } = *batch;
        self.hold.begin();
        if let (Some(first), false) = (selected.first(), file.in_memory) {
            let mut columns = Vec::new();
            self.root.columns(&mut columns);
            read_ahead(file, row, row + first.start as u64, columns, decoded, self.keeps_blocks)?;
        }
        // Threads cost more than few rows.
        let count: usize = selected.iter().map(Range::len).sum();
        let threads = if count < THREADED_ROWS { 1 } else { self.threads };
        self.root.read_if_wanted(
            &At {
                file,
                row,
                selected,
                decoded,
                allows_dictionaries: self.allows_dictionaries,
                threads,
                parent_counts: &self.parent_counts,
                keeps_blocks: self.keeps_blocks,
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

    fn keep_blocks(&mut self) {
        self.keeps_blocks = true;
        self.parent_counts.keeps_blocks = true;
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
    keeps_blocks: bool,
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
            column.reader = match ColumnReader::open(file, column.number, keeps_blocks) {
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
    if ranges.is_empty() {
        return Ok(());
    }
    let done = read_together(&*file.source, &mut ranges);
    if !matches!(done, Ok(true)) {
        readers.iter_mut().for_each(|reader| reader.forget());
    }
    done.map(drop)
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

/// Makes the nodes of a part of the rows, whose columns have been checked.
pub(super) struct Maker<'a> {
    pub(super) schema: &'a Schema,
    pub(super) part: &'a Projection,
}

impl Maker<'_> {
    /// A node that has not been asked for.
    pub(super) fn unread(&self, id: NodeId, parents: &Arc<[usize]>) -> Node {
        self.with(id, Kind::Unread(Arc::clone(parents)))
    }

    fn with(&self, id: NodeId, kind: Kind) -> Node {
        Node { id, span: self.part.tree.span(id), kind, below: Vec::new() }
    }

    /// Makes the nodes that are asked for, which ascend, at and below a node, and those above them.
    pub(super) fn make(&self, node: &mut Node, nodes: &[NodeId]) {
        let end = node.id.saturating_add(node.span);
        let asked = nodes.partition_point(|id| *id < node.id)..nodes.partition_point(|id| *id < end);
        let nodes = &nodes[asked];
        let [Some(first), Some(last)] = [nodes.first(), nodes.last()] else {
            return;
        };
        if let Kind::Unread(parents) = &node.kind {
            (node.kind, node.below) = self.build(node.id, &Arc::clone(parents));
        }
        // A record may have thousands of fields.
        let start = node.below.partition_point(|node| node.id.saturating_add(node.span) <= *first);
        let below = node.below.iter_mut().skip(start).take_while(|node| node.id <= *last);
        below.for_each(|node| self.make(node, nodes));
    }

    /// The column that holds something of a node of the part.
    fn column(&self, slot: impl FnOnce(NodeId) -> Slot, id: NodeId) -> Option<usize> {
        self.schema.column(slot(self.part.in_whole(id)?))
    }

    /// What a node is, and the nodes below it, which are made later.
    fn build(&self, id: NodeId, parents: &Arc<[usize]>) -> (Kind, Vec<Node>) {
        let tree = &self.part.tree;
        match (tree.kind(id), self.column(Slot::Own, id)) {
            (tree::Kind::Record, _) => {
                let field = |id| match self.is_own(id, parents) {
                    true => self.with(id, Kind::Own),
                    false => self.unread(id, parents),
                };
                (Kind::Record, tree.children(id).map(field).collect())
            }
            (kind @ (tree::Kind::List | tree::Kind::Optional), Some(column)) => {
                let (array, item) = self.array(id + 1, column, kind == tree::Kind::Optional, parents);
                (Kind::Array(array), vec![item])
            }
            // The union below is a node of its own.
            (tree::Kind::Optional, None) if tree.kind(id + 1) == tree::Kind::Union => {
                self.union(id + 1, Null::Allowed, parents)
            }
            (tree::Kind::Union, _) => self.union(id, Null::Refused, parents),
            (tree::Kind::Map, Some(column)) => {
                let within = within(parents, column);
                let below = tree.children(id).map(|id| self.unread(id, &within)).collect();
                (Kind::Map(opened(column, parents)), below)
            }
            (tree::Kind::Leaf(leaf), Some(column)) => (Kind::Leaf(opened(column, parents), leaf), Vec::new()),
            (tree::Kind::Leaf(leaf), None) => (self.constant(id, leaf).unwrap_or(Kind::Nothing), Vec::new()),
            _ => (Kind::Nothing, Vec::new()),
        }
    }

    fn constant(&self, id: NodeId, leaf: Leaf) -> Option<Kind> {
        let constant = self.schema.constants.get(self.part.in_whole(id)?)?;
        Some(Kind::Constant(constant.clone(), leaf))
    }

    fn union(&self, union: NodeId, null: Null, parents: &Arc<[usize]>) -> (Kind, Vec<Node>) {
        let branch = |id| Some(self.array(id, self.column(Slot::Presence, id)?, true, parents));
        let (branches, below) = self.part.tree.children(union).filter_map(branch).unzip();
        (Kind::Union(branches, null), below)
    }

    /// An array, and its item, which is the node `id`.
    fn array(&self, id: NodeId, column: usize, optional: bool, parents: &Arc<[usize]>) -> (Array, Node) {
        let (values, item) = match self.part.tree.kind(id) {
            tree::Kind::Leaf(leaf) if self.column(Slot::Own, id) == Some(column) => {
                (Values::Item(leaf), self.with(id, Kind::Own))
            }
            _ => {
                let within = within(parents, column);
                let mut node = self.unread(id, &within);
                match self.own_field(id, &within) {
                    Some((field, leaf)) => {
                        // It is read whenever the array is.
                        self.make(&mut node, &[id]);
                        (Values::Field(field, leaf), node)
                    }
                    None => (Values::Below, node),
                }
            }
        };
        (Array { column: opened(column, parents), values, optional }, item)
    }

    /// Whether the values of a field are in the array column around its record.
    fn is_own(&self, field: NodeId, parents: &[usize]) -> bool {
        let own = self.column(Slot::Own, field);
        own.is_some() && own == parents.last().copied()
    }

    /// The field of a record that the values of the column above it go to.
    fn own_field(&self, record: NodeId, parents: &[usize]) -> Option<(usize, Leaf)> {
        let tree = &self.part.tree;
        if tree.kind(record) != tree::Kind::Record {
            return None;
        }
        let (place, field) = tree.children(record).enumerate().find(|(_, id)| self.is_own(*id, parents))?;
        match tree.kind(field) {
            tree::Kind::Leaf(leaf) => Some((place, leaf)),
            _ => None,
        }
    }
}

/// A column that is opened when it is read.
fn opened(number: usize, parents: &Arc<[usize]>) -> Column {
    Column { number, parents: Arc::clone(parents), reader: None }
}

/// The array columns around what is below another one.
fn within(parents: &[usize], column: usize) -> Arc<[usize]> {
    parents.iter().copied().chain([column]).collect()
}
