//! What is lost, as users see it.

use crate::error::Error;
use crate::selection::RowSelection;
use std::ops::Range;
use std::sync::Arc;

/// What is lost of a damaged file; see [`Reader::lost`](crate::Reader::lost).
#[derive(Debug, Default)]
pub struct Lost {
    pub(super) rows: RowSelection,
    pub(super) damage: Vec<Arc<Damage>>,
    pub(super) columns: Vec<usize>,
}

/// A place of a file that cannot be read, and what it costs.
#[derive(Debug)]
pub struct Damage {
    pub(super) rows: Range<u64>,
    pub(super) error: Error,
}

impl Lost {
    /// The rows that are lost, by their numbers in the file.
    #[must_use]
    pub fn rows(&self) -> &RowSelection {
        &self.rows
    }

    /// All places that cannot be read, column by column. Several may cost the same rows.
    pub fn damage(&self) -> impl Iterator<Item = &Damage> {
        self.damage.iter().map(|damage| &**damage)
    }

    /// The columns, by their numbers in [`Reader::columns`](crate::Reader::columns), of which no row can be read.
    /// [`Reader::without_lost_columns`](crate::Reader::without_lost_columns) reads the rows without them.
    #[must_use]
    pub fn columns(&self) -> &[usize] {
        &self.columns
    }

    /// Whether nothing is lost.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.damage.is_empty()
    }

    /// Adds what is lost.
    pub(super) fn add(&mut self, rows: &RowSelection, damage: &[Arc<Damage>]) {
        if !rows.is_empty() {
            self.rows = self.rows.ranges().iter().chain(rows.ranges()).cloned().collect();
        }
        self.damage.extend(damage.iter().cloned());
    }
}

impl Damage {
    /// The rows that it costs, by their numbers in the file.
    #[must_use]
    pub fn rows(&self) -> Range<u64> {
        self.rows.clone()
    }

    /// What is wrong. [`Error::location`] has the column, the block and the byte, as far as known.
    #[must_use]
    pub fn error(&self) -> &Error {
        &self.error
    }
}
