//! Rows in memory.

use crate::parallel::threads;
use std::cmp::Ordering;
use std::io;
use std::thread;

/// Bytes of a block, at most, unless a row has more.
const BLOCK_BYTES: usize = 1 << 20;
/// Rows that are worth several threads.
const MANY: usize = 1 << 14;

/// Rows in memory, in blocks of bytes that never move.
#[derive(Debug)]
pub(super) struct Chunk {
    blocks: Vec<Vec<u8>>,
    entries: Vec<Entry>,
    block_bytes: usize,
    /// Bytes of all blocks.
    bytes: usize,
}

/// Where a row is.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The first bytes of the key, which tell most keys apart.
    start: u64,
    block: u32,
    at: u32,
    key: u32,
    row: u32,
}

impl Chunk {
    /// For a number of bytes of memory.
    pub(super) fn new(memory: usize) -> Self {
        let block_bytes = (memory / 16).clamp(64, BLOCK_BYTES);
        Self { blocks: Vec::new(), entries: Vec::new(), block_bytes, bytes: 0 }
    }

    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The memory of rows, with what sorting needs.
    pub(super) fn bytes(&self) -> usize {
        self.bytes + (self.entries.capacity() + self.entries.len() / 2) * size_of::<Entry>()
    }

    pub(super) fn push(&mut self, key: &[u8], row: &[u8]) -> io::Result<()> {
        let bytes = key.len() + row.len();
        let has_room = |block: &Vec<u8>| block.capacity() - block.len() >= bytes;
        if !self.blocks.last().is_some_and(has_room) {
            let room = self.block_bytes.max(bytes);
            self.blocks.push(Vec::with_capacity(room));
            self.bytes += room;
        }
        let number = |number: usize| u32::try_from(number).map_err(|_| io::Error::other("a row of 4 GiB"));
        let place = number(self.blocks.len() - 1)?;
        if let Some(block) = self.blocks.last_mut() {
            let at = number(block.len())?;
            let (key_len, row_len) = (number(key.len())?, number(row.len())?);
            self.entries.push(Entry { start: start(key), block: place, at, key: key_len, row: row_len });
            block.extend_from_slice(key);
            block.extend_from_slice(row);
        }
        Ok(())
    }

    /// Brings the rows in order, and keeps the first of them.
    pub(super) fn sort(&mut self, most: usize) {
        let mut entries = std::mem::take(&mut self.entries);
        let order = |one: &Entry, two: &Entry| self.order(one, two);
        if most < entries.len() {
            if most > 0 {
                entries.select_nth_unstable_by(most - 1, order);
            }
            entries.truncate(most);
        }
        let threads = threads();
        if entries.len() < MANY || threads == 1 {
            entries.sort_unstable_by(order);
        } else {
            let part = entries.len().div_ceil(threads);
            thread::scope(|scope| {
                for part in entries.chunks_mut(part) {
                    scope.spawn(move || part.sort_unstable_by(order));
                }
            });
            // It finds the parts that are in order, and merges them.
            entries.sort_by(order);
        }
        self.entries = entries;
    }

    /// Keys and rows.
    pub(super) fn rows(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.entries.iter().map(|entry| self.row(entry))
    }

    /// The key of the last row.
    pub(super) fn last_key(&self) -> Option<&[u8]> {
        self.entries.last().map(|entry| self.row(entry).0)
    }

    /// The rows alone, without the bytes of rows that were dropped.
    pub(super) fn copy(&self, memory: usize) -> io::Result<Self> {
        let mut copy = Self::new(memory);
        self.rows().try_for_each(|(key, row)| copy.push(key, row))?;
        Ok(copy)
    }

    /// Drops all rows, and their memory.
    pub(super) fn clear(&mut self) {
        (self.blocks, self.entries, self.bytes) = (Vec::new(), Vec::new(), 0);
    }

    /// The order of rows; of equal ones, in which they came.
    fn order(&self, one: &Entry, two: &Entry) -> Ordering {
        let places = || (one.block, one.at).cmp(&(two.block, two.at));
        one.start.cmp(&two.start).then_with(|| self.row(one).0.cmp(self.row(two).0)).then_with(places)
    }

    fn row(&self, entry: &Entry) -> (&[u8], &[u8]) {
        let block = self.blocks.get(entry.block as usize).map_or(&[][..], Vec::as_slice);
        let (at, key, row) = (entry.at as usize, entry.key as usize, entry.row as usize);
        (&block[at..at + key], &block[at + key..at + key + row])
    }
}

/// The first bytes of a key as a number, in the order of the keys.
fn start(key: &[u8]) -> u64 {
    let mut first = [0; 8];
    let len = key.len().min(8);
    first[..len].copy_from_slice(&key[..len]);
    u64::from_be_bytes(first)
}
