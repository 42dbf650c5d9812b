//! What went wrong: one variant for each thing that callers may tell apart.

use super::Category;
use std::io;

/// What went wrong.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ErrorKind {
    /// Reading from the source or writing to the sink failed.
    #[error("{0}")]
    Io(#[source] io::Error),

    /// The first four bytes are not `Trv` and a version.
    #[error("not a Trevni file: {}", describe(found))]
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
    /// A part of the file other than a block is not what its checksum says.
    #[error("checksum mismatch of {what}: stored {stored:08x}, computed {computed:08x}")]
    PartChecksum {
        /// The part of the file.
        what: &'static str,
        /// The checksum in the file.
        stored: u32,
        /// The checksum of the bytes in the file.
        computed: u32,
    },
    /// What a file says of its values, so that readers need not look, is not so.
    #[error("{message}")]
    Statistics {
        /// What is wrong.
        message: String,
    },
    /// Bytes of a file belong to none of its parts.
    #[error("{count} bytes belong to no part of the file")]
    Unowned {
        /// Number of bytes.
        count: u64,
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
    /// The footer of a RedElm file is of an unknown version.
    #[error("version {version} of RedElm footers is not known (1 is)")]
    RedElmVersion {
        /// The version found.
        version: u32,
    },
    /// A file format that this build lacks.
    #[error("{dialect} is not available{hint}")]
    Dialect {
        /// What the format is called.
        dialect: &'static str,
        /// A hint such as ` (enable the feature …)`.
        hint: &'static str,
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
    #[error("{what} is {value}, above the limit of {limit}{}", hint(.option))]
    Limit {
        /// The limited quantity.
        what: &'static str,
        /// The value found.
        value: u64,
        /// The limit in force.
        limit: u64,
        /// The field of [`Limits`](crate::Limits) that sets it; empty where it is fixed.
        option: &'static str,
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
    #[error("a map written as a record has more than {limit} different keys; {}", as_map(path.as_deref()))]
    TooManyFields {
        /// The limit.
        limit: usize,
        /// The path that [`WriterBuilder::map`](crate::WriterBuilder::map) takes to write it as a map; `None` where a union is around
        /// it.
        path: Option<String>,
    },
    /// The rows of two files do not fit one file.
    #[error("{reason}, with the rows of {other} in one file")]
    PartMismatch {
        /// What a file cannot have, with its path.
        reason: String,
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

/// The format that a file seems to be of, by its first four bytes.
fn format_of(start: &[u8]) -> Option<&'static str> {
    Some(match start {
        [b'P', b'A', b'R', b'1', ..] => "Parquet",
        [b'A', b'R', b'R', b'O', ..] => "Arrow",
        [b'O', b'b', b'j', 1, ..] => "Avro",
        [b'O', b'R', b'C', ..] => "ORC",
        [0x1f, 0x8b, ..] => "gzip",
        [0x28, 0xb5, 0x2f, 0xfd, ..] => "zstd",
        [b'P', b'K', 3, 4, ..] => "zip",
        [b'{' | b'[', ..] => "JSON",
        _ => return None,
    })
}

/// What to do with a map of many keys.
fn as_map(path: Option<&str>) -> String {
    match path {
        Some(path) => {
            format!("WriterBuilder::map({path:?}) makes a column of all keys and one of their values")
        }
        None => "a map in a struct is a column of all keys and one of their values".to_owned(),
    }
}

/// What a file is that is of no format of the family.
fn describe(start: &[u8]) -> String {
    let is_text = |byte: &u8| matches!(byte, b' '..=b'~' | b'\t' | b'\r' | b'\n');
    match format_of(start) {
        Some("Parquet") => "it looks like Parquet, which crate trevni-parquet reads".to_owned(),
        Some("Avro") => "it looks like Avro, which crate trevni-avro reads".to_owned(),
        Some("Arrow") => "it looks like an Arrow file".to_owned(),
        Some("zip") => "it looks like a zip archive".to_owned(),
        Some(format) => format!("it looks like {format}"),
        None if start.is_empty() => "it is empty".to_owned(),
        None if start.iter().all(is_text) => "it looks like text, such as CSV".to_owned(),
        None => format!("it starts with bytes {start:02x?}"),
    }
}

/// Says which option sets a limit.
fn hint(option: &&str) -> String {
    if option.is_empty() { String::new() } else { format!(" (see Limits::{option})") }
}

impl ErrorKind {
    /// The format that the file of a [`NotTrevni`](Self::NotTrevni) seems to be of: Parquet, Arrow, Avro, ORC, gzip, zstd, zip or
    /// JSON.
    ///
    /// ```
    /// let error = trevni::Reader::from_slice(b"PAR1....PAR1").err().unwrap();
    /// assert_eq!(error.kind().other_format(), Some("Parquet"));
    /// ```
    #[must_use]
    pub fn other_format(&self) -> Option<&'static str> {
        match self {
            Self::NotTrevni { found } => format_of(found),
            _ => None,
        }
    }

    pub(super) fn category(&self) -> Category {
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
            | Self::PartChecksum { .. }
            | Self::Statistics { .. }
            | Self::Unowned { .. }
            | Self::Decompress { .. }
            | Self::Metadata { .. }
            | Self::Schema { .. }
            | Self::MessageSchema { .. }
            | Self::Value { .. } => Category::Corrupt,
            Self::Version { .. }
            | Self::RedElmVersion { .. }
            | Self::Dialect { .. }
            | Self::Codec { .. }
            | Self::ChecksumName { .. } => Category::Unsupported,
            Self::Limit { .. } => Category::Limit,
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
