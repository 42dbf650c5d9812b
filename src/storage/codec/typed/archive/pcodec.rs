//! Numbers in chunks of pco, each after what it would be in a file of version 4.1, whose header is left out.
//!
//! The decoder of pco takes bytes that nobody vouches for, but believes what they say of a dictionary and a window: both are looked at first.

use super::super::section::{ENDS, Read, count, put_count, take};
use super::packed::Memory;
use crate::bytes::reader::Bytes;
use crate::storage::codec::algorithm::{Outcome, failed};
use pco::data_types::Number;
use pco::standalone::{ChunkDecompressor, DecompressorItem, FileCompressor, FileDecompressor};
use pco::{ChunkConfig, FULL_BATCH_N};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The header of a file, of version 4.1, that gives neither type nor number of numbers.
const HEADER: [u8; 9] = [b'p', b'c', b'o', b'!', 3, 0, 0, 4, 1];
/// The highest level.
const LEVEL: usize = 12;
/// Numbers of a chunk: enough to have much in common, and a chunk can have no more than 2²⁴.
const CHUNK: usize = 1 << 20;
/// Logarithm of the numbers that a chunk looks back.
const WINDOW_LOG: u8 = 15;
/// The most memory that a decoder takes: windows and tables of three sequences.
const MEMORY: usize = 2 << 20;

/// Appends numbers, after the bytes that they take.
pub(super) fn put<T: Number>(numbers: &[T], out: &mut Vec<u8>) -> Outcome {
    let (file, config) = (FileCompressor::default(), ChunkConfig::default().with_compression_level(LEVEL));
    let mut chunks = Vec::new();
    for numbers in numbers.chunks(CHUNK) {
        chunks = file
            .chunk_compressor(numbers, &config)
            .and_then(|mut chunk| chunk.write(chunks))
            .map_err(failed)?;
    }
    put_count(chunks.len() as u64, out);
    out.append(&mut chunks);
    Ok(())
}

/// Numbers that are read from the first to the last.
pub(super) struct Pco<'a, T: Number> {
    file: FileDecompressor,
    chunk: Option<ChunkDecompressor<T, &'a [u8]>>,
    rest: &'a [u8],
    /// Some numbers, and those of them that have not been given.
    some: [T; FULL_BATCH_N],
    ready: std::ops::Range<usize>,
}

const DAMAGED: &str = "what pco has compressed is damaged";

/// What pco makes of bytes; its contract is not to panic, and a panic would be an error.
fn guarded<T>(read: impl FnOnce() -> pco::errors::PcoResult<T>) -> Read<T> {
    catch_unwind(AssertUnwindSafe(read)).map_err(|_| DAMAGED)?.map_err(|_| DAMAGED)
}

impl<'a, T: Number> Pco<'a, T> {
    pub(super) fn new(bytes: &mut Bytes<'a>, memory: &mut Memory) -> Read<Self> {
        let len = count(bytes)?;
        let rest = take(bytes, usize::try_from(len).map_err(|_| ENDS)?)?;
        memory.take(MEMORY)?;
        let (file, _) = guarded(|| FileDecompressor::new(&HEADER[..]))?;
        Ok(Self { file, chunk: None, rest, some: [T::default(); FULL_BATCH_N], ready: 0..0 })
    }

    /// Appends the next ones.
    pub(super) fn next(&mut self, mut wanted: usize, out: &mut Vec<T>) -> Read<()> {
        while wanted > 0 {
            if self.ready.is_empty() {
                self.read()?;
            }
            let some = self.some.get(self.ready.clone()).unwrap_or_default();
            let some = some.get(..wanted).unwrap_or(some);
            out.extend_from_slice(some);
            self.ready.start += some.len();
            wanted -= some.len();
        }
        Ok(())
    }

    /// Reads some, of the next chunk if this one has no more.
    fn read(&mut self) -> Read<()> {
        let Self { file, chunk, rest, some, .. } = self;
        let open = match chunk {
            Some(chunk) => chunk,
            None => {
                check(rest, 8 * size_of::<T>())?;
                match guarded(|| file.chunk_decompressor(*rest))? {
                    DecompressorItem::Chunk(next) => chunk.insert(next),
                    DecompressorItem::EndOfData(_) => return Err(DAMAGED),
                }
            }
        };
        let done = guarded(|| open.read(some))?;
        if done.n_processed == 0 {
            return Err(DAMAGED);
        }
        if done.finished
            && let Some(chunk) = chunk.take()
        {
            *rest = chunk.into_src();
        }
        self.ready = 0..done.n_processed;
        Ok(())
    }
}

/// Refuses a chunk that says it has a dictionary, which this crate never writes, or that it looks back farther than it may.
/// After the type, and three bytes for the numbers, there are four bits for the mode, what that needs, and four for the differences.
fn check(chunk: &[u8], number_bits: usize) -> Read<()> {
    let bits = |at: usize, count: usize| {
        let bit = |at: usize| chunk.get(4 + at / 8).map(|byte| byte >> (at % 8) & 1);
        (0..count).try_fold(0, |bits, bit_of| Some(bits | bit(at + bit_of)? << bit_of)).ok_or(ENDS)
    };
    let more = match bits(0, 4)? {
        0 => 0,
        1 | 2 => number_bits,
        3 => 8,
        _ => return Err(DAMAGED),
    };
    let looks_back = bits(4 + more, 4)? == 2;
    if looks_back && 1 + bits(8 + more, 5)? > WINDOW_LOG {
        return Err("pco looks back too far");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read<T: Number>(bytes: &[u8], count: usize, step: usize) -> Read<Vec<T>> {
        let (mut out, mut memory) = (Vec::new(), Memory(MEMORY));
        let mut numbers = Pco::new(&mut Bytes::new(bytes), &mut memory)?;
        while out.len() < count {
            numbers.next(step.min(count - out.len()), &mut out)?;
        }
        Ok(out)
    }

    #[test]
    fn the_header_is_that_of_the_library() {
        let header = FileCompressor::default().write_header(Vec::new()).unwrap();
        assert_eq!(header, HEADER, "another version of the format needs a form of its own");
    }

    /// Numbers for which pco takes each of its ways.
    fn numbers(way: usize, len: usize, seed: u64) -> Vec<i64> {
        let mut state = seed | 1;
        let mut random = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) as i64
        };
        let period: Vec<i64> = (0..50).map(|_| random()).collect();
        (0..len as i64)
            .map(|at| match way % 5 {
                0 => random() % 1000,
                1 => at * 7919 + random() % 3,
                2 => random() % 99 * 100_000,
                3 => period[at as usize % 50] ^ at & 1,
                _ => random() << 31 ^ random(),
            })
            .collect()
    }

    proptest! {
        #[test]
        fn numbers_come_back(way in 0usize..5, len in 0usize..3000, seed in any::<u64>(), step in 1usize..700) {
            let numbers = numbers(way, len, seed);
            let doubles: Vec<f64> = numbers.iter().map(|number| *number as f64 / 100.0).collect();
            let floats: Vec<f32> = doubles.iter().map(|double| *double as f32).collect();
            let (mut bytes, mut of_doubles, mut of_floats) = (Vec::new(), Vec::new(), Vec::new());
            put(&numbers, &mut bytes).unwrap();
            put(&doubles, &mut of_doubles).unwrap();
            put(&floats, &mut of_floats).unwrap();
            prop_assert_eq!(read::<i64>(&bytes, len, step), Ok(numbers));
            prop_assert_eq!(read::<f64>(&of_doubles, len, step), Ok(doubles));
            prop_assert_eq!(read::<f32>(&of_floats, len, step), Ok(floats));
            prop_assert!(read::<i64>(&bytes, len + 1, step).is_err());
        }

        #[test]
        fn damaged_bytes_are_numbers_or_an_error(
            way in 0usize..5, len in 1usize..900, seed in any::<u64>(), flips in prop::collection::vec((any::<prop::sample::Index>(), 0u8..8, 0usize..40), 1..4),
            cut in any::<prop::sample::Index>(),
        ) {
            let numbers = numbers(way, len, seed);
            let mut bytes = Vec::new();
            put(&numbers, &mut bytes).unwrap();
            for (at, bit, near) in flips {
                // Most of what the decoder believes comes first.
                let at = if near < 30 { near.min(bytes.len() - 1) } else { at.index(bytes.len()) };
                bytes[at] ^= 1 << bit;
                let _ = read::<i64>(&bytes, len, 256);
                let _ = read::<i64>(&bytes, 5 * len, 256);
                let _ = read::<f32>(&bytes, len, 256);
            }
            bytes.truncate(cut.index(bytes.len() + 1));
            let _ = read::<i64>(&bytes, len, 256);
        }
    }

    #[test]
    fn dictionaries_and_wide_windows_are_refused() {
        let looks_back = |log: u8| [5, 0, 0, 0, 0x20, log - 1, 0, 0, 0];
        assert_eq!(check(&looks_back(WINDOW_LOG), 64), Ok(()));
        assert!(check(&looks_back(WINDOW_LOG + 1), 64).is_err());
        assert!(check(&[5, 0, 0, 0, 4, 0xff, 0xff, 0xff], 64).is_err());
        assert!(check(&[5, 0, 0, 0], 64).is_err());
    }
}
