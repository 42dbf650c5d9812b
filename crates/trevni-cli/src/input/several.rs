//! Several files that are read as one table.

use super::{Input, open};
use crate::failure::Failure;
use std::path::{Path, PathBuf};
use trevni::Shape;

/// Files of which more need not be open than a system allows.
pub(crate) struct Several(Vec<One>);

/// What is known of a file.
struct One {
    path: PathBuf,
    shape: Shape,
    rows: u64,
    /// Opened again when it is wanted, where this is none.
    open: Option<Input>,
}

/// Files that stay open.
const OPEN: usize = 200;

impl Several {
    pub(crate) fn open(paths: &[PathBuf]) -> Result<Self, Failure> {
        let one = |(number, path): (usize, &PathBuf)| {
            let input = open(path)?;
            let (shape, rows) = (input.reader.shape().clone(), input.reader.row_count());
            // What is no file can be read only once.
            let stays = number < OPEN || !path.is_file();
            Ok(One { path: path.clone(), shape, rows, open: Some(input).filter(|_| stays) })
        };
        paths.iter().enumerate().map(one).collect::<Result<_, _>>().map(Self)
    }

    /// Number of files.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The shapes of all files' rows.
    pub(crate) fn shapes(&self) -> impl Iterator<Item = &Shape> {
        self.0.iter().map(|one| &one.shape)
    }

    /// The numbers of rows of all files.
    pub(crate) fn rows(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|one| one.rows)
    }

    /// A file by its number.
    pub(crate) fn input(&self, number: usize) -> Result<Input, Failure> {
        match self.0.get(number) {
            Some(One { open: Some(input), .. }) => Ok(input.clone()),
            one => open(one.map_or(Path::new(""), |one| &one.path)),
        }
    }
}
