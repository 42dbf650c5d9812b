//! Rows as strings: JSON on lines, JSON values, separated cells; how a text is cut into pieces of whole rows.

mod cells;
mod chunk;
mod detect;
mod dialect;
mod lines;
mod quotes;
mod values;

pub use cells::{Header, Records, refused};
pub use chunk::{Chunk, Chunks, Row};
pub use dialect::Dialect;

use chunk::Cut;
use std::io::Read;

/// How a text holds rows.
#[derive(Clone, Debug)]
pub enum Layout {
    /// A JSON value on each line.
    Lines,
    /// JSON values one after the other, or in an array.
    Values,
    Cells(Dialect),
}

impl Layout {
    /// The pieces of a text that begins at a line, each of whole rows; a row may take this much memory.
    pub fn chunks<'a>(
        &self,
        name: &'a str,
        text: Box<dyn Read + Send + 'a>,
        line: u64,
        memory: u64,
    ) -> Chunks<'a> {
        let cut: Box<dyn Cut> = match self {
            Self::Lines => Box::new(lines::Lines::new(line)),
            Self::Values => Box::new(values::Values::new(line)),
            Self::Cells(dialect) => Box::new(cells::Ends::new(*dialect, line)),
        };
        Chunks::new(name, text, cut, memory)
    }
}
