//! The memory of an open file: one budget, from which all that is held at once takes its share.

use crate::error::{Error, ErrorKind, Result};
use crate::limits::Limits;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, Weak};

/// Where less than this fraction of a budget is left, blocks are given back between batches.
const SCARCE_PART: u64 = 4;

/// How much memory may be held at once, and how much is.
#[derive(Debug)]
pub(crate) struct Budget {
    limit: u64,
    held: AtomicU64,
    /// Bytes of blocks that have been made for a check, see [`Budget::unpack`].
    unpacked: AtomicU64,
    /// What can be given back where memory is wanted.
    spare: OnceLock<Weak<dyn Spare>>,
}

/// What is held only to be faster.
pub(crate) trait Spare: fmt::Debug + Send + Sync {
    /// Gives back all that nobody uses.
    fn give_back(&self);
}

/// Bytes of a block that count as one value where a block is only checked.
const VALUE_BYTES: u64 = 8;

impl Budget {
    pub(crate) fn new(limit: u64) -> Arc<Self> {
        Arc::new(Self { limit, held: AtomicU64::new(0), unpacked: AtomicU64::new(0), spare: OnceLock::new() })
    }

    /// Says what can be given back. Only the first counts.
    pub(crate) fn set_spare(&self, spare: Weak<dyn Spare>) {
        let _ = self.spare.set(spare);
    }

    /// Counts the bytes of a block before they are made for a check, against the number of values that may be decoded: eight
    /// bytes as one, but of booleans each byte, which takes as long. No file that can be read has more.
    ///
    /// # Errors
    ///
    /// More than there may be, of all blocks together.
    pub(crate) fn unpack(&self, bytes: u64, booleans: bool, limit: u64) -> Result<()> {
        let bytes = if booleans { bytes.saturating_mul(VALUE_BYTES) } else { bytes };
        let before = self.unpacked.fetch_add(bytes, Ordering::Relaxed);
        let value = before.saturating_add(bytes) / VALUE_BYTES;
        if value <= limit {
            return Ok(());
        }
        let (what, option) = ("the number of values in blocks of a file of this size", "rows_without_bytes");
        Err(ErrorKind::Limit { what, value, limit, option }.into())
    }

    /// Bytes that nothing holds.
    pub(crate) fn left(&self) -> u64 {
        self.limit.saturating_sub(self.held.load(Ordering::Relaxed))
    }

    /// Checks that a number of bytes could be taken.
    ///
    /// # Errors
    ///
    /// More than the budget has.
    fn check(&self, bytes: u64) -> Result<()> {
        if bytes <= self.left() || (self.give_back() && bytes <= self.left()) {
            return Ok(());
        }
        Err(self.exceeded(self.held.load(Ordering::Relaxed).saturating_add(bytes)))
    }

    fn take(&self, bytes: u64) -> Result<()> {
        let more = |held: u64| held.checked_add(bytes).filter(|held| *held <= self.limit);
        let taken = || self.held.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        if taken().is_ok() {
            return Ok(());
        }
        self.give_back();
        taken().map(drop).map_err(|held| self.exceeded(held.saturating_add(bytes)))
    }

    /// Gives back what is spare; whether anything may be.
    #[cold]
    fn give_back(&self) -> bool {
        let spare = self.spare.get().and_then(Weak::upgrade);
        spare.inspect(|spare| spare.give_back()).is_some()
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
    pub(crate) fn new(budget: &Arc<Budget>) -> Self {
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

    /// Takes the bytes that it lacks of a number.
    ///
    /// # Errors
    ///
    /// More than the budget has.
    #[inline]
    pub(crate) fn at_least(&mut self, bytes: u64) -> Result<()> {
        let held = *self.bytes.get_mut();
        if bytes > held { self.add(bytes - held) } else { Ok(()) }
    }

    /// Gives back what it has beyond a number of bytes.
    #[inline]
    pub(crate) fn at_most(&mut self, bytes: u64) {
        let held = *self.bytes.get_mut();
        if held > bytes {
            self.sub(held - bytes);
        }
    }

    /// Returns a function that takes memory for a buffer of a given size, in addition to `bytes`.
    pub(crate) fn beside(&mut self, bytes: usize) -> impl FnMut(usize) -> Result<()> + '_ {
        move |own| self.at_least(bytes.saturating_add(own) as u64)
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

/// Memory that is counted for an item of a list, for what a row makes of it.
const ITEM_BYTES: u64 = 32;

/// Entries of a column that are not counted: so few are asked for row by row.
const UNCOUNTED_ENTRIES: u64 = 64;

/// How many entries have been decoded in a pass over a file, by all that decode for it.
pub(crate) type Pass = Arc<AtomicU64>;

/// What a batch takes while it is decoded, and how many entries have been decoded since decoding began.
#[derive(Debug)]
pub(crate) struct BatchHold {
    pub(crate) memory: Hold,
    /// Entries of this batch, and those of the batches before it.
    own: AtomicU64,
    before: u64,
    /// The entries of all clones in the same pass over the file.
    pass: Option<Pass>,
    /// How many there may be.
    limit: u64,
    /// Items that the lists of a batch may have in one column before they are charged.
    free_items: u64,
}

impl BatchHold {
    /// For a file of `bytes` bytes.
    pub(crate) fn new(budget: &Arc<Budget>, limits: &Limits, bytes: u64) -> Self {
        Self {
            memory: Hold::new(budget),
            own: AtomicU64::new(0),
            before: 0,
            pass: None,
            limit: limits.entries(bytes),
            free_items: Limits::free_items(bytes),
        }
    }

    /// Gives back what the last batch has taken, and begins the next one.
    pub(crate) fn begin(&mut self) {
        self.memory.at_most(0);
        self.settle();
    }

    /// Counts together with others.
    pub(crate) fn join(&mut self, pass: &Pass) {
        self.pass = Some(Arc::clone(pass));
        self.settle();
    }

    /// Counts the entries of the batch among those before it.
    fn settle(&mut self) {
        let own = std::mem::take(self.own.get_mut());
        self.before = match &self.pass {
            None => self.before.saturating_add(own),
            Some(pass) => pass.fetch_add(own, Ordering::Relaxed).saturating_add(own),
        };
    }

    /// Forgets a batch that has failed. A pass counts it.
    pub(crate) fn forget(&mut self) {
        self.memory.at_most(0);
        match self.pass {
            Some(_) => self.settle(),
            None => *self.own.get_mut() = 0,
        }
    }

    /// Forgets all batches.
    pub(crate) fn restart(&mut self) {
        self.forget();
        self.before = 0;
    }

    /// Takes memory of a budget for what is handed over, of which no rows are made.
    pub(crate) fn hand_over_of(&mut self, budget: &Arc<Budget>) {
        self.memory = Hold::new(budget);
        self.free_items = u64::MAX;
    }

    /// The memory of the batch, which someone else has now.
    pub(crate) fn hand_over(&mut self) -> Hold {
        let empty = Hold::new(&self.memory.budget);
        std::mem::replace(&mut self.memory, empty)
    }

    /// Counts entries that have been decoded.
    ///
    /// # Errors
    ///
    /// More than there may be.
    #[inline]
    pub(crate) fn count(&self, entries: u64) -> Result<()> {
        if entries < UNCOUNTED_ENTRIES {
            return Ok(());
        }
        let own = self.own.fetch_add(entries, Ordering::Relaxed);
        let value = self.before.saturating_add(own).saturating_add(entries);
        if value <= self.limit { Ok(()) } else { Err(self.too_many(value)) }
    }

    #[cold]
    fn too_many(&self, value: u64) -> Error {
        let (what, option) = ("the number of values read of a file of this size", "rows_without_bytes");
        ErrorKind::Limit { what, value, limit: self.limit, option }.into()
    }

    /// Takes memory for what is made of more items of the batch's lists in one column, which has had some before.
    ///
    /// # Errors
    ///
    /// More than the budget has.
    #[inline]
    pub(crate) fn charge_items(&self, before: u64, more: u64) -> Result<()> {
        let all = before.saturating_add(more);
        if all <= self.free_items {
            return Ok(());
        }
        self.memory.add((all - before.max(self.free_items)).saturating_mul(ITEM_BYTES))
    }
}

impl Drop for BatchHold {
    fn drop(&mut self) {
        self.settle();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_shared_and_given_back() {
        let budget = Budget::new(100);
        let (mut one, two) = (Hold::new(&budget), Hold::new(&budget));
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
        let limits = Limits { memory: 1000, rows_without_bytes: 1000, ..Limits::DEFAULT };
        let mut hold = BatchHold::new(&Budget::new(limits.memory), &limits, 0);
        hold.memory.add(700).unwrap();
        hold.count(800).unwrap();
        hold.count(1).unwrap();
        assert!(hold.count(300).is_err());
        hold.forget();
        hold.count(1000).unwrap();
        hold.begin();
        assert_eq!(hold.memory.left(), 1000);
        assert!(hold.count(64).is_err());
        hold.restart();
        hold.count(1000).unwrap();
    }

    #[test]
    fn a_pass_counts_what_all_decode() {
        let limits = Limits { rows_without_bytes: 1000, ..Limits::DEFAULT };
        let (budget, pass) = (Budget::new(100), Pass::default());
        let new = || {
            let mut hold = BatchHold::new(&budget, &limits, 0);
            hold.join(&pass);
            hold
        };
        let mut one = new();
        one.count(600).unwrap();
        one.begin();
        let two = new();
        assert!(two.count(300).is_ok());
        drop(two);
        assert!(new().count(200).is_err());
        one.count(100).unwrap();
    }

    #[test]
    fn items_beyond_those_that_the_file_has_bytes_for_are_charged() {
        let limits = Limits { memory: 10 * ITEM_BYTES, ..Limits::DEFAULT };
        let hold = BatchHold::new(&Budget::new(limits.memory), &limits, 1);
        let taken = |before, more| {
            hold.charge_items(before, more).map(|()| limits.memory - hold.memory.left()).map_err(|_| ())
        };
        assert_eq!(taken(0, 16), Ok(0));
        assert_eq!(taken(16, 3), Ok(3 * ITEM_BYTES));
        assert_eq!(taken(10, 8), Ok(5 * ITEM_BYTES));
        assert_eq!(taken(20, 6), Err(()));
        assert_eq!(taken(u64::MAX, 5), Ok(5 * ITEM_BYTES));
    }
}
