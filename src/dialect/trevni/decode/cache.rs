//! Blocks that single rows have been read from: kept without their compression, up to a limit, for all that read the file.

use super::block::BlockReader;
use super::column::BlockBytes;
use crate::storage::budget::{Budget, Hold, Spare};
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// The least entries between two places that are noted in a block, and the most that are noted: of one that is read as it is, and of a
/// typed one, whose places take more memory.
const PLAIN_MARKS: (u64, u64) = (128, 1024);
const TYPED_MARKS: (u64, u64) = (4096, 64);
/// About the memory of a place, in bytes.
const PLAIN_MARK_BYTES: u64 = 64;
const TYPED_MARK_BYTES: u64 = 1 << 10;

/// A column and one of its blocks.
type Key = (usize, usize);

/// A block, and places in it from which entries can be passed over.
pub(super) struct CachedBlock {
    /// The bytes of the block; empty where the source has them in memory.
    pub(super) bytes: Vec<u8>,
    pub(super) bytes_at: BlockBytes,
    pub(super) start: BlockReader,
    /// Entries between two places, and how many may be noted.
    pub(super) step: u64,
    marks_max: u64,
    marks: Mutex<Vec<Mark>>,
}

/// A place in a block, some entries after the one before it.
#[derive(Clone)]
pub(super) struct Mark {
    pub(super) entries: u64,
    /// The sum of the lengths before it.
    pub(super) total: u64,
    pub(super) place: BlockReader,
}

impl CachedBlock {
    /// A block of a number of rows, or of more entries.
    pub(super) fn new(bytes: Vec<u8>, bytes_at: BlockBytes, start: BlockReader, rows: u32) -> Self {
        let is_plain = matches!(start, BlockReader::Plain(_));
        let (least, most) = if is_plain { PLAIN_MARKS } else { TYPED_MARKS };
        let entries = u64::from(rows).max(bytes.len() as u64 / 4);
        let step = entries.div_ceil(most).max(least);
        Self { bytes, bytes_at, start, step, marks_max: entries / step, marks: Mutex::default() }
    }

    /// The last known position before a number of entries, and whether the next one is to be noted.
    pub(super) fn before(&self, entries: u64) -> (Mark, bool) {
        let marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        let number = usize::try_from(entries / self.step).unwrap_or(usize::MAX).min(marks.len());
        let mark = number.checked_sub(1).and_then(|number| marks.get(number)).cloned();
        let start = || Mark { entries: 0, total: 0, place: self.start.clone() };
        (mark.unwrap_or_else(start), number == marks.len() && (number as u64) < self.marks_max)
    }

    /// Notes the next place, unless another thread has.
    pub(super) fn note(&self, mark: Mark) {
        let mut marks = self.marks.lock().unwrap_or_else(PoisonError::into_inner);
        let count = marks.len() as u64;
        if mark.entries == (count + 1) * self.step && count < self.marks_max {
            marks.push(mark);
        }
    }

    /// About the memory that it takes.
    fn size(&self) -> u64 {
        let is_plain = matches!(self.start, BlockReader::Plain(_));
        let mark = if is_plain { PLAIN_MARK_BYTES } else { TYPED_MARK_BYTES };
        (size_of::<Self>() + self.bytes.capacity()) as u64 + self.marks_max * mark
    }
}

/// The blocks of a file.
pub(crate) struct BlockCache {
    limit: u64,
    kept: Arc<Mutex<Kept>>,
}

struct Kept {
    blocks: HashMap<Key, (Arc<CachedBlock>, u64)>,
    bytes: u64,
    /// How often a block has been asked for.
    clock: u64,
    memory: Hold,
}

impl BlockCache {
    pub(super) fn new(limit: u64, budget: &Arc<Budget>) -> Self {
        let kept = Kept { blocks: HashMap::new(), bytes: 0, clock: 0, memory: Hold::new(budget) };
        let kept = Arc::new(Mutex::new(kept));
        let spare: Weak<Mutex<Kept>> = Arc::downgrade(&kept);
        budget.set_spare(spare);
        Self { limit, kept }
    }

    pub(super) fn has(&self, key: Key) -> bool {
        self.kept.lock().is_ok_and(|kept| kept.blocks.contains_key(&key))
    }

    pub(super) fn get(&self, key: Key) -> Option<Arc<CachedBlock>> {
        let mut kept = self.kept.lock().ok()?;
        kept.clock += 1;
        let clock = kept.clock;
        let (block, used) = kept.blocks.get_mut(&key)?;
        *used = clock;
        Some(Arc::clone(block))
    }

    /// Keeps a block where there is room, in place of those that have not been used for longest; whether it is kept.
    pub(super) fn put(&self, key: Key, block: &Arc<CachedBlock>) -> bool {
        let (size, Ok(mut kept)) = (block.size(), self.kept.lock()) else { return false };
        if size > self.limit || kept.memory.is_scarce() {
            return false;
        }
        kept.remove(key);
        while kept.bytes + size > self.limit && kept.remove_oldest() {}
        let is_kept = kept.bytes + size <= self.limit && kept.memory.add(size).is_ok();
        if is_kept {
            kept.clock += 1;
            let entry = (Arc::clone(block), kept.clock);
            kept.bytes += size;
            kept.blocks.insert(key, entry);
        }
        is_kept
    }
}

impl fmt::Debug for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kept").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl Spare for Mutex<Kept> {
    /// Nothing while a block is kept, for which the memory may be wanted.
    fn give_back(&self) {
        if let Ok(mut kept) = self.try_lock() {
            while kept.remove_oldest() {}
        }
    }
}

impl Kept {
    fn remove_oldest(&mut self) -> bool {
        // The memory of a block that somebody reads would not come back.
        let unused = self.blocks.iter().filter(|(_, (block, _))| Arc::strong_count(block) == 1);
        let oldest = unused.min_by_key(|(_, (_, used))| *used).map(|(key, _)| *key);
        oldest.is_some_and(|key| self.remove(key))
    }

    fn remove(&mut self, key: Key) -> bool {
        let Some((block, _)) = self.blocks.remove(&key) else { return false };
        let bytes = block.size();
        self.bytes -= bytes;
        self.memory.sub(bytes);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(bytes: usize, rows: u32) -> CachedBlock {
        CachedBlock::new(vec![0; bytes], BlockBytes::Own, BlockReader::default(), rows)
    }

    #[test]
    fn what_is_not_used_goes_first_and_its_memory_comes_back() {
        let block = |bytes| Arc::new(block(bytes, 9));
        let size = block(1000).size();
        let budget = Budget::new(100_000);
        let cache = BlockCache::new(3 * size, &budget);
        assert!((0..3).all(|number| cache.put((0, number), &block(1000))));
        assert!(cache.get((0, 0)).is_some());
        cache.put((0, 3), &block(1000));
        cache.put((0, 3), &block(1000));
        let kept = [0, 1, 2, 3].map(|number| cache.has((0, number)));
        assert_eq!((kept, budget.left()), ([true, false, true, true], 100_000 - 3 * size));
        cache.put((0, 9), &block(9000));
        assert!(!cache.has((0, 9)) && cache.has((0, 0)), "larger than all");
        drop(cache);
        assert_eq!(budget.left(), 100_000);
        let none = BlockCache::new(0, &budget);
        none.put((0, 0), &block(1000));
        assert!(!none.has((0, 0)));
    }

    #[test]
    fn places_are_noted_in_order() {
        let block = block(0, 3 * 128);
        let mark =
            |number: u64| Mark { entries: number * block.step, total: number, place: BlockReader::default() };
        [1, 1, 3, 2].iter().for_each(|number| block.note(mark(*number)));
        let before = |entries| {
            let (mark, is_next) = block.before(entries);
            (mark.total, is_next)
        };
        assert_eq!([0, 127, 128, 255].map(before), [(0, false), (0, false), (1, false), (1, false)]);
        assert_eq!([256, 1 << 40].map(before), [(2, true); 2]);
        [3, 4].iter().for_each(|number| block.note(mark(*number)));
        assert_eq!(before(1 << 40), (3, false), "no more than there are entries");
    }
}
