//! Readers of selected rows, by number.

use super::pipeline::{found, scan};
use super::{Explain, Reader, explain};
use crate::dialect::File;
use crate::error::{Error, ErrorKind, Result};
use crate::selection::RowSelection;
use std::sync::Arc;

impl<'s> Reader<'s> {
    /// A reader of some rows only, by number from 0: a range such as `1000..2000`, several ranges, or a
    /// [`RowSelection`]. Only the blocks with these rows are read. A second selection narrows the first: the
    /// result is their intersection.
    ///
    /// ```
    /// let bytes = trevni::to_vec((0..10_000u32).map(|n| (n, vec![n; n as usize % 3])))?;
    /// let reader = trevni::Reader::from_slice(&bytes)?.select([10..12, 9_999..10_000])?;
    /// let rows: Vec<(u32, Vec<u32>)> = reader.rows()?.collect::<Result<_, _>>()?;
    /// assert_eq!(rows, [(10, vec![10]), (11, vec![11, 11]), (9_999, vec![])]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A range that ends after the last row.
    pub fn select(&self, rows: impl Into<RowSelection>) -> Result<Self> {
        let rows = rows.into();
        if rows.end() > self.row_count() {
            let error = ErrorKind::NoSuchRow { row: rows.end() - 1, rows: self.row_count() };
            return self.here(Err(error.into()));
        }
        let rows = match &self.selection {
            Some(before) => before.intersection(&rows),
            None => rows,
        };
        Ok(Self { selection: Some(Arc::new(rows)), ..self.clone() })
    }

    /// Readers of consecutive parts of the selected rows, at most `parts` of them, with about as many rows each: for threads
    /// that make rows side by side. With a filter, each has about as many rows before filtering. There is no reader without
    /// rows, so a file without rows gives no parts.
    ///
    /// ```
    /// use trevni::Reader;
    ///
    /// let bytes = trevni::to_vec((0..10_000u32).map(|n| (n, n % 97)))?;
    /// let sum = |part: Reader| -> trevni::Result<u64> {
    ///     part.rows::<(u32, u32)>()?.map(|row| row.map(|(n, _)| u64::from(n))).sum()
    /// };
    /// let parts = Reader::from_slice(&bytes)?.split(4)?;
    /// let sums: Vec<u64> = std::thread::scope(|scope| {
    ///     let threads: Vec<_> = parts.into_iter().map(|part| scope.spawn(move || sum(part))).collect();
    ///     threads.into_iter().map(|thread| thread.join().unwrap()).collect::<trevni::Result<_>>()
    /// })?;
    /// assert_eq!((sums.len(), sums.iter().sum::<u64>()), (4, 9_999 * 10_000 / 2));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// A block with rows of two parts is decoded for both, so take few parts of many rows.
    ///
    /// # Errors
    ///
    /// More rows than the limits allow for a file of this size; in a salvaged file, as [`Reader::rows`].
    pub fn split(&self, parts: usize) -> Result<Vec<Self>> {
        let parts = self.selected()?.split(parts);
        let part = |rows| Self { selection: Some(Arc::new(rows)), ..self.clone() };
        Ok(parts.into_iter().map(part).collect())
    }

    /// Reports which blocks of the projected columns are read for the rows, and which are skipped. Reads the
    /// columns of the predicate, as far as needed to find the rows.
    ///
    /// A column inside lists or optionals may need the lengths in some more blocks, to find its position.
    ///
    /// ```
    /// use trevni::{Reader, Writer, col};
    ///
    /// let mut writer = Writer::builder().block_size(1000).build(Vec::new())?;
    /// writer.write_all((0..10_000u32).map(|n| (n, n.to_string())))?;
    /// let file = writer.finish()?;
    /// let explain = Reader::from_slice(&file)?.filter(col("_0").between(5000, 5010))?.explain()?;
    /// assert_eq!((explain.rows, explain.matching), (10_000, 11));
    /// assert!(explain.bytes_read() < explain.bytes_skipped() / 10);
    /// println!("{explain}");
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reader::rows`].
    pub fn explain(&self) -> Result<Explain> {
        self.here(explain::explain(self))
    }

    /// The selected rows that are not lost, before the predicate.
    pub(crate) fn selected(&self) -> Result<Arc<RowSelection>> {
        let rows = self.here(scan::checked_rows(&self.file))?;
        let selected = match &self.selection {
            Some(selection) => Arc::clone(selection),
            None => Arc::new(RowSelection::from(0..rows)),
        };
        Ok(match self.here(self.passed_over())? {
            Some(lost) => Arc::new(selected.intersection(&lost.rows().complement(rows))),
            None => selected,
        })
    }

    /// The matching rows.
    ///
    /// # Errors
    ///
    /// As [`Reader::rows`].
    pub(crate) fn seen(&self) -> Result<Arc<RowSelection>> {
        match self.filter {
            Some(_) => found(self).map(|found| Arc::new(found.matching)),
            None => self.selected(),
        }
    }

    /// A reader of some of the matching rows, without a predicate.
    pub(crate) fn of_seen(&self, rows: RowSelection) -> Self {
        Self { selection: Some(Arc::new(rows)), filter: None, ..self.clone() }
    }

    /// The file and the matching rows, for whole rows.
    ///
    /// # Errors
    ///
    /// A projected reader, and as [`Reader::rows`].
    pub(crate) fn whole_rows(&self) -> Result<(&File<'s>, Arc<RowSelection>)> {
        if !self.part.is_whole() {
            return Err(Error::option("merge needs whole rows, but this reader is projected to some fields"));
        }
        if self.schema.is_renamed {
            return Err(Error::option(
                "merge copies rows as their file has them, but this reader has other names of fields",
            ));
        }
        if self.schema.has_constants() {
            let message = "merge copies rows as their file has them, but this reader has fields that are not in the file, such as \
                           the keys of its folder";
            return Err(Error::option(message));
        }
        Ok((&self.file, self.seen()?))
    }
}
