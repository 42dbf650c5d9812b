//! Readers of the rows that a predicate selects.

use super::Reader;
use super::pipeline::filter::Filtered;
use super::pipeline::found;
use crate::error::Result;
use crate::predicate::Predicate;
use crate::selection::RowSelection;
use crate::tree::View;
use std::sync::Arc;

impl<'s> Reader<'s> {
    /// A reader of the rows for which a predicate is true; see [`col`](crate::col).
    ///
    /// Zone maps and first values exclude blocks without reading them. Then the columns of the predicate are
    /// decoded, and of all other columns only the blocks with a matching row. Conjuncts are evaluated in
    /// order, each only on rows that passed the previous ones; put the most selective first. The predicate
    /// may name any field of the file, regardless of projections. A second filter narrows the first: both
    /// predicates must be true.
    ///
    /// ```
    /// use trevni::{Reader, col};
    ///
    /// let bytes = trevni::to_vec((0..10_000u32).map(|n| (n, vec![n; n as usize % 3])))?;
    /// let reader = Reader::from_slice(&bytes)?.filter(col("_0").ge(9_998) | col("_0").eq(7))?;
    /// let rows: Vec<(u32, Vec<u32>)> = reader.rows()?.collect::<Result<_, _>>()?;
    /// assert_eq!(rows, [(7, vec![7]), (9_998, vec![9_998; 2]), (9_999, vec![])]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An unknown path, or a literal that cannot be compared with the values at a path.
    pub fn filter(&self, predicate: Predicate) -> Result<Self> {
        self.filter_by(predicate, &View::default())
    }

    /// As [`Reader::filter`]; `view` says what paths mean.
    pub(crate) fn filter_by(&self, predicate: Predicate, view: &View) -> Result<Self> {
        let predicate = match &self.filter {
            Some(before) => before.and(predicate),
            None => predicate,
        };
        let filtered = self.here(Filtered::new(predicate, &self.schema, view))?;
        Ok(Self { filter: Some(Arc::new(filtered)), lost: Arc::default(), ..self.clone() })
    }

    /// The numbers of the matching rows: the rows of [`Reader::select`] for which the predicate of
    /// [`Reader::filter`] is true. Reads the columns of the predicate, as far as needed.
    ///
    /// ```
    /// use trevni::{Reader, col};
    ///
    /// let bytes = trevni::to_vec(["a", "b", "b", "c", "b"])?;
    /// let reader = Reader::from_slice(&bytes)?.filter(col("").eq("b"))?;
    /// assert_eq!(reader.matching()?.ranges(), [1..3, 4..5]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reader::rows`].
    pub fn matching(&self) -> Result<RowSelection> {
        self.here(found(self)).map(|found| found.matching)
    }

    /// The number of matching rows: as [`Reader::matching`], but which they are is not noted.
    ///
    /// ```
    /// use trevni::{Reader, col};
    ///
    /// let bytes = trevni::to_vec(["a", "b", "b", "c", "b"])?;
    /// assert_eq!(Reader::from_slice(&bytes)?.filter(col("").eq("b"))?.matching_count()?, 3);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reader::rows`].
    pub fn matching_count(&self) -> Result<u64> {
        let selected = self.selected()?;
        match &self.filter {
            Some(filtered) => self.here(filtered.count(self, &selected)),
            None => Ok(selected.row_count()),
        }
    }

    /// The number of the first matching row, if any. In a column whose values ascend, this is a binary
    /// search: only the block with the row is read, if the column has a zone map, or has first values and is
    /// declared [`sorted`](super::ReaderBuilder::sorted).
    ///
    /// ```
    /// use trevni::{Reader, col};
    ///
    /// let bytes = trevni::to_vec((0..10_000).map(|n| n / 3 * 10))?;
    /// let reader = Reader::from_slice(&bytes)?;
    /// let from = |value: i32| reader.filter(col("").ge(value))?.first_matching();
    /// assert_eq!((from(-5)?, from(5000)?, from(5001)?, from(99_999)?), (Some(0), Some(1500), Some(1503), None));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reader::rows`].
    pub fn first_matching(&self) -> Result<Option<u64>> {
        let selected = self.selected()?;
        match &self.filter {
            Some(filtered) => self.here(filtered.first(self, &selected)),
            None => Ok(selected.ranges().first().map(|range| range.start)),
        }
    }
}
