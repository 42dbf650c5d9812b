//! Rows of a file, one at a time.

use super::Reader;
use super::cursor::Cursor;
use super::pipeline::scan::BATCH_ROWS;
use super::pipeline::{BatchOrigin, BatchSource, ReadPlan};
use crate::batch::Batch;
use crate::de::FastPathMiss;
use crate::error::Result;
use crate::outlined::{Outlined, drop_outlined};
use crate::shape::branch::Branches;
use crate::shape::{Shape, Shown};
use crate::vector::Vector;
use serde::de::DeserializeOwned;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// Iterator over the rows of a file; see [`Reader::rows`].
///
/// A row that does not fit the type is an error; iteration may continue with the next row. After bytes
/// that cannot be decoded, there are no more rows, also where only a later row asked for their column.
pub struct Rows<'s, T> {
    scan: Outlined<Scan<'s>>,
    rows: PhantomData<fn() -> T>,
}

/// Rows of any type.
struct Scan<'s> {
    columns: BatchSource<'s>,
    cursor: Cursor,
    failed: bool,
}

drop_outlined!(Scan<'s>, 's);

impl<'s> Scan<'s> {
    fn new(reader: &Reader<'s>) -> Result<Outlined<Self>> {
        let (cursor, columns) = Cursor::new(reader)?;
        Ok(Outlined::new(Self { columns, cursor, failed: false }))
    }

    /// Advances to the next row; false at the end.
    #[inline(never)]
    fn advance(&mut self) -> Result<bool> {
        if self.failed {
            return Ok(false);
        }
        let more = self.cursor.advance(&mut self.columns);
        self.failed |= more.is_err();
        more
    }

    /// The current row, by the slow path. It comes in a box, so that the fast path can use registers.
    #[inline(never)]
    fn slow<T: DeserializeOwned>(&mut self) -> Result<Box<T>> {
        let row = self.cursor.row(&mut self.columns);
        // A column that the row asked for would be an error of each row of the batch.
        self.failed |= self.cursor.is_damaged();
        row.map(Box::new)
    }

    /// How many rows are left, at least and at most.
    fn left(&self) -> (usize, Option<usize>) {
        if self.failed {
            return (0, Some(0));
        }
        let left = usize::try_from(self.cursor.left(&self.columns)).unwrap_or(usize::MAX);
        let certain = if self.columns.is_certain() { left.min(BATCH_ROWS as usize) } else { 0 };
        (certain, Some(left))
    }
}

impl<'s, T: DeserializeOwned> Rows<'s, T> {
    pub(super) fn new(reader: &Reader<'s>) -> Result<Self> {
        Ok(Self { scan: Scan::new(reader)?, rows: PhantomData })
    }

    /// What the rows so far have asked for.
    pub(super) fn plan(&self) -> Result<ReadPlan> {
        self.scan.columns.plan_with(&[])
    }

    /// Whether decoding failed, so that there are no more rows.
    pub(crate) fn failed(&self) -> bool {
        self.scan.failed
    }
}

impl<T: DeserializeOwned> Iterator for Rows<'_, T> {
    type Item = Result<T>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let scan = &mut *self.scan;
        match scan.cursor.fast_after(scan.cursor.index()) {
            Some(index) => scan.cursor.set_index(index),
            None => match scan.advance() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            },
        }
        match FastPathMiss::checked(T::deserialize(scan.cursor.fast(scan.cursor.index()))) {
            Some(row) => Some(Ok(row)),
            None => Some(scan.slow().map(|row| *row)),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.scan.left()
    }
}

impl<T: DeserializeOwned> std::iter::FusedIterator for Rows<'_, T> {}

impl<T> fmt::Debug for Rows<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rows").field("rows_left", &self.scan.left().1).finish_non_exhaustive()
    }
}

/// Iterator over the batches of a file; see [`Reader::batches`].
pub struct Batches<'s> {
    shape: Arc<Shape>,
    branches: Branches,
    shown: Shown,
    columns: BatchSource<'s>,
}

impl<'s> Batches<'s> {
    pub(super) fn new(reader: &Reader<'s>) -> Result<Self> {
        let mut columns = BatchSource::new(reader)?;
        columns.want_all();
        let (shape, schema) = (Arc::clone(&reader.part.shape), &reader.schema);
        Ok(Self { shape, branches: schema.branches, shown: schema.shown, columns })
    }

    /// Sets the most rows of a batch, at least 1. Default: 4,096, or 16,384 where several threads decode, and fewer in the
    /// first batch. Batches that would pass [`Limits::memory`](crate::Limits::memory), and those that a filter or a
    /// selection takes rows out of, have fewer.
    ///
    /// ```
    /// let file = trevni::to_vec(0..10_000)?;
    /// let batches = trevni::Reader::from_slice(&file)?.batches()?.batch_rows(4_000);
    /// let lengths: Vec<usize> = batches.map(|batch| Ok(batch?.len())).collect::<trevni::Result<_>>()?;
    /// assert_eq!(lengths, [4_000, 4_000, 2_000]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn batch_rows(mut self, rows: usize) -> Self {
        self.columns.set_batch_rows(rows);
        self
    }
}

impl Iterator for Batches<'_> {
    type Item = Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut origin, mut vector) = (BatchOrigin::default(), Vector::Null(0));
        match self.columns.next_batch(&mut origin, &mut vector) {
            Ok(true) => {
                let shape = Arc::clone(&self.shape);
                let batch = Batch::new(shape, self.branches, vector, origin.selection());
                Some(Ok(batch.showing(self.shown)))
            }
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}

impl fmt::Debug for Batches<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches").field("rows_left", &self.columns.left()).finish_non_exhaustive()
    }
}
