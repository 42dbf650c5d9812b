//! What rows are read from, before any of them is read: for callers that fetch bytes themselves.

use super::Reader;
use super::pipeline::scan::{BRIDGE_ROWS, SKIPPED_ROWS_MAX, bridged};
use crate::dialect::ColumnInfo;
use crate::error::Result;
use crate::selection::RowSelection;
use crate::sort;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
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

    /// The position in the source of the block table of a column, given by its number in [`Reader::columns`]. `None` for formats without
    /// block tables, and where the table is in memory, as in the beginning of a compact file.
    ///
    /// [`Reader::ranges`] reads the tables of the [columns that are read](Reader::columns_read): a source that takes long to answer can
    /// fetch some bytes from each of these positions before.
    ///
    /// ```
    /// let file = trevni::to_vec([(1, "one"), (2, "two")])?;
    /// let reader = trevni::Reader::from_slice(&file)?;
    /// assert_eq!(reader.table_start(0), Some(reader.columns()[0].start()));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn table_start(&self, column: usize) -> Option<u64> {
        let start = self.columns().get(column).filter(|_| self.file.has_tables())?.start();
        Some(self.file.in_source(start..start)?.start)
    }

    /// The byte ranges from which the [candidates](Reader::candidates) are read, by position: a slow source can fetch them before any
    /// is decoded. Reads the zone maps and block tables of the columns that are read, and no blocks.
    ///
    /// The ranges cover the blocks of these rows. If a selection begins inside a block of a column in a list, they also cover the blocks
    /// that count the items before it.
    ///
    /// Positions refer to the source, also for compact files. Decoding reads no other bytes if the source returns
    /// [`WouldBlock`](std::io::ErrorKind::WouldBlock) for bytes that it has not fetched: nothing is read ahead then.
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
        let candidates = self.candidates()?;
        let columns = self.columns();
        let numbers: HashMap<&str, usize> = columns.iter().map(ColumnInfo::name).zip(0..).collect();
        let among = |gap| RowSelection::from_iter(bridged(candidates.ranges(), gap));
        // Lengths are decoded of rows that are passed over, too.
        let [values, lengths] = [BRIDGE_ROWS as u64, SKIPPED_ROWS_MAX + 1].map(among);
        let mut wanted: BTreeMap<usize, Vec<Range<u64>>> =
            self.columns_read().into_iter().map(|number| (number, Vec::new())).collect();
        let mut ranges = Vec::new();
        while let Some((number, mut more)) = wanted.pop_last() {
            let column = columns.get(number);
            let usual = if column.is_some_and(ColumnInfo::is_array) { &lengths } else { &values };
            let rows = match more.is_empty() {
                true => Cow::Borrowed(usual),
                false => Cow::Owned(usual.ranges().iter().chain(&more).cloned().collect()),
            };
            let is_repeated = column.is_some_and(|column| column.max_repetition() > 0);
            let mut goes_on = false;
            let (blocks, sizes) = (self.blocks(number)?, self.here(self.file.block_sizes(number))?);
            for (block, (count, bytes)) in blocks.iter().zip(sizes) {
                let end = block.first_row.saturating_add(u64::from(count));
                let first = rows.first_from(block.first_row).filter(|first| *first < end);
                if let Some(first) = first.filter(|first| *first > block.first_row) {
                    more.push(block.first_row..first);
                }
                if first.is_some() || goes_on {
                    ranges.extend(self.file.in_source(block.offset..block.offset.saturating_add(bytes)));
                }
                goes_on = is_repeated && self.file.parts_rows() && (first.is_some() || goes_on && count == 0);
            }
            // Lengths say how many entries are before a row in its block.
            let parent = column.and_then(ColumnInfo::parent).and_then(|name| numbers.get(name));
            if let Some(parent) = parent.filter(|parent| **parent < number) {
                wanted.entry(*parent).or_default().extend(more);
            }
        }
        sort::by_key(&mut ranges, |range| range.start);
        Ok(ranges)
    }
}
