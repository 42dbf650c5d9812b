//! Batches: rows as typed vectors.

use crate::de::{Assembler, FastPathMiss, Lent, Plan, Plans, RowAround};
use crate::error::{Error, ErrorKind, Result};
use crate::levels;
use crate::selection::RowSelection;
use crate::shape::branch::Branches;
use crate::shape::{Shape, Shown};
use crate::vector::Vector;
use crate::vector::gather::gather;
use serde::Deserialize;
use std::any::type_name;
use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

/// Some rows of a file, as a tree of typed vectors with the form of the rows' [`Shape`].
///
/// Use it to compute on vectors, or to read rows that borrow strings and bytes.
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
    shown: Shown,
    vector: Vector,
    rows: RowSelection,
    plans: Plans,
}

impl Batch {
    pub(crate) fn new(shape: Arc<Shape>, branches: Branches, vector: Vector, rows: RowSelection) -> Self {
        Self { shape, branches, shown: Shown::by(branches), vector, rows, plans: Plans::default() }
    }

    /// The same rows, of whose logical types this is shown.
    pub(crate) fn showing(self, shown: Shown) -> Self {
        Self { shown, ..self }
    }

    /// Some rows from their values, one entry for each row: the way in for data that is in columns already.
    ///
    /// Rows of one shape can share it: give an [`Arc`] of it.
    ///
    /// ```
    /// use trevni::vector::RecordVector;
    /// use trevni::{Batch, Shape, Vector, Writer};
    ///
    /// let shape = Shape::record("Person", [("name", Shape::String), ("age", Shape::optional(Shape::Int))]);
    /// let names = Vector::try_from_iter(["Ada", "Alan"])?;
    /// let ages = Vector::try_from_options([Some(36), None])?;
    /// let batch = Batch::try_new(shape, RecordVector::new(2, vec![names, ages]).into())?;
    ///
    /// let mut writer = Writer::new(Vec::new())?;
    /// writer.write_batch(&batch)?;
    ///
    /// #[derive(serde::Deserialize, Debug, PartialEq)]
    /// struct Person {
    ///     name: String,
    ///     age: Option<i32>,
    /// }
    /// let people: Vec<Person> = trevni::from_slice(&writer.finish()?)?;
    /// assert_eq!(people[0], Person { name: "Ada".to_owned(), age: Some(36) });
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A shape that no file can have, and a vector that is not of the shape's form: lengths that differ, bytes of
    /// another size than a `fixed`, ordinals without a symbol, more than one value for an optional, tags without a
    /// variant, [`Vector::Unread`]. The error names the path.
    pub fn try_new(shape: impl Into<Arc<Shape>>, vector: Vector) -> Result<Self> {
        let mut shape = shape.into();
        shape.check()?;
        if !shape.is_normalized() {
            shape = Arc::new(Shape::clone(&shape).normalized());
        }
        vector.check(&shape)?;
        let rows = RowSelection::from(0..vector.len() as u64);
        Ok(Self::new(shape, Branches::Kinds, vector, rows))
    }

    /// The shape and the values, without a copy.
    #[must_use]
    pub fn into_parts(self) -> (Arc<Shape>, Vector) {
        (self.shape, self.vector)
    }

    /// How enums match the branches of unions.
    pub(crate) fn branches(&self) -> Branches {
        self.branches
    }

    /// The shape of the rows.
    #[must_use]
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The values, one entry per row.
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

    /// The row numbers of the batch in the file: one range, unless [`Reader::filter`](crate::Reader::filter) or
    /// [`Reader::select`](crate::Reader::select) skips rows.
    #[must_use]
    pub fn selection(&self) -> &RowSelection {
        &self.rows
    }

    /// The number of the first row within the file, from 0.
    #[must_use]
    pub fn first_row(&self) -> u64 {
        self.rows.ranges().first().map_or(0, |range| range.start)
    }

    /// The number within the file of the row at a position.
    fn row_number(&self, index: usize) -> u64 {
        let rows = self.rows.ranges().iter().cloned().flatten();
        rows.clone().nth(index).unwrap_or_default()
    }

    /// Gathers rows of several batches in any order: each of `rows` is the index of a batch and a position in
    /// it. The row numbers of the result count from 0.
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
    /// An empty list of batches, batches with different shapes, a position out of range, and more than 4 GiB of
    /// values in one vector.
    pub fn gather(batches: &[Batch], rows: &[(usize, usize)]) -> Result<Batch> {
        let first = batches.first().ok_or_else(|| Error::option("there are no batches to gather from"))?;
        if batches.iter().any(|batch| batch.shape != first.shape) {
            return Err(Error::option("the batches have different shapes"));
        }
        for (batch, row) in rows {
            let count = match batches.get(*batch) {
                Some(batch) => batch.len(),
                None => return Err(Error::option(format!("no batch {batch}: there are {}", batches.len()))),
            };
            if *row >= count {
                return Err(ErrorKind::NoSuchRow { row: *row as u64, rows: count as u64 }.into());
            }
        }
        let vectors: Vec<&Vector> = batches.iter().map(|batch| &batch.vector).collect();
        let vector = gather(&first.vector, &vectors, rows).ok_or_else(|| {
            let what = "the size in bytes of one vector of the gathered rows (gather fewer at a time)";
            Error::too_large(what, 1 << 32, u64::from(u32::MAX))
        })?;
        let rows = RowSelection::from(0..rows.len() as u64);
        Ok(Self::new(Arc::clone(&first.shape), first.branches, vector, rows).showing(first.shown))
    }

    /// Iterates over the rows, which may borrow strings, bytes and names of fields and variants from the batch.
    pub fn rows<'b, T: Deserialize<'b>>(&'b self) -> BatchRows<'b, T> {
        let new = || Plan::new(&self.shape, self.branches, self.shown);
        let plan = self.plans.of(type_name::<T>(), new);
        let assembler = Assembler::new(plan, &self.vector);
        BatchRows { batch: self, assembler, next: 0, rows: PhantomData, _around: RowAround::leave() }
    }

    /// The levels of all leaves of the rows, in the order of the shape.
    ///
    /// # Errors
    ///
    /// As [`levels::shred`](crate::levels::shred).
    pub fn levels(&self) -> Result<Vec<levels::LeafColumn<'_>>> {
        levels::shred(self.shape(), self.vector())
    }
}

/// Iterator over the rows of a [`Batch`].
pub struct BatchRows<'b, T> {
    batch: &'b Batch,
    assembler: Assembler<Lent<'b>>,
    next: usize,
    rows: PhantomData<fn() -> T>,
    _around: RowAround,
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
            && let Some(row) = FastPathMiss::checked(T::deserialize(self.assembler.fast::<Lent<'_>>(index)))
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

impl<T> fmt::Debug for BatchRows<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left = self.batch.len() - self.next;
        f.debug_struct("BatchRows").field("rows_left", &left).finish_non_exhaustive()
    }
}
