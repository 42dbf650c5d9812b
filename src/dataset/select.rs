//! Selected rows of all parts, by number.

use super::{Dataset, DatasetPart};
use crate::error::{ErrorKind, Result};
use crate::reader::{Explain, Reader};
use crate::selection::RowSelection;

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
            all.add(part.reader.explain().map_err(|error| error.in_file(&part.path))?);
        }
        Ok(all)
    }

    /// Replaces the readers of the parts.
    pub(super) fn map(&self, reader: impl Fn(&DatasetPart<'s>) -> Result<Reader<'s>>) -> Result<Self> {
        let part = |part: &DatasetPart<'s>| match reader(part) {
            Ok(reader) => Ok(part.with_reader(reader)),
            Err(error) => Err(error.in_file(&part.path)),
        };
        Ok(Self { parts: self.parts.iter().map(part).collect::<Result<_>>()?, ..self.clone() })
    }
}
