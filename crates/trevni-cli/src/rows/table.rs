//! Tables for people: cut to the width of a terminal, whole elsewhere.

use super::View;
use super::view::json_text;
use crate::output::Output;
use crate::shown::shown;
use comfy_table::{CellAlignment, ContentArrangement, presets};
use std::borrow::Cow;
use std::io::{self, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The greatest width of a cell on a terminal.
const WIDEST: usize = 40;

/// Collects rows, to be printed as a table.
pub(crate) struct Table {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Whether a column has numbers only.
    numbers: Vec<bool>,
}

impl Table {
    /// A table of columns with names; numbers stand on the right.
    pub(crate) fn named(columns: Vec<(String, bool)>) -> Self {
        let columns = columns.into_iter().map(|(name, is_number)| (shown(&name).into_owned(), is_number));
        let (names, numbers) = columns.unzip();
        Self { names, numbers, rows: Vec::new() }
    }

    pub(super) fn row<'b>(&mut self, cells: impl Iterator<Item = Option<View<'b>>>) -> io::Result<()> {
        let text = |cell: Option<View<'b>>| cell.map_or(Ok(String::new()), |value| json_text(&value));
        let texts = cells.map(text).collect::<Result<_, _>>()?;
        self.cells(texts);
        Ok(())
    }

    /// Adds a row of one cell for each column.
    pub(crate) fn cells(&mut self, mut cells: Vec<String>) {
        cells.iter_mut().for_each(|cell| {
            if let Cow::Owned(text) = shown(cell) {
                *cell = text;
            }
        });
        cells.resize(self.names.len(), String::new());
        self.rows.push(cells);
    }

    pub(crate) fn finish(mut self, out: &mut Output) -> io::Result<()> {
        let mut shown = self.names.len();
        if let Some(width) = out.width() {
            self.rows.iter_mut().flatten().for_each(cut);
            shown = self.fitting(width);
        }
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(&self.names[..shown]);
        for row in &self.rows {
            table.add_row(&row[..shown]);
        }
        for (column, numbers) in table.column_iter_mut().zip(&self.numbers) {
            if *numbers {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        for line in table.lines() {
            writeln!(out, "{}", line.trim_end())?;
        }
        match self.names.len() - shown {
            0 => Ok(()),
            hidden => writeln!(out, "… {hidden} more columns: -c"),
        }
    }

    /// Number of columns that fit a width.
    fn fitting(&self, width: usize) -> usize {
        let mut left = width;
        let mut count = 0;
        for (number, name) in self.names.iter().enumerate() {
            let cells = self.rows.iter().map(|row| row[number].width());
            let needed = cells.chain([name.width()]).max().unwrap_or(0) + 2;
            if needed > left && count > 0 {
                break;
            }
            (left, count) = (left.saturating_sub(needed), count + 1);
        }
        count
    }
}

fn cut(cell: &mut String) {
    if cell.width() <= WIDEST {
        return;
    }
    let mut width = 0;
    let fits = |(_, c): &(usize, char)| {
        width += c.width().unwrap_or(0);
        width >= WIDEST
    };
    if let Some((at, _)) = cell.char_indices().find(fits) {
        cell.truncate(at);
        cell.push('…');
    }
}
