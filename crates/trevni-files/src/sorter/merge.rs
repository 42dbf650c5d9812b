//! Sorted runs as one.

use super::run::{Reader, Run};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io;

/// Bytes of a run that are read at once.
const READ_LEAST: usize = 4 << 10;
const READ_MOST: usize = 1 << 20;

/// Runs that are read side by side. Of equal rows, those of earlier runs come first.
pub(super) struct Merge {
    heads: BinaryHeap<Reverse<Head>>,
    /// Whether the first of the heads has been taken.
    is_taken: bool,
}

impl Merge {
    pub(super) fn new(runs: Vec<Run>, memory: usize) -> io::Result<Self> {
        let bytes = (memory / runs.len().max(1)).clamp(READ_LEAST, READ_MOST);
        let mut heads = BinaryHeap::with_capacity(runs.len());
        for (number, run) in runs.into_iter().enumerate() {
            let mut head = Head { key: Vec::new(), row: Vec::new(), number, rest: run.read(bytes) };
            if head.step()? {
                heads.push(Reverse(head));
            }
        }
        Ok(Self { heads, is_taken: false })
    }

    /// The key of the next row, and the row.
    pub(super) fn next(&mut self) -> io::Result<Option<(&[u8], &[u8])>> {
        if self.is_taken
            && let Some(mut head) = self.heads.peek_mut()
            && !head.0.step()?
        {
            PeekMut::pop(head);
        }
        self.is_taken = true;
        Ok(self.heads.peek().map(|head| (head.0.key.as_slice(), head.0.row.as_slice())))
    }
}

/// The first row of a run that is left.
struct Head {
    key: Vec<u8>,
    row: Vec<u8>,
    number: usize,
    rest: Reader,
}

impl Head {
    /// Goes to the next row; false at the end.
    fn step(&mut self) -> io::Result<bool> {
        self.rest.next(&mut self.key, &mut self.row)
    }
}

impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Head {}
