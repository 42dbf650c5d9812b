//! Why a pass has ended early.

use crate::error::{Error, ErrorKind};
use serde::de;
use std::fmt;

/// What ended a pass.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) kind: Kind,
    /// What is said of it if no other pass helps; with the path.
    error: Error,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No pass can help.
    Final,
    /// The type did not take a made-up value.
    Refused,
    /// A field came twice, the last time by a name that may be an alias; with its name.
    Twice(&'static str),
    /// A field of this name was not given, and has no default.
    Missing(&'static str),
}

impl Fault {
    /// The type cannot be traced.
    #[cold]
    pub(super) fn untraceable(message: impl Into<String>) -> Self {
        Self { kind: Kind::Final, error: ErrorKind::Untraceable { message: message.into() }.into() }
    }

    /// The same at a path below.
    #[cold]
    pub(super) fn below(self, name: &str) -> Self {
        Self { error: self.error.in_field(name), ..self }
    }

    /// The same, when a type has made of it what it could.
    pub(super) fn refused(self) -> Self {
        match self.kind {
            Kind::Final => self,
            _ => Self { kind: Kind::Refused, ..self },
        }
    }

    pub(super) fn into_error(self) -> Error {
        self.error
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Self {
        Self { kind: Kind::Final, error }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    #[cold]
    fn custom<T: fmt::Display>(message: T) -> Self {
        let message = format!("the type takes no made-up value: {message}");
        Self { kind: Kind::Refused, ..Self::untraceable(message) }
    }

    #[cold]
    fn missing_field(field: &'static str) -> Self {
        Self { kind: Kind::Missing(field), ..Self::custom(format_args!("field {field:?} is missing")) }
    }

    #[cold]
    fn duplicate_field(field: &'static str) -> Self {
        Self { kind: Kind::Twice(field), ..Self::untraceable(format!("field {field:?} came twice")) }
    }
}
