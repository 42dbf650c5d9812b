//! A decoder of any format.

use super::{DecodedColumns, File, Schema};
use crate::error::{Error, Result};
use crate::storage::budget::BatchHold;
use crate::tree::{NodeId, Projection};
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

    /// All nodes that have been asked for, in ascending order.
    fn wanted(&self) -> Vec<NodeId>;

    /// Asks for all nodes.
    fn want_all(&mut self);

    /// Asks for some nodes, which ascend; those above them must be among them.
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

    /// Decodes some rows. What has not been asked for becomes [`Vector::Lazy`]; what has been decoded already is not read again.
    fn batch(
        &self,
        position: &mut dyn Position,
        rows: &BatchRows<'_>,
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()>;

    /// Reads what the nodes that have been asked for need for the current batch, and some others that are
    /// about to be loaded, which ascend.
    fn prefetch(
        &self,
        position: &mut dyn Position,
        nodes: &[NodeId],
        decoded: &DecodedColumns<'_>,
    ) -> Result<()>;

    /// Decodes a node of the current batch, and from now on of each batch.
    fn load(&self, position: &mut dyn Position, id: NodeId, decoded: &DecodedColumns<'_>) -> Result<Vector>;
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
pub(crate) struct Decoder(Box<dyn Position>);

impl Decoder {
    /// A decoder at the first row of a part of the rows.
    ///
    /// # Errors
    ///
    /// Columns that do not fit the schema.
    pub(crate) fn new(file: &File<'_>, schema: &Arc<Schema>, part: &Projection) -> Result<Self> {
        file.position(schema, part).map(Self)
    }

    /// What the current batch takes.
    pub(crate) fn hold(&mut self) -> &mut BatchHold {
        self.0.hold()
    }

    /// Says whether texts and byte strings may be [`Vector::Dictionary`].
    pub(crate) fn allow_dictionaries(&mut self, allowed: bool) {
        self.0.allow_dictionaries(allowed);
    }

    /// Decodes the fields of rows on this many threads.
    pub(crate) fn use_threads(&mut self, count: usize) {
        self.0.use_threads(count);
    }

    /// All nodes that have been asked for, in ascending order.
    pub(crate) fn wanted(&self) -> Vec<NodeId> {
        self.0.wanted()
    }

    /// Asks for all nodes.
    pub(crate) fn want_all(&mut self) {
        self.0.want_all();
    }

    /// Asks for some nodes, which ascend; those above them must be among them.
    pub(crate) fn want(&mut self, nodes: &[NodeId]) {
        self.0.want(nodes);
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
        let is_fresh = !self.0.has_buffers() && matches!(out, Vector::Null(0));
        let rows = BatchRows { row, rows, picks };
        let mut done = file.batch(&mut *self.0, &rows, decoded, out);
        // Buffers that are used again may have more room than is needed.
        if !is_fresh && matches!(&done, Err(error) if error.may_pass_with_fewer_rows()) {
            self.forget(out);
            done = file.batch(&mut *self.0, &rows, decoded, out);
        }
        if done.is_err() {
            self.forget(out);
        }
        done
    }

    /// Forgets a batch that has failed.
    fn forget(&mut self, out: &mut Vector) {
        *out = Vector::Null(0);
        self.0.forget();
        self.0.hold().forget();
    }

    /// Reads what the nodes that have been asked for need for the current batch, and some others that are
    /// about to be loaded, which ascend.
    pub(crate) fn prefetch(
        &mut self,
        file: &File<'_>,
        nodes: &[NodeId],
        decoded: &DecodedColumns<'_>,
    ) -> Result<()> {
        file.prefetch(&mut *self.0, nodes, decoded)
    }

    /// Decodes a node of the current batch, and from now on of each batch.
    pub(crate) fn load(
        &mut self,
        file: &File<'_>,
        id: NodeId,
        decoded: &DecodedColumns<'_>,
    ) -> Result<Vector> {
        file.load(&mut *self.0, id, decoded)
    }
}
