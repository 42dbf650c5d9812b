//! What rows are read from, before any of them is read: for callers that fetch bytes themselves.

use super::Reader;
use crate::error::Result;
use crate::selection::RowSelection;
use crate::sort;
use std::ops::Range;

impl Reader<'_> {
    /// The columns that the rows are read from: those of the projected fields, and those of the predicate. Their numbers in
    /// [`Reader::columns`], ascending. Nothing is read.
    ///
    /// With [`Reader::candidates`] and [`Reader::blocks`], a source that takes long to answer can fetch the bytes of many
    /// rows at once.
    ///
    /// ```
    /// use trevni::col;
    ///
    /// let file = trevni::to_vec([(1, "one", Some(1.0)), (2, "two", None)])?;
    /// let reader = trevni::Reader::from_slice(&file)?.project(["_2"])?;
    /// assert_eq!(reader.columns_read(), [2]);
    /// assert_eq!(reader.filter(col("_0").gt(1))?.columns_read(), [0, 2]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn columns_read(&self) -> Vec<usize> {
        let mut columns = self.schema.columns_of(&self.part);
        if let Some(filtered) = &self.filter {
            columns.extend(filtered.columns(self));
        }
        sort::once(&mut columns, |column| *column as u64);
        columns
    }

    /// The selected rows that zone maps and first values do not exclude; all of them without a predicate. Reads the zone maps
    /// and block tables of the predicate's columns, and no blocks.
    ///
    /// ```
    /// use trevni::{Reader, Writer, col};
    ///
    /// let mut writer = Writer::builder().block_size(1000).build(Vec::new())?;
    /// writer.write_all(0..10_000)?;
    /// let file = writer.finish()?;
    /// let reader = Reader::from_slice(&file)?.filter(col("").eq(5_000))?;
    /// let candidates = reader.candidates()?;
    /// assert!(candidates.row_count() < 1_000);
    /// assert_eq!(reader.matching()?.intersection(&candidates), reader.matching()?);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reader::zone_map`], and more rows than the limits allow for a file of this size.
    pub fn candidates(&self) -> Result<RowSelection> {
        let selected = self.selected()?;
        match &self.filter {
            Some(filtered) => Ok(self.here(filtered.candidates(self, &selected))?.rows),
            None => Ok(RowSelection::clone(&selected)),
        }
    }

    /// The byte ranges of the blocks that hold the [candidates](Reader::candidates), by position: a slow source can fetch them before any
    /// is decoded. Reads the zone maps and block tables of the columns that are read, and no blocks.
    ///
    /// Columns within lists are found by the lengths of these. Where a selection begins within a block of such a column, blocks before it of
    /// the columns around it are read too.
    ///
    /// ```
    /// let file = trevni::to_vec((0..100_000).map(|id| (id, id.to_string())))?;
    /// let reader = trevni::Reader::from_slice(&file)?.project(["_0"])?;
    /// let all: u64 = reader.ranges()?.iter().map(|range| range.end - range.start).sum();
    /// assert!(all < file.len() as u64 / 2);
    /// assert_eq!(reader.select(50_000..50_001)?.ranges()?.len(), 1);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reader::candidates`] and [`Reader::blocks`].
    pub fn ranges(&self) -> Result<Vec<Range<u64>>> {
        let rows = self.candidates()?;
        let mut ranges = Vec::new();
        for column in self.columns_read() {
            let sizes = self.here(self.file.block_sizes(column))?;
            for (block, (count, bytes)) in self.blocks(column)?.iter().zip(sizes) {
                if rows.meets(&(block.first_row..block.first_row + u64::from(count))) {
                    ranges.push(block.offset..block.offset + bytes);
                }
            }
        }
        sort::by_key(&mut ranges, |range| range.start);
        Ok(ranges)
    }
}
