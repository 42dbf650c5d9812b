//! What Tab completes: keywords, tables, columns and functions; paths within quotes.

use super::commands::known;
use super::statements::is_whole;
use datafusion::prelude::SessionContext;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::{ValidationContext, ValidationResult, Validator};
use rustyline::{Context, Helper, Result};
use std::collections::BTreeSet;

/// Words that statements are made of.
const KEYWORDS: [&str; 85] = [
    "ALL",
    "ANALYZE",
    "AND",
    "AS",
    "ASC",
    "BETWEEN",
    "BIGINT",
    "BOOLEAN",
    "BY",
    "CASE",
    "CAST",
    "COPY",
    "CREATE",
    "CROSS",
    "CSV",
    "CURRENT_DATE",
    "DATE",
    "DECIMAL",
    "DELETE",
    "DESC",
    "DESCRIBE",
    "DISTINCT",
    "DOUBLE",
    "DROP",
    "ELSE",
    "END",
    "EXCEPT",
    "EXISTS",
    "EXPLAIN",
    "EXTERNAL",
    "EXTRACT",
    "FALSE",
    "FILTER",
    "FIRST",
    "FLOAT",
    "FROM",
    "FULL",
    "GROUP",
    "HAVING",
    "IF",
    "ILIKE",
    "IN",
    "INNER",
    "INSERT",
    "INT",
    "INTERSECT",
    "INTERVAL",
    "INTO",
    "IS",
    "JOIN",
    "JSON",
    "LAST",
    "LEFT",
    "LIKE",
    "LIMIT",
    "LOCATION",
    "NOT",
    "NULL",
    "NULLS",
    "OFFSET",
    "ON",
    "OPTIONS",
    "OR",
    "ORDER",
    "OUTER",
    "OVER",
    "PARTITION",
    "PARTITIONED",
    "RIGHT",
    "SELECT",
    "SET",
    "SHOW",
    "STORED",
    "TABLE",
    "TABLES",
    "THEN",
    "TIMESTAMP",
    "TO",
    "TREVNI",
    "TRUE",
    "UNION",
    "VALUES",
    "VIEW",
    "WHEN",
    "WHERE",
];

/// Words after which nothing but a keyword, a name or a value comes, and which are not in the list above.
const MORE: [&str; 3] = ["VARCHAR", "WINDOW", "WITH"];

/// Helps to type statements.
pub(super) struct Typing {
    paths: FilenameCompleter,
    /// Names of tables, columns and functions.
    names: BTreeSet<String>,
}

impl Typing {
    pub(super) fn new() -> Self {
        Self { paths: FilenameCompleter::new(), names: BTreeSet::new() }
    }

    /// Learns what there is in a session now.
    pub(super) async fn learn(&mut self, session: &SessionContext) {
        let state = session.state();
        let functions = state.scalar_functions().keys();
        let functions =
            functions.chain(state.aggregate_functions().keys()).chain(state.window_functions().keys());
        self.names = functions.cloned().collect();
        for (table, columns) in known(session).await {
            self.names.extend(std::iter::once(table).chain(columns).map(|name| quoted(&name)));
        }
    }

    /// Where the word before a place begins, and what it may become.
    fn words(&self, line: &str, end: usize) -> (usize, Vec<String>) {
        let before = line.get(..end).unwrap_or_default();
        let start = before.rfind(|c: char| !(c.is_alphanumeric() || c == '_' || c == '"')).map_or(0, |at| {
            at + before.get(at..).and_then(|rest| rest.chars().next()).map_or(1, char::len_utf8)
        });
        let word = before.get(start..).unwrap_or_default();
        if word.is_empty() {
            return (start, Vec::new());
        }
        let is_lower = !word.chars().any(char::is_uppercase);
        let keywords = KEYWORDS.iter().chain(&MORE);
        let keywords = keywords.filter(|keyword| starts(keyword, word));
        let keywords =
            keywords.map(|keyword| if is_lower { keyword.to_lowercase() } else { (*keyword).to_owned() });
        let names =
            self.names.iter().filter(|name| starts(name.trim_matches('"'), word.trim_matches('"'))).cloned();
        let all: BTreeSet<String> = names.chain(keywords).collect();
        (start, all.into_iter().collect())
    }
}

/// Whether a name starts with a word, whatever their case.
fn starts(name: &str, word: &str) -> bool {
    let mut name = name.chars().flat_map(char::to_lowercase);
    word.chars().flat_map(char::to_lowercase).all(|c| name.next() == Some(c))
}

/// A name as statements have it: in quotes, unless it is small letters and digits. What would steer a terminal is
/// offered to nobody.
fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '.';
    match name.chars().all(is_plain) && !name.starts_with(|c: char| c.is_ascii_digit()) {
        true => name.to_owned(),
        false => format!("\"{}\"", name.replace('"', "\"\"")),
    }
}

/// Whether a text ends within quotes.
fn is_in_quotes(text: &str) -> bool {
    text.matches('\'').count() % 2 == 1
}

impl Completer for Typing {
    type Candidate = Pair;

    fn complete(&self, line: &str, end: usize, _: &Context<'_>) -> Result<(usize, Vec<Pair>)> {
        if is_in_quotes(line.get(..end).unwrap_or_default()) {
            return self.paths.complete_path(line, end);
        }
        let (start, words) = self.words(line, end);
        let pair = |word: String| Pair {
            display: trevni_print::shown::shown(&word).into_owned(),
            replacement: word,
        };
        Ok((start, words.into_iter().filter(|word| !word.contains(char::is_control)).map(pair).collect()))
    }
}

impl Validator for Typing {
    fn validate(&self, typed: &mut ValidationContext<'_>) -> Result<ValidationResult> {
        let text = typed.input();
        Ok(match is_whole(text) || super::commands::ends(text) {
            true => ValidationResult::Valid(None),
            false => ValidationResult::Incomplete,
        })
    }
}

impl Hinter for Typing {
    type Hint = String;
}

impl Highlighter for Typing {}

impl Helper for Typing {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_become_names_and_keywords() {
        let mut typing = Typing::new();
        typing.names = ["flights", "first_value", "\"Dep Delay\"", "from_unixtime"].map(str::to_owned).into();
        let words = |line: &str| typing.words(line, line.len());
        assert_eq!(words("sel"), (0, vec!["select".to_owned()]));
        assert_eq!(words("SELECT 1 FRO"), (9, ["FROM", "from_unixtime"].map(str::to_owned).to_vec()));
        assert_eq!(words("é fl"), (3, ["flights", "float"].map(str::to_owned).to_vec()));
        assert_eq!(words("x.dep"), (2, vec!["\"Dep Delay\"".to_owned()]));
        assert_eq!(words("x.\"Dep"), (2, vec!["\"Dep Delay\"".to_owned()]));
        assert_eq!(words("SELECT "), (7, Vec::new()));
    }

    #[test]
    fn names_are_quoted_where_they_must_be() {
        assert_eq!(
            ["a_1", "public.b", "1a", "A", "a\"b"].map(quoted),
            ["a_1", "public.b", "\"1a\"", "\"A\"", "\"a\"\"b\""]
        );
    }
}
