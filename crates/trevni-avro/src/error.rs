//! Errors of Avro files.

use std::io;

/// What is wrong with an Avro file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The file does not begin as an Avro file does.
    #[error("not an Avro file")]
    NotAvro,
    /// Columns cannot hold rows of the schema, which is recursive or no schema at all.
    #[error("its schema cannot be that of columns: {0}")]
    Schema(String),
    /// The blocks have a codec that is not one of [`Compression`](crate::Compression).
    #[error("blocks of codec {0:?} cannot be read")]
    Codec(String),
    /// The bytes are damaged; a block is named by its number and the number of rows before it.
    #[error("{0}")]
    Damaged(String),
    /// The file needs more than the limits allow; it may be well formed. `at` says where.
    #[error("{at}: {error}")]
    Limit {
        /// The block, and the rows before it.
        at: String,
        /// Of [`ErrorKind::Limit`](trevni::ErrorKind::Limit).
        error: trevni::Error,
    },
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A row was refused by the function that was to take it.
    #[error("{0}")]
    Refused(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Error {
    #[cold]
    pub(crate) fn damaged(what: impl ToString) -> Self {
        Self::Damaged(what.to_string())
    }
}
