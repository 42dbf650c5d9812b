//! Tables for people: cut to the width of a terminal, with the types of columns; whole elsewhere.

use super::heading::{Heading, NULL, Paint};
use super::json_text;
use crate::drawing::ellipsis;
use crate::shown::{cut, shown};
use anstyle::Style;
use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::sync::{Mutex, PoisonError};
use tempfile::{SpooledTempFile, spooled_tempfile};
use trevni::ValueRef;
use unicode_width::UnicodeWidthStr;

/// The greatest width of a cell on a terminal.
const WIDEST: usize = 40;

/// The width that a type may give its column.
const TYPE: usize = 7;

/// The width of the mark of columns that do not fit, with the spaces around it.
const GAP: usize = 3;

/// Bytes of rows that are kept in memory; more of them are in a temporary file.
const MEMORY: usize = 64 << 20;

/// What is kept between the cells of a row and after it, and for null. Control characters are shown as others.
const BETWEEN: u8 = 0x1f;
const END: u8 = b'\n';
const NULL_CELL: &str = "\0";

/// Collects rows, to be printed as a table.
pub struct Table {
    headings: Vec<Heading>,
    kept: Mutex<Kept>,
}

/// Rows that are not printed yet, since the widths of columns are those of all of them.
struct Kept {
    rows: SpooledTempFile,
    /// The widths of the columns of cells, and those where long cells are cut.
    widths: Vec<(usize, usize)>,
}

impl Table {
    /// A table of columns; numbers are aligned to the right.
    pub fn of(headings: Vec<Heading>) -> Self {
        let widths = vec![(0, 0); headings.len()];
        Self { headings, kept: Mutex::new(Kept { rows: spooled_tempfile(MEMORY), widths }) }
    }

    /// Appends a row of one cell for each column, as [`Self::keep`] takes it.
    pub fn row<'b>(
        &self,
        mut cells: impl Iterator<Item = Option<ValueRef<'b>>>,
        out: &mut Vec<u8>,
    ) -> io::Result<()> {
        for number in 0..self.headings.len() {
            if number > 0 {
                out.push(BETWEEN);
            }
            match cells.next().flatten() {
                Some(value) => out.extend_from_slice(shown(&json_text(&value)?).as_bytes()),
                None => out.extend_from_slice(NULL_CELL.as_bytes()),
            }
        }
        out.push(END);
        Ok(())
    }

    /// Keeps rows, to be printed as soon as all are there.
    pub fn keep(&self, rows: &[u8]) -> io::Result<()> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        for row in rows.split_inclusive(|byte| *byte == END) {
            for (cell, (whole, cut_width)) in cells(row)?.zip(&mut kept.widths) {
                let width = cell.unwrap_or(NULL).width();
                *whole = width.max(*whole);
                let is_long = width > WIDEST && cell.is_some();
                let width = if is_long { cut(cell.unwrap_or_default(), WIDEST).width() } else { width };
                *cut_width = width.max(*cut_width);
            }
        }
        kept.rows.write_all(rows)
    }

    /// Prints the lines of the table, each with its styles: no wider than a terminal, where this is its width. The number of
    /// columns that do not fit.
    ///
    /// # Errors
    ///
    /// What writing fails with, and reading the temporary file.
    pub fn finish(
        self,
        terminal: Option<usize>,
        paint: Paint,
        mut write: impl FnMut(&str) -> io::Result<()>,
    ) -> io::Result<usize> {
        let Kept { mut rows, widths } = self.kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        let is_cut = terminal.is_some();
        let columns = widths.iter().map(|(whole, cut)| if is_cut { *cut } else { *whole });
        let widths = widths_with_headings(&self.headings, columns, is_cut);
        let (front, back) = fitting(&widths, terminal);
        let columns: Vec<usize> = (0..front).chain(widths.len() - back..widths.len()).collect();
        let hidden = widths.len() - columns.len();
        let gap = (hidden > 0).then_some(front);
        let layout = Layout { headings: &self.headings, widths: &widths, columns: &columns, gap };
        write(&layout.line(|_, heading| (heading.name.as_str().into(), paint.header)))?;
        if is_cut && self.headings.iter().any(|heading| !heading.kind.is_empty()) {
            write(&layout.line(|number, heading| {
                let width = widths.get(number).copied().unwrap_or_default();
                (cut(&heading.kind, width).into(), paint.null)
            }))?;
        }
        rows.rewind()?;
        let (mut rows, mut row) = (BufReader::new(rows), Vec::new());
        while rows.read_until(END, &mut row)? > 0 {
            let cells: Vec<Option<&str>> = cells(&row)?.collect();
            write(&layout.line(|number, heading| match cells.get(number) {
                Some(Some(text)) => {
                    let is_long = is_cut && text.width() > WIDEST;
                    let text = if is_long { cut(text, WIDEST).into() } else { Cow::Borrowed(*text) };
                    (text, if heading.is_number { paint.number } else { Style::new() })
                }
                _ => (NULL.into(), paint.null),
            }))?;
            row.clear();
        }
        Ok(hidden)
    }
}

/// The cells of a row that is kept; `None` where they are null.
fn cells(row: &[u8]) -> io::Result<impl Iterator<Item = Option<&str>>> {
    let text = std::str::from_utf8(row).map_err(io::Error::other)?;
    let cells = text.strip_suffix(char::from(END)).unwrap_or(text).split(char::from(BETWEEN));
    Ok(cells.map(|cell| (cell != NULL_CELL).then_some(cell)))
}

/// The widths of the columns, with room for their names, and for most types where these are printed.
fn widths_with_headings(
    headings: &[Heading],
    cells: impl Iterator<Item = usize>,
    has_kinds: bool,
) -> Vec<usize> {
    let kind = |heading: &Heading| if has_kinds { heading.kind.width().min(TYPE) } else { 0 };
    let width = |heading: &Heading| heading.name.width().max(kind(heading));
    headings.iter().zip(cells).map(|(heading, cell)| width(heading).max(cell)).collect()
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
    fn line<'c>(&self, cell: impl Fn(usize, &'t Heading) -> (Cow<'c, str>, Style)) -> String
    where
        't: 'c,
    {
        let mut line = String::new();
        for (place, number) in self.columns.iter().enumerate() {
            if self.gap == Some(place) {
                line.extend([" ", ellipsis(), " "]);
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
            line.extend([" ", ellipsis(), " "]);
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
    let (mut front, mut back, mut left) = (0, 0, terminal.saturating_sub(GAP));
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
