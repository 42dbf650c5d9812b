//! A decoder of any format, and the values that a predicate has decoded before it.

use super::File;
use super::schema::Schema;
use crate::error::{Error, Result};
use crate::selection::positions;
use crate::storage::budget::BatchHold;
use crate::tree::{Kind, NodeId, Projection, Slot, Tree};
use crate::vector::{ListVector, Vector};
use std::any::Any;
use std::ops::Range;
use std::sync::Arc;

/// Where a decoder is in the columns of a file, and which nodes it decodes. What reads is the file ([`Decode`]).
pub(crate) trait Position: Any + Send {
    /// What the current batch takes.
    fn hold(&mut self) -> &mut BatchHold;

    /// Allows strings and bytes to be [`Vector::Dictionary`]. Formats without dictionaries ignore it.
    fn allow_dictionaries(&mut self, _: bool) {}

    /// Decodes the fields of rows on this many threads.
    fn use_threads(&mut self, count: usize);

    /// Keeps the blocks of the file for other rows. Formats without a cache ignore it.
    fn keep_blocks(&mut self) {}

    /// Asks for more nodes, which ascend; those above each of them have been asked for, or are among them.
    fn want(&mut self, nodes: &[NodeId]);

    /// Whether it reuses buffers of its own, which may hold more memory than the batch needs.
    fn has_buffers(&self) -> bool {
        false
    }

    /// Gives back what a batch that has failed took.
    fn forget(&mut self) {}
}

/// The rows of a batch.
pub(crate) struct Window<'a> {
    /// Number of the first row.
    pub(crate) row: u64,
    /// Number of rows.
    pub(crate) rows: usize,
    /// Which of them are decoded: ranges that ascend and are not empty, counted from `row`.
    pub(crate) picks: &'a [Range<usize>],
}

/// How a file decodes batches. The position is one that it has made itself.
pub(crate) trait Decode {
    /// The first row of a part of the rows.
    ///
    /// # Errors
    ///
    /// Columns that do not fit the schema.
    fn position(&self, schema: &Arc<Schema>, part: &Projection) -> Result<Box<dyn Position>>;

    /// Decodes some rows, which may be those of the batch before once more. What has not been asked for becomes
    /// [`Vector::Unread`]; what has been decoded already is not read again.
    fn batch(
        &self,
        position: &mut dyn Position,
        rows: &Window<'_>,
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()>;
}

/// The position of a file's own type.
///
/// # Errors
///
/// The position of a file of another format.
pub(crate) fn own<P: Position>(position: &mut dyn Position) -> Result<&mut P> {
    (position as &mut dyn Any)
        .downcast_mut()
        .ok_or_else(|| Error::internal("a decoder is given a file of another format"))
}

/// Decodes rows of a file, batch after batch: only the nodes that have been asked for.
pub(crate) struct Decoder {
    position: Box<dyn Position>,
    /// The nodes of the part.
    tree: Arc<Tree>,
}

impl Decoder {
    /// A decoder at the first row of a part of the rows.
    ///
    /// # Errors
    ///
    /// Columns that do not fit the schema.
    pub(crate) fn new(file: &File<'_>, schema: &Arc<Schema>, part: &Projection) -> Result<Self> {
        let mut position = file.position(schema, part)?;
        if part.tree.kind(0) == Kind::Record {
            // It has no column of its own.
            position.want(&[0]);
        }
        Ok(Self { position, tree: Arc::clone(&part.tree) })
    }

    /// What the current batch takes.
    pub(crate) fn hold(&mut self) -> &mut BatchHold {
        self.position.hold()
    }

    /// Says whether strings and byte strings may be [`Vector::Dictionary`].
    pub(crate) fn allow_dictionaries(&mut self, allowed: bool) {
        self.position.allow_dictionaries(allowed);
    }

    /// Decodes the fields of rows on this many threads.
    pub(crate) fn use_threads(&mut self, count: usize) {
        self.position.use_threads(count);
    }

    /// Keeps the blocks of the file for other rows.
    pub(crate) fn keep_blocks(&mut self) {
        self.position.keep_blocks();
    }

    /// Asks for more nodes, which ascend; those above each of them have been asked for, or are among them.
    pub(crate) fn want(&mut self, nodes: &[NodeId]) {
        self.position.want(nodes);
    }

    /// Asks for all nodes.
    pub(crate) fn want_all(&mut self) {
        self.position.want(&self.tree.all());
    }

    /// Decodes some rows. What has not been asked for becomes [`Vector::Unread`]; what has been decoded already is not read again.
    pub(crate) fn batch(
        &mut self,
        file: &File<'_>,
        rows: &Window<'_>,
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()> {
        let is_fresh = !self.position.has_buffers() && matches!(out, Vector::Null(0));
        let mut done = file.batch(&mut *self.position, rows, decoded, out);
        // Buffers that are used again may have more room than is needed.
        if !is_fresh && matches!(&done, Err(error) if error.may_pass_with_fewer_rows()) {
            self.forget(out);
            done = file.batch(&mut *self.position, rows, decoded, out);
        }
        if done.is_err() {
            self.forget(out);
        }
        done
    }

    /// Forgets a batch that has failed.
    fn forget(&mut self, out: &mut Vector) {
        *out = Vector::Null(0);
        self.position.forget();
        self.position.hold().forget();
    }
}

/// Columns without parents whose values of some of the current rows have been decoded for a predicate.
#[derive(Default)]
pub(crate) struct DecodedColumns<'a>(Vec<Values<'a>>);

/// The values of a column.
#[derive(Clone, Copy)]
struct Values<'a> {
    column: usize,
    vector: &'a Vector,
    /// The rows that the vector has: ranges that ascend.
    rows: &'a [Range<usize>],
}

impl<'a> DecodedColumns<'a> {
    /// Adds the columns of a vector of whole rows, whose nodes may be [`Vector::Unread`], and the rows that it has.
    pub(crate) fn add(&mut self, schema: &Schema, vector: &'a Vector, rows: &'a [Range<usize>]) {
        self.add_node(schema, 0, vector, rows);
    }

    fn add_node(&mut self, schema: &Schema, id: NodeId, vector: &'a Vector, rows: &'a [Range<usize>]) {
        let tree = &schema.whole.tree;
        let column = |id| schema.column(Slot::Own(id));
        match (tree.kind(id), vector) {
            (_, Vector::Unread(_)) => {}
            (Kind::Record, Vector::Record(record)) => {
                let fields = tree.children(id).zip(&record.fields);
                fields.for_each(|(id, field)| self.add_node(schema, id, field, rows));
            }
            // What is in lists by itself has a column for each field, whose entries are not those of the lists.
            (Kind::List | Kind::Optional, _)
                if column(id + 1) != column(id) || !matches!(tree.kind(id + 1), Kind::Leaf(_)) => {}
            // Whether values are there was asked for, and not the values.
            (Kind::List | Kind::Optional, Vector::List(list) | Vector::Optional(list))
                if matches!(list.item, Vector::Unread(_)) => {}
            (Kind::Leaf(_) | Kind::List | Kind::Optional, vector) => {
                self.0.extend(column(id).map(|column| Values { column, vector, rows }));
            }
            _ => {}
        }
    }

    fn get(&self, column: usize) -> Option<Values<'a>> {
        self.0.iter().find(|values| values.column == column).copied()
    }

    /// Whether the values of a column have been decoded.
    pub(crate) fn has(&self, column: usize) -> bool {
        self.get(column).is_some()
    }

    /// Appends the values of some rows; false where the column has not been decoded.
    pub(crate) fn values(&self, column: usize, selected: &[Range<usize>], out: &mut Vector) -> bool {
        match self.get(column) {
            Some(values) => {
                positions(values.rows, selected).all(|place| values.vector.copy_range(place, out))
            }
            None => false,
        }
    }

    /// Appends the lengths and values of some rows; false where the column has not been decoded.
    pub(crate) fn arrays(&self, column: usize, selected: &[Range<usize>], out: &mut ListVector) -> bool {
        let Some(values) = self.get(column) else {
            return false;
        };
        match values.vector {
            Vector::List(list) | Vector::Optional(list) => {
                positions(values.rows, selected).all(|place| list.copy_range(place, out))
            }
            _ => false,
        }
    }
}
