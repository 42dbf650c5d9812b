//! Options for reading.

use super::Reader;
use crate::dialect::File;
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::storage::source::Source;
use std::path::Path;

/// Options for reading, all with defaults.
#[derive(Clone, Debug)]
#[must_use]
pub struct ReaderBuilder {
    limits: Limits,
    threads: usize,
    sorted: Vec<String>,
}

impl Default for ReaderBuilder {
    fn default() -> Self {
        Self { limits: Limits::DEFAULT, threads: 1, sorted: Vec::new() }
    }
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

    /// How many threads read rows and batches; 0 for as many as the machine has. Default: 1.
    ///
    /// All of them decode columns. Where a file was opened by its path, or by [`ReaderBuilder::shared`],
    /// the others decode the next rows while the calling thread makes the current ones, which is worth
    /// most. More threads pay where many columns are read, and codecs are slow. With more than one,
    /// batches have up to 16,384 rows rather than 4,096, and several of them are in memory.
    ///
    /// To use threads for the rows themselves, give each a reader of some rows: readers can be cloned and
    /// shared ([`Reader::select`]).
    pub fn threads(mut self, count: usize) -> Self {
        self.threads = match count {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            count => count,
        };
        self
    }

    /// Columns whose values ascend from the first row to the last, by path of the shape. For files of
    /// other implementations that have first values: nothing in them says whether a column is sorted,
    /// and where it is, first values tell what is in a block. Only for columns without lengths and
    /// parents; of no use for bytes, and where a column has a zone map or no first values. Default:
    /// none.
    pub fn sorted<P: AsRef<str>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.sorted.extend(paths.into_iter().map(|path| path.as_ref().to_owned()));
        self
    }

    /// Opens a file.
    ///
    /// # Errors
    ///
    /// As [`ReaderBuilder::source`].
    pub fn open(self, path: impl AsRef<Path>) -> Result<Reader<'static>> {
        let path = path.as_ref();
        let file = std::fs::File::open(path).map_err(Error::from);
        file.and_then(|file| self.shared(file)).map_err(|error| error.in_file(path))
    }

    /// Opens a source that lives as long as it is needed, such as a `Vec`, an `Arc` or a file: threads
    /// may read it ahead of the rows ([`ReaderBuilder::threads`]).
    ///
    /// # Errors
    ///
    /// As [`ReaderBuilder::source`].
    pub fn shared(self, source: impl Source + 'static) -> Result<Reader<'static>> {
        self.source(source).map(Reader::sharing)
    }

    /// Opens a source.
    ///
    /// # Errors
    ///
    /// As [`Reader::open`], and paths that are not a column without lengths and parents.
    pub fn source<'s>(self, source: impl Source + 's) -> Result<Reader<'s>> {
        Reader::over(File::open(Box::new(source), self.limits, self.threads)?, &self.sorted)
    }
}
