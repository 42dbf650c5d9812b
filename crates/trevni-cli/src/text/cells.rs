//! Rows of separated cells.

use super::chunk::{Chunk, Chunks, Cut, RowSpan};
use super::quotes::{empty_lines, quoted};
use super::source::TextSource;
use crate::failure::Failure;
use crate::limits::limits;
use csv::StringRecord;
use std::collections::HashSet;
use trevni::ErrorKind;

/// How cells are separated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Dialect {
    pub(crate) delimiter: u8,
    /// Whether the first row has the names of the columns.
    pub(crate) header: bool,
}

/// What separates cells where commas do not.
const OTHERS: [u8; 3] = [b';', b'\t', b'|'];

/// Memory for a column: its names, what is known of its cells, and the buffers of its values.
const COLUMN_BYTES: u64 = 2048;

impl Dialect {
    /// What separates the cells of a text that would have one column by commas: what the first row and the second one
    /// have equally often.
    pub(crate) fn other_delimiter(source: &TextSource) -> Result<Option<u8>, Failure> {
        let start = Self { delimiter: b',', header: false }.start(source)?;
        let widths = |delimiter| -> [Option<usize>; 2] {
            let mut reader = Self { delimiter, header: false }.reader(start.text.as_slice());
            let mut record = csv::ByteRecord::new();
            // What is wrong with the text is said where it is read.
            [(); 2].map(|()| reader.read_byte_record(&mut record).ok()?.then(|| record.len()))
        };
        if widths(b',').first() != Some(&Some(1)) {
            return Ok(None);
        }
        for other in OTHERS {
            match widths(other) {
                [Some(first), second] if first > 1 && second.is_none_or(|second| second == first) => {
                    return Ok(Some(other));
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// The first rows.
    fn start(self, source: &TextSource) -> Result<Chunk, Failure> {
        let mut chunk = Chunk::default();
        Chunks::new(&source.name, source.reader()?, Box::new(Ends::new(self.delimiter))).next(&mut chunk)?;
        Ok(chunk)
    }

    fn reader<R: std::io::Read>(self, from: R) -> csv::Reader<R> {
        csv::ReaderBuilder::new()
            .delimiter(self.delimiter)
            .has_headers(false)
            .flexible(true)
            .from_reader(from)
    }
}

/// Names of columns, all different.
#[derive(Debug, Default)]
pub(crate) struct Header {
    pub(crate) names: Vec<String>,
    /// What was changed.
    pub(crate) notes: Vec<String>,
}

impl Header {
    /// The names that a text gives its columns, or else numbers.
    pub(crate) fn read(source: &TextSource, dialect: Dialect) -> Result<Self, Failure> {
        let mut record = StringRecord::new();
        let start = dialect.start(source)?;
        let read = dialect.reader(start.text.as_slice()).read_record(&mut record);
        read.map_err(|error| Failure::new(format!("{} {}", source.name, located(&error, 1))))?;
        let (value, limit) = (COLUMN_BYTES * record.len() as u64, limits().memory);
        if value > limit {
            let at = format!("{} line 1, {} cells", source.name, record.len());
            let what = "the memory for the columns";
            return Err(Failure::limited(&at, ErrorKind::Limit { what, value, limit, option: "memory" }));
        }
        let mut header = Self::default();
        let mut taken: HashSet<String> = record.iter().map(str::to_owned).collect();
        let mut used: HashSet<String> = HashSet::new();
        for (number, name) in record.iter().enumerate().map(|(at, name)| (at + 1, name)) {
            let own = dialect.header && !name.is_empty();
            let base = if own { name.to_owned() } else { format!("column_{number}") };
            let mut unique = base.clone();
            let mut count = 1;
            while (unique != name && dialect.header && taken.contains(&unique))
                || !used.insert(unique.clone())
            {
                count += 1;
                unique = format!("{base}_{count}");
            }
            taken.insert(unique.clone());
            if dialect.header && unique != name {
                header.notes.push(format!("column {number}, {name:?}, is called {unique}"));
            }
            header.names.push(unique);
        }
        Ok(header)
    }
}

/// The rows of a chunk.
pub(crate) struct Records<'a> {
    text: &'a [u8],
    delimiter: u8,
    reader: csv::Reader<&'a [u8]>,
    line: u64,
    skip: bool,
    /// Whether an empty line is a row, because rows have one cell.
    single: bool,
    /// Empty lines before the next row, where they are known.
    empty: Option<u64>,
    /// Whether there are quotes at all.
    has_quotes: bool,
    /// For each cell of the last row whether it is in quotes; empty where none that is empty is.
    quoted: Vec<bool>,
}

impl<'a> Records<'a> {
    /// Without the names of columns, of which there are so many.
    pub(crate) fn of(chunk: &'a Chunk, dialect: Dialect, columns: usize) -> Self {
        let text = chunk.text.as_slice();
        Self {
            text,
            delimiter: dialect.delimiter,
            reader: dialect.reader(text),
            line: chunk.line,
            skip: chunk.first && dialect.header,
            single: columns == 1,
            empty: None,
            has_quotes: memchr::memchr(b'"', text).is_some(),
            quoted: Vec::new(),
        }
    }

    /// Reads the next row; returns its line, or none after the last.
    ///
    /// # Errors
    ///
    /// A row that is not UTF-8, with its line.
    pub(crate) fn next(&mut self, record: &mut StringRecord) -> Result<Option<u64>, String> {
        if std::mem::take(&mut self.skip) {
            self.reader.read_record(record).map_err(|error| located(&error, self.line))?;
        }
        self.quoted.clear();
        let (line, start) = (self.reader.position().line() - 1, self.place());
        if self.single {
            let empty = self.empty.take().unwrap_or_else(|| empty_lines(self.text, start));
            if empty > 0 {
                self.empty = Some(empty - 1);
                record.clear();
                record.push_field("");
                return Ok(Some(self.line + line));
            }
        }
        let more = self.reader.read_record(record).map_err(|error| located(&error, self.line))?;
        let line = record.position().map_or(0, |position| position.line() - 1);
        if more && self.has_quotes && record.iter().any(str::is_empty) {
            let row = self.text.get(start..self.place()).unwrap_or_default();
            quoted(row, self.delimiter, &mut self.quoted);
        }
        Ok(more.then_some(self.line + line))
    }

    /// For each cell of the last row whether it is in quotes, where it is empty; none where that is none.
    pub(crate) fn quoted(&self) -> &[bool] {
        &self.quoted
    }

    fn place(&self) -> usize {
        usize::try_from(self.reader.position().byte()).unwrap_or(usize::MAX)
    }
}

/// An error and its line in a text that begins at a line.
fn located(error: &csv::Error, first: u64) -> String {
    let line = first + error.position().map_or(0, |position| position.line().saturating_sub(1));
    match error.kind() {
        csv::ErrorKind::Utf8 { err, .. } => format!("line {line}, cell {}: not UTF-8", err.field() + 1),
        _ => format!("line {line}: {error}"),
    }
}

/// Cuts at the ends of lines that are not within quotes.
#[derive(Debug)]
pub(super) struct Ends {
    delimiter: u8,
    state: State,
    /// The lines of whole rows, and of what is looked at.
    line: u64,
    looked: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// At the start of a cell.
    Start,
    Cell,
    Quoted,
    /// Behind a quote within quotes.
    Quote,
}

impl Ends {
    pub(super) fn new(delimiter: u8) -> Self {
        Self { delimiter, state: State::Start, line: 1, looked: 1 }
    }
}

impl Ends {
    /// Cuts where there are no quotes, so that each end of a line ends a row.
    fn cut_plain(&mut self, new: &[u8], from: usize) -> usize {
        self.looked += memchr::memchr_iter(b'\n', new).count() as u64;
        match new.last() {
            Some(last) if *last == self.delimiter || matches!(last, b'\r' | b'\n') => {
                self.state = State::Start
            }
            Some(_) => self.state = State::Cell,
            None => {}
        }
        // Where no line ends with a line feed, lines may end with a carriage return; of the last byte it is not known.
        let before = new.get(..new.len().saturating_sub(1)).unwrap_or_default();
        match memchr::memrchr(b'\n', new).or_else(|| memchr::memrchr(b'\r', before)) {
            Some(last) => {
                self.line = self.looked;
                from + last + 1
            }
            None => 0,
        }
    }
}

impl Cut for Ends {
    fn cut(&mut self, text: &[u8], from: usize, _: &mut Vec<RowSpan>) -> Result<usize, String> {
        let new = text.get(from..).unwrap_or_default();
        if self.state != State::Quoted && self.state != State::Quote && memchr::memchr(b'"', new).is_none() {
            return Ok(self.cut_plain(new, from));
        }
        let mut end = 0;
        let mut at = from;
        while let Some(&byte) = text.get(at) {
            at += 1;
            self.looked += u64::from(byte == b'\n');
            self.state = match (self.state, byte) {
                (State::Quoted, b'"') => State::Quote,
                (State::Quoted, _) => {
                    let rest = text.get(at..).unwrap_or_default();
                    at += memchr::memchr2(b'"', b'\n', rest).unwrap_or(rest.len());
                    State::Quoted
                }
                (State::Start | State::Quote, b'"') => State::Quoted,
                (_, b'\n') => {
                    (end, self.line) = (at, self.looked);
                    State::Start
                }
                (_, b'\r') => {
                    if text.get(at).is_some_and(|next| *next != b'\n') {
                        (end, self.line) = (at, self.looked);
                    }
                    State::Start
                }
                (_, byte) if byte == self.delimiter => State::Start,
                _ => State::Cell,
            };
        }
        Ok(end)
    }

    fn end(&mut self, _: &[u8], _: usize, _: &mut Vec<RowSpan>) -> Result<(), String> {
        match self.state {
            State::Quoted => {
                Err(format!("line {}: a quoted cell that begins here or later has no end", self.line))
            }
            _ => Ok(()),
        }
    }

    fn line(&self) -> u64 {
        self.line
    }

    fn values(&self, part: &[u8]) -> u64 {
        memchr::memchr_iter(self.delimiter, part).count() as u64
    }
}
