//! A decoder of any dialect.

use super::with_levels::WithLevels;
use super::{DecodedColumns, File, Schema, dremel, levels, redelm, trevni};
use crate::error::{Error, Result};
use crate::storage::budget::BatchHold;
use crate::tree::{NodeId, Projection};
use crate::vector::Vector;
use std::ops::Range;
use std::sync::Arc;

/// Decodes rows of a file, batch after batch: only the nodes that have been asked for.
pub(crate) enum Decoder {
    Trevni(trevni::decode::Decoder),
    Levels(WithLevels<dremel::Decoder<levels::decode::Cursor>>),
    RedElm(WithLevels<dremel::Decoder<redelm::decode::Cursor>>),
}

impl Decoder {
    /// A decoder at the first row of a part of the rows.
    ///
    /// # Errors
    ///
    /// Columns that do not fit the schema.
    pub(crate) fn new(file: &File<'_>, schema: &Arc<Schema>, part: &Projection) -> Result<Self> {
        match file {
            File::Trevni(file) => trevni::decode::Decoder::new(file, schema, part).map(Self::Trevni),
            File::Levels(file) => {
                Ok(Self::Levels(file.with(dremel::Decoder::new(&**file, schema, part, file.threads))))
            }
            File::RedElm(file) => {
                Ok(Self::RedElm(file.with(dremel::Decoder::new(&**file, schema, part, file.threads))))
            }
        }
    }

    /// What the current batch takes.
    pub(crate) fn hold(&mut self) -> &mut BatchHold {
        match self {
            Self::Trevni(decoder) => &mut decoder.hold,
            Self::Levels(decoder) => &mut decoder.hold,
            Self::RedElm(decoder) => &mut decoder.hold,
        }
    }

    /// Says whether texts and byte strings may be [`Vector::Dictionary`].
    pub(crate) fn allow_dictionaries(&mut self, allowed: bool) {
        match self {
            Self::Trevni(decoder) => decoder.allow_dictionaries(allowed),
            // Their blocks have none.
            Self::Levels(_) | Self::RedElm(_) => {}
        }
    }

    /// Decodes the fields of rows on this many threads.
    pub(crate) fn use_threads(&mut self, count: usize) {
        match self {
            Self::Trevni(decoder) => decoder.use_threads(count),
            Self::Levels(decoder) => decoder.use_threads(count),
            Self::RedElm(decoder) => decoder.use_threads(count),
        }
    }

    /// All nodes that have been asked for, in ascending order.
    pub(crate) fn wanted(&self) -> Vec<NodeId> {
        match self {
            Self::Trevni(decoder) => decoder.wanted(),
            Self::Levels(decoder) => decoder.wanted(),
            Self::RedElm(decoder) => decoder.wanted(),
        }
    }

    /// Asks for all nodes.
    pub(crate) fn want_all(&mut self) {
        match self {
            Self::Trevni(decoder) => decoder.want_all(),
            Self::Levels(decoder) => decoder.want_all(),
            Self::RedElm(decoder) => decoder.want_all(),
        }
    }

    /// Asks for some nodes, which ascend; those above them must be among them.
    pub(crate) fn want(&mut self, nodes: &[NodeId]) {
        match self {
            Self::Trevni(decoder) => decoder.want(nodes),
            Self::Levels(decoder) => decoder.want(nodes),
            Self::RedElm(decoder) => decoder.want(nodes),
        }
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
        let is_fresh = matches!((&*self, &*out), (Self::Trevni(_), Vector::Null(0)));
        let mut done = self.try_batch(file, row, rows, picks, decoded, out);
        // Buffers that are used again may have more room than is needed.
        if !is_fresh && matches!(&done, Err(error) if error.may_pass_with_fewer_rows()) {
            self.forget(out);
            done = self.try_batch(file, row, rows, picks, decoded, out);
        }
        if done.is_err() {
            self.forget(out);
        }
        done
    }

    /// Forgets a batch that has failed.
    fn forget(&mut self, out: &mut Vector) {
        *out = Vector::Null(0);
        match self {
            Self::Trevni(_) => {}
            Self::Levels(decoder) => decoder.forget(),
            Self::RedElm(decoder) => decoder.forget(),
        }
        self.hold().forget();
    }

    fn try_batch(
        &mut self,
        file: &File<'_>,
        row: u64,
        rows: usize,
        picks: &[Range<usize>],
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()> {
        match (self, file) {
            (Self::Trevni(decoder), File::Trevni(file)) => {
                decoder.batch(file, row, rows, picks, decoded, out)
            }
            (Self::Levels(decoder), File::Levels(file)) => {
                decoder.batch(&**file, row, rows, picks, decoded, out)
            }
            (Self::RedElm(decoder), File::RedElm(file)) => {
                decoder.batch(&**file, row, rows, picks, decoded, out)
            }
            _ => Err(other_dialect()),
        }
    }

    /// Reads what the nodes that have been asked for need for the current batch, and some others that are
    /// about to be loaded, which ascend.
    pub(crate) fn prefetch(
        &mut self,
        file: &File<'_>,
        nodes: &[NodeId],
        decoded: &DecodedColumns<'_>,
    ) -> Result<()> {
        match (self, file) {
            (Self::Trevni(decoder), File::Trevni(file)) => decoder.prefetch(file, nodes, decoded),
            (Self::Levels(decoder), File::Levels(file)) => decoder.prefetch(&**file, nodes, decoded),
            (Self::RedElm(decoder), File::RedElm(file)) => decoder.prefetch(&**file, nodes, decoded),
            _ => Err(other_dialect()),
        }
    }

    /// Decodes a node of the current batch, and from now on of each batch.
    pub(crate) fn load(
        &mut self,
        file: &File<'_>,
        id: NodeId,
        decoded: &DecodedColumns<'_>,
    ) -> Result<Vector> {
        match (self, file) {
            (Self::Trevni(decoder), File::Trevni(file)) => decoder.load(file, id, decoded),
            (Self::Levels(decoder), File::Levels(file)) => decoder.load(&**file, id, decoded),
            (Self::RedElm(decoder), File::RedElm(file)) => decoder.load(&**file, id, decoded),
            _ => Err(other_dialect()),
        }
    }
}

#[cold]
fn other_dialect() -> Error {
    Error::internal("a decoder is given a file of another dialect")
}
