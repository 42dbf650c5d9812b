//! Buffers that ask the budget before they grow.

use super::budget::BatchHold;
use crate::error::Result;
use crate::storage::value_type::ValueType;
use crate::vector::room::Growth;
use crate::vector::{Offsets, Vector};

/// What is about to be appended to the buffers of a column.
#[derive(Clone, Copy, Default)]
pub(crate) struct More {
    /// Entries, each of which has a length, or levels.
    pub(crate) entries: usize,
    pub(crate) values: usize,
    /// Bytes of strings.
    pub(crate) data: usize,
}

impl More {
    /// The most values that a number of bytes hold.
    pub(crate) fn values_of(value_type: ValueType, bytes: usize) -> usize {
        match value_type {
            ValueType::Null => 0,
            ValueType::Boolean => bytes.saturating_mul(8),
            ValueType::Int | ValueType::Long | ValueType::String | ValueType::Bytes | ValueType::Fixed8 => {
                bytes
            }
            ValueType::Fixed16 => bytes / 2,
            ValueType::Fixed32 | ValueType::Float => bytes / 4,
            ValueType::Fixed64 | ValueType::Double => bytes / 8,
            ValueType::Timestamp => bytes / 12,
        }
    }

    /// The part of a number of bytes that become bytes of strings.
    pub(crate) fn data_of(value_type: ValueType, bytes: usize) -> usize {
        if matches!(value_type, ValueType::String | ValueType::Bytes | ValueType::Timestamp) {
            bytes
        } else {
            0
        }
    }
}

/// The buffers that a column of a batch is decoded into.
pub(crate) trait Buffers {
    /// Their bytes, with room for more.
    fn bytes(&self, more: More, growth: Growth) -> u64;

    /// Reserves space for exactly `more`.
    ///
    /// # Errors
    ///
    /// The system is out of memory.
    fn try_reserve_exact(&mut self, more: More) -> Result<()>;

    /// Stores strings one after the other, so that their bytes can be counted.
    fn forget_dictionary(&mut self);
}

/// Values, and the lengths of the lists that they are in.
pub(crate) struct Lists<'a> {
    pub(crate) offsets: Option<&'a mut Offsets>,
    pub(crate) values: &'a mut Vector,
}

impl<'a> Lists<'a> {
    pub(crate) fn new(offsets: &'a mut Offsets, values: &'a mut Vector) -> Self {
        Self { offsets: Some(offsets), values }
    }

    /// Items of the lists, and bytes of strings.
    pub(crate) fn len(&self) -> (usize, usize) {
        let data = if let Vector::Bytes(values) = &*self.values { values.data().len() } else { 0 };
        (self.offsets.as_deref().map_or(0, Offsets::total), data)
    }
}

impl Buffers for Lists<'_> {
    fn bytes(&self, more: More, growth: Growth) -> u64 {
        let offsets = self.offsets.as_deref().map_or(0, |offsets| offsets.room(more.entries, growth));
        offsets.saturating_add(self.values.room(more.values, more.data, growth))
    }

    fn try_reserve_exact(&mut self, more: More) -> Result<()> {
        if let Some(offsets) = &mut self.offsets {
            offsets.try_reserve_exact(more.entries)?;
        }
        self.values.try_reserve_exact(more.values, more.data)
    }

    fn forget_dictionary(&mut self) {
        self.values.forget_dictionary();
    }
}

/// Bytes of buffers that are not counted: so few are part of a column that is open.
const UNCOUNTED_BYTES: u64 = 64;

/// The memory of the buffers that one column of a batch is decoded into, and the count of its entries.
pub(crate) struct Reserved<'h> {
    hold: &'h BatchHold,
    /// Bytes that have been taken of the budget.
    held: u64,
    /// Whether entries are items of lists.
    nested: bool,
    /// Whether the items of the column's own lists have columns of their own, where they are counted.
    is_parent: bool,
    /// Items of lists so far.
    items: u64,
}

impl<'h> Reserved<'h> {
    /// For buffers to which entries are appended; `nested` says whether these are items of lists.
    ///
    /// # Errors
    ///
    /// More than the budget has.
    pub(crate) fn new(hold: &'h BatchHold, nested: bool, buffers: &impl Buffers) -> Result<Self> {
        let mut reserved = Self { hold, held: 0, nested, is_parent: false, items: 0 };
        reserved.at_least(buffers.bytes(More::default(), Growth::Exact))?;
        Ok(reserved)
    }

    /// For lengths whose items have columns of their own.
    pub(crate) fn of_parent(self) -> Self {
        Self { is_parent: true, ..self }
    }

    /// Takes what the buffers may come to have with `most` more, as they are appended to, and makes room for what is likely to come. Where
    /// the budget has less, `exact` counts how much more there is, and room is made for just that.
    ///
    /// # Errors
    ///
    /// More than the budget has, and those of `exact`.
    pub(crate) fn take(
        &mut self,
        buffers: &mut impl Buffers,
        most: More,
        likely: More,
        exact: impl FnOnce() -> Result<More>,
    ) -> Result<()> {
        if self.at_least(buffers.bytes(most, Growth::Doubling)).is_ok() {
            return self.expect(buffers, likely);
        }
        let more = exact()?;
        buffers.forget_dictionary();
        self.at_least(buffers.bytes(more, Growth::Exact))?;
        buffers.try_reserve_exact(more)
    }

    /// Makes room for what is likely to come, if the budget has plenty of it: buffers that grow are copied.
    ///
    /// # Errors
    ///
    /// The system is out of memory.
    pub(crate) fn expect(&mut self, buffers: &mut impl Buffers, likely: More) -> Result<()> {
        if self.hold.memory.is_scarce() || self.at_least(buffers.bytes(likely, Growth::Exact)).is_err() {
            return Ok(());
        }
        buffers.try_reserve_exact(likely)
    }

    /// Gives back what the buffers did not need.
    pub(crate) fn settle(&mut self, buffers: &impl Buffers) {
        if self.held > 0 {
            let bytes = counted(buffers.bytes(More::default(), Growth::Exact));
            if bytes < self.held {
                self.hold.memory.sub(self.held - bytes);
                self.held = bytes;
            }
        }
    }

    /// Counts entries that are about to be decoded.
    ///
    /// # Errors
    ///
    /// More than there may be.
    pub(crate) fn count(&mut self, entries: usize) -> Result<()> {
        self.hold.count(entries as u64)?;
        if self.nested { self.charge(entries) } else { Ok(()) }
    }

    /// Counts what was not known before: the items of lists, and bytes of strings.
    ///
    /// # Errors
    ///
    /// As [`Reserved::count`].
    pub(crate) fn count_items(&mut self, items: usize, data: usize) -> Result<()> {
        let items = if self.is_parent { 0 } else { items };
        self.hold.count(items.saturating_add(data) as u64)?;
        self.charge(items)
    }

    fn charge(&mut self, items: usize) -> Result<()> {
        self.hold.charge_items(self.items, items as u64)?;
        self.items = self.items.saturating_add(items as u64);
        Ok(())
    }

    /// Takes what is lacking of a number of bytes.
    #[inline]
    fn at_least(&mut self, bytes: u64) -> Result<()> {
        let bytes = counted(bytes);
        if bytes > self.held {
            self.hold.memory.add(bytes - self.held)?;
            self.held = bytes;
        }
        Ok(())
    }
}

fn counted(bytes: u64) -> u64 {
    if bytes > UNCOUNTED_BYTES { bytes } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::storage::budget::Budget;

    #[test]
    fn where_the_budget_has_less_than_the_most_what_comes_is_counted() {
        let limits = Limits { memory: 1000, ..Limits::DEFAULT };
        let budget = Budget::new(limits.memory);
        let hold = BatchHold::new(&budget, &limits, 0);
        let mut values = Vector::Long(Vec::new());
        let mut lists = Lists { offsets: None, values: &mut values };
        let mut reserved = Reserved::new(&hold, false, &lists).unwrap();
        let of = |values| More { values, ..More::default() };
        reserved.take(&mut lists, of(50), of(0), || unreachable!("the budget has room")).unwrap();
        assert_eq!(budget.left(), 1000 - 2 * 8 * 50);
        reserved.settle(&lists);
        assert_eq!(budget.left(), 1000);
        reserved.take(&mut lists, of(100), of(0), || Ok(of(70))).unwrap();
        assert_eq!(budget.left(), 1000 - 8 * 70);
        assert!(reserved.take(&mut lists, of(200), of(0), || Ok(of(130))).is_err());
        reserved.expect(&mut lists, of(80)).unwrap();
        reserved.settle(&lists);
        assert!(matches!(&values, Vector::Long(values) if (80..126).contains(&values.capacity())));
    }
}
