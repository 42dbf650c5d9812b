//! Finds the symbols that strings begin with, and puts their codes in their place.

use super::{ESCAPE, MOST, SYMBOL_BYTES, Symbol, Symbols};
use std::array::from_fn;
use std::hint::select_unpredictable;

/// Symbols of at least this number of bytes are found by a hash of their first bytes: each where it is longest.
const KEYS: [u8; 4] = [3, 4, 6, 8];
const SLOT_BITS: u32 = 11;
/// Strings that are encoded at once: while the tables are read for one, the others go on.
const LANES: usize = 4;
/// A symbol that no word begins with.
const NO_WORD: (u64, u64) = (1, 0);

/// What strings are encoded with: tables of codes, [`ESCAPE`] where there is no symbol.
#[derive(Debug)]
pub(in super::super) struct Finder {
    symbols: Symbols,
    /// The bytes of the symbols, and a mask of as many, by their codes.
    words: [(u64, u64); 256],
    /// Bytes that codes stand for.
    lens: [u8; 256],
    singles: [u8; 256],
    pairs: Box<[u8; 1 << 16]>,
    /// Longer ones by hashes.
    slots: Box<[[u8; 1 << SLOT_BITS]; KEYS.len()]>,
}

/// A text that is being encoded.
struct Lane {
    text: Vec<u8>,
    /// Where the rest of it begins.
    at: usize,
    /// Two bytes for each that it has.
    out: Vec<u8>,
    /// Where the next code goes.
    end: usize,
}

impl Default for Finder {
    fn default() -> Self {
        Self {
            symbols: Symbols::default(),
            words: [NO_WORD; 256],
            lens: [1; 256],
            singles: [ESCAPE; 256],
            pairs: Box::new([ESCAPE; 1 << 16]),
            slots: Box::new([[ESCAPE; 1 << SLOT_BITS]; KEYS.len()]),
        }
    }
}

/// Where a word is in a table of slots.
#[inline]
fn slot(word: u64, key: u8) -> usize {
    let hash = (word << (64 - 8 * key)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (hash >> (64 - SLOT_BITS)) as usize
}

impl Finder {
    /// Finds these symbols from now on: the first ones for which there is a place.
    pub(super) fn set(&mut self, symbols: impl Iterator<Item = Symbol>) {
        for pair in self.symbols.0.drain(..).filter(|symbol| symbol.len == 2) {
            self.pairs[usize::from(pair.word as u16)] = ESCAPE;
        }
        self.singles.fill(ESCAPE);
        self.slots.iter_mut().for_each(|slots| slots.fill(ESCAPE));
        for symbol in symbols {
            let (Symbol { word, len }, code) = (symbol, self.symbols.0.len());
            let mut keys = self.slots.iter_mut().zip(KEYS).rev();
            let place = match keys.find(|(_, key)| *key <= len) {
                Some((slots, key)) => &mut slots[slot(word, key)],
                None if len == 2 => &mut self.pairs[usize::from(word as u16)],
                None => &mut self.singles[usize::from(word as u8)],
            };
            if code < MOST && *place == ESCAPE {
                *place = code as u8;
                self.words[code] = (word, symbol.mask());
                self.lens[code] = len;
                self.symbols.0.push(symbol);
            }
        }
    }

    pub(in super::super) fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The code of the longest symbol that eight bytes begin with. No branch depends on them.
    #[inline]
    fn find(&self, word: u64) -> u8 {
        let [pair, single] = [self.pairs[usize::from(word as u16)], self.singles[usize::from(word as u8)]];
        let mut found = select_unpredictable(pair == ESCAPE, single, pair);
        for (slots, key) in self.slots.iter().zip(KEYS) {
            let code = slots[slot(word, key)];
            let (bytes, mask) = self.words[usize::from(code)];
            found = select_unpredictable(word & mask == bytes, code, found);
        }
        found
    }

    /// The code at a place of a text, the byte there, and how many bytes the code stands for.
    #[inline]
    pub(super) fn next(&self, text: &[u8], at: usize) -> Option<(u8, u8, usize)> {
        match text.get(at..).and_then(|rest| rest.first_chunk()) {
            Some(word) => {
                let code = self.find(u64::from_le_bytes(*word));
                Some((code, word[0], usize::from(self.lens[usize::from(code)])))
            }
            None => self.next_of_few(text, at),
        }
    }

    /// As [`Finder::next`], where fewer bytes come than a word has.
    #[cold]
    fn next_of_few(&self, text: &[u8], at: usize) -> Option<(u8, u8, usize)> {
        let rest = text.get(at..)?;
        let first = *rest.first()?;
        let code = self.find(rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)));
        let len = usize::from(self.lens[usize::from(code)]);
        // The word may have zeros that the text has not.
        let fits = len <= rest.len();
        Some(if fits { (code, first, len) } else { (self.singles[usize::from(first)], first, 1) })
    }

    /// Appends strings, a number of them encoded as one; returns how many bytes these take each time.
    pub(in super::super) fn encode(&self, strings: &[&[u8]], group: usize, out: &mut Vec<u8>) -> Vec<i64> {
        let mut sizes = Vec::with_capacity(strings.len().div_ceil(group));
        for strings in strings.chunks(LANES * group) {
            // A symbol may be in two strings.
            let mut groups = strings.chunks(group).map(<[_]>::concat);
            let mut lanes: [Lane; LANES] = from_fn(|_| Lane::new(groups.next().unwrap_or_default()));
            while lanes.iter_mut().fold(false, |goes_on, lane| lane.step(self) | goes_on) {}
            for lane in lanes.iter().take(strings.len().div_ceil(group)) {
                out.extend_from_slice(&lane.out[..lane.end]);
                sizes.push(lane.end as i64);
            }
        }
        sizes
    }

    /// The symbol at a place of a count.
    pub(super) fn symbol(&self, place: usize) -> Option<Symbol> {
        match place.checked_sub(256) {
            Some(code) => self.symbols.0.get(code).copied(),
            None => u8::try_from(place).ok().map(Symbol::from_byte),
        }
    }
}

impl Lane {
    fn new(text: Vec<u8>) -> Self {
        Self { out: vec![0; 2 * text.len()], text, at: 0, end: 0 }
    }

    /// Appends a code, after an escape the byte; false at the end of the text.
    #[inline]
    fn step(&mut self, finder: &Finder) -> bool {
        let Some((code, byte, len)) = finder.next(&self.text, self.at) else { return false };
        if let Some(two) = self.out.get_mut(self.end..self.end + 2) {
            two.copy_from_slice(&[code, byte]);
        }
        self.end += 1 + usize::from(code == ESCAPE);
        self.at += len;
        true
    }
}

const _: () = assert!(SYMBOL_BYTES == size_of::<u64>());
