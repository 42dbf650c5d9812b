//! Rows that are kept until their order is known.

use super::sorting::{self, Sorting};
use super::source::PickedRows;
use crate::failure::Failure;
use std::cmp::Ordering;
use trevni::Batch;
use trevni_query::Scalar;

/// Rows that are kept beyond the number asked for, before the ones that cannot be among them are dropped.
const MORE: usize = 1 << 14;

/// Rows that may be in the result.
pub(super) struct Kept<'s> {
    sorting: &'s [Sorting],
    /// How many are asked for.
    most: usize,
    pub(super) parts: Vec<KeptBatch>,
    count: usize,
}

/// Rows of a batch.
pub(super) struct KeptBatch {
    /// The number of the file.
    pub(super) source: usize,
    pub(super) batch: Batch,
    pub(super) rows: PickedRows,
    /// What the rows are sorted by: as many values for each row as there are columns to sort by.
    pub(super) keys: Vec<Scalar>,
}

impl<'s> Kept<'s> {
    pub(super) fn new(sorting: &'s [Sorting], most: usize) -> Self {
        Self { sorting, most, parts: Vec::new(), count: 0 }
    }

    pub(super) fn add(&mut self, part: KeptBatch) -> Result<(), Failure> {
        let count = part.keys.len() / self.sorting.len().max(1);
        self.count += count;
        if count == part.batch.len() {
            self.parts.push(part);
        } else {
            self.parts.extend(part.only((0..count).collect(), self.sorting.len())?);
        }
        if self.count / 2 > self.most.saturating_add(MORE) {
            self.shrink()?;
        }
        Ok(())
    }

    /// The first rows by what they are sorted by: the number of the part, and of the row in it.
    pub(super) fn order(&self) -> Vec<(usize, usize)> {
        let stride = self.sorting.len();
        let parts = self.parts.iter().enumerate();
        let rows =
            parts.flat_map(|(at, part)| (0..part.keys.len() / stride.max(1)).map(move |row| (at, row)));
        let mut rows: Vec<(usize, usize)> = rows.collect();
        let keys = |(part, row): &(usize, usize)| &self.parts[*part].keys[row * stride..(row + 1) * stride];
        let order = |one: &(usize, usize), two: &(usize, usize)| -> Ordering {
            sorting::order(self.sorting, keys(one), keys(two)).then(one.cmp(two))
        };
        if self.most < rows.len() {
            if self.most > 0 {
                rows.select_nth_unstable_by(self.most - 1, order);
            }
            rows.truncate(self.most);
        }
        rows.sort_unstable_by(order);
        rows
    }

    /// Drops the rows that cannot be among the ones asked for.
    fn shrink(&mut self) -> Result<(), Failure> {
        let order = self.order();
        self.count = order.len();
        let mut wanted: Vec<Vec<usize>> = vec![Vec::new(); self.parts.len()];
        order.into_iter().for_each(|(part, row)| wanted[part].push(row));
        for (part, mut wanted) in std::mem::take(&mut self.parts).into_iter().zip(wanted) {
            wanted.sort_unstable();
            self.parts.extend(part.only(wanted, self.sorting.len())?);
        }
        Ok(())
    }
}

impl KeptBatch {
    /// Some of the rows only, which ascend; none where these are none.
    fn only(self, wanted: Vec<usize>, stride: usize) -> Result<Option<Self>, Failure> {
        let Self { source, batch, rows, mut keys } = self;
        if wanted.is_empty() {
            return Ok(None);
        }
        let entry = |row: &usize| rows.rows.as_ref().map_or(*row, |rows| rows[*row] as usize);
        let mut entries: Vec<usize> = wanted.iter().map(entry).collect();
        let items = rows.items.as_ref().map(|items| wanted.iter().map(|row| items[*row]).collect());
        // Several items of one list lie in one entry.
        let mut places: Vec<u32> = Vec::with_capacity(entries.len());
        for (at, entry) in entries.iter().enumerate() {
            let before = at.checked_sub(1).map(|before| (places[before], entries[before]));
            places.push(before.map_or(0, |(place, before)| place + u32::from(before != *entry)));
        }
        entries.dedup();
        let picks: Vec<(usize, usize)> = entries.into_iter().map(|entry| (0, entry)).collect();
        let batch = Batch::gather(std::slice::from_ref(&batch), &picks);
        let batch = batch.map_err(|error| Failure::new(error.to_string()))?;
        let values = wanted.iter().flat_map(|row| row * stride..(row + 1) * stride);
        let keys = values.map(|at| std::mem::replace(&mut keys[at], Scalar::Null)).collect();
        Ok(Some(Self { source, batch, rows: PickedRows { rows: Some(places), items }, keys }))
    }
}
