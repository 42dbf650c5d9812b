//! A text in pieces of whole rows, so that only some of it is in memory.

use crate::Error;
use std::io::Read;
use trevni::ErrorKind;

/// Bytes of a piece, more where a row is larger.
const SIZE: usize = 1 << 20;
/// Memory for each byte of a row that is larger than a piece: it is here, in cells or values, and in buffers of columns.
const ROW_BYTES: u64 = 4;
/// Memory for each of its values.
const VALUE_BYTES: u64 = 32;

/// Some rows that follow each other.
#[derive(Debug, Default)]
pub struct Chunk {
    /// The bytes.
    pub text: Vec<u8>,
    /// The place of each row; none for cells.
    pub(super) spans: Vec<RowSpan>,
    /// The line at which the text begins, from 1.
    pub line: u64,
    /// Whether it is the first of the text.
    pub first: bool,
}

/// Where a row is in its chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowSpan {
    pub(super) start: usize,
    pub(crate) end: usize,
    pub(super) line: u64,
}

/// A row of JSON.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Its bytes.
    pub text: &'a [u8],
    /// The line in the file at which it begins, from 1.
    pub line: u64,
}

impl Chunk {
    /// The rows of JSON.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        let row = |span: &RowSpan| Row {
            text: self.text.get(span.start..span.end).unwrap_or_default(),
            line: span.line,
        };
        self.spans.iter().map(row)
    }
}

/// Finds the ends of rows.
pub(super) trait Cut: Send {
    /// Looks at the bytes of a chunk from a place on, up to which it has looked before, and adds the rows
    /// that are whole; returns where the last of them ends. The row that is not whole will be at the start
    /// of what is looked at next.
    ///
    /// # Errors
    ///
    /// What is no row, with its line.
    fn cut(&mut self, text: &[u8], from: usize, rows: &mut Vec<RowSpan>) -> Result<usize, String>;

    /// The same for what comes after the last whole row, when nothing follows.
    ///
    /// # Errors
    ///
    /// What is not ended, with its line.
    fn end(&mut self, text: &[u8], from: usize, rows: &mut Vec<RowSpan>) -> Result<(), String>;

    /// Whether the text ends within a comment, which ends with its line.
    fn is_in_comment(&self) -> bool {
        false
    }

    /// The line, from 1, after the last whole row; before any, that at which the text begins.
    fn line(&self) -> u64;

    /// The most values that there are in a part of a row, about.
    fn values(&self, part: &[u8]) -> u64 {
        memchr::memchr_iter(b',', part).count() as u64
    }
}

/// Reads a text piece by piece.
pub struct Chunks<'a> {
    name: &'a str,
    from: Box<dyn Read + Send + 'a>,
    cut: Box<dyn Cut>,
    /// The beginning of a row that is not whole.
    rest: Vec<u8>,
    line: u64,
    /// Bytes before it.
    byte: u64,
    first: bool,
    done: bool,
    /// Bytes that a row may take.
    memory: u64,
}

impl<'a> Chunks<'a> {
    pub(super) fn new(
        name: &'a str,
        from: Box<dyn Read + Send + 'a>,
        cut: Box<dyn Cut>,
        memory: u64,
    ) -> Self {
        let line = cut.line();
        Self { name, from, cut, rest: Vec::new(), line, byte: 0, first: true, done: false, memory }
    }

    /// The next piece, in place of the last; false if there is none.
    ///
    /// # Errors
    ///
    /// What is no row, a row beyond the memory, and a text that cannot be read.
    pub fn next(&mut self, chunk: &mut Chunk) -> Result<bool, Error> {
        let failed = |message: String| Error::new(format!("{} {message}", self.name));
        let Chunk { text, spans, .. } = chunk;
        text.clear();
        spans.clear();
        if self.done {
            return Ok(false);
        }
        std::mem::swap(text, &mut self.rest);
        self.rest.clear();
        (chunk.first, chunk.line) = (self.first, self.line);
        self.first = false;
        let mut looked = text.len();
        loop {
            let read = self.from.by_ref().take(SIZE as u64).read_to_end(text);
            let read = read.map_err(|error| Error::io(self.name, error))?;
            let end = self.cut.cut(text, looked, spans).map_err(failed)?;
            self.line = self.cut.line();
            self.check(text.get(end..).unwrap_or_default(), self.byte + end as u64)?;
            if read < SIZE {
                self.done = true;
                self.cut.end(text, end, spans).map_err(failed)?;
                if self.cut.is_in_comment() {
                    text.push(b'\n');
                }
                return Ok(true);
            }
            if end > 0 {
                self.byte += end as u64;
                self.rest.extend_from_slice(text.get(end..).unwrap_or_default());
                text.truncate(end);
                return Ok(true);
            }
            looked = text.len();
        }
    }

    /// Checks that a row that begins at a byte, as far as it is known, is within the limits.
    fn check(&self, row: &[u8], byte: u64) -> Result<(), Error> {
        if row.len() <= SIZE {
            return Ok(());
        }
        let (bytes, limit) = (row.len() as u64, self.memory);
        let value = ROW_BYTES * bytes;
        // Values are counted where they may matter only.
        let value = value + if value > limit / 16 { VALUE_BYTES * self.cut.values(row) } else { 0 };
        if value <= limit {
            return Ok(());
        }
        let what = "the memory for a row";
        let at = format!("{} line {}, byte {byte}", self.name, self.line);
        Err(Error::limited(at, ErrorKind::Limit { what, value, limit, option: "memory" }))
    }
}
