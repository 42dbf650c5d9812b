//! How often each value of a column of strings occurs, as bars.

use crate::drawing::bar;
use crate::failure::Failure;
use crate::human::{count, thousands};
use crate::shown::{cut, shown};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// Different values that are counted.
const DISTINCT: usize = 1 << 20;
/// Bytes of all of them.
const BYTES: usize = 1 << 28;

pub(super) struct Words {
    name: String,
    counts: HashMap<Box<str>, u64>,
    bytes: usize,
}

impl Words {
    pub(super) fn new(name: String) -> Self {
        Self { name, counts: HashMap::new(), bytes: 0 }
    }

    /// Counts a value.
    ///
    /// # Errors
    ///
    /// Too many different ones.
    pub(super) fn take(&mut self, word: &str) -> Result<(), Failure> {
        if let Some(count) = self.counts.get_mut(word) {
            *count += 1;
            return Ok(());
        }
        self.bytes += word.len();
        if self.counts.len() == DISTINCT || self.bytes > BYTES {
            let failure = format!("{} has too many different values for a picture", self.name);
            return Err(Failure::new(failure)
                .hint("To count them: trevni query FILE -b COLUMN -a 'count()' -s -count"));
        }
        self.counts.insert(word.into(), 1);
        Ok(())
    }

    /// The most frequent values, and how many there are beside them.
    fn most(&self, most: usize) -> (Vec<(&str, u64)>, usize) {
        let mut counts: Vec<(&str, u64)> =
            self.counts.iter().map(|(word, count)| (&**word, *count)).collect();
        counts.sort_unstable_by(|one, two| two.1.cmp(&one.1).then_with(|| one.0.cmp(two.0)));
        let more = counts.len().saturating_sub(most);
        counts.truncate(most);
        (counts, more)
    }

    /// A line for each of the most frequent values.
    pub(super) fn draw(&self, most: usize, width: usize) -> String {
        let (counts, more) = self.most(most);
        let text = |word: &str| match word.trim().is_empty() {
            true => format!("{word:?}"),
            false => cut(&shown(word), width / 3),
        };
        let lines: Vec<(String, String, u64)> =
            counts.iter().map(|(word, count)| (text(word), thousands(*count), *count)).collect();
        let first = lines.iter().map(|(word, ..)| word.width()).max().unwrap_or(0);
        let second = lines.iter().map(|(_, count, _)| count.len()).max().unwrap_or(0);
        let room = width.saturating_sub(first + second + 4).max(4);
        let greatest = counts.first().map_or(1, |(_, count)| *count) as f64;
        let mut out = format!("{}\n", self.name);
        for (word, number, count) in lines {
            let gap = " ".repeat(first.saturating_sub(word.width()));
            let line = format!("{word}{gap}  {number:>second$}  {}", bar(count as f64 / greatest, room));
            out.push_str(line.trim_end());
            out.push('\n');
        }
        if more > 0 {
            // Writing to a string does not fail.
            let _ = writeln!(out, "{}: --bins {}", count(more as u64, "more value"), most + more);
        }
        out
    }

    pub(super) fn to_json(&self, most: usize, rows: u64, missing: u64) -> Value {
        let (counts, more) = self.most(most);
        let (values, counts): (Vec<&str>, Vec<u64>) = counts.into_iter().unzip();
        json!({"column": self.name, "rows": rows, "missing": missing, "values": values, "counts": counts, "more": more})
    }
}
