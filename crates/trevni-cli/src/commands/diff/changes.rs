//! Rows that differ: how many, and the first of them.

use super::encode::Comparing;
use super::side::{Rows, Side, Sides};
use crate::rows::Json;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use trevni::ValueRef;

/// A value as JSON.
pub(super) type Text = Box<RawValue>;

/// What has become of rows.
#[derive(Default)]
pub(super) struct Changes {
    pub(super) equal: u64,
    pub(super) changed: u64,
    pub(super) removed: u64,
    pub(super) added: u64,
    /// The first ones that are no longer equal.
    pub(super) shown: Vec<Change>,
}

/// What has become of a row.
pub(super) enum Change {
    Removed(u64, Vec<Text>),
    Added(u64, Vec<Text>),
    Changed(Changed),
}

/// A row that is in both files with other cells.
pub(super) struct Changed {
    /// Its numbers.
    pub(super) rows: (u64, u64),
    /// The cells of the key.
    pub(super) key: Vec<Text>,
    /// Which cells differ, and what they were and are.
    pub(super) cells: BTreeMap<usize, (Text, Text)>,
}

impl Changes {
    /// Whether all rows are equal.
    pub(super) fn is_none(&self) -> bool {
        self.differing() == 0
    }

    pub(super) fn differing(&self) -> u64 {
        self.changed + self.removed + self.added
    }

    /// Whether that number is shown already.
    pub(super) fn is_full(&self, most: u64) -> bool {
        self.shown.len() as u64 >= most
    }
}

/// The cells of a row as JSON.
pub(super) fn texts(side: &Side, rows: &Rows, at: usize) -> serde_json::Result<Vec<Text>> {
    side.cells(rows, at).map(text).collect()
}

fn text(cell: Option<ValueRef<'_>>) -> serde_json::Result<Text> {
    match cell {
        Some(value) => serde_json::value::to_raw_value(&Json(&value)),
        None => serde_json::value::to_raw_value(&()),
    }
}

/// The cells in which two rows differ.
pub(super) fn changed(
    sides: &Sides,
    (one, at): (&Rows, usize),
    (other, place): (&Rows, usize),
    comparing: &mut Comparing,
) -> serde_json::Result<Changed> {
    let (before, after) = (sides.before.cells(one, at), sides.after.cells(other, place));
    let (mut cells, mut key) = (BTreeMap::new(), Vec::new());
    for (number, (before, after)) in before.zip(after).enumerate() {
        if sides.keys.contains(&number) {
            key.push(text(before)?);
        }
        if !comparing.is_same(before, after) {
            cells.insert(number, (text(before)?, text(after)?));
        }
    }
    let number = |rows: &Rows, at: usize| rows.numbers.get(at).copied().unwrap_or_default();
    Ok(Changed { rows: (number(one, at), number(other, place)), key, cells })
}
