//! Rows as strings: where they come from, and how they are read in pieces, ahead of their use.

mod ahead;
mod decoded;
mod source;

pub use ahead::{each, fold};
pub use source::TextSource;

use crate::failure::Failure;
use crate::limits::limits;
use trevni_infer::text::{Chunk, Chunks, Dialect, Layout};

/// A text of rows.
pub struct Text {
    /// Where it comes from.
    pub source: TextSource,
    /// How it holds rows.
    pub layout: Layout,
}

impl Text {
    /// The pieces of the text, each of whole rows.
    fn chunks(&self) -> Result<Chunks<'_>, Failure> {
        chunks(&self.source, &self.layout)
    }
}

/// The first rows of separated cells.
///
/// # Errors
///
/// What cannot be read.
pub fn first_rows(source: &TextSource, dialect: Dialect) -> Result<Chunk, Failure> {
    let mut chunk = Chunk::default();
    chunks(source, &Layout::Cells(dialect))?.next(&mut chunk)?;
    Ok(chunk)
}

fn chunks<'a>(source: &'a TextSource, layout: &Layout) -> Result<Chunks<'a>, Failure> {
    Ok(layout.chunks(&source.name, source.reader()?, source.first_line(), limits().memory))
}
