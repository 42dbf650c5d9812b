//! Sees, before levels and values are decoded, that the budget has room for them.

use super::super::values;
use super::file::Column;
use crate::bytes::reader::Bytes;
use crate::error::Result;
use crate::levels::{Levels, Place};
use crate::storage::budget::{BatchHold, Share};
use crate::vector::Vector;
use crate::vector::room::Growth;

/// The memory of what a batch has of one column.
pub(super) struct Room<'h> {
    hold: &'h BatchHold,
    levels: Share<'h>,
    values: Share<'h>,
    /// Entries within lists so far.
    items: u64,
}

impl<'h> Room<'h> {
    /// For levels and values that are appended to buffers.
    pub(super) fn of(hold: &'h BatchHold, levels: Option<&Levels>, values: Option<&Vector>) -> Result<Self> {
        let levels = levels.map_or(0, |levels| levels.room(0, Place::default(), Growth::Exact));
        let values = values.map_or(0, |values| values.room(0, 0, Growth::Exact));
        let (levels, values) = (Share::of(&hold.memory, levels)?, Share::of(&hold.memory, values)?);
        Ok(Self { hold, levels, values, items: 0 })
    }

    /// Takes what levels may come to need: those of `most` entries, or of just as many as are counted.
    pub(super) fn for_levels(
        &mut self,
        out: &Levels,
        greatest: Place,
        most: usize,
        count: impl FnOnce() -> Result<u32>,
    ) -> Result<()> {
        if self.levels.at_least(out.room(most, greatest, Growth::Doubling)).is_ok() {
            return Ok(());
        }
        self.levels.at_least(out.room(count()? as usize, greatest, Growth::Doubling))
    }

    /// Takes what the next values may come to need, after some that are passed over.
    pub(super) fn for_values(
        &mut self,
        bytes: &Bytes<'_>,
        column: &Column,
        passed: usize,
        count: usize,
        out: &mut Vector,
    ) -> Result<()> {
        let rest = bytes.remaining();
        let most = count.min(rest);
        if self.values.at_least(out.room(most, rest, Growth::Doubling)).is_ok() {
            return Ok(());
        }
        let mut after = *bytes;
        let mut skip = |count| {
            let done = values::skip(&mut after, column.leaf.primitive, count);
            done.map_err(|bad| bad.of("the values of a column")).map(|()| after.remaining())
        };
        let taken = skip(passed)? - skip(count)?;
        self.values.at_least(out.room(count, taken, Growth::Exact))?;
        out.try_reserve_exact(count, taken)
    }

    /// Gives back what has not been needed.
    pub(super) fn settle(&mut self, levels: Option<&Levels>, values: Option<&Vector>) {
        self.levels.settle(levels.map_or(0, |levels| levels.room(0, Place::default(), Growth::Exact)));
        self.values.settle(values.map_or(0, |values| values.room(0, 0, Growth::Exact)));
    }

    /// Counts entries that have been read.
    pub(super) fn count(&mut self, entries: u32, column: &Column) -> Result<()> {
        let entries = u64::from(entries);
        self.hold.count(entries)?;
        if column.leaf.greatest.repetition > 0 {
            self.hold.charge_items(self.items, entries)?;
            self.items = self.items.saturating_add(entries);
        }
        Ok(())
    }
}
