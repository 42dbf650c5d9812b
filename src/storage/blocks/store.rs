//! Keeps the blocks that are sealed: in memory up to a limit, beyond it in a temporary file.

use super::SealedBlock;
use super::output::{Part, Spill};
use crate::error::{Error, Result};
use crate::sort;
use crate::storage::checksum::Placement;
use std::io::IoSlice;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// What all stores of the process have in memory, in bytes; how much that may be, and how much each may have beyond it.
static HELD: AtomicU64 = AtomicU64::new(0);
const ALL_BYTES: u64 = 256 << 20;
const OWN_BYTES: u64 = 1 << 20;

/// Which block of the store it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct BlockId(usize);

/// Compressed bytes and checksum of a block.
struct Stored {
    /// The first block of the same column.
    column: BlockId,
    size: u64,
    /// The bytes at the end where the checksum is, if there is one.
    sum: [u8; 4],
    place: StoredAt,
}

/// Where the bytes of a block are.
enum StoredAt {
    /// Still to come.
    Nowhere,
    Memory(Vec<u8>),
    /// At this position of the temporary file.
    File(u64),
}

/// All blocks of a file that is being written.
pub(crate) struct Store {
    blocks: Vec<Stored>,
    /// Those that have come into memory since it was emptied.
    resident: Vec<BlockId>,
    /// Bytes in memory.
    memory: u64,
    limit: u64,
    /// Where checksums are in the bytes of blocks.
    sums: Placement,
    spill: Spill,
}

/// Bytes of a descriptor in a block table, without a first value.
pub(crate) const DESCRIPTOR_BYTES: u64 = 12;

impl Store {
    /// Bytes of a column in the file: block count, descriptors, blocks.
    pub(crate) fn column_bytes(&self, blocks: &[SealedBlock], first_values: &[Vec<u8>]) -> u64 {
        let blocks: u64 = blocks.iter().map(|block| DESCRIPTOR_BYTES + self.size(block.id)).sum();
        4 + blocks + first_values.iter().map(|first| first.len() as u64).sum::<u64>()
    }

    /// The same with an open block of `open` bytes, if it is compressed as well as the blocks before it.
    pub(crate) fn likely_bytes(&self, blocks: &[SealedBlock], first_values: &[Vec<u8>], open: usize) -> u64 {
        let (stored, open) = (self.column_bytes(blocks, first_values), open as u64);
        let size: u64 = blocks.iter().map(|block| u64::from(block.size)).sum();
        let share = u128::from(open) * u128::from(stored) / u128::from(size.max(1));
        stored + if size == 0 { open } else { share as u64 }
    }

    /// Keeps `limit` bytes in memory. A temporary file would be beside a path.
    pub(crate) fn new(limit: u64, beside: PathBuf) -> Self {
        let (sums, spill) = (Placement::default(), Spill::new(beside));
        Self { blocks: Vec::new(), resident: Vec::new(), memory: 0, limit, sums, spill }
    }

    /// The same store, for blocks whose checksums are there.
    pub(crate) fn with_sums(mut self, sums: Placement) -> Self {
        self.sums = sums;
        self
    }

    /// Takes notice of a block that will come; `column` is the first block of its column, if there is
    /// one. Until then it counts with `size` bytes.
    pub(crate) fn announce(&mut self, column: Option<BlockId>, size: usize) -> BlockId {
        let id = BlockId(self.blocks.len());
        let column = column.unwrap_or(id);
        self.blocks.push(Stored { column, size: size as u64, sum: [0; 4], place: StoredAt::Nowhere });
        id
    }

    /// Takes the bytes of a block.
    pub(crate) fn put(&mut self, id: BlockId, bytes: Vec<u8>) -> Result<()> {
        let block = self.blocks.get_mut(id.0).ok_or_else(missing)?;
        block.size = bytes.len() as u64;
        let sum = match self.sums {
            Placement::After | Placement::AfterLittle => bytes.last_chunk(),
            Placement::BeforeLittle => bytes.first_chunk(),
        };
        block.sum = sum.copied().unwrap_or_default();
        block.place = StoredAt::Memory(bytes);
        let size = block.size;
        self.resident.push(id);
        let all = self.hold(size);
        let is_much = self.memory > OWN_BYTES && all > ALL_BYTES;
        if self.memory > self.limit || is_much { self.empty_memory() } else { Ok(()) }
    }

    /// Moves all blocks from memory to the temporary file. There the blocks of a column lie together,
    /// as they will be read.
    fn empty_memory(&mut self) -> Result<()> {
        let column = |id: BlockId| self.blocks.get(id.0).map_or(0, |block| block.column.0 as u64);
        let mut order: Vec<(u64, u64)> = self.resident.iter().map(|id| (column(*id), id.0 as u64)).collect();
        sort::pairs(&mut order);
        self.resident = order.into_iter().map(|(_, id)| BlockId(id as usize)).collect();
        let mut parts: Vec<IoSlice<'_>> = self.resident.iter().map(|id| slice(&self.blocks, *id)).collect();
        let mut at = self.spill.append(&mut parts)?;
        for id in self.resident.drain(..) {
            if let Some(block) = self.blocks.get_mut(id.0)
                && let StoredAt::Memory(_) = block.place
            {
                block.place = StoredAt::File(at);
                at += block.size;
            }
        }
        self.release(self.memory);
        Ok(())
    }

    /// Counts bytes in memory; returns what all stores of the process have.
    fn hold(&mut self, bytes: u64) -> u64 {
        self.memory += bytes;
        HELD.fetch_add(bytes, Ordering::Relaxed) + bytes
    }

    fn release(&mut self, bytes: u64) {
        self.memory -= bytes;
        HELD.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Number of bytes of a block; an upper bound, about, while it is still to come.
    pub(crate) fn size(&self, id: BlockId) -> u64 {
        self.blocks.get(id.0).map_or(0, |block| block.size)
    }

    /// The checksum of a block as it is stored, if it has one.
    pub(crate) fn sum(&self, id: BlockId) -> [u8; 4] {
        self.blocks.get(id.0).map_or([0; 4], |block| block.sum)
    }

    /// Where a block is.
    pub(crate) fn part(&self, id: BlockId) -> Result<Part<'_>> {
        match self.blocks.get(id.0) {
            Some(Stored { place: StoredAt::Memory(bytes), .. }) => Ok(Part::Memory(bytes)),
            Some(Stored { place: StoredAt::File(start), size, .. }) => Ok(Part::File(*start..*start + *size)),
            _ => Err(missing()),
        }
    }

    /// The bytes of a block, which may come from the disk into `buffer`.
    pub(crate) fn bytes<'a>(&'a self, id: BlockId, buffer: &'a mut Vec<u8>) -> Result<&'a [u8]> {
        match self.part(id)? {
            Part::Memory(bytes) => Ok(bytes),
            Part::File(range) => {
                buffer.clear();
                buffer.resize((range.end - range.start) as usize, 0);
                self.spill.read(range.start, buffer)?;
                Ok(buffer)
            }
        }
    }

    /// Forgets a block; its room in the temporary file is not used again.
    pub(crate) fn remove(&mut self, id: BlockId) {
        if let Some(block) = self.blocks.get_mut(id.0) {
            let size = std::mem::take(&mut block.size);
            if let StoredAt::Memory(_) = std::mem::replace(&mut block.place, StoredAt::Nowhere) {
                self.release(size);
            }
        }
    }

    /// Forgets all blocks, and removes the temporary file.
    pub(crate) fn clear(&mut self) {
        self.release(self.memory);
        (self.blocks, self.resident) = (Vec::new(), Vec::new());
        self.spill.clear();
    }

    /// The temporary file.
    pub(crate) fn spill(&self) -> &Spill {
        &self.spill
    }
}

/// The bytes of a block in memory; nothing where it is not there any more.
impl Drop for Store {
    fn drop(&mut self) {
        self.release(self.memory);
    }
}

fn slice(blocks: &[Stored], id: BlockId) -> IoSlice<'_> {
    match blocks.get(id.0).map(|block| &block.place) {
        Some(StoredAt::Memory(bytes)) => IoSlice::new(bytes),
        _ => IoSlice::new(&[]),
    }
}

#[cold]
fn missing() -> Error {
    Error::internal("a block is missing")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks of three columns in turn: byte and length from the number.
    fn block(number: usize) -> Vec<u8> {
        vec![number as u8; number % 5]
    }

    fn filled(limit: u64) -> (Store, Vec<BlockId>) {
        let mut store = Store::new(limit, std::env::temp_dir().join("trevni-store"));
        let mut ids: Vec<BlockId> = Vec::new();
        for number in 0..100usize {
            let column = number.checked_sub(3).map(|_| ids[number % 3]);
            let id = store.announce(column, 9);
            assert_eq!(store.size(id), 9);
            store.put(id, block(number)).unwrap();
            ids.push(id);
        }
        (store, ids)
    }

    #[test]
    fn blocks_come_back_from_wherever_they_are() {
        for limit in [0, 1, 7, 50, 1000] {
            let (mut store, ids) = filled(limit);
            assert!(store.memory <= limit);
            let mut buffer = Vec::new();
            for (number, id) in ids.iter().enumerate() {
                assert_eq!(store.bytes(*id, &mut buffer).unwrap(), block(number));
                assert_eq!(store.size(*id), block(number).len() as u64);
            }
            for id in &ids {
                store.remove(*id);
                store.part(*id).map(drop).unwrap_err();
            }
            assert_eq!(store.memory, 0);
            let id = store.announce(None, 0);
            store.put(id, vec![1; 2000]).unwrap();
            assert_eq!(store.bytes(id, &mut buffer).unwrap(), [1; 2000]);
        }
    }

    #[test]
    fn all_stores_of_a_process_have_a_limit() {
        const MUCH: usize = 60 << 20;
        let put = || {
            let mut store = Store::new(ALL_BYTES, std::env::temp_dir().join("trevni-store-all"));
            let id = store.announce(None, MUCH);
            store.put(id, vec![0; MUCH]).unwrap();
            store
        };
        let stores = [(); 5].map(|()| put());
        let held = stores.each_ref().map(|store| store.memory);
        assert_eq!(held, [MUCH as u64, MUCH as u64, MUCH as u64, MUCH as u64, 0]);
        drop(stores);
        assert_eq!(put().memory, MUCH as u64, "what is dropped counts no more");
    }

    #[test]
    fn a_column_lies_together_in_the_file() {
        let (store, ids) = filled(190);
        let mut runs = 0;
        for column in 0..3 {
            let mut end = None;
            for id in ids.iter().skip(column).step_by(3) {
                if let Part::File(range) = store.part(*id).unwrap() {
                    runs += usize::from(end.is_some_and(|end| end != range.start) || end.is_none());
                    end = Some(range.end);
                }
            }
        }
        assert_eq!(runs, 3, "the memory was emptied once");
    }

    #[test]
    fn the_file_is_there_only_while_it_is_needed() {
        let folder = std::env::temp_dir().join(format!("trevni-store-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let count = || std::fs::read_dir(&folder).unwrap().count();
        let mut store = Store::new(10, folder.join("f"));
        let mut put = |bytes: Vec<u8>| {
            let id = store.announce(None, 0);
            store.put(id, bytes).unwrap();
            count()
        };
        assert_eq!([put(vec![1; 10]), put(vec![]), put(vec![2]), put(vec![3; 50])], [0, 0, 1, 1]);
        store.clear();
        assert_eq!(count(), 0);
        let id = store.announce(None, 0);
        store.put(id, vec![4; 11]).unwrap();
        assert_eq!(count(), 1);
        drop(store);
        assert_eq!(count(), 0);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
