//! What went wrong, for people: one line, and what to do about it.

use super::statements::Statement;
use datafusion::arrow::error::ArrowError;
use datafusion::common::Location;
use datafusion::error::DataFusionError;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::parser::ParserError;
use datafusion::sql::sqlparser::tokenizer::{Token, Tokenizer, TokenizerError};
use std::error::Error;
use std::fmt::Display;
use std::io;
use trevni::Category;
use trevni_print::shown::{shown, tell};
use unicode_width::UnicodeWidthStr;

/// Exit code of a failure.
const FAILED: u8 = 1;
/// Exit code of a statement, or a use of the program, that cannot be.
const USAGE: u8 = 2;
/// Exit code of a file that is damaged.
const DAMAGED: u8 = 3;
/// What the engine puts before the names of tables.
const SCHEMA: &str = "datafusion.public.";
/// How it says that no function fits a call.
const NO_FUNCTION: &str = "No function matches the given name and argument types";
/// How it begins to say that a fault is its own, and where to tell it.
const BUG: &str = "This issue was likely caused by a bug in DataFusion's code.";
/// The longest line that is shown.
const LINE_CHARS: usize = 400;

/// What went wrong.
#[derive(Debug)]
pub(super) struct Failure {
    message: String,
    hint: Vec<String>,
    code: u8,
    closed_pipe: bool,
}

impl Failure {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: Vec::new(), code: FAILED, closed_pipe: false }
    }

    /// Something that was asked for and cannot be.
    pub(super) fn usage(message: impl Into<String>) -> Self {
        Self { code: USAGE, ..Self::new(message) }
    }

    pub(super) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: vec![hint.into()], ..self }
    }

    /// Failing to read or write a file or stream.
    pub(super) fn io(name: impl Display, error: &io::Error) -> Self {
        let closed_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        Self { closed_pipe, ..Self::new(format!("{name}: {error}")) }
    }

    /// Failing to print.
    pub(super) fn output(error: &io::Error) -> Self {
        Self::io("standard output", error)
    }

    /// An error of a text that cannot be parted into statements.
    pub(super) fn of_text(text: &str, error: &TokenizerError) -> Self {
        let message = Some(error.message.trim()).filter(|message| !message.is_empty());
        Self::usage(message.unwrap_or("this is no SQL")).at(text, 0, error.location.into())
    }

    /// An error of the engine, with its place where that is known.
    pub(super) fn of(statement: Statement<'_>, error: &DataFusionError) -> Self {
        let failure = Self::from(error);
        let Statement::Sql { text, lines } = statement else { return failure };
        if failure.code != USAGE {
            return failure;
        }
        let place = error.diagnostic().and_then(|diagnostic| diagnostic.span).map(|span| span.start);
        let root = error.find_root().to_string();
        match place.or_else(|| parsed_place(&root)).or_else(|| named_place(text, &root)) {
            Some(place) => failure.at(text, lines, place),
            // It is of no one word: the line that the statement begins in, of several.
            None if failure.code == USAGE && lines > 0 => {
                Self { message: format!("line {}: {}", lines + 1, failure.message), ..failure }
            }
            None => failure,
        }
    }

    /// What is told first.
    pub(super) fn message(&self) -> &str {
        &self.message
    }

    /// With the line that is wrong, and a mark below the place.
    fn at(mut self, text: &str, lines: u64, place: Location) -> Self {
        let (Some(number), Some(column)) = (place.line.checked_sub(1), place.column.checked_sub(1)) else {
            return self;
        };
        let Some(line) = text.lines().nth(usize::try_from(number).unwrap_or(usize::MAX)) else { return self };
        let before: String = line.chars().take(usize::try_from(column).unwrap_or(usize::MAX)).collect();
        let mark = format!("{}^", " ".repeat(shown(&before).width()));
        if line.chars().count() > LINE_CHARS {
            return self;
        }
        if lines + number > 0 {
            self.message = format!("line {}: {}", lines + place.line, self.message);
        }
        self.hint.splice(0..0, [line.to_owned(), mark]);
        self
    }

    /// The exit code.
    pub(super) fn code(&self) -> u8 {
        self.code
    }

    /// Whether the reader of the output has gone.
    pub(super) fn is_closed_pipe(&self) -> bool {
        self.closed_pipe
    }

    /// Tells it on standard error.
    pub(super) fn print(&self) {
        let red = anstyle::AnsiColor::Red.on_default().bold();
        tell(format_args!("{red}error:{red:#} "), &self.message);
        for line in &self.hint {
            tell("  ", line);
        }
    }
}

impl From<&DataFusionError> for Failure {
    fn from(error: &DataFusionError) -> Self {
        let told = told(error);
        let mut lines = told.lines().map(str::trim).filter(|line| !line.is_empty());
        let message = lines.next().unwrap_or("the engine failed").to_owned();
        let hint = lines.map(str::to_owned).collect();
        Self { hint, code: code(error), ..Self::new(message) }
    }
}

/// The exit code that fits an error: what is wrong with a statement is a misuse, what is wrong with a file is damage.
fn code(error: &DataFusionError) -> u8 {
    match inner(error) {
        DataFusionError::SQL(..)
        | DataFusionError::Plan(_)
        | DataFusionError::SchemaError(..)
        | DataFusionError::Configuration(_)
        | DataFusionError::NotImplemented(_) => USAGE,
        error => file_error(error).map_or(FAILED, |error| match error.category() {
            Category::Corrupt | Category::Unsupported => DAMAGED,
            Category::Misuse => USAGE,
            _ => FAILED,
        }),
    }
}

/// The error of a Trevni file that caused another one.
fn file_error(error: &DataFusionError) -> Option<&trevni::Error> {
    let mut cause: Option<&(dyn Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(found) = error.downcast_ref::<trevni::Error>() {
            return Some(found);
        }
        cause = match error.downcast_ref::<DataFusionError>() {
            Some(DataFusionError::External(inner)) => Some(&**inner),
            Some(DataFusionError::ArrowError(inner, _)) => match &**inner {
                ArrowError::ExternalError(inner) => Some(&**inner),
                _ => None,
            },
            _ => error.source(),
        };
    }
    None
}

/// An error without what only wraps it.
fn inner(error: &DataFusionError) -> &DataFusionError {
    match error {
        DataFusionError::Context(_, error) | DataFusionError::Diagnostic(_, error) => inner(error),
        DataFusionError::Shared(error) => inner(error),
        DataFusionError::Collection(errors) => errors.first().map_or(error, inner),
        DataFusionError::External(outer) => outer.downcast_ref().map_or(error, inner),
        DataFusionError::ArrowError(outer, _) => match &**outer {
            ArrowError::ExternalError(outer) => outer.downcast_ref().map_or(error, inner),
            _ => error,
        },
        error => error,
    }
}

/// What an error says, without the kinds of errors around it.
fn told(error: &DataFusionError) -> String {
    match error {
        // A file, or a step of the planner, which says nothing to people.
        DataFusionError::Context(place, error) if place.contains(['.', '/']) => {
            format!("{place}: {}", told(error))
        }
        DataFusionError::SQL(error, _) => match &**error {
            ParserError::ParserError(text) | ParserError::TokenizerError(text) => {
                text.rsplit_once(" at Line: ").map_or(text.as_str(), |(text, _)| text).to_owned()
            }
            ParserError::RecursionLimitExceeded => "the statement is nested too deep".to_owned(),
        },
        DataFusionError::Plan(text)
        | DataFusionError::Execution(text)
        | DataFusionError::Configuration(text)
        | DataFusionError::Internal(text) => of_files(text),
        DataFusionError::SchemaError(error, _) => error.to_string().replace(SCHEMA, ""),
        DataFusionError::NotImplemented(text) => format!("this is not supported: {text}"),
        DataFusionError::ResourcesExhausted(text) => format!("there is not enough memory: {text}"),
        DataFusionError::ObjectStore(error) => error.to_string(),
        DataFusionError::IoError(error) => error.to_string(),
        error => match inner(error) {
            DataFusionError::External(error) => error.to_string(),
            DataFusionError::ArrowError(error, _) => error.to_string(),
            own if std::ptr::eq(own, error) => without_bug(&own.strip_backtrace()),
            inner => told(inner),
        },
    }
}

/// A message without what the engine takes for a fault of its own: a call that fits no function is one of the statement.
fn without_bug(text: &str) -> String {
    let text = match text.find(NO_FUNCTION) {
        Some(start) => text.get(start..).unwrap_or(text),
        None => text.strip_prefix("Internal error: ").unwrap_or(text),
    };
    match text.split_once(BUG) {
        Some((before, after)) => {
            let after = after.split_once("/issues").map_or(after, |(_, after)| after.trim_start_matches('.'));
            format!("{}{}", before.trim_end(), after.trim_end())
        }
        None => text.to_owned(),
    }
}

/// A message about a table as one about a file, where its name is that of one.
fn of_files(text: &str) -> String {
    let text = text.split(DataFusionError::BACK_TRACE_SEP).next().unwrap_or(text).replace(SCHEMA, "");
    let text = without_bug(&text);
    let name = text.strip_prefix("table '").and_then(|rest| rest.strip_suffix("' not found"));
    match name {
        Some(name) if name.contains(['.', '/', '*']) => format!("{name}: there is no such file"),
        Some(name) => format!("there is no table {name}"),
        None => text,
    }
}

/// The place of the one word of a statement that a message has in quotes.
fn named_place(text: &str, message: &str) -> Option<Location> {
    let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize_with_location().ok()?;
    let message = message.split(DataFusionError::BACK_TRACE_SEP).next()?.replace(SCHEMA, "");
    let quoted = message.split(['\'', '"', '`', '\u{2018}', '\u{2019}']).skip(1).step_by(2);
    quoted.filter(|name| !name.is_empty()).find_map(|name| {
        // A call has types behind its name.
        let name = name.split('(').next().unwrap_or(name);
        let mut places = tokens.iter().filter(|token| match &token.token {
            Token::Word(word) => word.value.eq_ignore_ascii_case(name),
            Token::SingleQuotedString(text) => text == name,
            _ => false,
        });
        let place = places.next()?;
        places.next().is_none().then(|| place.span.start.into())
    })
}

/// The place that a message of the parser names.
fn parsed_place(message: &str) -> Option<Location> {
    let (_, place) = message.rsplit_once(" at Line: ")?;
    let (line, rest) = place.split_once(", Column: ")?;
    let column: String = rest.chars().take_while(char::is_ascii_digit).collect();
    Some(Location { line: line.parse().ok()?, column: column.parse().ok()? })
}
