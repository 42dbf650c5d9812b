//! Which rows have the same keys.

use crate::evaluate::ScalarColumn;
use crate::scalar::Scalar;
use std::collections::HashMap;

/// Groups of rows that have the same keys, in the order in which their first rows come.
///
/// ```
/// use trevni_query::aggregate::Groups;
///
/// // Without keys there is one group.
/// let mut groups = Groups::new(0);
/// assert_eq!((groups.of_rows(&[], 3), groups.len()), (vec![0, 0, 0], 1));
/// ```
#[derive(Debug, Default)]
pub struct Groups {
    /// Numbers by the bytes of the keys.
    numbers: HashMap<Box<[u8]>, u32, foldhash::fast::RandomState>,
    /// The keys of each group, column after column.
    keys: Vec<Vec<Scalar>>,
    count: usize,
    bytes: Vec<u8>,
}

impl Groups {
    /// Groups by a number of keys; without keys there is one group.
    pub fn new(keys: usize) -> Self {
        Self { keys: vec![Vec::new(); keys], count: usize::from(keys == 0), ..Self::default() }
    }

    /// Number of groups so far.
    pub fn len(&self) -> usize {
        self.count
    }

    /// Whether there is no group.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The number of the group of each row, by its values in the columns of the keys.
    pub fn of_rows(&mut self, columns: &[ScalarColumn<'_>], rows: usize) -> Vec<u32> {
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
                None => self.add(columns.iter().map(|column| column.get(row).to_scalar())),
            });
        }
        out
    }

    /// Adds the group of the current bytes.
    fn add(&mut self, values: impl Iterator<Item = Scalar>) -> u32 {
        let number = self.count as u32;
        self.numbers.insert(self.bytes.as_slice().into(), number);
        self.keys.iter_mut().zip(values).for_each(|(keys, value)| keys.push(value));
        self.count += 1;
        number
    }

    /// The keys, column after column.
    pub fn into_keys(self) -> Vec<Vec<Scalar>> {
        self.keys
    }
}
