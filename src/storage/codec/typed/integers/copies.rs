//! Integers that are decoded together, since some are copies of others before them, or places lead to them.

use super::super::section::{Read, Section, count, section};
use super::decode::{AFTER_LAST, Integers};
use super::frame::Numbers;
use super::repeats;
use crate::bytes::reader::Bytes;
use std::sync::OnceLock;

/// The parts of integers of which some are copies, and all integers once they are decoded.
#[derive(Debug)]
pub(super) struct Copies {
    parts: [Section; 4],
    count: usize,
    /// Integers of the parts, and all.
    memory: u64,
    list: OnceLock<List>,
}

/// Some integers, all of them decoded.
#[derive(Debug)]
pub(super) enum List {
    Narrow(Vec<i32>),
    Wide(Vec<i64>),
}

/// Bytes of an integer that is decoded, once of 64 bits and once of 32.
const DECODED_BYTES: u64 = 12;

impl Copies {
    /// Reads where the parts are, of which the last ends the bytes.
    pub(super) fn read(block: &[u8], bytes: &mut Bytes<'_>, all: u64) -> Read<Self> {
        let count = usize::try_from(all).ok().filter(|count| *count <= repeats::MOST);
        let count = count.ok_or("too many integers have copies")?;
        let (mut parts, mut memory) = ([Section::default(); 4], all);
        for part in &mut parts {
            *part = section(bytes)?;
            memory = memory.saturating_add(self::count(&mut part.bytes(block))?);
        }
        let memory = memory.saturating_mul(DECODED_BYTES);
        match bytes.remaining() {
            0 => Ok(Self { parts, count, memory, list: OnceLock::new() }),
            _ => Err(AFTER_LAST),
        }
    }

    /// Bytes of memory that decoding takes.
    pub(super) fn memory(&self) -> usize {
        usize::try_from(self.memory).unwrap_or(usize::MAX)
    }

    /// All integers.
    pub(super) fn list(&self, block: &[u8]) -> Read<&List> {
        if let Some(list) = self.list.get() {
            return Ok(list);
        }
        let part = |index: usize, most: usize| Integers::new(block, self.parts[index])?.all(block, most);
        let most = self.count / repeats::LEAST;
        let copies = [part(1, most)?, part(2, most)?, part(3, most)?];
        let list = match List::new(part(0, self.count)?) {
            List::Narrow(literals) => List::Narrow(repeats::expand(&literals, copies, self.count)?),
            List::Wide(literals) => List::Wide(repeats::expand(&literals, copies, self.count)?),
        };
        Ok(self.list.get_or_init(|| list))
    }
}

impl List {
    pub(super) fn new(integers: Vec<i64>) -> Self {
        match integers.iter().map(|integer| i32::try_from(*integer)).collect() {
            Ok(narrow) => Self::Narrow(narrow),
            Err(_) => Self::Wide(integers),
        }
    }

    pub(super) fn numbers(&self) -> Numbers<'_> {
        match self {
            Self::Narrow(list) => Numbers::Narrow(list),
            Self::Wide(list) => Numbers::Wide(list),
        }
    }
}
