//! Rows as strings: JSON on lines, JSON values, separated cells; where they come from, and how they are read
//! in pieces, ahead of their use.

mod ahead;
mod cells;
mod chunk;
mod decoded;
mod detect;
mod lines;
mod quotes;
mod source;
mod values;

pub(crate) use crate::format::{Format, guess, has_other_ending, stem};
pub(crate) use ahead::{each, fold};
pub(crate) use cells::{Dialect, Header, Records, refused};
pub(crate) use chunk::{Chunk, Row};
pub(crate) use source::TextSource;

use crate::failure::Failure;
use chunk::{Chunks, Cut};

/// A text of rows.
pub(crate) struct Text {
    pub(crate) source: TextSource,
    pub(crate) layout: Layout,
}

/// How a text holds rows.
#[derive(Clone, Debug)]
pub(crate) enum Layout {
    /// A JSON value on each line.
    Lines,
    /// JSON values one after the other, or in an array.
    Values,
    Cells(Dialect),
}

impl Text {
    /// The pieces of the text, each of whole rows.
    fn chunks(&self) -> Result<Chunks<'_>, Failure> {
        let line = self.source.first_line();
        let cut: Box<dyn Cut> = match &self.layout {
            Layout::Lines => Box::new(lines::Lines::new(line)),
            Layout::Values => Box::new(values::Values::new(line)),
            Layout::Cells(dialect) => Box::new(cells::Ends::new(*dialect, line)),
        };
        Ok(Chunks::new(&self.source.name, self.source.reader()?, cut))
    }
}
