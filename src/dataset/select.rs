//! Selected rows of all parts, by number.

use super::{Dataset, DatasetPart};
use crate::error::{ErrorKind, Result};
use crate::reader::{Explain, Reader, take};
use crate::selection::RowSelection;
use serde::de::DeserializeOwned;

impl<'s> Dataset<'s> {
    /// A dataset of some rows only, by number across all parts, from 0; see [`Reader::select`].
    ///
    /// # Errors
    ///
    /// A range that ends after the last row.
    pub fn select(&self, rows: impl Into<RowSelection>) -> Result<Self> {
        let rows = rows.into();
        if rows.end() > self.rows {
            return Err(ErrorKind::NoSuchRow { row: rows.end() - 1, rows: self.rows }.into());
        }
        self.map(|part| {
            let end = part.first_row + part.reader.row_count();
            part.reader.select(rows.within(&(part.first_row..end)))
        })
    }

    /// Reports which blocks of all parts are read for the rows, and which are skipped; see [`Reader::explain`].
    ///
    /// # Errors
    ///
    /// As [`Dataset::rows`].
    pub fn explain(&self) -> Result<Explain> {
        let mut all = Explain::default();
        for part in self.parts.iter() {
            all.add(part.reader.explain().map_err(|error| error.in_file(part.path()))?);
        }
        Ok(all)
    }

    /// Reports which blocks of all parts rows of type `T` need; see [`Reader::explain_for`].
    ///
    /// # Errors
    ///
    /// As [`Dataset::rows`].
    pub fn explain_for<T: DeserializeOwned>(&self) -> Result<Explain> {
        let mut all = Explain::default();
        for part in self.parts.iter() {
            all.add(part.reader.explain_for::<T>().map_err(|error| error.in_file(part.path()))?);
        }
        Ok(all)
    }

    /// Reads rows by their numbers across all parts, in the order of these, which may repeat; see [`Reader::take`].
    ///
    /// # Errors
    ///
    /// As [`Dataset::row`].
    pub fn take<T: DeserializeOwned>(&self, rows: &[u64]) -> Result<Vec<T>> {
        take(rows, |number| self.row(number))
    }

    /// Splits the rows into about equal parts, at most as many as there are rows, for threads or processes; see
    /// [`Reader::split`].
    ///
    /// ```
    /// # let folder = std::env::temp_dir().join(format!("trevni-doc-split-{}", std::process::id()));
    /// # let _ = std::fs::remove_dir_all(&folder);
    /// use trevni::{Dataset, DatasetWriter};
    ///
    /// let mut writer = DatasetWriter::builder().part_rows(30).create(&folder)?;
    /// writer.write_all(0..100)?;
    /// writer.finish()?;
    /// let parts = Dataset::open(&folder)?.split(2)?;
    /// let rows = |part: &Dataset| part.rows::<u32>()?.collect::<trevni::Result<Vec<u32>>>();
    /// assert_eq!((rows(&parts[0])?, rows(&parts[1])?), ((0..50).collect(), (50..100).collect()));
    /// # std::fs::remove_dir_all(folder)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Reader::split`].
    pub fn split(&self, parts: usize) -> Result<Vec<Self>> {
        let mut selected = Vec::with_capacity(self.parts.len());
        for part in self.parts.iter() {
            let rows = part.reader.selected().map_err(|error| error.in_file(part.path()))?;
            selected.extend(
                rows.ranges().iter().map(|range| range.start + part.first_row..range.end + part.first_row),
            );
        }
        let rows = RowSelection::from_iter(selected);
        rows.split(parts).into_iter().map(|rows| self.select(rows)).collect()
    }

    /// Replaces the readers of the parts.
    pub(super) fn map(&self, reader: impl Fn(&DatasetPart<'s>) -> Result<Reader<'s>>) -> Result<Self> {
        let part = |part: &DatasetPart<'s>| match reader(part) {
            Ok(reader) => Ok(part.with_reader(reader)),
            Err(error) => Err(error.in_file(part.path())),
        };
        Ok(Self { parts: self.parts.iter().map(part).collect::<Result<_>>()?, ..self.clone() })
    }
}
