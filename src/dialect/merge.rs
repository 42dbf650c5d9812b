//! Files of one dialect into one file.

use super::{File, trevni};
use crate::error::{Error, Result};
use crate::selection::RowSelection;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

pub use trevni::copy::Merged;
pub(crate) use trevni::copy::Options;

/// Some rows of a file.
pub(crate) struct Part<'a, 's> {
    pub(crate) file: &'a File<'s>,
    pub(crate) rows: Arc<RowSelection>,
    /// Where the file is, where that is known.
    pub(crate) path: Option<&'a Path>,
}

/// Writes a file of the rows of all parts, one part after the other.
///
/// # Errors
///
/// No parts, files that differ in columns or schema, blocks that must be decoded and cannot be, a sink
/// that fails.
pub(crate) fn merge<W: Write>(parts: &[Part<'_, '_>], options: &Options, sink: &mut W) -> Result<Merged> {
    let trevni = parts.iter().map(|part| match part.file {
        File::Trevni(file) => Ok(trevni::copy::Part { file, rows: Arc::clone(&part.rows), path: part.path }),
        File::Levels(_) | File::RedElm(_) => {
            Err(Error::option("only Trevni files can be merged block by block"))
        }
    });
    trevni::copy::write(&trevni.collect::<Result<Vec<_>>>()?, options, sink)
}
