//! A position within the rows of a file.

use super::Reader;
use super::batcher::Place;
use super::columns::Columns;
use crate::de::{Context, Node, Plan, Straight, Transient};
use crate::error::{Error, Result};
use crate::vector::Vector;
use serde::de::{Deserialize, DeserializeSeed};
use std::ops::Range;

/// How often rows may turn out not to be like those before.
pub(super) const CHANCES: u32 = 32;

/// A position within the rows of a file.
pub(super) struct Cursor {
    plan: Plan,
    /// The current batch.
    vector: Vector,
    /// The same where rows are read straight, or else nothing.
    node: Node,
    straight: bool,
    /// How often they may still turn out not to be straight, before that is not tried any more.
    chances: u32,
    place: Place,
    /// Position within the batch.
    index: usize,
    /// The run of wanted rows that it is in, and the end of this run.
    run: usize,
    end: usize,
    /// The same end, or 0 where rows are not read straight.
    straight_end: usize,
    /// Number of batches so far.
    batches: u64,
}

impl Cursor {
    pub(super) fn new<'s>(reader: &Reader<'s>, chances: u32) -> Result<(Self, Columns<'s>)> {
        let mut columns = Columns::new(reader)?;
        columns.may_decode_more();
        Ok((Self { chances, ..Self::of(reader) }, columns))
    }

    pub(super) fn of(reader: &Reader<'_>) -> Self {
        let plan = Plan::of(&reader.part.shape, reader.schema.branches);
        let (vector, place) = (Vector::Null(0), Place::default());
        Self {
            plan,
            vector,
            node: Node::nothing(),
            straight: false,
            chances: 0,
            place,
            index: 0,
            run: 0,
            end: 0,
            straight_end: 0,
            batches: 0,
        }
    }

    /// Position of the current row within the batch.
    #[inline(always)]
    pub(super) fn index(&self) -> usize {
        self.index
    }

    /// Takes a position for the current one which [`Cursor::straight_behind`] has told.
    #[inline(always)]
    pub(super) fn set_index(&mut self, index: usize) {
        self.index = index;
    }

    /// The position behind another one, if it is in the same run and rows are read straight.
    #[inline(always)]
    pub(super) fn straight_behind(&self, index: usize) -> Option<usize> {
        let next = index + 1;
        if next < self.straight_end { Some(next) } else { None }
    }

    /// The row at a position, which strays where rows are not read straight.
    #[inline(always)]
    pub(super) fn straight(&self, index: usize) -> Straight<'_> {
        Straight { node: &self.node, index }
    }

    /// Moves to the next row; false at the end.
    #[inline]
    pub(super) fn advance(&mut self, columns: &Columns<'_>, context: &Context<'_>) -> Result<bool> {
        if self.index + 1 < self.end {
            self.index += 1;
            return Ok(true);
        }
        self.next_run(columns, context)
    }

    fn next_run(&mut self, columns: &Columns<'_>, context: &Context<'_>) -> Result<bool> {
        self.run += 1;
        if self.run >= self.place.runs.len() {
            self.run = 0;
            if !self.next_batch(columns, context)? {
                return Ok(false);
            }
        }
        let run = self.place.runs.get(self.run).cloned().unwrap_or_default();
        (self.index, self.end) = (run.start, run.end);
        self.straight_end = if self.straight { run.end } else { 0 };
        Ok(true)
    }

    #[cold]
    fn next_batch(&mut self, columns: &Columns<'_>, context: &Context<'_>) -> Result<bool> {
        self.leave_straight();
        if !context.is_straight() {
            self.chances = 0;
        }
        if self.batches == 1 && !context.names_only() {
            // The first batch has shown what the rows are read as.
            columns.settle(self.plan.straighten())?;
        }
        self.batches += 1;
        (self.index, self.end) = (0, 0);
        let more = columns.next_batch(&mut self.place, &mut self.vector)?;
        if more && self.chances > 0 && self.batches > 1 {
            self.node = Node::of(&mut self.plan, std::mem::replace(&mut self.vector, Vector::Null(0)));
            self.straight = true;
            if self.node.is_other() {
                self.leave_straight();
            }
        }
        Ok(more)
    }

    /// Reads the rest of the batch the general way.
    fn leave_straight(&mut self) {
        if std::mem::take(&mut self.straight) {
            let node = std::mem::replace(&mut self.node, Node::nothing());
            self.vector = node.release(&mut self.plan);
        }
        self.straight_end = 0;
    }

    /// The current row, the general way, and so the rest of its batch.
    pub(super) fn row<'de, T: Deserialize<'de>>(&mut self, context: &Context<'_>) -> Result<T> {
        let was_straight = self.straight;
        self.leave_straight();
        let row = context.entry::<Transient, T>(&self.plan, &self.vector, self.index);
        if was_straight && row.is_ok() {
            self.chances -= 1;
        }
        if !context.is_straight() {
            self.chances = 0;
        }
        row.map_err(|error| self.in_row(error))
    }

    /// The current row, the general way, with a seed, which can be tried only once.
    pub(super) fn seed<'de, S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
        context: &Context<'_>,
    ) -> Result<S::Value> {
        self.leave_straight();
        context.seed(seed, &self.plan, &self.vector, self.index).map_err(|error| self.in_row(error))
    }

    /// Adds to an error which row it comes from.
    #[cold]
    fn in_row(&self, error: Error) -> Error {
        error.in_row(self.place.row(self.index))
    }

    /// Rows behind the current one.
    pub(super) fn left(&self, columns: &Columns<'_>) -> u64 {
        let runs = self.place.runs.get(self.run + 1..).unwrap_or_default();
        let behind = runs.iter().map(Range::len).sum::<usize>() + self.end.saturating_sub(self.index + 1);
        columns.left() + behind as u64
    }
}
