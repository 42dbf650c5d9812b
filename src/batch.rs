//! Some rows as typed vectors.

use crate::de::{Assembler, Lent, Plan};
use crate::error::{Error, Result};
use crate::schema::Branches;
use crate::selection::RowSelection;
use crate::shape::Shape;
use crate::vector::Vector;
use crate::vector::gather::gather;
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
    branches: Branches,
    vector: Vector,
    rows: RowSelection,
}

impl Batch {
    pub(crate) fn new(shape: Arc<Shape>, branches: Branches, vector: Vector, rows: RowSelection) -> Self {
        Self { shape, branches, vector, rows }
    }

    /// What an enum makes of the branches of unions.
    pub(crate) fn branches(&self) -> Branches {
        self.branches
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

    /// Rows of several batches in any order: each of `rows` is the number of a batch and a position in it.
    /// The outcome has no numbers of rows: its selection counts from 0.
    ///
    /// ```
    /// let bytes = trevni::to_vec([(1, "one"), (2, "two"), (3, "three")])?;
    /// let batches: Vec<_> = trevni::Reader::from_slice(&bytes)?.batches()?.collect::<trevni::Result<_>>()?;
    /// let batch = trevni::Batch::gather(&batches, &[(0, 2), (0, 0)])?;
    /// let rows: Vec<(i32, &str)> = batch.rows().collect::<trevni::Result<_>>()?;
    /// assert_eq!(rows, [(3, "three"), (1, "one")]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// No batches, batches of different shapes, a row that is not there, and values that pass 4 GiB in one
    /// vector.
    pub fn gather(batches: &[Batch], rows: &[(usize, usize)]) -> Result<Batch> {
        let first = batches.first().ok_or_else(|| Error::option("no batches to take rows of"))?;
        if batches.iter().any(|batch| batch.shape != first.shape) {
            return Err(Error::option("the batches have different shapes"));
        }
        let vectors: Vec<&Vector> = batches.iter().map(|batch| &batch.vector).collect();
        let vector = gather(&first.vector, &vectors, rows).ok_or_else(|| {
            Error::option("a row that is not in its batch, or more than 4 GiB in one vector")
        })?;
        let rows = RowSelection::from(0..rows.len() as u64);
        Ok(Self::new(Arc::clone(&first.shape), first.branches, vector, rows))
    }

    /// The rows, which may borrow from the batch.
    pub fn rows<'b, T: Deserialize<'b>>(&'b self) -> BatchRows<'b, T> {
        let plan = Plan::of(&self.shape, self.branches);
        BatchRows { batch: self, assembler: Assembler::new(plan, &self.vector), next: 0, rows: PhantomData }
    }
}

/// Iterator over the rows of a [`Batch`].
pub struct BatchRows<'b, T> {
    batch: &'b Batch,
    assembler: Assembler<Lent<'b>>,
    next: usize,
    rows: PhantomData<fn() -> T>,
}

impl<'b, T: Deserialize<'b>> BatchRows<'b, T> {
    /// The row at a position, by the slow path. It comes in a box, so that the fast path can use registers.
    #[inline(never)]
    fn slow(&mut self, index: usize) -> Result<Box<T>> {
        match self.assembler.slow_lent(index) {
            Ok(row) => Ok(Box::new(row)),
            Err(error) => Err(error.in_row(self.batch.row_number(index))),
        }
    }
}

impl<'b, T: Deserialize<'b>> Iterator for BatchRows<'b, T> {
    type Item = Result<T>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let index = self.next;
        if index >= self.batch.len() {
            return None;
        }
        self.next += 1;
        // The first row shows what the rows are read as.
        if (self.assembler.is_fast() || index > 0 && self.assembler.enter(index))
            && let Ok(row) = T::deserialize(self.assembler.fast(index))
        {
            return Some(Ok(row));
        }
        Some(self.slow(index).map(|row| *row))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.batch.len() - self.next;
        (left, Some(left))
    }
}

impl<'b, T: Deserialize<'b>> ExactSizeIterator for BatchRows<'b, T> {}
