//! Options for reading.

use super::Reader;
use crate::dialect::trevni::decode::File;
use crate::error::Result;
use crate::limits::Limits;
use crate::source::Source;
use std::path::Path;

/// Options for reading, all with defaults.
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct ReaderBuilder {
    limits: Limits,
}

impl ReaderBuilder {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// What to do at most for bytes that are not trusted. Default: [`Limits::DEFAULT`].
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Opens a file.
    ///
    /// # Errors
    ///
    /// As [`Reader::open`].
    pub fn open(self, path: impl AsRef<Path>) -> Result<Reader<'static>> {
        self.source(std::fs::File::open(path)?)
    }

    /// Opens a source.
    ///
    /// # Errors
    ///
    /// As [`Reader::open`].
    pub fn source<'s>(self, source: impl Source + 's) -> Result<Reader<'s>> {
        Reader::over(File::open(Box::new(source), self.limits)?)
    }
}
