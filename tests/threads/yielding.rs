//! Sources and sinks that give way to other threads at each call, and numbers that decide how.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use trevni::Source;

/// Numbers that look like chance; several threads may take them.
pub(crate) struct Chance(AtomicU64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(AtomicU64::new(seed))
    }

    pub(crate) fn below(&self, end: usize) -> usize {
        // The output of SplitMix64.
        let mut bits = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        bits = (bits ^ bits >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((bits ^ bits >> 31) % end as u64) as usize
    }

    /// Lets other threads go on, or not.
    pub(crate) fn give_way(&self) {
        match self.below(16) {
            0..8 => thread::yield_now(),
            8 => thread::sleep(Duration::from_micros(self.below(200) as u64)),
            _ => {}
        }
    }
}

/// A source that gives way, and may fail.
pub(crate) struct Yielding<S> {
    pub(crate) source: S,
    pub(crate) chance: Chance,
    /// Whether it lends its bytes.
    pub(crate) lends: bool,
    /// How many reads are left before all fail.
    pub(crate) left: AtomicUsize,
}

impl<S: Source> Yielding<S> {
    pub(crate) fn new(source: S, seed: u64) -> Self {
        Self { source, chance: Chance::new(seed), lends: seed % 2 == 1, left: AtomicUsize::new(usize::MAX) }
    }

    /// One that fails after so many reads.
    pub(crate) fn failing(source: S, seed: u64, reads: usize) -> Self {
        Self { left: AtomicUsize::new(reads), lends: false, ..Self::new(source, seed) }
    }

    fn checked<T>(&self, read: impl FnOnce() -> io::Result<T>) -> io::Result<T> {
        self.chance.give_way();
        let take = |left: usize| Some(if left == usize::MAX { left } else { left.checked_sub(1)? });
        let taken = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        taken.map_err(|_| io::Error::other("the line is down"))?;
        let read = read();
        self.chance.give_way();
        read
    }
}

impl<S: Source> Source for Yielding<S> {
    fn size(&self) -> io::Result<u64> {
        self.chance.give_way();
        self.source.size()
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.checked(|| self.source.read_at(offset, buffer))
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> io::Result<()> {
        self.checked(|| self.source.read_ranges(ranges))
    }

    fn slice(&self, offset: u64, len: usize) -> Option<&[u8]> {
        self.chance.give_way();
        self.source.slice(offset, len).filter(|_| self.lends)
    }
}

/// A sink that gives way.
pub(crate) struct Slow(pub(crate) Vec<u8>, pub(crate) Chance);

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1.give_way();
        // Not all at once.
        let some = bytes.len().min(1 + self.1.below(500));
        self.0.write(&bytes[..some])
    }

    fn flush(&mut self) -> io::Result<()> {
        self.1.give_way();
        Ok(())
    }
}
