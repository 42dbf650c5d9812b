//! Tables for people: cut to the width of a terminal, whole elsewhere.

use super::Cell;
use super::separated::at;
use crate::output::Output;
use comfy_table::{CellAlignment, ContentArrangement, presets};
use std::io::{self, IsTerminal, Write};

/// The most characters of a cell on a terminal.
const WIDEST: usize = 40;

/// Collects rows, to be printed as a table.
pub(crate) struct Table {
    fields: Vec<String>,
    rows: Vec<Vec<String>>,
    /// Whether a column has numbers only.
    numbers: Vec<bool>,
}

impl Table {
    pub(super) fn new(fields: &[String]) -> Self {
        let fields = if fields.is_empty() { vec!["value".to_owned()] } else { fields.to_vec() };
        Self { numbers: vec![true; fields.len()], fields, rows: Vec::new() }
    }

    pub(super) fn row(&mut self, row: &Cell) {
        let value = |path: &String| match row {
            Cell::Map(_) => at(row, path),
            value => Some(value),
        };
        let cells: Vec<Option<&Cell>> = self.fields.iter().map(value).collect();
        for (numbers, cell) in self.numbers.iter_mut().zip(&cells) {
            *numbers &= cell.is_none_or(|cell| cell.is_number() || *cell == Cell::Null);
        }
        let text = |cell: &Option<&Cell>| safe(&cell.map_or_else(String::new, Cell::text));
        self.rows.push(cells.iter().map(text).collect());
    }

    pub(super) fn finish(mut self, out: &mut Output) -> io::Result<()> {
        let width = match out {
            Output::Standard(_) if io::stdout().is_terminal() => Some(terminal_width()),
            _ => None,
        };
        let mut hidden = 0;
        if let Some(width) = width {
            self.rows.iter_mut().flatten().for_each(cut);
            hidden = self.fields.len() - self.fitting(width);
        }
        let shown = self.fields.len() - hidden;
        let mut table = comfy_table::Table::new();
        table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(&self.fields[..shown]);
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
        if hidden > 0 {
            writeln!(out, "… {hidden} more columns: -c")?;
        }
        Ok(())
    }

    /// Number of columns that fit a width.
    fn fitting(&self, width: usize) -> usize {
        let mut left = width;
        let mut count = 0;
        for (number, field) in self.fields.iter().enumerate() {
            let cells = self.rows.iter().map(|row| row[number].chars().count());
            let needed = cells.chain([field.chars().count()]).max().unwrap_or(0) + 2;
            if needed > left && count > 0 {
                break;
            }
            (left, count) = (left.saturating_sub(needed), count + 1);
        }
        count
    }
}

/// The text without characters that would move the cursor.
fn safe(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn cut(cell: &mut String) {
    if let Some((at, _)) = cell.char_indices().nth(WIDEST) {
        cell.truncate(at);
        cell.push('…');
    }
}

fn terminal_width() -> usize {
    std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok()).unwrap_or(80)
}
