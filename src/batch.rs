//! Some rows as typed vectors.

use crate::de::{Borrowed, Context, Plan};
use crate::error::Result;
use crate::selection::RowSelection;
use crate::shape::Shape;
use crate::vector::Vector;
use serde::Deserialize;
use std::marker::PhantomData;
use std::sync::Arc;

/// Some rows of a file, as a tree of typed vectors that has the form of the rows' [`Shape`].
///
/// For those who work on vectors, and for rows that borrow texts and bytes.
///
/// ```
/// #[derive(serde::Serialize, serde::Deserialize, Debug, PartialEq)]
/// struct Word<'a> {
///     text: &'a str,
///     count: u32,
/// }
///
/// let bytes = trevni::to_vec([Word { text: "the", count: 3 }, Word { text: "end", count: 1 }])?;
/// for batch in trevni::Reader::from_slice(&bytes)?.batches()? {
///     let batch = batch?;
///     for word in batch.rows::<Word<'_>>() {
///         assert_eq!(word?.text.len(), 3);
///     }
/// }
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Debug)]
pub struct Batch {
    shape: Arc<Shape>,
    vector: Vector,
    rows: RowSelection,
}

impl Batch {
    pub(crate) fn new(shape: Arc<Shape>, vector: Vector, rows: RowSelection) -> Self {
        Self { shape, vector, rows }
    }

    /// The shape of the rows.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The values: one entry for each row.
    #[must_use]
    pub fn vector(&self) -> &Vector {
        &self.vector
    }

    /// Number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.vector.len()
    }

    /// Whether there are no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Which rows of the file these are. One range, but where [`Reader::filter`](crate::Reader::filter)
    /// leaves rows out.
    #[must_use]
    pub fn selection(&self) -> &RowSelection {
        &self.rows
    }

    /// Number of the first row within the file, from 0.
    #[must_use]
    pub fn first_row(&self) -> u64 {
        self.rows.ranges().first().map_or(0, |range| range.start)
    }

    /// Number within the file of the row at a position.
    fn row_number(&self, index: usize) -> u64 {
        let rows = self.rows.ranges().iter().cloned().flatten();
        rows.clone().nth(index).unwrap_or_default()
    }

    /// The rows, which may borrow from the batch.
    pub fn rows<'b, T: Deserialize<'b>>(&'b self) -> BatchRows<'b, T> {
        BatchRows { batch: self, plan: Plan::of(&self.shape), next: 0, names_only: false, rows: PhantomData }
    }
}

/// Iterator over the rows of a [`Batch`].
pub struct BatchRows<'b, T> {
    batch: &'b Batch,
    plan: Plan,
    next: usize,
    names_only: bool,
    rows: PhantomData<fn() -> T>,
}

impl<'b, T: Deserialize<'b>> Iterator for BatchRows<'b, T> {
    type Item = Result<T>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.batch.len() {
            return None;
        }
        let index = self.next;
        self.next += 1;
        let context = Context::new(None, self.names_only);
        let row = context.entry::<Borrowed, T>(&self.plan, &self.batch.vector, index);
        self.names_only = context.names_only();
        Some(row.map_err(|error| error.in_row(self.batch.row_number(index))))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.batch.len() - self.next;
        (left, Some(left))
    }
}

impl<'b, T: Deserialize<'b>> ExactSizeIterator for BatchRows<'b, T> {}
