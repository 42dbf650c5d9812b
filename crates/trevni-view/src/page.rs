//! The cells around the screen, which are read when they are wanted.

use super::order::Order;
use super::table::{Cell, Table};
use crate::failure::Failure;
use std::collections::HashMap;
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// The rows of the screen and around it, with the columns that have been visible.
#[derive(Default)]
pub(super) struct Page {
    places: Range<u64>,
    numbers: Vec<u64>,
    columns: HashMap<usize, Vec<Cell>>,
}

impl Page {
    /// Goes to the rows at these places, and keeps what it has of them.
    pub(super) fn turn_to(&mut self, order: &Order, places: Range<u64>) -> Result<(), Failure> {
        if places.start >= self.places.start && places.end <= self.places.end {
            return Ok(());
        }
        // A screen before and after, for the next keys.
        let around = places.end - places.start;
        let places = places.start.saturating_sub(around)..(places.end + around).min(order.rows());
        *self = Self { places: places.clone(), ..Self::default() };
        self.numbers = order.numbers(places)?;
        Ok(())
    }

    /// Reads columns, unless they are there.
    pub(super) fn read(&mut self, table: &Table, columns: &[usize]) -> Result<(), Failure> {
        let new: Vec<usize> =
            columns.iter().copied().filter(|column| !self.columns.contains_key(column)).collect();
        if new.is_empty() || self.numbers.is_empty() {
            return Ok(());
        }
        let cells = table.cells(&self.numbers, &new);
        // What cannot be read is not asked for again and again.
        let empty = || vec![Vec::new(); new.len()];
        let (cells, read) = match cells {
            Ok(cells) => (cells, Ok(())),
            Err(failure) => (empty(), Err(failure)),
        };
        self.columns.extend(new.iter().copied().zip(cells));
        read
    }

    /// The number of the row at a place.
    pub(super) fn number(&self, place: u64) -> Option<u64> {
        self.numbers.get(self.index(place)?).copied()
    }

    /// A cell; `None` where it is not read.
    pub(super) fn cell(&self, place: u64, column: usize) -> Option<&Cell> {
        self.columns.get(&column)?.get(self.index(place)?)
    }

    /// The width of the widest cell of a column, from a place on.
    pub(super) fn width(&self, column: usize, from: u64) -> usize {
        let skipped = self.index(from).unwrap_or(0);
        let cells = self.columns.get(&column).into_iter().flatten().skip(skipped);
        cells.map(|cell| cell.as_deref().map_or(4, UnicodeWidthStr::width)).max().unwrap_or(0)
    }

    fn index(&self, place: u64) -> Option<usize> {
        usize::try_from(place.checked_sub(self.places.start)?).ok()
    }
}
