//! Rows of a file in the form that decodes fastest.

use super::Reader;
use super::pipeline::{BatchOrigin, BatchSource};
use crate::error::Result;
use crate::vector::Vector;
use std::fmt;
use std::ops::Range;

/// Iterator over the rows of a file in the form that decodes fastest; see [`Reader::vectors`].
pub struct Vectors<'s> {
    columns: BatchSource<'s>,
}

/// Rows as they have been decoded.
#[derive(Debug)]
#[non_exhaustive]
pub struct Decoded {
    /// The rows, and some between them that are not wanted.
    pub vector: Vector,
    /// The positions of the wanted rows: ranges that ascend.
    pub wanted: Vec<Range<usize>>,
}

impl<'s> Vectors<'s> {
    pub(super) fn new(reader: &Reader<'s>) -> Result<Self> {
        let mut columns = BatchSource::new(reader)?;
        columns.want_all();
        columns.may_decode_more();
        columns.allow_dictionaries(true);
        Ok(Self { columns })
    }

    /// Gives no [`Vector::Dictionary`]. Faster where the strings are needed one after the other.
    #[must_use]
    pub fn without_dictionaries(mut self) -> Self {
        self.columns.allow_dictionaries(false);
        self
    }

    /// As [`Batches::batch_rows`](super::Batches::batch_rows).
    #[must_use]
    pub fn batch_rows(mut self, rows: usize) -> Self {
        self.columns.set_batch_rows(rows);
        self
    }
}

impl Iterator for Vectors<'_> {
    type Item = Result<Decoded>;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut origin, mut vector) = (BatchOrigin::default(), Vector::Null(0));
        match self.columns.next_batch(&mut origin, &mut vector) {
            Ok(true) => Some(Ok(Decoded { vector, wanted: origin.runs })),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

impl fmt::Debug for Vectors<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vectors").field("rows_left", &self.columns.left()).finish_non_exhaustive()
    }
}
