//! What went wrong, for people: one line, and what to do about it.

use crate::limits::told;
use crate::shown::{shown, tell};
use std::fmt::Display;
use std::io;
use std::path::Path;
use trevni::{Category, ErrorKind};
use trevni_query::Error as QueryError;
use unicode_width::UnicodeWidthStr;

/// Exit code of a failure.
const FAILED: u8 = 1;
/// Exit code of a command that cannot be.
pub const USAGE: u8 = 2;
/// Exit code of a file that is damaged, or no Trevni file.
pub const DAMAGED: u8 = 3;

/// Exit code of a file that takes more than the limits allow: it may be whole, so it is a failure like any other.
pub const LIMITED: u8 = FAILED;

/// What went wrong.
#[derive(Debug)]
pub struct Failure {
    message: String,
    /// What to do, line by line.
    hint: Vec<String>,
    code: u8,
    closed_pipe: bool,
}

impl Failure {
    /// A failure like any other.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: Vec::new(), code: FAILED, closed_pipe: false }
    }

    /// Something that the user asked for and that cannot be.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { code: USAGE, ..Self::new(message) }
    }

    /// With what to do about it.
    pub fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: vec![hint.into()], ..self }
    }

    /// An error of a query on a file.
    pub fn of_query(name: &Path, error: QueryError) -> Self {
        match error.kind() {
            trevni_query::ErrorKind::Read(error) => Self::of(name, error),
            _ => error.into(),
        }
    }

    /// A limit that is met at a place.
    fn limited(at: &str, error: &trevni::Error) -> Self {
        Self::new(format!("{at}: {}", told(error))).with_code(LIMITED)
    }

    /// With the name of a file in front.
    pub fn within(self, name: &str) -> Self {
        Self { message: format!("{name}: {}", self.message), ..self }
    }

    /// An error of a file.
    pub fn of(name: &Path, error: &trevni::Error) -> Self {
        let code = match error.category() {
            Category::Corrupt | Category::Unsupported => DAMAGED,
            Category::Limit => LIMITED,
            Category::Misuse => USAGE,
            _ => FAILED,
        };
        // Where the error names the file, once is enough.
        let message = match error.location().file {
            Some(_) => told(error),
            None => named(&name.display().to_string(), &told(error)),
        };
        match error.kind() {
            ErrorKind::Io(error) => Self { message, ..Self::io(name.display(), error) },
            _ => Self { code, ..Self::new(message) },
        }
    }

    /// An error of an Avro file.
    pub fn of_avro(name: impl Display, error: trevni_avro::Error) -> Self {
        use trevni_avro::Error;
        match error {
            Error::Io(error) => Self::io(name, &error),
            Error::NotAvro => Self::new(format!("{name} is not an Avro file")).with_code(DAMAGED),
            Error::Damaged(what) => Self::new(format!("{name}: {what}")).with_code(DAMAGED),
            Error::Limit { at, error } => {
                Self::new(format!("{name}: {at}: {}", told(&error))).with_code(LIMITED)
            }
            Error::Codec(_) => Self::new(format!("{name}: {error}"))
                .hint("Codecs: null, deflate, snappy, zstandard and bzip2"),
            Error::Refused(error) => match error.downcast::<trevni::Error>() {
                Ok(error) => Self::of(Path::new(&name.to_string()), &error),
                Err(error) => Self::new(format!("{name}: {error}")),
            },
            error => Self::new(format!("{name}: {error}")),
        }
    }

    /// An error of the schema that a file has, or is to have.
    pub fn of_avro_schema(name: impl Display, error: trevni_avro::Error) -> Self {
        match error {
            trevni_avro::Error::Schema(why) => Self::new(format!("{name}: {why}")),
            error => Self::of_avro(name, error),
        }
    }

    /// An error of messages of Protocol Buffers, of their descriptors, or of rows that were to become messages.
    #[cfg(feature = "protobuf")]
    pub fn of_protobuf(name: impl Display, error: trevni_protobuf::Error) -> Self {
        use trevni_protobuf::Error;
        match error {
            Error::Io(error) => Self::io(name, &error),
            Error::Batch(error) => Self::of(Path::new(&name.to_string()), &error),
            Error::Message { .. } | Error::Descriptors(_) => {
                Self::new(format!("{name}: {error}")).with_code(DAMAGED)
            }
            Error::NoMessage { .. } => Self::usage(format!("{name}: {error}")),
            Error::Recursive { .. } => {
                Self::new(format!("{name}: {error}")).hint("To say how many: --recursion LEVELS")
            }
            error => Self::new(format!("{name}: {error}")),
        }
    }

    /// An error of a Parquet file, or of rows that were to become one.
    #[cfg(feature = "parquet")]
    pub fn of_parquet(name: impl Display, error: trevni_parquet::Error) -> Self {
        use trevni_parquet::Error;
        if let Some(error) = error.as_trevni() {
            return Self::of(Path::new(&name.to_string()), error);
        }
        let failure = Self::new(format!("{name}: {error}"));
        match error {
            Error::Io(error) => Self::io(name, &error),
            Error::Limit { option, .. } => {
                let message = crate::limits::named(&failure.message, option);
                Self { message, ..failure }.with_code(LIMITED)
            }
            Error::Instant { .. } => failure.hint("To read microseconds: --int96 micros"),
            Error::Unsupported { data_type, field } if data_type.starts_with("Union") => Self::new(format!(
                "{name}: {field} has values of several types, which Parquet has no type for"
            ))
            .hint("To write them as strings: --mixed json or string; to leave the field out: -c '!NAME'"),
            Error::Unsupported { .. } => failure.hint("To leave fields out: -c '!NAME'"),
            error if error.is_damage() => failure.with_code(DAMAGED),
            _ => failure,
        }
    }

    /// Failing to read or write a file or stream.
    pub fn io(name: impl Display, error: &io::Error) -> Self {
        let closed_pipe = error.kind() == io::ErrorKind::BrokenPipe;
        let hint = match error.kind() {
            io::ErrorKind::FileTooLarge => vec!["The system limits the size of files: ulimit -f".to_owned()],
            _ => Vec::new(),
        };
        Self { hint, closed_pipe, ..Self::new(named(&name.to_string(), &error.to_string())) }
    }

    /// The exit code.
    #[must_use]
    pub fn code(&self) -> u8 {
        self.code
    }

    /// With another exit code.
    pub fn with_code(self, code: u8) -> Self {
        Self { code, ..self }
    }

    /// What to do, line by line.
    pub fn hints(&self) -> &[String] {
        &self.hint
    }

    /// Whether the reader of the output has gone.
    pub fn is_closed_pipe(&self) -> bool {
        self.closed_pipe
    }

    /// What went wrong, on one line.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Tells it on standard error.
    pub fn print(&self) {
        let red = anstyle::AnsiColor::Red.on_default().bold();
        tell(format_args!("{red}error:{red:#} "), &self.message);
        for line in &self.hint {
            tell("  ", line);
        }
    }
}

/// A text after the name of what it is about; the name is said once.
fn named(name: &str, text: &str) -> String {
    format!("{name}: {}", text.replacen(&format!("{name}: "), "", 1))
}

impl From<trevni_infer::Error> for Failure {
    fn from(error: trevni_infer::Error) -> Self {
        let trevni_infer::Error { kind, message, hint } = error;
        let failure = match kind {
            trevni_infer::ErrorKind::Rows => Self::new(message),
            trevni_infer::ErrorKind::Usage => Self::usage(message),
            trevni_infer::ErrorKind::Limit(error) => Self::limited(&message, &error),
            trevni_infer::ErrorKind::Io(error) => Self::io(message, &error),
        };
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

impl From<QueryError> for Failure {
    /// With a mark below the character of the expression that is wrong.
    fn from(error: QueryError) -> Self {
        let (code, message) = match error.kind() {
            trevni_query::ErrorKind::Query => (USAGE, error.to_string()),
            trevni_query::ErrorKind::Read(read) if read.category() == Category::Limit => {
                (LIMITED, told(read))
            }
            _ => (FAILED, error.to_string()),
        };
        let mark = |(text, at): (&str, usize)| {
            let before = shown(text.get(..at).unwrap_or(text)).width();
            vec![text.to_owned(), format!("{}^", " ".repeat(before))]
        };
        let mut hint = error.excerpt().map(mark).unwrap_or_default();
        hint.extend(error.hint().map(str::to_owned));
        Self { hint, code, ..Self::new(message) }
    }
}
