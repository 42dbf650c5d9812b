//! The rows of all parts that a predicate selects.

use super::{Dataset, DatasetPart};
use crate::error::Result;
use crate::predicate::Predicate;
use crate::selection::RowSelection;

impl<'s> Dataset<'s> {
    /// A dataset of the rows for which a predicate is true; see [`Reader::filter`](crate::Reader::filter).
    ///
    /// The predicate is one on rows of [`Dataset::shape`], before any projection. An [optional](Dataset::optional) field that a
    /// part lacks is null in all its rows: comparisons are neither true nor false, and `is_null` is true. Where the values of a
    /// part have a logical type, and the others have strings, strings are compared, without zone maps. Of parts that zone
    /// maps exclude, only the header is read.
    ///
    /// # Errors
    ///
    /// A path that is in no part, or that a part with rows lacks, unless it is optional; a literal that cannot be compared with
    /// the values there.
    pub fn filter(&self, predicate: Predicate) -> Result<Self> {
        predicate.bind(&self.whole.shape, &self.whole.tree)?;
        predicate.each_path(&self.whole.shape, &mut |found| self.check_found(found))?;
        self.map(|part| part.reader.filter_by(predicate.clone(), &part.view(&self.whole)))
    }

    /// The numbers of the matching rows, across all parts; see [`Reader::matching`](crate::Reader::matching).
    ///
    /// # Errors
    ///
    /// As [`Dataset::rows`].
    pub fn matching(&self) -> Result<RowSelection> {
        let mut ranges = Vec::new();
        for part in self.parts.iter() {
            let rows = part.reader.matching().map_err(|error| error.in_file(part.path()))?;
            let shifted =
                |range: &std::ops::Range<u64>| range.start + part.first_row..range.end + part.first_row;
            ranges.extend(rows.ranges().iter().map(shifted));
        }
        Ok(ranges.into_iter().collect())
    }

    /// The number of matching rows of all parts; see [`Reader::matching_count`](crate::Reader::matching_count).
    ///
    /// # Errors
    ///
    /// As [`Dataset::rows`].
    pub fn matching_count(&self) -> Result<u64> {
        let count =
            |part: &DatasetPart<'_>| part.reader.matching_count().map_err(|error| error.in_file(part.path()));
        self.parts.iter().map(count).sum()
    }
}
