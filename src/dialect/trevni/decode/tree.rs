//! Reads batches: makes the tree of columns, and asks it for rows.

use super::super::Ends;
use super::file::File;
use super::form::Form;
use super::given::Given;
use super::node::{Array, At, Item, Kind, Node, Null};
use super::opened::Column;
use super::prefetch;
use super::walks::Walks;
use crate::error::{Error, Result};
use crate::schema::columns::{Layout, value_type};
use crate::shape::Shape;
use crate::value_type::ValueType;
use crate::vector::Vector;
use std::ops::Range;
use std::sync::Arc;

/// Fewer rows than this are decoded by one thread.
const FEW_ROWS: usize = 1024;

/// Decodes rows of a file, batch after batch: only the nodes that have been asked for.
pub(crate) struct Decoder {
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
    pub(crate) fn new(file: &File<'_>, shape: &Shape, layout: &Layout) -> Result<Self> {
        let mut builder = Builder { file, next: 0, parents: Arc::default() };
        Ok(Self::of(builder.node(shape, layout)?, file.threads))
    }

    /// A decoder of no columns.
    pub(crate) fn nothing() -> Self {
        Self::of(Node { id: 0, count: 1, wanted: false, kind: Kind::Nothing }, 1)
    }

    fn of(root: Node, threads: usize) -> Self {
        Self { root, row: 0, rows: 0, picks: Vec::new(), threads, walks: Walks::default() }
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
        self.root.want();
    }

    /// Asks for some nodes, given by their numbers, which ascend; those above them must be among them.
    pub(crate) fn want(&mut self, nodes: &[u32]) {
        self.root.want_some(nodes);
    }

    /// Puts the fields of records into another order: for each record the number of its node, and the
    /// numbers of the fields before.
    pub(crate) fn reorder(&mut self, moved: &[(u32, Vec<u32>)]) {
        self.root.reorder(moved);
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
        match self.picks.first() {
            Some(first) if !file.in_memory => {
                let mut columns = Vec::new();
                self.root.columns(nodes, &mut columns);
                prefetch::read(file, self.row, self.row + first.start as u64, columns, given)
            }
            _ => Ok(()),
        }
    }

    /// Decodes a node of the current batch, and from now on of each batch.
    pub(crate) fn load(&mut self, file: &File<'_>, id: u32, given: &Given<'_>) -> Result<Vector> {
        let mut out = Vector::Null(0);
        let at = At { file, row: self.row, picks: &self.picks, given, threads: 1, walks: &self.walks };
        if self.root.load(&at, id, Ends::Each(self.rows), &mut out)? {
            Ok(out)
        } else {
            Err(Error::value(format!("the shape has no node {id}")))
        }
    }
}

/// Makes the tree for a shape and its columns.
struct Builder<'a, 's> {
    file: &'a File<'s>,
    next: u32,
    /// The array columns around the node, outermost first.
    parents: Arc<[usize]>,
}

impl Builder<'_, '_> {
    fn node(&mut self, shape: &Shape, layout: &Layout) -> Result<Node> {
        let id = self.next;
        self.next += 1;
        let kind = match (shape, layout) {
            (_, Layout::Own) => Kind::Own,
            (Shape::Null, Layout::None) => Kind::Nothing,
            (Shape::Record(record), Layout::Record(layouts)) => {
                let mut fields = Vec::with_capacity(layouts.len());
                for (field, layout) in record.fields.iter().zip(layouts) {
                    fields.push(self.node(&field.shape, layout)?);
                }
                Kind::Record(fields)
            }
            (Shape::List(item), layout) => Kind::Array(self.array(item, layout, false)?),
            (Shape::Optional(optional), Layout::Union(branches)) => match &optional.item {
                Shape::Union(variants) => {
                    // The union below is a node of its own.
                    self.next += 1;
                    Kind::Union(self.branches(variants, branches)?, Null::Allowed)
                }
                _ => return Err(Error::metadata("a union that the shape does not have")),
            },
            (Shape::Optional(optional), layout) => Kind::Array(self.array(&optional.item, layout, true)?),
            (Shape::Union(variants), Layout::Union(branches)) => {
                Kind::Union(self.branches(variants, branches)?, Null::Refused)
            }
            (Shape::Map(map), Layout::Map { column, key, value }) => {
                let own = self.column(*column, None, true)?;
                let around = self.enter(*column);
                let key = self.node(&map.key, key)?;
                let value = self.node(&map.value, value)?;
                self.parents = around;
                Kind::Map(own, Vec::new(), Box::new(key), Box::new(value))
            }
            (simple, Layout::Leaf(column)) => {
                Kind::Leaf(self.column(*column, Some(simple), false)?, Form::of(simple))
            }
            _ => return Err(Error::metadata("columns do not fit the shape")),
        };
        Ok(Node { id, count: self.next - id, wanted: false, kind })
    }

    fn branches(&mut self, variants: &[Shape], branches: &[Layout]) -> Result<Vec<Array>> {
        variants.iter().zip(branches).map(|(variant, layout)| self.array(variant, layout, true)).collect()
    }

    fn array(&mut self, item: &Shape, layout: &Layout, optional: bool) -> Result<Array> {
        let Layout::Array { column: number, item: below } = layout else {
            return Err(Error::metadata("an array that the shape does not have"));
        };
        let (column, item) = match below {
            None => {
                self.next += 1;
                let column = self.column(*number, Some(item), true)?;
                (column, Item::Fused(Form::of(item)))
            }
            Some(below) => {
                let own = own_field(item, below);
                let column = self.column(*number, None, true)?;
                let around = self.enter(*number);
                let node = Box::new(self.node(item, below)?);
                self.parents = around;
                let item = match own {
                    Some((field, form)) => Item::Mixed(node, field, form),
                    None => Item::Below(node),
                };
                (column, item)
            }
        };
        Ok(Array { column, item, optional, ends: Vec::new() })
    }

    /// Goes below an array column; returns what was around.
    fn enter(&mut self, column: usize) -> Arc<[usize]> {
        let below = self.parents.iter().copied().chain([column]).collect();
        std::mem::replace(&mut self.parents, below)
    }

    /// A column, if its type is that of the shape.
    fn column(&self, number: usize, shape: Option<&Shape>, array: bool) -> Result<Column> {
        let wanted = shape.and_then(value_type);
        match self.file.header.kind(number) {
            Some((found, has_lengths)) if array == has_lengths && wanted.is_none_or(|it| fits(it, found)) => {
                Ok(Column { number, parents: Arc::clone(&self.parents), reader: None })
            }
            _ => Err(self.misfit(number, wanted)),
        }
    }

    #[cold]
    fn misfit(&self, number: usize, wanted: Option<ValueType>) -> Error {
        let spec = match self.file.column(number) {
            Ok(header) => header.spec,
            Err(error) => return error,
        };
        let found = spec.value_type;
        let error = match wanted {
            Some(wanted) if !fits(wanted, found) => {
                Error::metadata(format!("the column is of type {found}, the schema says {wanted}"))
            }
            _ => Error::metadata("the schema and the column differ on whether it has lengths"),
        };
        error.in_column(spec.name)
    }
}

/// Whether a column of one type holds values of another.
fn fits(wanted: ValueType, found: ValueType) -> bool {
    match wanted {
        ValueType::Int => matches!(found, ValueType::Int | ValueType::Fixed32),
        ValueType::Long => matches!(found, ValueType::Long | ValueType::Fixed64),
        wanted => wanted == found,
    }
}

/// The field of a record that the values of the column above it go to.
fn own_field(item: &Shape, layout: &Layout) -> Option<(usize, Form)> {
    match (item, layout) {
        (Shape::Record(record), Layout::Record(layouts)) => {
            let field = layouts.iter().position(|layout| *layout == Layout::Own)?;
            record.fields.get(field).map(|own| (field, Form::of(&own.shape)))
        }
        _ => None,
    }
}
