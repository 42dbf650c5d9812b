//! Errors as exceptions of Python.

use arrow_schema::ArrowError;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use std::error::Error as StdError;
use std::io;
use std::path::{Path, PathBuf};
use trevni::{Category, ErrorKind};

/// What went wrong, and with which file.
#[derive(Debug)]
pub(crate) struct Failure {
    file: Option<PathBuf>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Trevni(trevni::Error),
    Arrow(trevni_arrow::Error),
    Query(trevni_query::Error),
    Python(PyErr),
    /// Rows of other types than requested.
    Shape(String),
    /// Types that a library does not take.
    Unsupported(String),
    /// What cannot be asked for.
    Usage(String),
    /// What another library says about its own rows.
    Foreign(ArrowError),
}

impl Failure {
    /// Says which file it is about, where that is not known.
    pub(crate) fn of_file(mut self, file: Option<&Path>) -> Self {
        if self.file.is_none() {
            self.file = file.map(Path::to_owned);
        }
        self
    }

    /// Rows have other types than requested.
    pub(crate) fn of_shape(message: String) -> Self {
        Self { file: None, kind: Kind::Shape(message) }
    }

    /// A library does not take types.
    pub(crate) fn unsupported(message: String) -> Self {
        Self { file: None, kind: Kind::Unsupported(message) }
    }

    /// Something was asked for that cannot be.
    pub(crate) fn of_usage(message: String) -> Self {
        Self { file: None, kind: Kind::Usage(message) }
    }

    /// As an error that passes the C interface and comes back as it was.
    pub(crate) fn into_arrow(self) -> ArrowError {
        ArrowError::ExternalError(Box::new(self))
    }

    /// Whether a source or a sink failed.
    pub(crate) fn is_io(&self) -> bool {
        self.trevni().is_some_and(|error| error.category() == Category::Io)
    }

    fn trevni(&self) -> Option<&trevni::Error> {
        match &self.kind {
            Kind::Trevni(error) => Some(error),
            Kind::Arrow(error) => match error.kind() {
                trevni_arrow::ErrorKind::Trevni(error) => Some(error),
                _ => None,
            },
            Kind::Query(error) => match error.kind() {
                trevni_query::ErrorKind::Read(error) => Some(error),
                _ => None,
            },
            Kind::Python(_) | Kind::Shape(_) | Kind::Unsupported(_) | Kind::Usage(_) | Kind::Foreign(_) => {
                None
            }
        }
    }

    /// The name of the exception in `trevni._errors`.
    fn exception(&self) -> &'static str {
        if let Some(error) = self.trevni() {
            return match error.category() {
                Category::Corrupt => "CorruptError",
                Category::Unsupported => "UnsupportedError",
                Category::Limit => "LimitError",
                Category::Shape => "ShapeError",
                Category::Misuse => "UsageError",
                Category::Internal => "InternalError",
                _ => "TrevniError",
            };
        }
        match &self.kind {
            Kind::Arrow(error) => match error.kind() {
                trevni_arrow::ErrorKind::Unsupported { .. } => "UnsupportedError",
                trevni_arrow::ErrorKind::Internal { .. } => "InternalError",
                _ => "ShapeError",
            },
            Kind::Query(error) => match error.kind() {
                trevni_query::ErrorKind::Query => "UsageError",
                _ => "ShapeError",
            },
            Kind::Shape(_) => "ShapeError",
            Kind::Unsupported(_) => "UnsupportedError",
            Kind::Usage(_) => "UsageError",
            _ => "ArrowError",
        }
    }
}

/// The keyword of `open` that sets a limit.
fn keyword(option: &str) -> &str {
    if option == "rows_without_bytes" { "values" } else { option }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = match &self.kind {
            Kind::Trevni(error) => error.to_string(),
            Kind::Arrow(error) => error.to_string(),
            Kind::Query(error) => match error.hint() {
                Some(hint) => format!("{error}; {hint}"),
                None => error.to_string(),
            },
            Kind::Python(error) => error.to_string(),
            Kind::Shape(message) | Kind::Unsupported(message) | Kind::Usage(message) => message.clone(),
            Kind::Foreign(error) => error.to_string(),
        };
        let text = match self.trevni().map(trevni::Error::kind) {
            Some(ErrorKind::Limit { option, .. }) => {
                text.replace(&format!("see Limits::{option}"), &format!("to raise it: {}", keyword(option)))
            }
            _ => text,
        };
        match self.file.as_ref().map(|file| file.display().to_string()) {
            Some(file) if !text.contains(&file) => write!(f, "{file}: {text}"),
            _ => f.write_str(&text),
        }
    }
}

impl StdError for Failure {}

impl From<trevni::Error> for Failure {
    fn from(error: trevni::Error) -> Self {
        Self { file: None, kind: Kind::Trevni(error) }
    }
}

impl From<trevni_query::Error> for Failure {
    fn from(error: trevni_query::Error) -> Self {
        Self { file: None, kind: Kind::Query(error) }
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Self { file: None, kind: Kind::Python(error) }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        trevni::Error::from(error).into()
    }
}

impl From<trevni_arrow::Error> for Failure {
    fn from(error: trevni_arrow::Error) -> Self {
        Self { file: None, kind: Kind::Arrow(error) }
    }
}

impl From<ArrowError> for Failure {
    /// Unpacks what was packed to pass Arrow's traits.
    fn from(error: ArrowError) -> Self {
        let inner = match error {
            ArrowError::ExternalError(inner) => inner,
            error => return Self { file: None, kind: Kind::Foreign(error) },
        };
        let inner = match inner.downcast::<Self>() {
            Ok(failure) => return *failure,
            Err(inner) => inner,
        };
        match inner.downcast::<trevni_arrow::Error>() {
            Ok(error) => Self::from(*error),
            Err(inner) => Self { file: None, kind: Kind::Foreign(ArrowError::ExternalError(inner)) },
        }
    }
}

/// The exception of a failure; what code of Python raised is raised again.
pub(crate) fn raise(py: Python<'_>, failure: Failure) -> PyErr {
    if let Some(error) = of_python(py, &failure) {
        return error;
    }
    if let Some(error) = failure.trevni()
        && let ErrorKind::Io(io) = error.kind()
    {
        let file = error.location().file.clone().or_else(|| failure.file.clone());
        return of_io(io, file, &failure);
    }
    let raised = || {
        let class = py.import("trevni._errors")?.getattr(failure.exception())?;
        class.call1((failure.to_string(),))
    };
    raised().map_or_else(|error| error, PyErr::from_value)
}

/// An exception of code of Python, such as a file-like object, within other errors.
fn of_python(py: Python<'_>, failure: &Failure) -> Option<PyErr> {
    if let Kind::Python(error) = &failure.kind {
        return Some(error.clone_ref(py));
    }
    if let Kind::Arrow(error) = &failure.kind
        && let trevni_arrow::ErrorKind::Arrow(ArrowError::ExternalError(inner)) = error.kind()
    {
        return of_python(py, inner.downcast_ref::<Failure>()?);
    }
    match failure.trevni()?.kind() {
        ErrorKind::Io(io) => Some(io.get_ref()?.downcast_ref::<PyErr>()?.clone_ref(py)),
        _ => None,
    }
}

/// With the number of the system's error, Python finds the class that goes with it.
fn of_io(error: &io::Error, file: Option<PathBuf>, failure: &Failure) -> PyErr {
    let Some(number) = error.raw_os_error() else {
        return io::Error::new(error.kind(), failure.to_string()).into();
    };
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or(&text).to_owned();
    match file {
        Some(file) => PyOSError::new_err((number, text, file.into_os_string())),
        None => PyOSError::new_err((number, text)),
    }
}
