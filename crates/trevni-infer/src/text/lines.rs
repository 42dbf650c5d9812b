//! Rows on lines.

use super::chunk::{Cut, RowSpan};

/// Cuts at the ends of lines; blank lines are no rows.
#[derive(Debug)]
pub(crate) struct Lines {
    /// The line that is not whole yet.
    line: u64,
}

impl Lines {
    /// For a text that begins at a line.
    pub(crate) fn new(line: u64) -> Self {
        Self { line }
    }

    fn add(&self, text: &[u8], start: usize, end: usize, rows: &mut Vec<RowSpan>) {
        let line = text.get(start..end).unwrap_or_default();
        if !line.trim_ascii().is_empty() {
            rows.push(RowSpan { start, end, line: self.line });
        }
    }
}

impl Cut for Lines {
    fn cut(&mut self, text: &[u8], from: usize, rows: &mut Vec<RowSpan>) -> Result<usize, String> {
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', text.get(from..).unwrap_or_default()) {
            self.add(text, start, from + end, rows);
            self.line += 1;
            start = from + end + 1;
        }
        Ok(start)
    }

    fn end(&mut self, text: &[u8], from: usize, rows: &mut Vec<RowSpan>) -> Result<(), String> {
        self.add(text, from, text.len(), rows);
        Ok(())
    }

    fn line(&self) -> u64 {
        self.line
    }
}
