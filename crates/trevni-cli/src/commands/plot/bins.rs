//! How many values are in each part of a range, as bars.

use super::axis::Axis;
use crate::drawing::bar;
use crate::human::{count, thousands};
use serde_json::{Value, json};

pub(super) struct Bins {
    axis: Axis,
    from: f64,
    width: f64,
    counts: Vec<u64>,
    /// How many values are below and above the range that is drawn.
    below: u64,
    above: u64,
}

impl Bins {
    /// The most parts.
    pub(super) fn new(axis: Axis, most: usize) -> Self {
        let (from, width) = axis.parts(most);
        let parts = ((axis.range.greatest / width - from / width).floor() + 1.0) as usize;
        let parts = if axis.range.is_empty() { 0 } else { parts.clamp(1, most) };
        Self { axis, from, width, counts: vec![0; parts], below: 0, above: 0 }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// Counts a value, if it is one.
    pub(super) fn take(&mut self, value: f64) {
        if value < self.axis.range.least {
            self.below += 1;
            return;
        }
        if value > self.axis.range.greatest {
            self.above += u64::from(value.is_finite());
            return;
        }
        let part = (value / self.width - self.from / self.width) as usize;
        let last = self.counts.len().saturating_sub(1);
        if value.is_finite()
            && let Some(count) = self.counts.get_mut(part.min(last))
        {
            *count += 1;
        }
    }

    /// Where a part begins.
    fn start(&self, part: usize) -> f64 {
        self.from + part as f64 * self.width
    }

    /// A line for each part: where it begins, how many values, and a bar.
    pub(super) fn draw(&self, width: usize) -> String {
        let starts: Vec<String> =
            (0..self.counts.len()).map(|part| self.axis.text(self.start(part))).collect();
        let counts: Vec<String> = self.counts.iter().map(|count| thousands(*count)).collect();
        let widest = |texts: &[String]| texts.iter().map(String::len).max().unwrap_or(0);
        let (first, second) = (widest(&starts), widest(&counts));
        let room = width.saturating_sub(first + second + 4).max(4);
        let most = self.counts.iter().max().copied().unwrap_or(0).max(1) as f64;
        let mut text = format!("{}, from\n", self.axis.name);
        for ((start, count), number) in starts.iter().zip(&counts).zip(&self.counts) {
            let line = format!("{start:>first$}  {count:>second$}  {}", bar(*number as f64 / most, room));
            text.push_str(line.trim_end());
            text.push('\n');
        }
        for (number, word, end) in
            [(self.below, "below", self.axis.range.least), (self.above, "above", self.axis.range.greatest)]
        {
            if number > 0 {
                let (number, end) = (count(number, "value"), self.axis.text(end));
                text.push_str(&format!("{number} {word} {end}, far from most, not drawn; all: --full\n"));
            }
        }
        text
    }

    pub(super) fn to_json(&self, rows: u64, missing: u64) -> Value {
        let from: Vec<Value> =
            (0..self.counts.len()).map(|part| self.axis.to_json(self.start(part))).collect();
        json!({"column": self.axis.name, "rows": rows, "missing": missing, "from": from, "counts": self.counts})
    }
}
