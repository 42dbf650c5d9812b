//! Where the values of two columns lie: a point for each row.

use super::axis::Axis;
use crate::drawing::drawing;
use serde_json::{Value, json};

/// Points in a character, to the right and down.
const ACROSS: usize = 2;
const DOWN: usize = 4;
/// The bit of each point of a Braille character, row by row.
const BRAILLE: [u32; ACROSS * DOWN] = [0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80];

pub(super) struct Points {
    x: Axis,
    y: Axis,
    /// Characters across and lines.
    width: usize,
    height: usize,
    /// Rows at each point, from the top left.
    counts: Vec<u64>,
}

impl Points {
    /// The points of two columns in lines of a number of characters, with what is beside them.
    pub(super) fn new(axes: Vec<Axis>, width: usize, height: usize) -> Self {
        let mut axes = axes.into_iter();
        let empty = || Axis { name: String::new(), range: super::Range::default(), moment: None };
        let (x, y) = (axes.next().unwrap_or_else(empty), axes.next().unwrap_or_else(empty));
        let mut points = Self { x, y, width: 0, height, counts: Vec::new() };
        if !points.x.range.is_empty() {
            points.width = width.saturating_sub(points.margin() + 1).max(4);
            points.counts = vec![0; points.width * ACROSS * height * DOWN];
        }
        points
    }

    pub(super) fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    pub(super) fn take(&mut self, values: &[f64]) {
        if let [x, y] = values
            && x.is_finite()
            && y.is_finite()
        {
            let (across, down) = (self.width * ACROSS, self.height * DOWN);
            let at = (down - 1 - self.y.range.part(*y, down)) * across + self.x.range.part(*x, across);
            if let Some(count) = self.counts.get_mut(at) {
                *count += 1;
            }
        }
    }

    /// Characters before the points.
    fn margin(&self) -> usize {
        let range = self.y.range;
        self.y.text(range.least).chars().count().max(self.y.text(range.greatest).chars().count()) + 1
    }

    /// Rows at a point of a character.
    fn at(&self, line: usize, column: usize, point: usize) -> u64 {
        let row = line * DOWN + point / ACROSS;
        let at = row * self.width * ACROSS + column * ACROSS + point % ACROSS;
        self.counts.get(at).copied().unwrap_or(0)
    }

    fn character(&self, line: usize, column: usize) -> char {
        let points = (0..BRAILLE.len()).filter(|point| self.at(line, column, *point) > 0);
        if drawing().is_ascii() {
            return match points.count() {
                0 => ' ',
                1..=2 => '.',
                3..=5 => 'o',
                _ => '#',
            };
        }
        match points.fold(0, |bits, point| bits | BRAILLE[point]) {
            0 => ' ',
            bits => char::from_u32(0x2800 + bits).unwrap_or(' '),
        }
    }

    pub(super) fn draw(&self) -> String {
        let [side, corner, bottom] = drawing().axes;
        let (margin, range) = (self.margin(), self.y.range);
        let mut text = format!("{}\n", self.y.name);
        if self.is_empty() {
            return text;
        }
        for line in 0..self.height {
            let label = match line {
                0 => self.y.text(range.greatest),
                last if last + 1 == self.height => self.y.text(range.least),
                _ => String::new(),
            };
            let points: String = (0..self.width).map(|column| self.character(line, column)).collect();
            text.push_str(format!("{label:>margin$}{side}{points}").trim_end());
            text.push('\n');
        }
        text.push_str(&format!("{:margin$}{corner}{}\n", "", bottom.repeat(self.width)));
        let (from, to) = (self.x.text(self.x.range.least), self.x.text(self.x.range.greatest));
        let between = self.width.saturating_sub(from.chars().count() + to.chars().count());
        let name = format!(" {} ", self.x.name);
        let name = if name.chars().count() <= between { name } else { String::from(" ") };
        let between = between.max(1);
        text.push_str(&format!("{:margin$} {from}{name:^between$}{to}\n", ""));
        text
    }

    pub(super) fn to_json(&self, rows: u64, missing: u64) -> Value {
        let ends = |axis: &Axis| match axis.range.is_empty() {
            true => json!({"column": axis.name}),
            false => {
                let [from, to] = [axis.range.least, axis.range.greatest].map(|end| axis.to_json(end));
                json!({"column": axis.name, "from": from, "to": to})
            }
        };
        let lines: Vec<&[u64]> = self.counts.chunks(self.width.max(1) * ACROSS).collect();
        json!({"x": ends(&self.x), "y": ends(&self.y), "rows": rows, "missing": missing, "counts": lines})
    }
}
