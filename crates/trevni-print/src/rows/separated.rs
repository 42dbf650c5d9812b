//! CSV and TSV: records in records as dotted columns, lists and maps as JSON.
//!
//! Null is an empty cell, the empty text two quotes. The csv crate puts quotes around all cells or only where they are
//! needed, but not around an empty cell among others.

use super::Json;
use std::io;
use trevni::ValueRef;

/// Bytes of a text that is looked at byte by byte.
const SHORT: usize = 16;

/// Prints separated values.
pub struct Separated {
    separator: u8,
    /// The text for what is null.
    null: String,
    /// The names of the cells, where they are to be printed.
    header: Option<Vec<String>>,
}

impl Separated {
    pub fn new(separator: u8, names: Vec<String>, header: bool, null: &str) -> Self {
        Self { separator, null: null.to_owned(), header: header.then_some(names) }
    }

    /// What comes before the rows.
    pub fn header(&self) -> Vec<u8> {
        let mut lines = self.lines(Vec::new());
        if let Some(header) = &self.header {
            for (number, name) in header.iter().enumerate() {
                lines.begin(number);
                lines.text(name.as_bytes());
            }
            lines.out.push(b'\n');
        }
        lines.out
    }

    /// Rows to come, in a buffer that is taken over.
    pub fn lines(&self, out: Vec<u8>) -> Lines<'_> {
        Lines {
            out,
            separator: self.separator,
            null: &self.null,
            cell: Vec::new(),
            digits: itoa::Buffer::new(),
        }
    }
}

/// Rows as separated values.
pub struct Lines<'s> {
    pub out: Vec<u8>,
    separator: u8,
    null: &'s str,
    cell: Vec<u8>,
    digits: itoa::Buffer,
}

impl Lines<'_> {
    pub fn row<'b>(&mut self, cells: impl Iterator<Item = Option<ValueRef<'b>>>) -> io::Result<()> {
        for (number, cell) in cells.enumerate() {
            self.begin(number);
            self.cell(cell)?;
        }
        self.out.push(b'\n');
        Ok(())
    }

    /// Adds a cell.
    #[inline(always)]
    pub fn cell(&mut self, cell: Option<ValueRef<'_>>) -> io::Result<()> {
        match cell {
            None if self.null.is_empty() => {}
            None => self.text(self.null.as_bytes()),
            Some(ValueRef::String(text) | ValueRef::Symbol(text)) => self.text(text.as_bytes()),
            Some(ValueRef::Int(value)) => self.integer(value.into()),
            Some(ValueRef::Long(value)) => self.integer(value),
            Some(value) => self.other(&value)?,
        }
        Ok(())
    }

    #[inline]
    fn integer(&mut self, value: i64) {
        self.out.extend_from_slice(self.digits.format(value).as_bytes());
    }

    #[inline(never)]
    fn other(&mut self, value: &ValueRef<'_>) -> io::Result<()> {
        if is_plain(value) {
            return Ok(serde_json::to_writer(&mut self.out, &Json(value))?);
        }
        let mut cell = std::mem::take(&mut self.cell);
        cell.clear();
        serde_json::to_writer(&mut cell, &Json(value))?;
        self.text(unquoted(&cell));
        self.cell = cell;
        Ok(())
    }

    /// Parts a cell from the one before.
    pub fn begin(&mut self, number: usize) {
        if number > 0 {
            self.out.push(self.separator);
        }
    }

    /// Whether a text would be read as something else without quotes.
    #[inline]
    fn is_special(&self, text: &[u8]) -> bool {
        let special = |byte: &u8| *byte == self.separator || matches!(byte, b'"' | b'\r' | b'\n');
        match text.len() < SHORT {
            true => text.iter().any(special),
            false => {
                memchr::memchr3(b'"', b'\r', b'\n', text).is_some()
                    || memchr::memchr(self.separator, text).is_some()
            }
        }
    }

    /// Adds a cell, in quotes where it is empty or would be read as something else.
    fn text(&mut self, text: &[u8]) {
        if !text.is_empty() && !self.is_special(text) {
            return self.out.extend_from_slice(text);
        }
        self.out.push(b'"');
        for part in text.split_inclusive(|byte| *byte == b'"') {
            self.out.extend_from_slice(part);
            if part.ends_with(b"\"") {
                self.out.push(b'"');
            }
        }
        self.out.push(b'"');
    }
}

/// Whether a value is written with digits, letters, points and signs only, which no separator is.
fn is_plain(value: &ValueRef<'_>) -> bool {
    match value {
        ValueRef::Boolean(_) | ValueRef::U64(_) => true,
        ValueRef::Float(value) => value.is_finite(),
        ValueRef::Double(value) => value.is_finite(),
        _ => false,
    }
}

/// A JSON text without its quotes, such as that of bytes.
fn unquoted(json: &[u8]) -> &[u8] {
    json.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")).unwrap_or(json)
}
