//! A column that a decoder has open.

use super::{Columns, Out};
use crate::error::{Category, Result};
use crate::levels::{Levels, Place, lengths};
use crate::storage::budget::BatchHold;
use crate::tree::Leaf;
use crate::vector::Vector;
use std::ops::Range;

/// A column that has been in use.
pub(super) struct Column<C> {
    pub(super) number: usize,
    pub(super) greatest: Place,
    /// The definition level within each of the lists around the entries.
    pub(super) lists: Vec<u8>,
    /// What its values are, where they are asked for.
    pub(super) leaf: Leaf,
    /// Opened when it is first read.
    cursor: Option<C>,
    /// What is needed of the current batch.
    pub(super) need: State,
    /// What has been read of it.
    pub(super) done: State,
    /// Whether the levels have not been compared with those of other columns.
    pub(super) is_new: bool,
    pub(super) levels: Levels,
    pub(super) values: Vector,
}

/// Parts of a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    pub(super) levels: bool,
    pub(super) values: bool,
}

impl<C: Send> Column<C> {
    pub(super) fn new(number: usize, greatest: Place) -> Self {
        Self {
            number,
            greatest,
            lists: Vec::new(),
            leaf: Leaf::Null,
            cursor: None,
            need: State::default(),
            done: State::default(),
            is_new: false,
            levels: Levels::default(),
            values: Vector::Null(0),
        }
    }

    /// Begins a batch.
    pub(super) fn begin(&mut self) {
        self.done = State::default();
    }

    /// Gives back the memory of a batch that has failed.
    pub(super) fn forget(&mut self) {
        self.done = State::default();
        (self.levels, self.values) = (Levels::default(), Vector::Null(0));
    }

    /// Whether something must be read.
    pub(super) fn is_needed(&self) -> bool {
        self.need.levels && !self.done.levels || self.need.values && !self.done.values
    }

    /// The cursor; `None` where the column cannot be opened, which its next reading says.
    ///
    /// # Errors
    ///
    /// A source that fails.
    pub(super) fn opened(&mut self, file: &impl Columns<Cursor = C>) -> Result<Option<&mut C>> {
        if self.cursor.is_none() {
            self.cursor = match file.open(self.number) {
                Err(error) if error.category() == Category::Io => return Err(error),
                opened => opened.ok(),
            };
        }
        Ok(self.cursor.as_mut())
    }

    /// Reads what is needed.
    pub(super) fn read(
        &mut self,
        file: &impl Columns<Cursor = C>,
        row: u64,
        picks: &[Range<usize>],
        hold: &BatchHold,
    ) -> Result<()> {
        if !self.is_needed() {
            return Ok(());
        }
        let cursor = match &mut self.cursor {
            Some(cursor) => cursor,
            none => none.insert(file.open(self.number)?),
        };
        let levels = self.need.levels && !self.done.levels;
        let values = self.need.values && !self.done.values;
        let mut out = Out { greatest: file.greatest(self.number), ..Out::default() };
        if levels {
            self.levels.clear();
            out.levels = Some(&mut self.levels);
        }
        if values {
            self.leaf.prepare(false, &mut self.values);
            out.values = Some(&mut self.values);
        }
        file.read(cursor, row, picks, hold, out)?;
        if levels {
            lengths::check(self.levels.as_ref(), &self.lists)
                .map_err(|error| file.in_column(self.number, error))?;
            self.is_new = true;
        }
        self.done.levels |= levels;
        self.done.values |= values;
        Ok(())
    }
}
