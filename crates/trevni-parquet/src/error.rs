//! What went wrong between Parquet and Trevni.

use arrow_schema::ArrowError;
use parquet::errors::ParquetError;
use trevni_arrow::ErrorKind;

/// A `Result` whose error is [`Error`].
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The Parquet file is damaged, or has something that its library does not know.
    #[error("Parquet: {}", plain(_0))]
    Parquet(#[source] ParquetError),
    /// The Parquet file is damaged: it says something of itself that cannot be.
    #[error("Parquet: {0}")]
    Damaged(String),
    /// The file takes more than the reader's [`Limits`](trevni::Limits) allow; it may be whole.
    #[error("{what} is {value}, above the limit of {limit} (see Limits::{option})")]
    Limit {
        /// What is limited, and where.
        what: String,
        /// Its value in the file.
        value: u64,
        /// The limit in force.
        limit: u64,
        /// The field of [`Limits`](trevni::Limits) that sets it.
        option: &'static str,
    },
    /// The Parquet library gave up in the middle: a damaged file, mostly.
    #[error("Parquet: the file cannot be read or written: {0}")]
    Panic(String),
    /// Reading or writing the column file, or types that cannot be carried.
    #[error(transparent)]
    Trevni(#[from] trevni_arrow::Error),
    /// A field that Parquet has no type for.
    #[error("{field}: {data_type} cannot be stored in Parquet")]
    Unsupported {
        /// The path of the field.
        field: String,
        /// Its type in Arrow.
        data_type: String,
    },
    /// A field that was asked for is not in the file.
    #[error("there is no field {0:?}")]
    NoField(String),
    /// A row group that was asked for is not in the file.
    #[error("there is no row group {number}: the file has {count}")]
    NoRowGroup {
        /// The number that was asked for, from 0.
        number: usize,
        /// How many there are.
        count: usize,
    },
    /// An invalid schema of the caller.
    #[error("{0}")]
    Schema(String),
    /// A field that cannot be read as the schema that was given says.
    #[error("{}{message}", prefix(.field))]
    Unresolved {
        /// The path of the field; empty for the rows themselves.
        field: String,
        /// Why not.
        message: String,
    },
    /// A value that the schema that was given has no place for.
    #[error("row {row}, {}{message}", prefix(.field))]
    Value {
        /// The number of the row, from 0.
        row: u64,
        /// The path of the field; empty for the row itself.
        field: String,
        /// What about it.
        message: String,
    },
    /// An instant of 96 bits that is beyond what its unit counts.
    #[error("row {row}, field {field}: the instant is beyond timestamp-nanos; read it with microseconds")]
    Instant {
        /// The number of the row, from 0.
        row: u64,
        /// The field.
        field: String,
    },
    /// A file cannot be opened or written.
    #[error("{0}")]
    Io(#[from] std::io::Error),
}

impl Error {
    /// Whether the bytes of the file are at fault, or it has something that is not known.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Parquet(_) | Self::Damaged(_) | Self::Panic(_) => true,
            Self::Trevni(error) => matches!(error.kind(), ErrorKind::Arrow(_)),
            _ => false,
        }
    }

    /// The error of the column file, where it is one.
    #[must_use]
    pub fn as_trevni(&self) -> Option<&trevni::Error> {
        match self {
            Self::Trevni(error) => match error.kind() {
                ErrorKind::Trevni(error) => Some(error),
                _ => None,
            },
            _ => None,
        }
    }

    #[cold]
    pub(crate) fn unresolved(field: impl Into<String>, message: impl ToString) -> Self {
        Self::Unresolved { field: field.into(), message: message.to_string() }
    }
}

/// What the library says, without saying each time who says it.
fn plain(error: &ParquetError) -> String {
    let text = error.to_string();
    let mut rest = text.as_str();
    while let Some(after) = PREFIXES.iter().find_map(|prefix| rest.strip_prefix(prefix)) {
        rest = after;
    }
    rest.to_owned()
}

/// What the library begins its messages with.
const PREFIXES: [&str; 3] = ["Parquet argument error: ", "Parquet error: ", "External: "];

/// The error of a file or sink that something else passes on.
fn io_error(error: ParquetError) -> Result<std::io::Error, ParquetError> {
    match error {
        ParquetError::External(error) => match error.downcast::<std::io::Error>() {
            // Beyond the end of a file there is nothing: it is damaged.
            Ok(error) if error.kind() != std::io::ErrorKind::UnexpectedEof => Ok(*error),
            Ok(error) => Err(ParquetError::External(error)),
            Err(error) => Err(ParquetError::External(error)),
        },
        error => Err(error),
    }
}

/// What stands before a message about a field.
fn prefix(field: &str) -> String {
    if field.is_empty() { String::new() } else { format!("field {field}: ") }
}

impl From<ParquetError> for Error {
    fn from(error: ParquetError) -> Self {
        io_error(error).map_or_else(Self::Parquet, Self::Io)
    }
}

impl From<ArrowError> for Error {
    fn from(error: ArrowError) -> Self {
        match error {
            ArrowError::ExternalError(error) => match error.downcast::<Self>() {
                Ok(error) => *error,
                Err(error) => Self::Trevni(ArrowError::ExternalError(error).into()),
            },
            ArrowError::ParquetError(text) => Self::Parquet(ParquetError::General(text)),
            error => Self::Trevni(error.into()),
        }
    }
}

impl From<trevni::Error> for Error {
    fn from(error: trevni::Error) -> Self {
        Self::Trevni(error.into())
    }
}

impl From<Error> for ArrowError {
    fn from(error: Error) -> Self {
        Self::ExternalError(Box::new(error))
    }
}
