//! Rows of separated cells.

use super::chunk::{Chunk, Cut, RowSpan};
use super::dialect::Dialect;
use super::quotes::{empty_lines, quoted};
use crate::Error;
use csv::StringRecord;
use std::collections::HashSet;
use trevni::ErrorKind;

/// Memory for a column: its names, what is known of its cells, and the buffers of its values.
const COLUMN_BYTES: u64 = 2048;

/// What names of rows are called.
const ROW: &str = "row";

/// Names of columns, all different.
#[derive(Debug, Default)]
pub struct Header {
    /// The names.
    pub names: Vec<String>,
    /// What was changed.
    pub notes: Vec<String>,
}

impl Header {
    /// The names that a text, whose first rows these are, gives its columns, or else numbers. They may take this much memory.
    ///
    /// # Errors
    ///
    /// Names that are not UTF-8, or beyond the memory.
    pub fn read(name: &str, start: &Chunk, dialect: Dialect, memory: u64) -> Result<Self, Error> {
        let mut record = StringRecord::new();
        let mut reader = dialect.reader(start.text.as_slice());
        reader.read_record(&mut record).map_err(|error| refused(name, &located(&error, start.line)))?;
        let (value, limit) = (COLUMN_BYTES * record.len() as u64, memory);
        if value > limit {
            let at = format!("{name} line {}, {} cells", start.line, record.len());
            let what = "the memory for the columns";
            return Err(Error::limited(at, ErrorKind::Limit { what, value, limit, option: "memory" }));
        }
        let mut header = Self::default();
        let rest = usize::try_from(reader.position().byte()).ok().and_then(|at| start.text.get(at..));
        let next = rest.unwrap_or_default().trim_ascii_start().first();
        let is_quoted = next == Some(&dialect.quote);
        if dialect.header && is_quoted && has_row_names(&mut reader, record.len()) {
            header
                .notes
                .push(format!("rows have a cell before those of the header, as R writes them, called {ROW}"));
            let all: Vec<&str> = std::iter::once(ROW).chain(&record).collect();
            record = StringRecord::from(all);
        }
        // Spaces around names are nobody's intention.
        let record = record.iter().map(|name| if dialect.header { name.trim() } else { name });
        let mut taken: HashSet<String> = record.clone().map(str::to_owned).collect();
        let mut used: HashSet<String> = HashSet::new();
        for (number, name) in record.enumerate().map(|(at, name)| (at + 1, name)) {
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

/// Whether the next row has one cell more than the header. Where the first is in quotes, it is the name or number of a row; a last cell
/// that is empty is only a delimiter.
fn has_row_names(reader: &mut csv::Reader<&[u8]>, columns: usize) -> bool {
    let mut row = StringRecord::new();
    let is_row = reader.read_record(&mut row).unwrap_or(false);
    is_row && row.len() == columns + 1 && row.iter().next_back().is_some_and(|cell| !cell.is_empty())
}

/// The rows of a chunk.
pub struct Records<'a> {
    text: &'a [u8],
    dialect: Dialect,
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
    /// Without the names of columns, whose number is given.
    pub fn of(chunk: &'a Chunk, dialect: Dialect, columns: usize) -> Self {
        let text = chunk.text.as_slice();
        Self {
            text,
            dialect,
            reader: dialect.reader(text),
            line: chunk.line,
            skip: chunk.first && dialect.header,
            single: columns == 1,
            empty: None,
            has_quotes: memchr::memchr(dialect.quote, text).is_some(),
            quoted: Vec::new(),
        }
    }

    /// Reads the next row; returns its line, or none after the last.
    ///
    /// # Errors
    ///
    /// A row that is not UTF-8, with its line.
    pub fn next(&mut self, record: &mut StringRecord) -> Result<Option<u64>, String> {
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
            quoted(row, self.dialect, &mut self.quoted);
        }
        Ok(more.then_some(self.line + line))
    }

    /// For each cell of the last row whether it is in quotes, where it is empty; empty where no cell is.
    pub fn quoted(&self) -> &[bool] {
        &self.quoted
    }

    fn place(&self) -> usize {
        usize::try_from(self.reader.position().byte()).unwrap_or(usize::MAX)
    }
}

/// An error of a text.
pub fn refused(name: &str, message: &str) -> Error {
    let failure = Error::new(format!("{name} {message}"));
    if message.ends_with(NO_UTF8) {
        failure.hint("To read it: --encoding latin1, or what it is")
    } else {
        failure
    }
}

/// What ends an error of a text in another encoding.
const NO_UTF8: &str = "not UTF-8";

/// An error and its line in a text that begins at a line.
fn located(error: &csv::Error, first: u64) -> String {
    let line = first + error.position().map_or(0, |position| position.line().saturating_sub(1));
    match error.kind() {
        csv::ErrorKind::Utf8 { err, .. } => format!("line {line}, cell {}: {NO_UTF8}", err.field() + 1),
        _ => format!("line {line}: {error}"),
    }
}

/// Cuts at the ends of lines that are not within quotes.
#[derive(Debug)]
pub(super) struct Ends {
    dialect: Dialect,
    state: State,
    /// The lines of whole rows, and of what is looked at.
    line: u64,
    looked: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// At the start of a row.
    Row,
    /// At the start of another cell.
    Start,
    Cell,
    Quoted,
    /// Behind a quote within quotes.
    Quote,
    /// Behind what takes the meaning from a quote, within quotes.
    Escaped,
    Comment,
}

impl Ends {
    /// For a text that begins at a line.
    pub(super) fn new(dialect: Dialect, line: u64) -> Self {
        Self { dialect, state: State::Row, line, looked: line }
    }
}

impl Ends {
    /// Cuts where there are no quotes, so that each end of a line ends a row.
    fn cut_plain(&mut self, new: &[u8], from: usize) -> usize {
        self.looked += memchr::memchr_iter(b'\n', new).count() as u64;
        match new.last() {
            Some(b'\r' | b'\n') => self.state = State::Row,
            // Within a comment there is no delimiter.
            _ if self.has_comment(new) => self.state = State::Comment,
            Some(last) if *last == self.dialect.delimiter => self.state = State::Start,
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

impl Ends {
    /// Whether what is new, without quotes, ends within a comment.
    fn has_comment(&self, new: &[u8]) -> bool {
        let begins = |line: &[u8]| line.first().is_some_and(|first| Some(*first) == self.dialect.comment);
        match memchr::memrchr(b'\n', new) {
            Some(end) => begins(new.get(end + 1..).unwrap_or_default()),
            None => self.state == State::Comment || (self.state == State::Row && begins(new)),
        }
    }
}

impl Cut for Ends {
    fn cut(&mut self, text: &[u8], from: usize, _: &mut Vec<RowSpan>) -> Result<usize, String> {
        let new = text.get(from..).unwrap_or_default();
        let Dialect { delimiter, quote, escape, comment, .. } = self.dialect;
        let is_within = matches!(self.state, State::Quoted | State::Quote | State::Escaped);
        if !is_within && memchr::memchr(quote, new).is_none() {
            return Ok(self.cut_plain(new, from));
        }
        let mut end = 0;
        let mut at = from;
        while let Some(&byte) = text.get(at) {
            at += 1;
            self.looked += u64::from(byte == b'\n');
            self.state = match (self.state, byte) {
                (State::Escaped, _) => State::Quoted,
                (State::Quoted, byte) if Some(byte) == escape => State::Escaped,
                (State::Quoted, byte) if byte == quote => State::Quote,
                (State::Quoted, _) => {
                    let rest = text.get(at..).unwrap_or_default();
                    at += memchr::memchr3(quote, b'\n', escape.unwrap_or(quote), rest).unwrap_or(rest.len());
                    State::Quoted
                }
                (State::Row, byte) if Some(byte) == comment => State::Comment,
                (State::Row | State::Start | State::Quote, byte) if byte == quote => State::Quoted,
                (_, b'\n') => {
                    (end, self.line) = (at, self.looked);
                    State::Row
                }
                (State::Comment, _) => State::Comment,
                (_, b'\r') => {
                    if text.get(at).is_some_and(|next| *next != b'\n') {
                        (end, self.line) = (at, self.looked);
                    }
                    State::Row
                }
                (_, byte) if byte == delimiter => State::Start,
                _ => State::Cell,
            };
        }
        Ok(end)
    }

    fn end(&mut self, _: &[u8], _: usize, _: &mut Vec<RowSpan>) -> Result<(), String> {
        match self.state {
            State::Quoted | State::Escaped => {
                Err(format!("line {}: a quoted cell that begins here or later is not closed", self.line))
            }
            _ => Ok(()),
        }
    }

    fn is_in_comment(&self) -> bool {
        self.state == State::Comment
    }

    fn line(&self) -> u64 {
        self.line
    }

    fn values(&self, part: &[u8]) -> u64 {
        memchr::memchr_iter(self.dialect.delimiter, part).count() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn dialects() -> impl Strategy<Value = Dialect> {
        let quote = prop::sample::select(vec![b'"', b'\'']);
        let options = (any::<bool>(), any::<bool>(), any::<bool>());
        (quote, options).prop_map(|(quote, (escape, comment, trim))| Dialect {
            quote,
            escape: escape.then_some(b'\\'),
            comment: comment.then_some(b'#'),
            trim,
            ..Dialect::default()
        })
    }

    fn rows(dialect: Dialect, text: &[u8]) -> Vec<StringRecord> {
        dialect.reader(text).records().map(Result::unwrap).collect()
    }

    proptest! {
        /// Wherever the text is cut into pieces, the pieces have its rows, and begin at its lines.
        #[test]
        fn pieces_have_the_rows_of_the_text(
            parts in prop::collection::vec(prop::sample::select(vec!["a", ",", "\"", "'", "\\", "#", " ", "\n", "\r\n"]), 0..30),
            dialect in dialects(),
            sizes in prop::collection::vec(1usize..6, 1..8),
        ) {
            let text = parts.concat().into_bytes();
            let mut ends = Ends::new(dialect, 1);
            let (mut start, mut looked, mut found) = (0, 0, Vec::new());
            for size in sizes.iter().cycle() {
                if looked == text.len() {
                    break;
                }
                let until = text.len().min(looked + size);
                let end = ends.cut(&text[start..until], looked - start, &mut Vec::new()).unwrap();
                found.extend(rows(dialect, &text[start..start + end]));
                (start, looked) = (start + end, until);
                let lines = text[..start].iter().filter(|byte| **byte == b'\n').count() as u64;
                prop_assert_eq!(ends.line(), 1 + lines);
            }
            if ends.end(&text[start..], 0, &mut Vec::new()).is_ok() {
                let text = if ends.is_in_comment() { [&text[..], b"\n"].concat() } else { text };
                found.extend(rows(dialect, &text[start..]));
                prop_assert_eq!(found, rows(dialect, &text));
            }
        }
    }
}
