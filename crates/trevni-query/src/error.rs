//! Errors: what is wrong with a text, or with a value that is computed.

use std::fmt;

/// What is wrong with an expression, a path, or the values of rows.
///
/// It is one line of text; [`hint`](Self::hint) says what to do, [`excerpt`](Self::excerpt) where in the text the
/// error is.
///
/// ```
/// let error = trevni_query::Condition::parse("delay > and").unwrap_err();
/// assert_eq!(error.to_string(), "expression, character 9: a field or a value expected");
/// assert_eq!(error.excerpt(), Some(("delay > and", 8)));
/// ```
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    kind: ErrorKind,
    message: String,
    hint: Option<String>,
    excerpt: Option<(String, usize)>,
}

/// Kinds of errors.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The expression is impossible: its syntax is wrong, there is no such field, or types do not fit.
    Query,
    /// A value cannot be computed with, such as an integer of more than 128 bits.
    Value,
    /// The file cannot be read.
    Read(trevni::Error),
}

impl Error {
    #[cold]
    fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self(Box::new(Inner { kind, message: message.into(), hint: None, excerpt: None }))
    }

    #[cold]
    pub(crate) fn query(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Query, message)
    }

    #[cold]
    pub(crate) fn value(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Value, message)
    }

    /// An error at a byte of the text of an expression.
    #[cold]
    pub(crate) fn at(text: &str, at: usize, message: &str) -> Self {
        let column = text.get(..at).unwrap_or(text).chars().count();
        let mut error = Self::query(format!("expression, character {}: {message}", column + 1));
        error.0.excerpt = Some((text.to_owned(), at));
        error
    }

    /// A text at a byte of an expression is no regular expression.
    #[cold]
    pub(crate) fn regex(text: &str, at: usize, error: &regex::Error) -> Self {
        let error = error.to_string();
        let last = error.lines().last().unwrap_or_default().trim_start_matches("error: ");
        Self::at(text, at, &format!("no regular expression ({last})"))
    }

    #[must_use]
    pub(crate) fn with_hint(mut self, hint: impl Into<String>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// The kind of error.
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<&str> {
        self.0.hint.as_deref()
    }

    /// The text of the expression and the byte of it that the error is at.
    pub fn excerpt(&self) -> Option<(&str, usize)> {
        self.0.excerpt.as_ref().map(|(text, at)| (text.as_str(), *at))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            ErrorKind::Read(error) => Some(error),
            ErrorKind::Query | ErrorKind::Value => None,
        }
    }
}

impl From<trevni::Error> for Error {
    #[cold]
    fn from(error: trevni::Error) -> Self {
        let message = error.to_string();
        Self::new(ErrorKind::Read(error), message)
    }
}
