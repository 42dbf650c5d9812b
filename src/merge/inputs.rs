//! The files of a merge, and what their rows have in common.

use crate::error::{Error, ErrorKind, Result};
use crate::reader::{Reader, as_read, is_derived, joined};
use crate::shape::Shape;
use crate::shape::branch::{Branches, depends_on_origin};
use std::path::{Path, PathBuf};

/// The rows of the result.
pub(super) struct Joined {
    /// Their shape, as a reader of the result sees it.
    pub(super) shape: Shape,
    /// The same, unknown where no file has shown a value.
    pub(super) known: Shape,
    /// Whether the rows of the first file have this shape.
    pub(super) is_first: bool,
}

/// The files that are merged, and the paths of those that have one.
pub(super) struct Inputs<'r, 's> {
    pub(super) readers: &'r [Reader<'s>],
    pub(super) names: &'r [PathBuf],
}

impl<'r, 's> Inputs<'r, 's> {
    pub(super) fn first(&self) -> Result<&'r Reader<'s>> {
        self.readers.first().ok_or_else(|| Error::option("there are no files to merge"))
    }

    /// The shape of the rows of all files.
    ///
    /// # Errors
    ///
    /// Files that need more together than a file can have.
    pub(super) fn joined(&self, promote: bool) -> Result<Joined> {
        let mut known = joined(self.readers.iter(), promote).finished();
        known.keep_absence();
        let first = self.first()?;
        let shape = as_read(&known, first).map_err(|error| self.first_beyond(promote).unwrap_or(error))?;
        Ok(Joined { is_first: *first.known_shape() == known, shape, known })
    }

    /// The error of the first file whose rows are too much for those before it.
    #[cold]
    fn first_beyond(&self, promote: bool) -> Option<Error> {
        (1..=self.readers.len()).find_map(|count| {
            let error = joined(self.readers.iter().take(count), promote).check_joined().err()?;
            let other = self.name(count.saturating_sub(2));
            let error = Error::from(ErrorKind::PartMismatch { reason: error.to_string(), other });
            Some(error.in_file(Path::new(&self.name(count - 1))))
        })
    }

    /// Whether the schema of the result, whose rows have a shape, was made from rows: no file has one that was given, as far as
    /// it matters.
    pub(super) fn are_derived(&self, shape: &Shape) -> bool {
        let says_so = |reader: &Reader<'_>| reader.branches() == Branches::Kinds;
        self.readers.iter().all(is_derived) && (self.readers.iter().any(says_so) || depends_on_origin(shape))
    }

    /// Says which file an error comes from.
    #[cold]
    pub(super) fn here(&self, number: usize, error: Error) -> Error {
        match self.names.get(number) {
            Some(path) => error.in_file(path),
            None => error,
        }
    }

    /// Name for a message.
    fn name(&self, number: usize) -> String {
        match self.names.get(number) {
            Some(path) => path.display().to_string(),
            None => format!("file {number}"),
        }
    }
}
