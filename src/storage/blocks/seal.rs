//! Seals blocks: compresses them, on this thread and on others, and puts them into the store.

use super::BlockForm;
use super::output::{self, Part};
use super::store::{BlockId, Store};
use crate::bytes::buffer::Buffer;
use crate::error::{Error, Result};
use crate::storage::checksum::{Checksum, Placement};
use crate::storage::codec::{Codec, ColumnType, Compressors, Uncompressed};
use crate::storage::pool::Pool;
use crate::storage::value_type::ValueType;
use crate::storage::values::held::Held;
use std::io::Write;
use std::path::PathBuf;

/// Blocks that may wait for each thread.
const WAITING_BLOCKS_PER_THREAD: usize = 4;
/// Bytes that may wait for each thread, or as many as the store keeps in memory if that is more.
const WAITING_BYTES_PER_THREAD: u64 = 1 << 20;
/// Buffers that are larger are not used again.
const SPARE_BUFFER_BYTES: usize = 1 << 20;

/// What sealing may take.
#[derive(Clone, Debug)]
pub struct Resources {
    /// For codecs that have levels.
    pub(crate) level: Option<i32>,
    /// Threads that compress, with the one that writes.
    pub(crate) threads: usize,
    /// Bytes of sealed blocks that are kept in memory.
    pub(crate) memory: u64,
    /// The most bytes of a row group.
    pub(crate) row_group: u64,
    /// Beside which path to put a temporary file.
    pub(crate) beside: PathBuf,
}

/// What a block has before the codec: bytes, or the values that a codec takes as they are.
#[derive(Debug, Default)]
pub(crate) struct Content {
    /// `None` where values are held.
    bytes: Buffer,
    held: Option<Box<Held>>,
}

impl Content {
    /// The bytes that it takes before the codec.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.held.as_ref().map_or(self.bytes.len(), |held| held.size())
    }

    /// The bytes of memory that it takes.
    pub(crate) fn memory(&self) -> usize {
        self.held.as_ref().map_or(self.bytes.len(), |held| held.memory())
    }

    /// Holds the next values, if no values are held yet and codecs take such.
    pub(crate) fn hold(&mut self, value_type: ValueType, array: bool, runs: bool) {
        let is_ready = self.held.as_ref().is_some_and(|held| held.is_of(value_type, array, runs));
        if !is_ready && self.len() == 0 {
            self.held = Held::from_value_type(value_type, array, runs).map(Box::new);
        }
    }

    /// The values, where they are held.
    #[inline]
    pub(crate) fn held(&mut self) -> Option<&mut Held> {
        self.held.as_deref_mut()
    }

    /// The bytes before the codec; held values are encoded, and no more are held.
    #[inline]
    pub(crate) fn bytes(&mut self) -> &mut Buffer {
        if let Some(held) = self.held.take() {
            held.encode(&mut self.bytes);
        }
        &mut self.bytes
    }

    /// The bytes before the codec, where no values are held.
    pub(crate) fn as_slice(&self) -> &[u8] {
        self.bytes.as_slice()
    }

    pub(crate) fn uncompressed(&self) -> Uncompressed<'_> {
        match &self.held {
            Some(held) => Uncompressed::Values(held),
            None => Uncompressed::Bytes(self.bytes.as_slice()),
        }
    }

    /// Forgets lengths and values; memory stays.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        if let Some(held) = &mut self.held {
            held.clear();
        }
    }
}

impl From<Buffer> for Content {
    fn from(bytes: Buffer) -> Self {
        Self { bytes, held: None }
    }
}

/// A full block on its way to another thread.
struct Raw {
    id: BlockId,
    codec: Codec,
    column_type: ColumnType,
    checksum: Checksum,
    content: Content,
}

/// A block that comes from another thread.
struct Sealed {
    id: BlockId,
    /// The memory that it took before the codec.
    size: u64,
    stored: Result<Vec<u8>>,
    /// What it came in, empty.
    content: Content,
}

/// Takes full blocks.
pub(crate) struct Sealer {
    compressors: Compressors,
    form: BlockForm,
    store: Store,
    level: Option<i32>,
    /// Threads beside this one.
    threads: usize,
    /// Started when the first block comes.
    pool: Option<Pool<Raw, Sealed>>,
    /// Bytes that wait for other threads, and how many may.
    waiting: u64,
    most: u64,
    /// Buffers that nobody uses.
    spare: Vec<Buffer>,
}

impl Sealer {
    pub(crate) fn new(resources: Resources, form: BlockForm) -> Self {
        let Resources { level, threads, memory, beside, .. } = resources;
        let threads = threads.saturating_sub(1);
        Self {
            compressors: Compressors::new(form.framing, level),
            form,
            store: Store::new(memory, beside).with_sums(form.checksum),
            level,
            threads,
            pool: None,
            waiting: 0,
            most: memory.max(WAITING_BYTES_PER_THREAD.saturating_mul(threads as u64)),
            spare: Vec::new(),
        }
    }

    /// What compresses on this thread.
    pub(crate) fn compressors(&mut self) -> &mut Compressors {
        &mut self.compressors
    }

    /// A buffer without bytes, which may have memory; [`Sealer::keep`] takes one back.
    pub(crate) fn buffer(&mut self) -> Buffer {
        self.spare.pop().unwrap_or_default()
    }

    /// Keeps a buffer without bytes for others.
    pub(crate) fn keep(&mut self, buffer: Buffer) {
        if self.spare.is_empty() && buffer.capacity() <= SPARE_BUFFER_BYTES {
            self.spare.push(buffer);
        }
    }

    /// Takes a block out of `content`, which is empty then; `column` is the first block of its column.
    pub(crate) fn seal(
        &mut self,
        codec: Codec,
        column_type: ColumnType,
        checksum: Checksum,
        column: Option<BlockId>,
        content: &mut Content,
    ) -> Result<BlockId> {
        let id = self.store.announce(column, content.len());
        if self.threads > 0 && self.has_room(content.memory() as u64)? {
            self.hand_over(Raw { id, codec, column_type, checksum, content: std::mem::take(content) })?;
            *content = self.buffer().into();
        } else {
            let stored =
                compress(&mut self.compressors, (codec, column_type), checksum, self.form.checksum, content)?;
            self.store.put(id, stored)?;
        }
        Ok(id)
    }

    /// Whether the other threads may get a block of this size. If not, this thread does as they do.
    fn has_room(&mut self, size: u64) -> Result<bool> {
        while let Some(sealed) = self.pool.as_mut().map_or(Ok(None), Pool::try_next)? {
            self.accept(sealed)?;
        }
        let waiting = self.pool.as_ref().map_or(0, Pool::waiting);
        let fits = waiting == 0 || self.waiting.saturating_add(size) <= self.most;
        Ok(fits && waiting < self.threads.saturating_mul(WAITING_BLOCKS_PER_THREAD))
    }

    fn hand_over(&mut self, raw: Raw) -> Result<()> {
        let pool = match self.pool.take() {
            Some(pool) => pool,
            None => self.start()?,
        };
        self.waiting += raw.content.memory() as u64;
        self.pool.insert(pool).push(raw)
    }

    #[cold]
    fn start(&self) -> Result<Pool<Raw, Sealed>> {
        let (level, form) = (self.level, self.form);
        Pool::start(self.threads, || {
            let mut compressors = Compressors::new(form.framing, level);
            move |Raw { id, codec, column_type, checksum, mut content }| {
                let size = content.memory() as u64;
                let stored =
                    compress(&mut compressors, (codec, column_type), checksum, form.checksum, &mut content);
                Sealed { id, size, stored, content }
            }
        })
    }

    fn accept(&mut self, sealed: Sealed) -> Result<()> {
        let Sealed { id, size, stored, mut content } = sealed;
        self.waiting -= size;
        let buffer = std::mem::take(content.bytes());
        if (1..=SPARE_BUFFER_BYTES).contains(&buffer.capacity()) {
            self.spare.push(buffer);
        }
        self.store.put(id, stored?)
    }

    /// Waits until all blocks are in the store.
    pub(crate) fn settle(&mut self) -> Result<()> {
        while let Some(sealed) = self.pool.as_mut().map_or(Ok(None), Pool::next)? {
            self.accept(sealed)?;
        }
        Ok(())
    }

    /// The blocks; all of them after [`Sealer::settle`].
    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    /// Forgets a block.
    pub(crate) fn remove(&mut self, id: BlockId) {
        self.store.remove(id);
    }

    /// Forgets all blocks, ends the threads and removes the temporary file.
    pub(crate) fn clear(&mut self) {
        (self.pool, self.spare, self.waiting) = (None, Vec::new(), 0);
        self.store.clear();
    }

    /// Writes parts, some of which are blocks, into a sink.
    pub(crate) fn write<'a>(
        &self,
        sink: &mut dyn Write,
        parts: impl Iterator<Item = Result<Part<'a>>>,
    ) -> Result<()> {
        output::write_parts(sink, self.store.spill(), parts)
    }
}

/// The block after the codec, and its checksum. Without codec it is the buffer's own memory.
fn compress(
    compressors: &mut Compressors,
    (codec, column_type): (Codec, ColumnType),
    checksum: Checksum,
    placement: Placement,
    content: &mut Content,
) -> Result<Vec<u8>> {
    let mut sum = match codec.encodes_values() {
        true => None,
        false => Some(checksum.placed(placement, content.bytes().as_slice())),
    };
    let mut stored = match codec {
        Codec::Null => content.bytes().take(checksum.size()),
        codec => {
            let block = content.uncompressed();
            let stored = compressors.compress_block(codec, block, column_type, checksum.size())?;
            content.clear();
            stored
        }
    };
    if u32::try_from(stored.len()).is_err() {
        return Err(Error::too_large(
            "the size of a compressed block",
            stored.len() as u64,
            u64::from(u32::MAX),
        ));
    }
    let sum = sum.get_or_insert_with(|| checksum.placed(placement, &stored)).as_slice().as_flattened();
    match placement {
        Placement::BeforeLittle => drop(stored.splice(..0, sum.iter().copied())),
        Placement::After | Placement::AfterLittle => stored.extend_from_slice(sum),
    }
    Ok(stored)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealer(threads: usize) -> Sealer {
        let beside = std::env::temp_dir().join("trevni-sealer");
        Sealer::new(
            Resources { level: None, threads, memory: 100, row_group: 100, beside },
            BlockForm::default(),
        )
    }

    fn buffer(size: usize) -> Buffer {
        let mut buffer = Buffer::default();
        (0..size).for_each(|at| buffer.push(at as u8));
        buffer
    }

    fn seal(sealer: &mut Sealer, size: usize) -> Result<BlockId> {
        let mut content = buffer(size).into();
        let id = sealer.seal(Codec::Deflate, ColumnType::BYTES, Checksum::Crc32, None, &mut content);
        assert!(id.is_err() || content.len() == 0);
        id
    }

    #[test]
    fn any_number_of_threads_gives_the_same_blocks() {
        let stored = |threads| {
            let mut sealer = sealer(threads);
            let ids: Vec<_> = (0..200).map(|size| seal(&mut sealer, size * 50).unwrap()).collect();
            sealer.settle().unwrap();
            assert!(sealer.waiting == 0 && sealer.spare.len() <= WAITING_BLOCKS_PER_THREAD * threads);
            let bytes = |id| sealer.store().bytes(id, &mut Vec::new()).unwrap().to_vec();
            ids.into_iter().map(bytes).collect::<Vec<_>>()
        };
        let one = stored(1);
        assert!(stored(2) == one && stored(5) == one);
    }

    #[test]
    fn what_waits_is_bounded() {
        // A block of this size waits alone, four small ones wait together.
        for (size, most) in
            [(1000, WAITING_BLOCKS_PER_THREAD), (WAITING_BYTES_PER_THREAD as usize * 2 / 3, 1)]
        {
            // Nothing is done with what is handed over, until all is.
            let (release, gate) = std::sync::mpsc::channel::<()>();
            let gate = std::sync::Arc::new(std::sync::Mutex::new(gate));
            let worker = || {
                let gate = std::sync::Arc::clone(&gate);
                move |Raw { id, content, .. }| {
                    let _ = gate.lock().map(|gate| gate.recv());
                    Sealed { id, size: content.memory() as u64, stored: Ok(vec![0; 3]), content }
                }
            };
            let mut sealer = sealer(2);
            sealer.pool = Some(Pool::start(1, worker).unwrap());
            let ids: Vec<_> = (0..10).map(|_| seal(&mut sealer, size).unwrap()).collect();
            assert_eq!(sealer.pool.as_ref().map(Pool::waiting), Some(most));
            assert_eq!(sealer.waiting, (most * size) as u64);
            drop(release);
            sealer.settle().unwrap();
            let sizes: Vec<u64> = ids.into_iter().map(|id| sealer.store().size(id)).collect();
            assert!(sizes[..most].iter().all(|stored| *stored == 3));
            assert!(sizes[most..].iter().all(|stored| *stored > 3));
        }
    }

    #[test]
    fn a_thread_that_fails_or_panics_is_an_error() {
        let failing = || {
            |Raw { id, content, .. }| {
                let stored = Err(Error::option("no such luck"));
                Sealed { id, size: content.memory() as u64, stored, content }
            }
        };
        let panicking = || |_| -> Sealed { panic!("this panic is part of a test") };
        for (pool, message) in [
            (Pool::start(2, failing).unwrap(), "no such luck"),
            (Pool::start(2, panicking).unwrap(), "internal error, please report it: a thread panicked"),
        ] {
            let mut sealer = sealer(3);
            sealer.pool = Some(pool);
            let sealed: Result<Vec<_>> = (0..100).map(|_| seal(&mut sealer, 10)).collect();
            let error = sealed.map(drop).and_then(|()| sealer.settle()).unwrap_err();
            assert_eq!(error.to_string(), message);
            sealer.clear();
        }
    }
}
