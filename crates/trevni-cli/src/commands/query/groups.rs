//! Which rows have the same keys.

use crate::expression::{Column, Value};
use std::collections::HashMap;

/// Groups, in the order in which their first rows come.
#[derive(Default)]
pub(super) struct Groups {
    /// Numbers by the bytes of the keys.
    numbers: HashMap<Box<[u8]>, u32, foldhash::fast::RandomState>,
    /// The keys of each group, column after column.
    keys: Vec<Vec<Value>>,
    count: usize,
    bytes: Vec<u8>,
}

impl Groups {
    /// Groups by so many keys; by none there is one.
    pub(super) fn new(keys: usize) -> Self {
        Self { keys: vec![Vec::new(); keys], count: usize::from(keys == 0), ..Self::default() }
    }

    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// The number of the group of each row.
    pub(super) fn of_rows(&mut self, columns: &[Column<'_>], rows: usize) -> Vec<u32> {
        if columns.is_empty() {
            return vec![0; rows];
        }
        let mut out = Vec::with_capacity(rows);
        for row in 0..rows {
            self.bytes.clear();
            for column in columns {
                column.get(row).encode(&mut self.bytes);
            }
            out.push(match self.numbers.get(&*self.bytes) {
                Some(number) => *number,
                None => self.add(columns.iter().map(|column| column.get(row).to_value())),
            });
        }
        out
    }

    /// Adds the group of the current bytes.
    fn add(&mut self, values: impl Iterator<Item = Value>) -> u32 {
        let number = self.count as u32;
        self.numbers.insert(self.bytes.as_slice().into(), number);
        self.keys.iter_mut().zip(values).for_each(|(keys, value)| keys.push(value));
        self.count += 1;
        number
    }

    /// The keys, column after column.
    pub(super) fn into_keys(self) -> Vec<Vec<Value>> {
        self.keys
    }
}
