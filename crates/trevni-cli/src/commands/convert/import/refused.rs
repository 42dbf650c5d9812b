//! Rows that are refused: where they are, why, and what to do.

use super::Import;
use crate::failure::Failure;
use crate::human::count;
use csv::StringRecord;
use trevni_infer::plan::Problem;
use trevni_infer::text::{Layout, Row, refused};

/// What to do where there are too many paths for a schema.
pub(super) const MANY_PATHS: &str = "Objects of many keys can be maps: --map PATH, or --map-keys 50";

const SKIPPED: &str = "To leave such rows out: --on-error skip";

/// What is said of a word that other languages write where an error is.
fn foreign_word(text: &[u8], error: &serde_json::Error) -> Option<&'static str> {
    const WORDS: [(&[&str], &str); 2] = [
        (&["NaN", "nan", "Infinity", "-Infinity", "inf"], "JSON has no NaN and no infinity"),
        (&["True", "False", "None", "undefined"], "JSON has true, false and null"),
    ];
    let line = text.split(|byte| *byte == b'\n').nth(error.line().checked_sub(1)?)?;
    // Of a number the sign is before the place.
    let at = error.column().saturating_sub(1);
    let begins = |word: &&str| {
        [at, at.saturating_sub(1)]
            .iter()
            .any(|at| line.get(*at..).is_some_and(|rest| rest.starts_with(word.as_bytes())))
    };
    WORDS.iter().find(|(words, _)| words.iter().any(begins)).map(|(_, said)| *said)
}

impl Import<'_> {
    /// The text of a row, or that it has no text.
    pub(super) fn utf8<'r>(&self, row: &Row<'r>) -> Result<&'r str, Failure> {
        std::str::from_utf8(row.text).map_err(|error| {
            let column = error.valid_up_to() + 1;
            refused(self.name(), &format!("line {} column {column}: not UTF-8", row.line)).into()
        })
    }

    /// A row that is no JSON.
    #[cold]
    pub(super) fn no_json(&self, row: &Row<'_>, error: &serde_json::Error) -> Failure {
        let said = error.to_string();
        let (message, place) = said.rsplit_once(" at line ").unwrap_or((&said, ""));
        let is_lines = matches!(self.text.layout, Layout::Lines);
        let (message, hint) = match (message, is_lines) {
            _ if error.is_eof() && is_lines => {
                (message, Some("Where a value takes several lines: --from json"))
            }
            ("trailing characters", true) => (message, Some("Where a line has several values: --from json")),
            ("key must be a string", _) => ("a key in double quotes expected", Some(SKIPPED)),
            ("lone leading surrogate in hex escape" | "unexpected end of hex escape", _) => {
                ("half a surrogate pair, which is no character", Some(SKIPPED))
            }
            ("expected value" | "invalid number", _) => match foreign_word(row.text, error) {
                Some(word) => (word, Some(SKIPPED)),
                None => (message, None),
            },
            _ => (message, None),
        };
        let failure = self.located(row.line, &format!("{message} at line {place}"));
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }

    /// What a parser says of a row that begins at a line.
    fn located(&self, line: u64, message: &str) -> Failure {
        let (message, place) = match message.rsplit_once(" at line ") {
            Some((message, place)) => (message, place.split_once(" column ")),
            None => (message, None),
        };
        let number = |text: &str| text.parse::<u64>().unwrap_or(0);
        let (down, column) = place.map_or((0, 0), |(line, column)| (number(line), number(column)));
        let line = line + down.saturating_sub(1);
        let column = if column == 0 { String::new() } else { format!(" column {column}") };
        let message = match message {
            "recursion limit exceeded" => "nested too deep",
            message => message,
        };
        let failure = Failure::new(format!("{} line {line}{column}: {message}", self.name()));
        let path = message.split(": ").next().unwrap_or_default();
        match message {
            "nested too deep" => failure.hint("To keep an outer value as JSON: -t PATH=json"),
            _ if message.ends_with("different paths up to here") => failure.hint(MANY_PATHS),
            "number out of range" => failure.hint("To read strings: -t PATH=string"),
            _ if message.ends_with("has more than 128 bits") => {
                failure.hint(format!("To read strings: -t {path}=string; rounded numbers: -t {path}=float64"))
            }
            _ => failure,
        }
    }

    /// A row that does not fit what was found or wanted.
    #[cold]
    pub(super) fn misfit(&self, line: u64, problem: &Problem) -> Failure {
        let (path, types) = (problem.path(), &self.args.types);
        if !problem.misfit && problem.message.contains(" at line ") {
            return self.located(line, &problem.message);
        }
        let path = if path.is_empty() { path } else { format!("{path}: ") };
        let failure = Failure::new(format!("{} line {line}: {path}{}", self.name(), problem.message));
        match (&types.schema, types.infer_rows) {
            _ if !problem.misfit => failure,
            (Some(schema), _) => failure.hint(format!("The schema is that of {}", schema.display())),
            (None, Some(rows)) => failure.hint(format!(
                "The schema was inferred from the first {}. Leave --infer-rows out to read all rows",
                count(rows, "row")
            )),
            (None, None) if !types.types.is_empty() => {
                failure.hint("The type is given by -t, so all values must fit it")
            }
            (None, None) => failure.hint("The file has changed since it was read for the schema"),
        }
    }

    /// A row of too many or too few cells.
    #[cold]
    pub(super) fn wrong_count(&self, line: u64, found: usize) -> Failure {
        let expected = self.header.names.len();
        let (cells, columns) = (count(found as u64, "cell"), count(expected as u64, "column"));
        let failure = format!("{} line {line}: {cells} for {columns}", self.name());
        let hint = match self.args.cells.pad {
            true => "Extra cells are dropped only if they are empty; to leave such rows out: --on-error skip",
            false => {
                "To read missing cells as null: --pad; to leave such rows out: --on-error skip; another delimiter: -d"
            }
        };
        Failure::new(failure).hint(hint)
    }

    /// Gives a row as many cells as there are columns, where that is asked for and loses nothing.
    pub(super) fn pads(&self, row: &mut StringRecord) -> bool {
        let columns = self.header.names.len();
        if !self.args.cells.pad || row.iter().skip(columns).any(|cell| !cell.is_empty()) {
            return false;
        }
        row.truncate(columns);
        let null = self.nulls.first().map_or("", String::as_str);
        (row.len()..columns).for_each(|_| row.push_field(null));
        true
    }
}
