//! CSV and TSV: records in records as dotted columns, lists and maps as JSON.

use super::View;
use std::io;

/// Prints separated values.
pub(crate) struct Separated {
    separator: u8,
    /// The text for what is null.
    null: String,
    /// The names of the cells, where they are to be printed.
    header: Option<Vec<String>>,
}

impl Separated {
    pub(super) fn new(separator: u8, names: Vec<String>, header: bool, null: &str) -> Self {
        Self { separator, null: null.to_owned(), header: header.then_some(names) }
    }

    /// What comes before the rows.
    pub(super) fn header(&self) -> io::Result<Vec<u8>> {
        let mut lines = self.lines(Vec::new());
        if let Some(header) = &self.header {
            lines.writer.write_record(header)?;
        }
        lines.finish()
    }

    /// Rows to come, in a buffer that is taken over.
    pub(super) fn lines(&self, out: Vec<u8>) -> Lines<'_> {
        let mut options = csv::WriterBuilder::new();
        let writer = options.delimiter(self.separator).flexible(true).from_writer(out);
        Lines { writer, null: &self.null, cell: Vec::new() }
    }
}

/// Rows as separated values.
pub(super) struct Lines<'s> {
    writer: csv::Writer<Vec<u8>>,
    null: &'s str,
    cell: Vec<u8>,
}

impl Lines<'_> {
    pub(super) fn row<'b>(&mut self, cells: impl Iterator<Item = Option<View<'b>>>) -> io::Result<()> {
        for cell in cells {
            match cell {
                None => self.writer.write_field(self.null)?,
                Some(value) => match value.text() {
                    Some(text) => self.writer.write_field(text)?,
                    None => {
                        self.cell.clear();
                        serde_json::to_writer(&mut self.cell, &value)?;
                        self.writer.write_field(unquoted(&self.cell))?;
                    }
                },
            }
        }
        Ok(self.writer.write_record(None::<&[u8]>)?)
    }

    pub(super) fn finish(self) -> io::Result<Vec<u8>> {
        self.writer.into_inner().map_err(|error| io::Error::other(error.to_string()))
    }
}

/// A JSON text without its quotes, such as that of bytes.
fn unquoted(json: &[u8]) -> &[u8] {
    json.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")).unwrap_or(json)
}
