//! CSV and TSV: records in records as dotted columns, lists and maps as JSON.

use super::{Field, View};
use crate::output::Output;
use std::io::{self, Write};

/// Prints separated values.
pub(crate) struct Separated {
    writer: csv::Writer<Vec<u8>>,
    separator: u8,
    /// The text for what is null.
    null: String,
    /// The names of the fields, as long as they are to be printed.
    header: Option<Vec<String>>,
    cell: Vec<u8>,
}

/// Bytes that are collected before they are written.
const CHUNK: usize = 1 << 16;

impl Separated {
    pub(super) fn new(separator: u8, fields: &[Field], header: bool, null: &str) -> Self {
        Self::named(separator, fields.iter().map(|field| field.path.clone()).collect(), header, null)
    }

    pub(super) fn named(separator: u8, names: Vec<String>, header: bool, null: &str) -> Self {
        Self {
            writer: writer(separator, Vec::new()),
            separator,
            null: null.to_owned(),
            header: header.then_some(names),
            cell: Vec::new(),
        }
    }

    pub(super) fn row<'b>(
        &mut self,
        cells: impl Iterator<Item = Option<View<'b>>>,
        out: &mut Output,
    ) -> io::Result<()> {
        if let Some(header) = self.header.take() {
            self.writer.write_record(header)?;
        }
        for cell in cells {
            match cell {
                None => self.writer.write_field(&self.null)?,
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
        self.writer.write_record(None::<&[u8]>)?;
        if self.writer.get_ref().len() >= CHUNK { self.pass_on(out) } else { Ok(()) }
    }

    fn pass_on(&mut self, out: &mut Output) -> io::Result<()> {
        let done = std::mem::replace(&mut self.writer, writer(self.separator, Vec::new()));
        let mut bytes = done.into_inner().map_err(|error| io::Error::other(error.to_string()))?;
        out.write_all(&bytes)?;
        bytes.clear();
        self.writer = writer(self.separator, bytes);
        Ok(())
    }

    pub(super) fn finish(mut self, out: &mut Output) -> io::Result<()> {
        if let Some(header) = self.header.take() {
            self.writer.write_record(header)?;
        }
        self.pass_on(out)
    }
}

fn writer(separator: u8, bytes: Vec<u8>) -> csv::Writer<Vec<u8>> {
    csv::WriterBuilder::new().delimiter(separator).flexible(true).from_writer(bytes)
}

/// A JSON text without its quotes, such as that of bytes.
fn unquoted(json: &[u8]) -> &[u8] {
    json.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")).unwrap_or(json)
}
