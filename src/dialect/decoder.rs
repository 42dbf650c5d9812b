//! A decoder of any format.

use super::{DecodedColumns, File, Schema};
use crate::error::{Error, Result};
use crate::storage::budget::BatchHold;
use crate::tree::{Kind, NodeId, Projection, Tree};
use crate::vector::Vector;
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
pub(crate) struct BatchRows<'a> {
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
        rows: &BatchRows<'_>,
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

    /// Says whether texts and byte strings may be [`Vector::Dictionary`].
    pub(crate) fn allow_dictionaries(&mut self, allowed: bool) {
        self.position.allow_dictionaries(allowed);
    }

    /// Decodes the fields of rows on this many threads.
    pub(crate) fn use_threads(&mut self, count: usize) {
        self.position.use_threads(count);
    }

    /// Asks for more nodes, which ascend; those above each of them have been asked for, or are among them.
    pub(crate) fn want(&mut self, nodes: &[NodeId]) {
        self.position.want(nodes);
    }

    /// Asks for all nodes.
    pub(crate) fn want_all(&mut self) {
        self.position.want(&self.tree.all());
    }

    /// Decodes some of the `rows` rows from `row` on: ranges that ascend and are not empty, counted from `row`.
    /// What has not been asked for becomes [`Vector::Unread`]; what has been decoded already is not read again.
    pub(crate) fn batch(
        &mut self,
        file: &File<'_>,
        row: u64,
        rows: usize,
        picks: &[Range<usize>],
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()> {
        let is_fresh = !self.position.has_buffers() && matches!(out, Vector::Null(0));
        let rows = BatchRows { row, rows, picks };
        let mut done = file.batch(&mut *self.position, &rows, decoded, out);
        // Buffers that are used again may have more room than is needed.
        if !is_fresh && matches!(&done, Err(error) if error.may_pass_with_fewer_rows()) {
            self.forget(out);
            done = file.batch(&mut *self.position, &rows, decoded, out);
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
