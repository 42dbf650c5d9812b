//! What went wrong: one line, and what to do about it in terms of the command line.

use std::fmt;
use std::io;

/// What went wrong.
#[derive(Debug)]
pub struct Error {
    /// What of.
    pub kind: ErrorKind,
    /// What, on one line, with the name of the text; of [`ErrorKind::Io`] and [`ErrorKind::Limit`] where.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
}

/// What kind of error it is.
#[derive(Debug)]
pub enum ErrorKind {
    /// A text that is no rows, or rows that have no types.
    Rows,
    /// What was asked for cannot be.
    Usage,
    /// More than the limits allow.
    Limit(trevni::Error),
    /// The text could not be read.
    Io(io::Error),
}

impl Error {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Rows, message: message.into(), hint: None }
    }

    /// Something that was asked for and that cannot be.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self { kind: ErrorKind::Usage, ..Self::new(message) }
    }

    /// A limit that is met at a place.
    pub(crate) fn limited(at: String, kind: trevni::ErrorKind) -> Self {
        Self { kind: ErrorKind::Limit(kind.into()), ..Self::new(at) }
    }

    /// Failing to read a text.
    pub(crate) fn io(name: &str, error: io::Error) -> Self {
        Self { kind: ErrorKind::Io(error), ..Self::new(name) }
    }

    /// Values of several types in one field, where they are refused.
    pub fn several_types(path: &str, types: impl Iterator<Item = String>) -> Self {
        let types: Vec<String> = types.collect();
        let error = Self::new(format!("{path} has values of several types: {}", types.join(", ")));
        error.hint("To keep them: --mixed union, json or string")
    }

    pub(crate) fn hint(self, hint: impl Into<String>) -> Self {
        Self { hint: Some(hint.into()), ..self }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match &self.kind {
            ErrorKind::Rows | ErrorKind::Usage => Ok(()),
            ErrorKind::Limit(error) => write!(f, ": {error}"),
            ErrorKind::Io(error) => write!(f, ": {error}"),
        }
    }
}

impl std::error::Error for Error {}
