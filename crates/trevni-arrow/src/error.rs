//! What went wrong between Arrow and Trevni, and in which field.

use arrow_schema::{ArrowError, DataType};
use std::fmt;

/// A `Result` whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, and in which field.
///
/// ```
/// use arrow_schema::{DataType, Field, Schema};
///
/// let twice = Schema::new(vec![Field::new("a", DataType::Int8, false), Field::new("a", DataType::Int8, false)]);
/// let error = trevni_arrow::shape_of_schema(&twice).unwrap_err();
/// assert_eq!(error.path(), "a");
/// ```
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    path: String,
    kind: ErrorKind,
}

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The file cannot be read or written.
    #[error(transparent)]
    Trevni(#[from] trevni::Error),
    /// Arrow refused arrays or a schema.
    #[error(transparent)]
    Arrow(#[from] ArrowError),
    /// A type has no counterpart.
    #[error("{data_type} cannot be carried: {why}")]
    Unsupported {
        /// The type.
        data_type: String,
        /// What about it.
        why: &'static str,
    },
    /// A value that the type it is to have cannot hold.
    #[error("{message}")]
    Value {
        /// What about it.
        message: String,
    },
    /// Arrays of another schema than the one that was given first.
    #[error("{message}")]
    Schema {
        /// How they differ.
        message: String,
    },
    /// Two types of a field without a common type.
    #[error("{one} in schema {first} and {two} in schema {second} have no type in common")]
    Differ {
        /// Which schema has the one type, from 0.
        first: usize,
        /// Which schema has the other.
        second: usize,
        /// The type of the first.
        one: String,
        /// The type of the second.
        two: String,
    },
    /// More than offsets or keys can count.
    #[error("{what} are more than {limit}: use fewer rows at a time, or another type")]
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// The most that there can be.
        limit: u64,
    },
    /// A fault of this crate: please report it.
    #[error("a fault of trevni-arrow: {what}")]
    Internal {
        /// What should not be.
        what: &'static str,
    },
}

impl Error {
    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The field, with dots between names; empty where it is about no field.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.0.path
    }

    #[cold]
    pub(crate) fn unsupported(data_type: &DataType, why: &'static str) -> Self {
        ErrorKind::Unsupported { data_type: data_type.to_string(), why }.into()
    }

    #[cold]
    pub(crate) fn value(message: impl Into<String>) -> Self {
        ErrorKind::Value { message: message.into() }.into()
    }

    #[cold]
    pub(crate) fn schema(message: impl Into<String>) -> Self {
        ErrorKind::Schema { message: message.into() }.into()
    }

    #[cold]
    pub(crate) fn too_many(what: &'static str, limit: u64) -> Self {
        ErrorKind::TooMany { what, limit }.into()
    }

    #[cold]
    pub(crate) fn internal(what: &'static str) -> Self {
        ErrorKind::Internal { what }.into()
    }

    /// Puts a field name in front of the path.
    #[cold]
    pub(crate) fn in_field(mut self, name: &str) -> Self {
        let path = &mut self.0.path;
        if !path.is_empty() {
            path.insert(0, '.');
        }
        path.insert_str(0, name);
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.0.path.is_empty() {
            write!(f, "field {}: ", self.0.path)?;
        }
        fmt::Display::fmt(&self.0.kind, f)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            ErrorKind::Trevni(error) => Some(error),
            ErrorKind::Arrow(error) => Some(error),
            _ => None,
        }
    }
}

impl From<ErrorKind> for Error {
    #[cold]
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(Inner { path: String::new(), kind }))
    }
}

impl From<trevni::Error> for Error {
    #[cold]
    fn from(error: trevni::Error) -> Self {
        ErrorKind::Trevni(error).into()
    }
}

impl From<ArrowError> for Error {
    #[cold]
    fn from(error: ArrowError) -> Self {
        ErrorKind::Arrow(error).into()
    }
}

impl From<Error> for ArrowError {
    fn from(error: Error) -> Self {
        match error.0.kind {
            ErrorKind::Arrow(arrow) if error.0.path.is_empty() => arrow,
            _ => Self::ExternalError(Box::new(error)),
        }
    }
}
