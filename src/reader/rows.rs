//! Rows of a file, one at a time.

use super::Reader;
use super::batcher::Place;
use super::columns::Columns;
use super::cursor::{CHANCES, Cursor};
use super::scan::BATCH_ROWS;
use crate::batch::Batch;
use crate::de::Context;
use crate::error::Result;
use crate::schema::Branches;
use crate::shape::Shape;
use crate::vector::Vector;
use serde::de::DeserializeOwned;
use std::marker::PhantomData;
use std::sync::Arc;

/// Iterator over the rows of a file; see [`Reader::rows`].
///
/// A row that does not fit the type is an error; iteration may continue with the next row. After bytes
/// that cannot be decoded, there are no more rows.
pub struct Rows<'s, T> {
    columns: Columns<'s>,
    cursor: Cursor,
    names_only: bool,
    failed: bool,
    rows: PhantomData<fn() -> T>,
}

impl<'s, T: DeserializeOwned> Rows<'s, T> {
    pub(super) fn new(reader: &Reader<'s>) -> Result<Self> {
        let (cursor, columns) = Cursor::new(reader, CHANCES)?;
        Ok(Self { columns, cursor, names_only: false, failed: false, rows: PhantomData })
    }

    /// Advances to the next row; false at the end.
    #[inline(never)]
    fn advance(&mut self) -> Result<bool> {
        let context = Context::new(Some(&self.columns), self.names_only);
        let more = self.cursor.advance(&self.columns, &context);
        self.failed |= more.is_err();
        more
    }

    /// The current row, the general way. It comes in a box: see [`Straight`](crate::de::Straight).
    #[inline(never)]
    fn current_row(&mut self) -> Result<Box<T>> {
        let context = Context::new(Some(&self.columns), self.names_only);
        let row = self.cursor.row(&context);
        self.names_only = context.names_only();
        row.map(Box::new)
    }

    /// Whether decoding failed, so that there are no more rows.
    pub(crate) fn failed(&self) -> bool {
        self.failed
    }
}

impl<T: DeserializeOwned> Iterator for Rows<'_, T> {
    type Item = Result<T>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        match self.cursor.straight_behind(self.cursor.index()) {
            Some(index) => self.cursor.set_index(index),
            None => match self.advance() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(error) => return Some(Err(error)),
            },
        }
        match T::deserialize(self.cursor.straight(self.cursor.index())) {
            Ok(row) => Some(Ok(row)),
            Err(_) => Some(self.current_row().map(|row| *row)),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.cursor.left(&self.columns)).unwrap_or(usize::MAX);
        let certain = if self.columns.is_certain() { left.min(BATCH_ROWS as usize) } else { 0 };
        (certain, Some(left))
    }
}

impl<T: DeserializeOwned> std::iter::FusedIterator for Rows<'_, T> {}

/// Iterator over the batches of a file; see [`Reader::batches`].
pub struct Batches<'s> {
    shape: Arc<Shape>,
    branches: Branches,
    columns: Columns<'s>,
}

impl<'s> Batches<'s> {
    pub(super) fn new(reader: &Reader<'s>) -> Result<Self> {
        let mut columns = Columns::new(reader)?;
        columns.want_all();
        Ok(Self { shape: Arc::clone(&reader.part.shape), branches: reader.schema.branches, columns })
    }
}

impl Iterator for Batches<'_> {
    type Item = Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut place, mut vector) = (Place::default(), Vector::Null(0));
        match self.columns.next_batch(&mut place, &mut vector) {
            Ok(true) => {
                let shape = Arc::clone(&self.shape);
                Some(Ok(Batch::new(shape, self.branches, vector, place.selection())))
            }
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}
