//! Rows that are refused: where they are, why, and what to do.

use super::Import;
use crate::failure::Failure;
use crate::human::count;
use crate::plan::Problem;
use crate::text::{Layout, Row, refused};
use csv::StringRecord;
use serde_json::error::Category;

/// What to do where there are too many paths for a schema.
pub(super) const MANY_PATHS: &str = "Objects of many keys can be maps: --map PATH, or --map-keys 50";

impl Import<'_> {
    /// The text of a row, or that it is none.
    pub(super) fn utf8<'r>(&self, row: &Row<'r>) -> Result<&'r str, Failure> {
        std::str::from_utf8(row.text).map_err(|error| {
            let column = error.valid_up_to() + 1;
            refused(self.name(), &format!("line {} column {column}: not UTF-8", row.line))
        })
    }

    /// A row that is no JSON.
    #[cold]
    pub(super) fn no_json(&self, row: &Row<'_>, error: &serde_json::Error) -> Failure {
        let failure = self.located(row.line, &error.to_string());
        match (&self.text.layout, error.classify()) {
            (Layout::Lines, Category::Eof) => failure.hint("Where a value takes several lines: --from json"),
            _ => failure,
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
            "number out of range" => failure.hint("As text: -t PATH=string"),
            _ if message.ends_with("has more than 128 bits") => {
                failure.hint(format!("As text: -t {path}=string; rounded: -t {path}=float64"))
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
                failure.hint("Types that are given with -t are binding")
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
            true => {
                "Cells too many are left out only where they are empty; to leave such rows out: --on-error skip"
            }
            false => {
                "To take what is missing as null: --pad; to leave such rows out: --on-error skip; another delimiter: -d"
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
