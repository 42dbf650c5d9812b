//! Files of one dialect into one file.

use super::{File, Schema, trevni};
use crate::error::{Error, Result};
use crate::selection::RowSelection;
use crate::shape::Shape;
use crate::tree::{Matches, NodeId};
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

pub use trevni::copy::Merged;
pub(crate) use trevni::copy::{Options, Outline, Source};

/// Some rows of a file.
pub(crate) struct Part<'a, 's> {
    pub(crate) file: &'a File<'s>,
    pub(crate) rows: Arc<RowSelection>,
    /// Where the file is, where that is known.
    pub(crate) path: Option<&'a Path>,
    /// These rows once more, with columns as the result has them.
    pub(crate) made: Option<&'a File<'s>>,
    /// Where each column of the result is.
    pub(crate) sources: Vec<Source>,
}

/// The columns of a result that has the columns of its first file.
///
/// # Errors
///
/// A schema that cannot be read.
pub(crate) fn outline_of_first(file: &File<'_>, schema: &Schema) -> Result<Outline> {
    Outline::from_first(of_trevni(file)?, schema)
}

/// The columns of a result whose rows have a shape.
///
/// # Errors
///
/// A shape that a reader would refuse.
pub(crate) fn outline_of_shape(shape: &Shape, derived: bool) -> Result<Outline> {
    Outline::from_shape(shape, derived)
}

/// Where the columns of a result are in a file, whose nodes have these matches; none for those that are to be made.
///
/// # Errors
///
/// A column that the file does not have.
pub(crate) fn sources(
    outline: &Outline,
    file: &File<'_>,
    schema: &Schema,
    matches: &Matches,
) -> Result<Vec<Option<Source>>> {
    outline.sources(of_trevni(file)?, schema, matches)
}

/// The columns that have been made of some nodes: `node` gives the node of the file that was made.
pub(crate) fn made(
    outline: &Outline,
    schema: &Schema,
    node: impl Fn(NodeId) -> Option<NodeId>,
) -> Vec<Option<Source>> {
    outline.made(schema, node)
}

/// Writes a file of the rows of all parts, one part after the other.
///
/// # Errors
///
/// Blocks that must be decoded and cannot be, a sink that fails.
pub(crate) fn merge(
    parts: &[Part<'_, '_>],
    outline: &Outline,
    options: &Options,
    sink: &mut dyn Write,
) -> Result<Merged> {
    let parts = parts.iter().map(Part::of_trevni).collect::<Result<Vec<_>>>()?;
    trevni::copy::write(&parts, outline, options, sink)
}

impl<'a> Part<'a, '_> {
    fn of_trevni(&self) -> Result<trevni::copy::Part<'a, 'a>> {
        let made = self.made.map(of_trevni).transpose()?;
        let (rows, sources) = (Arc::clone(&self.rows), self.sources.clone());
        Ok(trevni::copy::Part { file: of_trevni(self.file)?, rows, path: self.path, made, sources })
    }
}

fn of_trevni<'a>(file: &'a File<'_>) -> Result<&'a trevni::decode::File<'a>> {
    file.as_trevni().ok_or_else(|| Error::internal("only Trevni files are merged block by block"))
}
