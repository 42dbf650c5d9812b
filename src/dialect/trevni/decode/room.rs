//! Sees, before entries of a block are decoded, that the budget has room for what they become.

use super::block::BlockReader;
use crate::error::Result;
use crate::storage::budget::{BatchHold, Share};
use crate::storage::value_type::ValueType;
use crate::vector::room::Growth;
use crate::vector::{Offsets, Vector};

/// The memory of what a batch has of one column.
pub(super) struct Room<'h> {
    hold: &'h BatchHold,
    share: Share<'h>,
    /// Whether the entries are within lists.
    nested: bool,
    /// Whether the column's items have columns of their own, where they are counted.
    is_parent: bool,
    /// Entries within lists so far.
    items: u64,
}

/// Entries of a block that are decoded together.
#[derive(Clone, Copy)]
pub(super) struct Piece {
    pub(super) entries: usize,
    /// The same with those that are wanted of the next blocks.
    pub(super) to_come: usize,
    /// About how many bytes these take.
    pub(super) likely: usize,
}

/// Entries of a block that come next.
pub(super) struct Next<'d> {
    pub(super) data: &'d [u8],
    pub(super) value_type: ValueType,
    pub(super) piece: Piece,
}

impl<'h> Room<'h> {
    /// For values, and maybe lengths, that are appended to buffers.
    pub(super) fn of(
        hold: &'h BatchHold,
        nested: bool,
        offsets: Option<&Offsets>,
        values: &Vector,
    ) -> Result<Self> {
        let share = Share::of(&hold.memory, bytes(offsets, values, [0; 3], Growth::Exact))?;
        Ok(Self { hold, share, nested, is_parent: false, items: 0 })
    }

    /// For lengths whose items have columns of their own.
    pub(super) fn of_parent(self) -> Self {
        Self { is_parent: true, ..self }
    }

    /// Makes room for so many values, which take a byte at least.
    pub(super) fn reserve(&mut self, values: &mut Vector, more: usize) -> Result<()> {
        if values.has_room(more) {
            return Ok(());
        }
        match self.share.at_least(values.room(more, 0, Growth::Doubling)) {
            Ok(()) => values.try_reserve(more),
            Err(_) => {
                self.share.at_least(values.room(more, 0, Growth::Exact))?;
                values.try_reserve_exact(more, 0)
            }
        }
    }

    /// Takes what values may come to need.
    pub(super) fn for_values(
        &mut self,
        next: &Next<'_>,
        block: &BlockReader,
        values: &mut Vector,
    ) -> Result<()> {
        if values.has_room(next.piece.to_come) {
            return Ok(());
        }
        let rest = block.rest(next.data);
        let count = next.piece.entries.min(most(next.value_type, rest));
        let text = if is_text(next.value_type) { rest } else { 0 };
        if self.share.at_least(values.room(count, text, Growth::Doubling)).is_ok() {
            return self.for_likely(next, None, values);
        }
        // Counted, they are fewer.
        let text_bytes = block.text_bytes(next.data, next.value_type, next.piece.entries as u64)?;
        let text = if is_text(next.value_type) { text_bytes } else { 0 };
        values.forget_dictionary();
        self.share.at_least(values.room(count, text, Growth::Exact))?;
        values.try_reserve_exact(count, text)
    }

    /// Takes what lengths and their values may come to need.
    pub(super) fn for_arrays(
        &mut self,
        next: &Next<'_>,
        block: &BlockReader,
        offsets: &mut Offsets,
        values: &mut Vector,
    ) -> Result<()> {
        let rest = block.rest(next.data);
        let text = if is_text(next.value_type) { rest } else { 0 };
        let likely = [next.piece.entries, most(next.value_type, rest), text];
        if self.share.at_least(bytes(Some(offsets), values, likely, Growth::Doubling)).is_ok() {
            return self.for_likely(next, Some(offsets), values);
        }
        let (total, text_bytes) = block.items(next.data, next.value_type, next.piece.entries as u64)?;
        let total = usize::try_from(total).unwrap_or(usize::MAX);
        let text = if is_text(next.value_type) { text_bytes } else { 0 };
        values.forget_dictionary();
        self.share.at_least(bytes(
            Some(offsets),
            values,
            [next.piece.entries, total, text],
            Growth::Exact,
        ))?;
        offsets.try_reserve_exact(next.piece.entries)?;
        values.try_reserve_exact(total, text)
    }

    /// Makes room for what is likely to come, also of the next blocks, if the budget has it: buffers that grow are copied.
    fn for_likely(
        &mut self,
        next: &Next<'_>,
        offsets: Option<&mut Offsets>,
        values: &mut Vector,
    ) -> Result<()> {
        if self.hold.memory.is_scarce() {
            return Ok(());
        }
        let Piece { to_come, likely, .. } = next.piece;
        let (lengths, own) = match &offsets {
            // Each length takes a byte, unless many are the same.
            Some(_) => (to_come.min(likely), likely - to_come.min(likely)),
            None => (0, likely),
        };
        let count = most(next.value_type, own).min(to_come);
        let text = if is_text(next.value_type) { own } else { 0 };
        let room = bytes(offsets.as_deref(), values, [lengths, count, text], Growth::Exact);
        if self.share.at_least(room).is_err() {
            return Ok(());
        }
        offsets.map_or(Ok(()), |offsets| offsets.try_reserve_exact(lengths))?;
        values.try_reserve_exact(count, text)
    }

    /// Gives back what has not been needed.
    pub(super) fn settle(&mut self, offsets: Option<&Offsets>, values: &Vector) {
        if self.share.is_empty() {
            return;
        }
        self.share.settle(bytes(offsets, values, [0; 3], Growth::Exact));
    }

    /// Counts entries that are about to be decoded.
    pub(super) fn count(&mut self, entries: usize) -> Result<()> {
        self.hold.count(entries as u64)?;
        if self.nested { self.charge(entries) } else { Ok(()) }
    }

    /// Counts what was not known before: the items of lists, and bytes of texts.
    pub(super) fn count_items(&mut self, items: usize, texts: usize) -> Result<()> {
        // Items with columns of their own are counted there.
        let items = if self.is_parent { 0 } else { items };
        self.hold.count(items.saturating_add(texts) as u64)?;
        self.charge(items)
    }

    fn charge(&mut self, items: usize) -> Result<()> {
        self.hold.charge_items(self.items, items as u64)?;
        self.items = self.items.saturating_add(items as u64);
        Ok(())
    }
}

/// Bytes of buffers with room for more: lengths, values, and bytes of texts.
fn bytes(offsets: Option<&Offsets>, values: &Vector, more: [usize; 3], growth: Growth) -> u64 {
    let [lengths, count, text] = more;
    let offsets = offsets.map_or(0, |offsets| offsets.room(lengths, growth));
    offsets.saturating_add(values.room(count, text, growth))
}

fn is_text(value_type: ValueType) -> bool {
    matches!(value_type, ValueType::String | ValueType::Bytes | ValueType::Timestamp)
}

/// The most values that so many bytes hold.
fn most(value_type: ValueType, bytes: usize) -> usize {
    match value_type {
        ValueType::Null => 0,
        ValueType::Boolean => bytes.saturating_mul(8),
        ValueType::Int | ValueType::Long | ValueType::String | ValueType::Bytes | ValueType::Fixed8 => bytes,
        ValueType::Fixed16 => bytes / 2,
        ValueType::Fixed32 | ValueType::Float => bytes / 4,
        ValueType::Fixed64 | ValueType::Double => bytes / 8,
        ValueType::Timestamp => bytes / 12,
    }
}
