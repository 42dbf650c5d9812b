//! Tables for people: cut to the width of a terminal, with the types of columns; whole elsewhere.

use super::heading::{Heading, NULL, Paint};
use super::json_text;
use crate::output::Output;
use crate::shown::{cut, shown};
use anstyle::Style;
use std::borrow::Cow;
use std::io::{self, Write};
use trevni::ValueRef;
use unicode_width::UnicodeWidthStr;

/// The greatest width of a cell on a terminal.
const WIDEST: usize = 40;

/// The width that a type may give its column.
const TYPE: usize = 7;

/// Marks columns that do not fit, with the spaces around it.
const GAP: &str = " … ";

/// Collects rows, to be printed as a table.
pub(super) struct Table {
    headings: Vec<Heading>,
    /// Cells as texts; none where they are null.
    rows: Vec<Vec<Option<String>>>,
}

impl Table {
    /// A table of columns; numbers are aligned to the right.
    pub(super) fn of(headings: Vec<Heading>) -> Self {
        Self { headings, rows: Vec::new() }
    }

    /// Adds a row of one cell for each column.
    pub(super) fn row<'b>(&mut self, cells: impl Iterator<Item = Option<ValueRef<'b>>>) -> io::Result<()> {
        let text = |value: ValueRef<'b>| Ok(shown(&json_text(&value)?).into_owned());
        let cells = cells.map(|cell| cell.map(text).transpose());
        let mut row: Vec<Option<String>> = cells.collect::<serde_json::Result<_>>()?;
        row.resize(self.headings.len(), None);
        self.rows.push(row);
        Ok(())
    }

    pub(super) fn finish(mut self, out: &mut Output) -> io::Result<()> {
        let terminal = out.width();
        if terminal.is_some() {
            let cells = self.rows.iter_mut().flatten().flatten();
            cells.filter(|cell| cell.width() > WIDEST).for_each(|cell| *cell = cut(cell, WIDEST));
        }
        let widths = self.widths(terminal.is_some());
        let (front, back) = fitting(&widths, terminal);
        let columns: Vec<usize> = (0..front).chain(widths.len() - back..widths.len()).collect();
        let hidden = widths.len() - columns.len();
        let gap = (hidden > 0).then_some(front);
        let layout = Layout { headings: &self.headings, widths: &widths, columns: &columns, gap };
        let paint = Paint::of(out);
        out.write_styled(&layout.line(|_, heading| (heading.name.as_str().into(), paint.header)))?;
        if terminal.is_some() && self.headings.iter().any(|heading| !heading.kind.is_empty()) {
            out.write_styled(&layout.line(|number, heading| {
                let width = widths.get(number).copied().unwrap_or_default();
                (cut(&heading.kind, width).into(), paint.null)
            }))?;
        }
        for row in &self.rows {
            out.write_styled(&layout.line(|number, heading| match row.get(number) {
                Some(Some(text)) if heading.is_number => (text.into(), paint.number),
                Some(Some(text)) => (text.into(), Style::new()),
                _ => (NULL.into(), paint.null),
            }))?;
        }
        match hidden {
            0 => Ok(()),
            hidden => writeln!(out, "… {hidden} more columns: -c, or -f lines"),
        }
    }

    /// The widths of the columns, with room for most types where these are printed.
    fn widths(&self, has_kinds: bool) -> Vec<usize> {
        let kind = |heading: &Heading| if has_kinds { heading.kind.width().min(TYPE) } else { 0 };
        let width = |heading: &Heading| heading.name.width().max(kind(heading));
        let mut widths: Vec<usize> = self.headings.iter().map(width).collect();
        for row in &self.rows {
            for (width, cell) in widths.iter_mut().zip(row) {
                *width = (*width).max(cell.as_deref().unwrap_or(NULL).width());
            }
        }
        widths
    }
}

/// Which columns are printed, and how wide.
struct Layout<'t> {
    headings: &'t [Heading],
    widths: &'t [usize],
    columns: &'t [usize],
    /// Before which of the columns others are left out.
    gap: Option<usize>,
}

impl<'t> Layout<'t> {
    /// A line of cells, with a space on each side of them.
    fn line(&self, cell: impl Fn(usize, &'t Heading) -> (Cow<'t, str>, Style)) -> String {
        let mut line = String::new();
        for (place, number) in self.columns.iter().enumerate() {
            if self.gap == Some(place) {
                line.push_str(GAP);
            }
            let (Some(width), Some(heading)) = (self.widths.get(*number), self.headings.get(*number)) else {
                continue;
            };
            let (text, style) = cell(*number, heading);
            let gap = " ".repeat(width.saturating_sub(text.width()));
            let [before, after] = if heading.is_number { [gap.as_str(), ""] } else { ["", gap.as_str()] };
            line.extend([" ", before, &format!("{style}{text}{style:#}"), after, " "]);
        }
        if self.gap == Some(self.columns.len()) {
            line.push_str(GAP);
        }
        line.truncate(line.trim_end().len());
        line.push('\n');
        line
    }
}

/// How many columns of these widths fit a terminal, if there is one: from the first on, one at least, and from the last.
fn fitting(widths: &[usize], terminal: Option<usize>) -> (usize, usize) {
    let all = widths.iter().map(|width| width + 2).sum::<usize>();
    let Some(terminal) = terminal.filter(|terminal| all > *terminal) else {
        return (widths.len(), 0);
    };
    let (mut front, mut back, mut left) = (0, 0, terminal.saturating_sub(GAP.width()));
    while front + back < widths.len() {
        // The last columns have a third.
        let is_back = front > 2 * back;
        let next = if is_back { widths.len() - 1 - back } else { front };
        let width = widths.get(next).map_or(0, |width| width + 2);
        if width > left && front > 0 {
            break;
        }
        left = left.saturating_sub(width);
        (front, back) = if is_back { (front, back + 1) } else { (front + 1, back) };
    }
    (front, back)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_and_last_columns_fit() {
        assert_eq!(fitting(&[4; 5], None), (5, 0));
        assert_eq!(fitting(&[4; 5], Some(30)), (5, 0));
        assert_eq!(fitting(&[4; 5], Some(29)), (3, 1));
        assert_eq!(fitting(&[4; 30], Some(80)), (8, 4));
        assert_eq!(fitting(&[50, 4, 4], Some(20)), (1, 0));
        assert_eq!(fitting(&[4, 4, 50], Some(20)), (1, 0));
        assert_eq!(fitting(&[], Some(20)), (0, 0));
        for terminal in 1..100 {
            let widths: Vec<usize> = (0..20).map(|n| 1 + n * 7 % 13).collect();
            let (front, back) = fitting(&widths, Some(terminal));
            let used: usize =
                widths.iter().take(front).chain(widths.iter().rev().take(back)).map(|w| w + 2).sum();
            assert!(front > 0 && (used + 3 <= terminal || front + back == 1), "{terminal}");
        }
    }
}
