//! The crate's error: what went wrong, with numbers, and where.

use std::{fmt, io};

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

struct Inner {
    kind: ErrorKind,
    location: Location,
}

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
///     Category::Unsupported => "enable a feature, or raise a limit",
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
    /// The file is well formed but needs more than this build or its limits allow: a feature of the
    /// crate, a newer version, higher [`Limits`](crate::Limits).
    Unsupported,
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

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading from the source or writing to the sink failed.
    #[error("{0}")]
    Io(#[source] io::Error),

    /// The first four bytes are not `Trv` and a version.
    #[error("not a Trevni file: it starts with bytes {found:02x?}")]
    NotTrevni {
        /// The first bytes of the file, at most four.
        found: Vec<u8>,
    },
    /// Bytes are missing.
    #[error("{what} is truncated: {needed} bytes needed, {available} available")]
    Truncated {
        /// The part of the file that is incomplete.
        what: &'static str,
        /// Bytes that this part needs.
        needed: u64,
        /// Bytes available.
        available: u64,
    },
    /// A variable-length integer has more bytes than its type allows.
    #[error("{what} is an integer with too many bytes")]
    Varint {
        /// The part of the file that holds the integer.
        what: &'static str,
    },
    /// A text is not UTF-8.
    #[error("{what} is not UTF-8")]
    Utf8 {
        /// The part of the file that holds the text.
        what: &'static str,
    },
    /// A length or count is impossible.
    #[error("{what} is {value}, which is impossible: {why}")]
    Count {
        /// The count or length.
        what: &'static str,
        /// The value in the file.
        value: i64,
        /// The reason.
        why: &'static str,
    },
    /// The blocks of a column do not hold as many rows as the file.
    #[error("the blocks hold {found} rows, the file says {expected}")]
    RowCount {
        /// Rows that the header of the file states.
        expected: u64,
        /// Rows that the block descriptors add up to.
        found: u64,
    },
    /// A block goes on after its last value.
    #[error("{count} bytes are left over after the last value of the block")]
    TrailingBytes {
        /// Bytes that no value needs.
        count: usize,
    },
    /// A block's checksum is not that of its bytes.
    #[error("checksum mismatch: stored {stored:08x}, computed {computed:08x}")]
    Checksum {
        /// The checksum in the file.
        stored: u32,
        /// The checksum of the bytes in the file.
        computed: u32,
    },
    /// A block could not be decompressed.
    #[error("codec {codec} failed: {message}")]
    Decompress {
        /// Name of the codec.
        codec: String,
        /// The message of the codec.
        message: String,
    },
    /// A column's metadata contradicts itself or the other columns.
    #[error("{message}")]
    Metadata {
        /// What is wrong.
        message: String,
    },
    /// The schema in the file, or one that was given, is not a valid Avro schema.
    #[error("Avro schema: {message}")]
    Schema {
        /// What is wrong.
        message: String,
    },
    /// The text of a message schema, in a file or given, is not one.
    #[error("message schema: {message}")]
    MessageSchema {
        /// What is wrong, and in which line.
        message: String,
    },
    /// The values in a file contradict its schema or its other columns.
    #[error("{message}")]
    Value {
        /// What is wrong.
        message: String,
    },

    /// The fourth byte of the file is an unknown version.
    #[error("version {version} of Trevni is not known (0, 1 and 2 are)")]
    Version {
        /// The byte found.
        version: u8,
    },
    /// An unknown codec, or one that this build lacks.
    #[error("codec {codec:?} is not available{hint}")]
    Codec {
        /// Name of the codec.
        codec: String,
        /// A hint such as ` (enable the feature …)`, or empty.
        hint: &'static str,
    },
    /// An unknown checksum algorithm.
    #[error("checksum {checksum:?} is not known")]
    ChecksumName {
        /// Name of the checksum.
        checksum: String,
    },
    /// A number in the file is above a limit of the reader.
    #[error("{what} is {value}, above the limit of {limit} (see Limits)")]
    Limit {
        /// The limited quantity.
        what: &'static str,
        /// The value found.
        value: u64,
        /// The limit in force.
        limit: u64,
    },

    /// A type's `Serialize` or `Deserialize` refused: a missing field, a value out of range, ….
    #[error("{0}")]
    Message(String),
    /// A value does not fit the shape that was given to the writer.
    #[error("{found} does not fit the given shape {expected}")]
    DoesNotFit {
        /// The given shape of this node.
        expected: String,
        /// The kind of value written.
        found: String,
    },
    /// A type whose shape cannot be told before there are rows.
    #[error("{message}")]
    Untraceable {
        /// Why not, and what to do.
        message: String,
    },
    /// Vectors, or a shape, that do not make up a batch.
    #[error("{message}")]
    Vector {
        /// What is wrong.
        message: String,
    },
    /// Data is nested too deep.
    #[error("nested deeper than {limit} levels")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// A row has the same field or key twice.
    #[error("duplicate field {field:?} in one record")]
    DuplicateField {
        /// Name of the field.
        field: String,
    },
    /// A map that is written as a record has a key that is not text.
    #[error("a map that is written as a record has a key that is not text")]
    KeyNotText,
    /// Something is larger than the format or the memory of this machine can count, such as a row of
    /// more than 2 GiB in one column. Write fewer rows, or smaller ones.
    #[error("{what} is {value}, and can be {limit} at most")]
    TooLarge {
        /// What is too large.
        what: &'static str,
        /// Its size, or the least that it can be.
        value: u64,
        /// The most that there can be.
        limit: u64,
    },
    /// Maps written as records have too many different keys.
    #[error("a map written as a record has more than {limit} different keys")]
    TooManyFields {
        /// The limit.
        limit: usize,
    },
    /// Two files cannot be merged or read as one dataset.
    #[error("{place} is {found} here, {expected} in {other}")]
    PartMismatch {
        /// Where they differ: `field received.date`, `column "id"`, `the row`.
        place: String,
        /// The form in this file.
        found: String,
        /// The form in the other file.
        expected: String,
        /// Name of the other file.
        other: String,
    },

    /// A path that is not in the shape.
    #[error("no field {path:?}; {hint}")]
    NoSuchPath {
        /// The path asked for.
        path: String,
        /// The available names.
        hint: String,
    },
    /// A row number out of range.
    #[error("no row {row}: there are {rows}")]
    NoSuchRow {
        /// Number of the row asked for, from 0.
        row: u64,
        /// The number of rows.
        rows: u64,
    },
    /// A column of another type than requested.
    #[error("{path} is {found}, not {expected}")]
    ColumnType {
        /// The path asked for.
        path: String,
        /// The type of the column.
        found: String,
        /// The requested type.
        expected: &'static str,
    },
    /// A predicate that compares values with a literal of another type.
    #[error("{path} is {found}, which cannot be compared with {literal}{hint}")]
    PredicateType {
        /// The path in the predicate.
        path: String,
        /// The type of the values.
        found: String,
        /// The literal.
        literal: String,
        /// A hint such as `: …`, or empty.
        hint: String,
    },
    /// A metadata key that only the library may set.
    #[error("metadata key {key:?} is reserved")]
    ReservedKey {
        /// The key.
        key: String,
    },
    /// An invalid option or argument.
    #[error("{message}")]
    Option {
        /// What is wrong.
        message: String,
    },

    /// A fault of this crate: two of its parts disagree, or one of its threads panicked.
    #[error("internal error, please report it: {what}")]
    Internal {
        /// What should never be.
        what: String,
    },
}

impl ErrorKind {
    fn category(&self) -> Category {
        match self {
            Self::Io(_) => Category::Io,
            Self::NotTrevni { .. }
            | Self::Truncated { .. }
            | Self::Varint { .. }
            | Self::Utf8 { .. }
            | Self::Count { .. }
            | Self::RowCount { .. }
            | Self::TrailingBytes { .. }
            | Self::Checksum { .. }
            | Self::Decompress { .. }
            | Self::Metadata { .. }
            | Self::Schema { .. }
            | Self::MessageSchema { .. }
            | Self::Value { .. } => Category::Corrupt,
            Self::Version { .. } | Self::Codec { .. } | Self::ChecksumName { .. } | Self::Limit { .. } => {
                Category::Unsupported
            }
            Self::Message(_)
            | Self::DoesNotFit { .. }
            | Self::Untraceable { .. }
            | Self::Vector { .. }
            | Self::TooDeep { .. }
            | Self::DuplicateField { .. }
            | Self::KeyNotText
            | Self::TooLarge { .. }
            | Self::TooManyFields { .. }
            | Self::PartMismatch { .. } => Category::Shape,
            Self::NoSuchPath { .. }
            | Self::NoSuchRow { .. }
            | Self::ColumnType { .. }
            | Self::PredicateType { .. }
            | Self::ReservedKey { .. }
            | Self::Option { .. } => Category::Misuse,
            Self::Internal { .. } => Category::Internal,
        }
    }
}

/// A path in a shape, for messages.
pub(crate) fn place(path: &str) -> String {
    if path.is_empty() { "the row".to_owned() } else { format!("field {path}") }
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

    /// Where it happened.
    #[must_use]
    pub fn location(&self) -> &Location {
        &self.0.location
    }

    #[cold]
    pub(crate) fn option(message: impl Into<String>) -> Self {
        ErrorKind::Option { message: message.into() }.into()
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
    pub(crate) fn in_item(mut self, index: usize) -> Self {
        let path = &mut self.0.location.path;
        if !path.is_empty() && !path.starts_with('[') {
            path.insert(0, '.');
        }
        path.insert_str(0, &format!("[{index}]"));
        self
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
}
