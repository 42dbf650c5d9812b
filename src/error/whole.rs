//! The error itself, its categories, and its location.

use super::ErrorKind;
use std::{fmt, io};

struct Inner {
    kind: ErrorKind,
    location: Location,
}

impl Error {
    /// What went wrong.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The class of this error.
    #[must_use]
    pub fn category(&self) -> Category {
        self.0.kind.category()
    }

    /// Whether fewer rows at once may be within the limit that this is about.
    pub(crate) fn may_pass_with_fewer_rows(&self) -> bool {
        matches!(self.kind(), ErrorKind::Limit { option: "memory" | "", .. })
    }

    /// Where it happened.
    #[must_use]
    pub fn location(&self) -> &Location {
        &self.0.location
    }

    #[cold]
    pub(crate) fn option(message: impl Into<String>) -> Self {
        ErrorKind::Option { message: message.into() }.into()
    }

    /// A name that nothing has, with all names that there are.
    #[cold]
    pub(crate) fn no_such(what: &str, name: &str, names: &[&str]) -> Self {
        Self::option(format!("there is no {what} {name:?}: there are {}", names.join(", ")))
    }

    #[cold]
    pub(crate) fn schema(message: impl Into<String>) -> Self {
        ErrorKind::Schema { message: message.into() }.into()
    }

    #[cold]
    pub(crate) fn message_schema(message: impl Into<String>) -> Self {
        ErrorKind::MessageSchema { message: message.into() }.into()
    }

    /// The values in a file are not what its schema or its other columns say. Where no file can be the
    /// cause, it is [`Error::internal`].
    #[cold]
    pub(crate) fn value(message: impl Into<String>) -> Self {
        ErrorKind::Value { message: message.into() }.into()
    }

    /// A fault of this crate, which neither a file nor a caller can cause.
    #[cold]
    pub(crate) fn internal(what: impl Into<String>) -> Self {
        ErrorKind::Internal { what: what.into() }.into()
    }

    #[cold]
    pub(crate) fn too_large(what: &'static str, value: u64, limit: u64) -> Self {
        ErrorKind::TooLarge { what, value, limit }.into()
    }

    #[cold]
    pub(crate) fn vector(message: impl Into<String>) -> Self {
        ErrorKind::Vector { message: message.into() }.into()
    }

    #[cold]
    pub(crate) fn metadata(message: impl Into<String>) -> Self {
        ErrorKind::Metadata { message: message.into() }.into()
    }

    /// The error of a schema that the caller gave, not a file.
    #[cold]
    pub(crate) fn given(self) -> Self {
        match self.kind() {
            ErrorKind::Schema { .. } | ErrorKind::MessageSchema { .. } => Self::option(self.to_string()),
            _ => self,
        }
    }

    /// Adds what to do to a message.
    #[cold]
    pub(crate) fn advising(mut self, advice: &str) -> Self {
        if let ErrorKind::Message(message) = &mut self.0.kind {
            message.push_str("; ");
            message.push_str(advice);
        }
        self
    }

    /// Says where maps have too many keys, to write them as maps.
    #[cold]
    pub(crate) fn at_map(mut self, found: Option<String>) -> Self {
        if let ErrorKind::TooManyFields { path, .. } = &mut self.0.kind {
            *path = found;
        }
        self
    }

    /// Puts a field name in front of the path.
    #[cold]
    pub(crate) fn in_field(mut self, name: &str) -> Self {
        let path = &mut self.0.location.path;
        if !path.is_empty() && !path.starts_with('[') {
            path.insert(0, '.');
        }
        path.insert_str(0, name);
        self
    }

    /// Puts a position in a list in front of the path.
    #[cold]
    pub(crate) fn in_item(self, index: usize) -> Self {
        self.in_field(&format!("[{index}]"))
    }

    /// Says that it is in a key of a map.
    #[cold]
    #[inline(never)]
    pub(crate) fn in_key(self) -> Self {
        self.in_field("key")
    }

    /// Says that it is in a value of a map.
    #[cold]
    #[inline(never)]
    pub(crate) fn in_value(self) -> Self {
        self.in_field("value")
    }

    /// Says which file it comes from.
    #[cold]
    pub(crate) fn in_file(mut self, file: &std::path::Path) -> Self {
        self.0.location.file.get_or_insert_with(|| file.to_owned());
        self
    }

    #[cold]
    pub(crate) fn in_column(mut self, column: &str) -> Self {
        self.0.location.column.get_or_insert_with(|| column.to_owned());
        self
    }

    #[cold]
    pub(crate) fn in_block(mut self, block: usize) -> Self {
        self.0.location.block.get_or_insert(block);
        self
    }

    #[cold]
    pub(crate) fn in_row(mut self, row: u64) -> Self {
        self.0.location.row.get_or_insert(row);
        self
    }

    /// Counts its row, which is one of a batch, from the first row of the file on.
    #[cold]
    pub(crate) fn in_batch_at(mut self, first_row: u64) -> Self {
        self.0.location.row = self.0.location.row.map(|row| row.saturating_add(first_row));
        self
    }

    #[cold]
    pub(crate) fn at_offset(mut self, offset: u64) -> Self {
        self.0.location.offset.get_or_insert(offset);
        self
    }
}

impl From<ErrorKind> for Error {
    #[cold]
    fn from(kind: ErrorKind) -> Self {
        Self(Box::new(Inner { kind, location: Location::default() }))
    }
}

impl From<io::Error> for Error {
    #[cold]
    fn from(error: io::Error) -> Self {
        ErrorKind::Io(error).into()
    }
}

impl From<Error> for io::Error {
    fn from(error: Error) -> Self {
        match error.0.kind {
            ErrorKind::Io(inner) => inner,
            _ => io::Error::new(io::ErrorKind::InvalidData, error),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.location != Location::default() {
            write!(f, "{}: ", self.0.location)?;
        }
        fmt::Display::fmt(&self.0.kind, f)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Error({:?}, {self})", self.category())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            ErrorKind::Io(error) => Some(error),
            _ => None,
        }
    }
}

impl serde::ser::Error for Error {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        ErrorKind::Message(message.to_string()).into()
    }
}

impl serde::de::Error for Error {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        ErrorKind::Message(message.to_string()).into()
    }

    // As serde has them, but not compiled for each field of each type.
    #[cold]
    #[inline(never)]
    fn missing_field(field: &'static str) -> Self {
        Self::custom(format_args!("missing field `{field}`"))
    }

    #[cold]
    #[inline(never)]
    fn duplicate_field(field: &'static str) -> Self {
        Self::custom(format_args!("duplicate field `{field}`"))
    }
}

/// Where an error happened, as far as known.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The file, if there are several.
    pub file: Option<std::path::PathBuf>,
    /// Path in the shape, such as `received[1].host`; empty for the whole row.
    pub path: String,
    /// Name of the column in the file.
    pub column: Option<String>,
    /// Number of the block within its column, from 0.
    pub block: Option<usize>,
    /// Number of the row within the file, from 0.
    pub row: Option<u64>,
    /// Byte position within the file.
    pub offset: Option<u64>,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let mut part = |f: &mut fmt::Formatter<'_>, text: fmt::Arguments<'_>| {
            let result = write!(f, "{separator}{text}");
            separator = ", ";
            result
        };
        if let Some(file) = &self.file {
            part(f, format_args!("{}", file.display()))?;
        }
        if let Some(row) = self.row {
            part(f, format_args!("row {row}"))?;
        }
        if !self.path.is_empty() {
            part(f, format_args!("{}", self.path))?;
        }
        if let Some(column) = &self.column {
            part(f, format_args!("column {column:?}"))?;
        }
        if let Some(block) = self.block {
            part(f, format_args!("block {block}"))?;
        }
        if let Some(offset) = self.offset {
            part(f, format_args!("byte {offset}"))?;
        }
        Ok(())
    }
}

/// A `Result` whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong, and where in the file or in the data.
///
/// It is one pointer in size. [`Error::kind`] has the details to match on; [`Error::category`] is one of the
/// classes that callers usually treat differently.
///
/// ```
/// use trevni::{Category, ErrorKind};
///
/// let error = trevni::from_slice::<Vec<u32>>(b"text").unwrap_err();
/// assert_eq!(error.category(), Category::Corrupt);
/// assert!(matches!(error.kind(), ErrorKind::NotTrevni { .. }));
/// ```
pub struct Error(Box<Inner>);

/// The classes of errors, by what a caller can do about them.
///
/// # Examples
///
/// ```
/// use trevni::{Category, Reader};
///
/// let error = Reader::from_slice(b"{\"not\": \"trevni\"}").err().unwrap();
/// let advice = match error.category() {
///     Category::Io => "try again, or look at the disk",
///     Category::Corrupt => "fetch the file again",
///     Category::Unsupported => "enable a feature",
///     Category::Limit => "raise the limit that the message names, or read less at once",
///     Category::Shape => "change the type or the rows",
///     Category::Misuse => "change the call",
///     _ => "report a bug",
/// };
/// assert_eq!(advice, "fetch the file again");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Category {
    /// The source or the sink failed. The same call may succeed later.
    Io,
    /// The bytes of a file are not what the format says. No call reads them; another copy may be whole.
    Corrupt,
    /// The file is well formed but needs more than this build has: a feature of the crate, a newer version.
    Unsupported,
    /// The file needs more than the [`Limits`](crate::Limits) of the reader allow. It may be well formed: with a higher
    /// limit it may be read, and so may some of its rows or columns with this one.
    Limit,
    /// The rows do not fit the type or shape asked for, or are larger than the format can hold. Other
    /// rows, another type or smaller files help.
    Shape,
    /// The caller asked for something that cannot be, such as a column that is not there. The message
    /// says what can.
    Misuse,
    /// A fault of this crate, or a thread of it that panicked. Neither the file nor the caller is to
    /// blame: please report it.
    Internal,
}
