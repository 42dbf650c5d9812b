//! CSV and TSV: records in records as dotted columns, lists and maps as JSON.

use super::Cell;
use crate::output::Output;
use std::io;

/// Prints separated values.
pub(crate) struct Separated {
    separator: u8,
    fields: Vec<String>,
    /// Whether the names of the fields are still to be printed.
    header: bool,
}

impl Separated {
    pub(super) fn new(separator: u8, fields: &[String], header: bool) -> Self {
        Self { separator, fields: fields.to_vec(), header }
    }

    fn write(&self, record: impl Iterator<Item = String>, out: &mut Output) -> io::Result<()> {
        let mut writer = csv::WriterBuilder::new().delimiter(self.separator).from_writer(Vec::new());
        writer.write_record(record)?;
        let bytes = writer.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
        io::Write::write_all(out, &bytes)
    }

    fn write_header(&mut self, out: &mut Output) -> io::Result<()> {
        if std::mem::take(&mut self.header) && !self.fields.is_empty() {
            self.write(self.fields.iter().cloned(), out)?;
        }
        Ok(())
    }

    pub(super) fn row(&mut self, row: &Cell, out: &mut Output) -> io::Result<()> {
        self.write_header(out)?;
        match row {
            Cell::Map(_) => self.write(
                self.fields.iter().map(|path| at(row, path).map_or_else(String::new, Cell::text)),
                out,
            ),
            value => self.write(std::iter::once(value.text()), out),
        }
    }

    pub(super) fn finish(mut self, out: &mut Output) -> io::Result<()> {
        self.write_header(out)
    }
}

/// The value at a dotted path; the longest name that fits counts, since names may have dots.
pub(super) fn at<'c>(cell: &'c Cell, path: &str) -> Option<&'c Cell> {
    let Cell::Map(entries) = cell else {
        return None;
    };
    let rest = |name: &str| match path.strip_prefix(name)? {
        "" => Some(""),
        rest => rest.strip_prefix('.'),
    };
    let found = entries.iter().filter_map(|(name, value)| Some((name.len(), rest(name)?, value)));
    let (_, rest, value) = found.max_by_key(|(length, ..)| *length)?;
    if rest.is_empty() { Some(value) } else { at(value, rest) }
}
