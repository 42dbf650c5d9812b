//! Errors of messages.

use std::io;

/// What is wrong with messages, their descriptors, or rows that were to become messages.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Bytes that are no set of descriptors, or descriptors that contradict themselves.
    #[error("no set of descriptors: {0}")]
    Descriptors(String),
    /// The descriptors have no such message.
    #[error("the descriptors have no message {name}{}", other_names(.others))]
    NoMessage {
        /// The name that was looked for.
        name: String,
        /// The full names of some that there are.
        others: Vec<String>,
    },
    /// Messages that contain messages of their own type, without end.
    #[error(
        "{path}: messages of type {message} contain such messages, so there is no end of columns; say how many levels of \
         them to keep"
    )]
    Recursive {
        /// The names of the fields, joined by dots.
        path: String,
        /// The full name of the type.
        message: String,
    },
    /// Columns cannot hold the messages, or messages of this type cannot hold the rows.
    #[error("{0}")]
    Mapping(String),
    /// A message is damaged, or has a value that its column cannot hold.
    #[error("message {number}, at byte {offset}: {what}")]
    Message {
        /// The number of the message, from 0.
        number: u64,
        /// The position in the input of the length before the message.
        offset: u64,
        /// What is wrong, with the path of the field.
        what: String,
    },
    /// A row has a value that the message cannot hold.
    #[error("row {row}: {what}")]
    Row {
        /// The number of the row, from 0.
        row: u64,
        /// What is wrong, with the path of the field.
        what: String,
    },
    /// The input cannot be read, or the output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Vectors that are no batch.
    #[error(transparent)]
    Batch(#[from] trevni::Error),
}

fn other_names(names: &[String]) -> String {
    match names {
        [] => String::new(),
        names => format!("; there are {}", names.join(", ")),
    }
}

/// What is wrong with a value, and where in its row.
#[derive(Debug)]
pub(crate) struct Misfit {
    /// The names from the inside out.
    path: Vec<String>,
    what: String,
}

impl Misfit {
    #[cold]
    pub(crate) fn new(what: impl Into<String>) -> Self {
        Self { path: Vec::new(), what: what.into() }
    }

    /// Vectors of another form than the shape.
    #[cold]
    pub(crate) fn form() -> Self {
        Self::new("vectors of another form than the shape")
    }

    #[cold]
    pub(crate) fn within(mut self, name: &str) -> Self {
        self.path.push(name.to_owned());
        self
    }
}

impl std::fmt::Display for Misfit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (number, name) in self.path.iter().rev().enumerate() {
            write!(f, "{}{name}", if number == 0 { "" } else { "." })?;
        }
        write!(f, "{}{}", if self.path.is_empty() { "" } else { ": " }, self.what)
    }
}
