//! Reports for people: lines of aligned cells, made narrower on a terminal.

use crate::output::Output;
use std::io::{self, Write};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// How a column of a report is set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Set {
    Left,
    Right,
    /// As `Left`, but may be cut to this width on a narrow terminal.
    Cut(usize),
}

/// Lines of aligned cells.
pub(crate) struct Report {
    columns: Vec<Set>,
    lines: Vec<Vec<String>>,
}

impl Report {
    /// A report whose first line are these names.
    pub(crate) fn new(columns: &[(&str, Set)]) -> Self {
        let names = columns.iter().map(|(name, _)| (*name).to_owned()).collect();
        Self { columns: columns.iter().map(|(_, set)| *set).collect(), lines: vec![names] }
    }

    /// A report without names of columns.
    pub(crate) fn unnamed(columns: &[Set]) -> Self {
        Self { columns: columns.to_vec(), lines: Vec::new() }
    }

    /// Adds a line; what would move the cursor is taken out of it.
    pub(crate) fn line(&mut self, cells: impl IntoIterator<Item = String>) {
        let safe = |cell: String| match cell.contains(|c: char| c.is_control()) {
            true => cell.chars().map(|c| if c.is_control() { ' ' } else { c }).collect(),
            false => cell,
        };
        self.lines.push(cells.into_iter().map(safe).collect());
    }

    pub(crate) fn write(&self, out: &mut Output) -> io::Result<()> {
        let widths = self.widths(out.width());
        for line in &self.lines {
            let mut text = String::new();
            for ((cell, width), set) in line.iter().zip(&widths).zip(&self.columns) {
                let cell = cut(cell, *width);
                let gap = " ".repeat(width.saturating_sub(cell.width()));
                match set {
                    Set::Right => text.extend([&gap, &*cell]),
                    Set::Left | Set::Cut(_) => text.extend([&*cell, &gap]),
                }
                text.push_str("  ");
            }
            writeln!(out, "{}", text.trim_end())?;
        }
        Ok(())
    }

    /// The widths of the columns: those of their cells, or less where the limit asks for it.
    fn widths(&self, limit: Option<usize>) -> Vec<usize> {
        let widest = |number: usize| {
            let cells = self.lines.iter().filter_map(|line| line.get(number));
            cells.map(|cell| cell.width()).max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..self.columns.len()).map(widest).collect();
        let total = widths.iter().sum::<usize>() + 2 * widths.len().saturating_sub(1);
        let mut over = total.saturating_sub(limit.unwrap_or(usize::MAX));
        for (width, set) in widths.iter_mut().zip(&self.columns) {
            if let Set::Cut(least) = set {
                let less = over.min(width.saturating_sub(*least));
                (*width, over) = (*width - less, over - less);
            }
        }
        widths
    }
}

/// A text that is not wider than this; `…` stands for what is cut off.
pub(crate) fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut used = 1;
    let fits = |c: &char| {
        used += c.width().unwrap_or(0);
        used <= width
    };
    let mut cut: String = text.chars().take_while(fits).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_some_columns_become_narrower() {
        let mut report = Report::new(&[("name", Set::Cut(5)), ("bytes", Set::Right), ("", Set::Left)]);
        report.line(["a very long name".to_owned(), "12".to_owned(), "bar".to_owned()]);
        assert_eq!(report.widths(None), [16, 5, 3]);
        assert_eq!(report.widths(Some(24)), [12, 5, 3]);
        assert_eq!(report.widths(Some(3)), [5, 5, 3]);
        assert_eq!(
            (cut("日本語", 5), cut("日本語", 6), cut("ab", 1)),
            ("日本…".into(), "日本語".into(), "…".into())
        );
    }
}
