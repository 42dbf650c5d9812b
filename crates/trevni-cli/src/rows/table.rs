//! Tables for people: cut to the width of a terminal, whole elsewhere.

use super::json_text;
use crate::output::Output;
use crate::shown::shown;
use anstyle::Style;
use std::borrow::Cow;
use std::io::{self, Write};
use trevni::ValueRef;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The greatest width of a cell on a terminal.
const WIDEST: usize = 40;

/// What a table shows for null.
const NULL: &str = "null";

/// Collects rows, to be printed as a table.
pub(super) struct Table {
    names: Vec<String>,
    /// Cells as texts; none where they are null.
    rows: Vec<Vec<Option<String>>>,
    /// Whether a column has numbers only.
    numbers: Vec<bool>,
}

impl Table {
    /// A table of columns with names; numbers are aligned to the right.
    pub(super) fn named(columns: Vec<(String, bool)>) -> Self {
        let columns = columns.into_iter().map(|(name, is_number)| (shown(&name).into_owned(), is_number));
        let (names, numbers) = columns.unzip();
        Self { names, numbers, rows: Vec::new() }
    }

    /// Adds a row of one cell for each column.
    pub(super) fn row<'b>(&mut self, cells: impl Iterator<Item = Option<ValueRef<'b>>>) -> io::Result<()> {
        let text = |value: ValueRef<'b>| Ok(shown(&json_text(&value)?).into_owned());
        let cells = cells.map(|cell| cell.map(text).transpose());
        let mut row: Vec<Option<String>> = cells.collect::<serde_json::Result<_>>()?;
        row.resize(self.names.len(), None);
        self.rows.push(row);
        Ok(())
    }

    pub(super) fn finish(mut self, out: &mut Output) -> io::Result<()> {
        if out.width().is_some() {
            self.rows.iter_mut().flatten().flatten().for_each(cut);
        }
        let mut widths = self.widths();
        widths.truncate(fitting(&widths, out.width()));
        let names = self.names.iter().map(|name| Some(name.as_str()));
        writeln!(out, "{}", self.line(names, &widths, Style::new()))?;
        let null = if out.has_colours() { Style::new().dimmed() } else { Style::new() };
        for row in &self.rows {
            let line = self.line(row.iter().map(Option::as_deref), &widths, null);
            out.write_styled(&(line + "\n"))?;
        }
        match self.names.len() - widths.len() {
            0 => Ok(()),
            hidden => writeln!(out, "… {hidden} more columns: -c"),
        }
    }

    /// The widths of the columns.
    fn widths(&self) -> Vec<usize> {
        let mut widths: Vec<usize> = self.names.iter().map(|name| name.width()).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.as_deref().unwrap_or(NULL).width());
            }
        }
        widths
    }

    /// A line of cells, with a space on each side of them.
    fn line<'c>(
        &self,
        cells: impl Iterator<Item = Option<&'c str>>,
        widths: &[usize],
        null: Style,
    ) -> String {
        let mut line = String::new();
        for ((cell, width), is_number) in cells.zip(widths).zip(&self.numbers) {
            let text = cell.unwrap_or(NULL);
            let gap = " ".repeat(width.saturating_sub(text.width()));
            let text: Cow<'_, str> = match cell {
                Some(text) => text.into(),
                None => format!("{null}{text}{null:#}").into(),
            };
            let [before, after] = if *is_number { [gap.as_str(), ""] } else { ["", gap.as_str()] };
            line.extend([" ", before, &*text, after, " "]);
        }
        line.truncate(line.trim_end().len());
        line
    }
}

/// Number of columns of these widths that fit a terminal, if there is one; one at least.
fn fitting(widths: &[usize], terminal: Option<usize>) -> usize {
    let mut left = terminal.unwrap_or(usize::MAX);
    for (number, width) in widths.iter().enumerate() {
        if width + 2 > left && number > 0 {
            return number;
        }
        left = left.saturating_sub(width + 2);
    }
    widths.len()
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
