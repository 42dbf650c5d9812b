//! The inputs of a merge: files, and their selected rows.

use crate::dialect::merge::Part;
use crate::error::{Error, Result};
use crate::reader::Reader;
use std::path::PathBuf;

/// The rows of the readers; some may have names.
pub(super) fn of<'a, 's>(readers: &'a [Reader<'s>], names: &'a [PathBuf]) -> Result<Vec<Part<'a, 's>>> {
    let part = |(number, reader): (usize, &'a Reader<'s>)| {
        let path = names.get(number).map(PathBuf::as_path);
        let named = |error: Error| match path {
            Some(path) => error.in_file(path),
            None => error,
        };
        let (file, rows) = reader.whole_rows().map_err(named)?;
        Ok(Part { file, rows, path })
    };
    readers.iter().enumerate().map(part).collect()
}
