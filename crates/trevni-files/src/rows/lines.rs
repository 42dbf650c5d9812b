//! Rows for people as blocks of lines: a cell on each, after its name.

use super::{Heading, NULL, Paint, json_text};
use crate::shown::shown;
use anstyle::Style;
use std::io::{self, Write};
use trevni::ValueRef;
use unicode_width::UnicodeWidthStr;

/// Prints a block for each row.
pub(super) struct Blocks {
    headings: Vec<Heading>,
    /// The width of the names.
    width: usize,
    paint: Paint,
}

impl Blocks {
    pub(super) fn of(headings: Vec<Heading>, paint: Paint) -> Self {
        let width = headings.iter().map(|heading| heading.name.width()).max().unwrap_or(0);
        Self { headings, width, paint }
    }

    /// Appends a row of one cell for each column, and an empty line.
    pub(super) fn row<'b>(
        &self,
        cells: impl Iterator<Item = Option<ValueRef<'b>>>,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        for (heading, cell) in self.headings.iter().zip(cells) {
            let (text, style) = match cell {
                Some(value) if heading.is_number => (json_text(&value)?, self.paint.number),
                Some(value) => (json_text(&value)?, Style::new()),
                None => (NULL.to_owned(), self.paint.null),
            };
            let (name, header) = (&heading.name, self.paint.header);
            let gap = " ".repeat(self.width.saturating_sub(name.width()));
            writeln!(out, "{header}{name}{header:#}{gap}  {style}{}{style:#}", shown(&text))?;
        }
        out.push(b'\n');
        Ok(())
    }
}
