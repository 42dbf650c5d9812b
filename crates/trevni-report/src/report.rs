//! Reports for people: lines of aligned cells, made narrower on a terminal.

use crate::drawing::{bar, ellipsis};
use crate::ends::Ends;
use crate::human::thousands;
use crate::output::Output;
use crate::shown::{cut, fitting, shown};
use std::borrow::Cow;
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// How a column of a report is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Set {
    Left,
    Right,
    /// As `Left`, but may be cut to this width on a narrow terminal.
    Cut(usize),
    /// As `Cut`, but the start is cut off: the end of a path says most.
    Path(usize),
}

/// A cell of a report.
pub(crate) enum Cell {
    Text(String),
    /// A bar for a share between 0 and 1.
    Bar(f64),
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// Characters of the longest bar.
const BAR: usize = 24;

impl Cell {
    fn width(&self) -> usize {
        match self {
            Self::Text(text) => text.width(),
            Self::Bar(_) => BAR,
        }
    }
}

/// Lines up to which a terminal shows all of them.
const MOST: usize = 100;

/// How many lines of a report are shown: the number asked for, else all except on a terminal.
pub(crate) fn most_lines(asked: Option<usize>, out: &Output) -> usize {
    asked.unwrap_or(if out.is_terminal() { MOST } else { usize::MAX })
}

/// Says how to see all lines, where it was not asked for fewer.
pub(crate) fn tell_of_all(all: usize, asked: Option<usize>, out: &mut Output) -> io::Result<()> {
    if asked.is_none() && all > most_lines(asked, out) {
        writeln!(out, "all {}: -n {all}", thousands(all as u64))?;
    }
    Ok(())
}

/// Lines of aligned cells.
pub(crate) struct Report {
    columns: Vec<Set>,
    /// Whether the first line has the names of the columns.
    named: bool,
    lines: Vec<Vec<Cell>>,
}

impl Report {
    /// A report whose first line are these names.
    pub(crate) fn new(columns: &[(&str, Set)]) -> Self {
        let names = columns.iter().map(|(name, _)| (*name).into()).collect();
        Self { columns: columns.iter().map(|(_, set)| *set).collect(), named: true, lines: vec![names] }
    }

    /// A report without names of columns.
    pub(crate) fn unnamed(columns: &[Set]) -> Self {
        Self { columns: columns.to_vec(), named: false, lines: Vec::new() }
    }

    /// Adds a line.
    pub(crate) fn line<C: Into<Cell>>(&mut self, cells: impl IntoIterator<Item = C>) {
        let safe = |cell: C| match cell.into() {
            Cell::Text(text) => Cell::Text(shown(&text).into_owned()),
            cell => cell,
        };
        self.lines.push(cells.into_iter().map(safe).collect());
    }

    /// As [`Self::write`], but at most a number of lines: the first and the last, and between them how many more there are.
    pub(crate) fn write_ends(mut self, asked: Option<usize>, out: &mut Output) -> io::Result<()> {
        let names = usize::from(self.named);
        let all = self.lines.len() - names;
        let ends = Ends::at_most(all, most_lines(asked, out));
        if let Some(more) = ends.more("") {
            let place = self.columns.iter().position(|set| !matches!(set, Set::Right)).unwrap_or(0);
            let mut line: Vec<Cell> = (0..place).map(|_| "".into()).collect();
            line.push(more.trim_end().into());
            let start = names + ends.places().take_while(Option::is_some).count();
            self.lines.splice(start..start + ends.hidden(), [line]);
        }
        self.write(out)?;
        tell_of_all(all, asked, out)
    }

    pub(crate) fn write(&self, out: &mut Output) -> io::Result<()> {
        let widths = self.widths(out.width());
        for line in &self.lines {
            let mut text = String::new();
            for ((cell, width), set) in line.iter().zip(&widths).zip(&self.columns) {
                let cell: Cow<'_, str> = match (cell, set) {
                    (Cell::Bar(share), _) => bar(*share, *width).into(),
                    (Cell::Text(text), Set::Path(_)) => cut_front(text, *width).into(),
                    (Cell::Text(text), _) => cut(text, *width).into(),
                };
                let gap = " ".repeat(width.saturating_sub(cell.width()));
                match set {
                    Set::Right => text.extend([&gap, &*cell]),
                    Set::Left | Set::Cut(_) | Set::Path(_) => text.extend([&*cell, &gap]),
                }
                text.push_str("  ");
            }
            writeln!(out, "{}", text.trim_end())?;
        }
        Ok(())
    }

    /// The widths of the columns: as wide as their cells, or less to fit the limit.
    fn widths(&self, limit: Option<usize>) -> Vec<usize> {
        let widest = |number: usize| {
            let cells = self.lines.iter().filter_map(|line| line.get(number));
            cells.map(Cell::width).max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..self.columns.len()).map(widest).collect();
        let total = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
        let mut over = total.saturating_sub(limit.unwrap_or(usize::MAX));
        // The last cell says least.
        for (width, set) in widths.iter_mut().zip(&self.columns).rev() {
            if let Set::Cut(least) | Set::Path(least) = set {
                let less = over.min(width.saturating_sub(*least));
                (*width, over) = (*width - less, over - less);
            }
        }
        widths
    }
}

/// As [`cut`], but what is left is the end.
fn cut_front(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let kept: String = text.chars().rev().take_while(fitting(width)).collect();
    ellipsis().chars().chain(kept.chars().rev()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_some_columns_become_narrower() {
        let mut report = Report::new(&[("name", Set::Path(5)), ("bytes", Set::Right), ("", Set::Cut(6))]);
        report.line(["a very long name".into(), "12".into(), Cell::Bar(0.5)]);
        assert_eq!(report.widths(None), [16, 5, 24]);
        assert_eq!(report.widths(Some(40)), [16, 5, 15]);
        assert_eq!(report.widths(Some(24)), [9, 5, 6]);
        assert_eq!(report.widths(Some(3)), [5, 5, 6]);
        let texts = [cut("日本語", 5), cut("日本語", 6), cut("ab", 1), cut_front("a.b.name", 5)];
        assert_eq!(texts, ["日本…", "日本語", "…", "…name"]);
    }
}
