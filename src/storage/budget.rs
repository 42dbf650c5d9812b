//! The memory of an open file: one budget, from which all that is held at once takes its share.

use crate::error::{Error, ErrorKind, Result};
use crate::limits::Limits;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where less than one in so many parts of a budget is left, blocks are given back between batches.
const SCARCE_PART: u64 = 4;

/// How much memory may be held at once, and how much is.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: u64,
    held: AtomicU64,
}

impl Budget {
    pub(crate) fn new(limit: u64) -> Arc<Self> {
        Arc::new(Self { limit, held: AtomicU64::new(0) })
    }

    /// Bytes that nothing holds.
    pub(crate) fn left(&self) -> u64 {
        self.limit.saturating_sub(self.held.load(Ordering::Relaxed))
    }

    /// Checks that so many bytes could be taken.
    ///
    /// # Errors
    ///
    /// More than the budget has.
    fn check(&self, bytes: u64) -> Result<()> {
        if bytes <= self.left() {
            return Ok(());
        }
        Err(self.exceeded(self.held.load(Ordering::Relaxed).saturating_add(bytes)))
    }

    fn take(&self, bytes: u64) -> Result<()> {
        let more = |held: u64| held.checked_add(bytes).filter(|held| *held <= self.limit);
        match self.held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more) {
            Ok(_) => Ok(()),
            Err(held) => Err(self.exceeded(held.saturating_add(bytes))),
        }
    }

    fn give(&self, bytes: u64) {
        self.held.fetch_sub(bytes, Ordering::Relaxed);
    }

    #[cold]
    fn exceeded(&self, value: u64) -> Error {
        let what = "the memory for what is decoded at once";
        ErrorKind::Limit { what, value, limit: self.limit, option: "memory" }.into()
    }
}

/// A share of a budget, given back when it is dropped.
#[derive(Debug)]
pub(crate) struct Hold {
    budget: Arc<Budget>,
    bytes: AtomicU64,
}

impl Hold {
    /// A share of nothing yet.
    pub(crate) fn of(budget: &Arc<Budget>) -> Self {
        Self { budget: Arc::clone(budget), bytes: AtomicU64::new(0) }
    }

    /// Takes more bytes.
    ///
    /// # Errors
    ///
    /// More than the budget has.
    pub(crate) fn add(&self, bytes: u64) -> Result<()> {
        self.budget.take(bytes)?;
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Gives back some of the bytes that it has taken.
    pub(crate) fn sub(&self, bytes: u64) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.budget.give(bytes);
    }

    /// Takes as many bytes as it lacks of so many.
    ///
    /// # Errors
    ///
    /// More than the budget has.
    #[inline]
    pub(crate) fn at_least(&mut self, bytes: u64) -> Result<()> {
        let held = *self.bytes.get_mut();
        if bytes > held { self.add(bytes - held) } else { Ok(()) }
    }

    /// Gives back what it has beyond so many bytes.
    #[inline]
    pub(crate) fn at_most(&mut self, bytes: u64) {
        let held = *self.bytes.get_mut();
        if held > bytes {
            self.sub(held - bytes);
        }
    }

    /// Bytes that nothing holds.
    pub(crate) fn left(&self) -> u64 {
        self.budget.left()
    }

    /// As [`Budget::check`].
    pub(crate) fn check(&self, bytes: u64) -> Result<()> {
        self.budget.check(bytes)
    }

    /// Whether little of the budget is left.
    pub(crate) fn is_scarce(&self) -> bool {
        self.budget.left() < self.budget.limit / SCARCE_PART
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        self.budget.give(*self.bytes.get_mut());
    }
}

/// Bytes of buffers that are not counted: so few are part of a column that is open.
const UNCOUNTED_BYTES: u64 = 64;

/// The memory of the buffers that one column of a batch is decoded into.
pub(crate) struct Share<'h> {
    memory: &'h Hold,
    held: u64,
}

impl<'h> Share<'h> {
    /// For buffers that have `held` bytes.
    ///
    /// # Errors
    ///
    /// More than the budget has.
    pub(crate) fn of(memory: &'h Hold, held: u64) -> Result<Self> {
        let held = counted(held);
        if held > 0 {
            memory.add(held)?;
        }
        Ok(Self { memory, held })
    }

    /// Takes what the buffers lack of so many bytes.
    ///
    /// # Errors
    ///
    /// More than the budget has.
    #[inline]
    pub(crate) fn at_least(&mut self, bytes: u64) -> Result<()> {
        let bytes = counted(bytes);
        if bytes > self.held {
            self.memory.add(bytes - self.held)?;
            self.held = bytes;
        }
        Ok(())
    }

    /// Whether nothing is counted.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.held == 0
    }

    /// Gives back what the buffers, which have so many bytes, have not needed.
    #[inline]
    pub(crate) fn settle(&mut self, bytes: u64) {
        let bytes = counted(bytes);
        if bytes < self.held {
            self.memory.sub(self.held - bytes);
            self.held = bytes;
        }
    }
}

fn counted(bytes: u64) -> u64 {
    if bytes > UNCOUNTED_BYTES { bytes } else { 0 }
}

/// What a batch takes while it is decoded, and how many entries have taken no bytes since decoding began.
#[derive(Debug)]
pub(crate) struct BatchHold {
    pub(crate) memory: Hold,
    /// Entries without bytes: those of this batch, and those of the batches before it.
    own: AtomicU64,
    before: u64,
    /// How many there may be.
    limit: u64,
    /// How many the lists of one batch may have in one column.
    items: u64,
}

impl BatchHold {
    /// For a file of `bytes` bytes.
    pub(crate) fn new(budget: &Arc<Budget>, limits: &Limits, bytes: u64) -> Self {
        Self {
            memory: Hold::of(budget),
            own: AtomicU64::new(0),
            before: 0,
            limit: limits.entries(bytes),
            items: limits.items(bytes),
        }
    }

    /// Gives back what the last batch has taken, and begins the next one.
    pub(crate) fn begin(&mut self) {
        self.memory.at_most(0);
        self.before = self.before.saturating_add(std::mem::take(self.own.get_mut()));
    }

    /// Forgets a batch that has failed.
    pub(crate) fn forget(&mut self) {
        self.memory.at_most(0);
        *self.own.get_mut() = 0;
    }

    /// Forgets all batches.
    pub(crate) fn restart(&mut self) {
        self.forget();
        self.before = 0;
    }

    /// Takes memory of another budget.
    pub(crate) fn take_of(&mut self, budget: &Arc<Budget>) {
        self.memory = Hold::of(budget);
    }

    /// The memory of the batch, which someone else has now.
    pub(crate) fn hand_over(&mut self) -> Hold {
        let empty = Hold::of(&self.memory.budget);
        std::mem::replace(&mut self.memory, empty)
    }

    /// Counts entries that have taken no bytes.
    ///
    /// # Errors
    ///
    /// More than there may be.
    pub(crate) fn count(&self, entries: u64) -> Result<()> {
        if entries == 0 {
            return Ok(());
        }
        let own = self.own.fetch_add(entries, Ordering::Relaxed);
        let value = self.before.saturating_add(own).saturating_add(entries);
        if value <= self.limit {
            return Ok(());
        }
        Err(too_many("the number of values without bytes in a file of this size", value, self.limit))
    }

    /// Checks how many entries without bytes the lists of the batch have in one column.
    ///
    /// # Errors
    ///
    /// More than there may be.
    pub(crate) fn check_items(&self, entries: u64) -> Result<()> {
        match entries > self.items {
            true => Err(too_many("the number of items without bytes in a batch", entries, self.items)),
            false => Ok(()),
        }
    }
}

#[cold]
fn too_many(what: &'static str, value: u64, limit: u64) -> Error {
    ErrorKind::Limit { what, value, limit, option: "rows_without_bytes" }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_shared_and_given_back() {
        let budget = Budget::new(100);
        let (mut one, two) = (Hold::of(&budget), Hold::of(&budget));
        one.at_least(60).unwrap();
        one.at_least(50).unwrap();
        two.add(40).unwrap();
        assert_eq!(budget.left(), 0);
        assert!(matches!(
            two.add(1).unwrap_err().kind(),
            ErrorKind::Limit { value: 101, limit: 100, option: "memory", .. }
        ));
        drop(two);
        one.at_most(10);
        assert_eq!((budget.left(), one.left()), (90, 90));
        assert!(one.add(u64::MAX).is_err());
        drop(one);
        assert_eq!(budget.left(), 100);
    }

    #[test]
    fn a_batch_that_has_failed_does_not_count() {
        let limits = Limits { memory: 100, rows_without_bytes: 10, ..Limits::DEFAULT };
        let mut hold = BatchHold::new(&Budget::new(limits.memory), &limits, 0);
        hold.memory.add(70).unwrap();
        hold.count(8).unwrap();
        assert!(hold.count(3).is_err());
        hold.forget();
        hold.count(10).unwrap();
        hold.begin();
        assert_eq!(hold.memory.left(), 100);
        assert!(hold.count(1).is_err());
        hold.restart();
        hold.count(10).unwrap();
        assert!(hold.check_items(10).is_ok() && hold.check_items(11).is_err());
    }
}
