//! Finds the symbols that texts begin with, and puts their codes in their place.

use super::{ESCAPE, MOST, SYMBOL_BYTES, Symbol, Symbols};
use std::hint::select_unpredictable;

/// Symbols of so many bytes and more are found by a hash of their first so many: each where it is longest.
const KEYS: [u8; 4] = [3, 4, 6, 8];
const SLOT_BITS: u32 = 11;
/// Texts that are encoded at once: while the tables are read for one, the others go on.
const LANES: usize = 4;
/// A word that no word is, whatever is masked.
const NO_WORD: (u64, u64) = (1, 0);

/// What texts are encoded with: tables of codes, [`ESCAPE`] where there is no symbol.
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
    number: usize,
    /// Where the rest begins, and where it ends.
    at: usize,
    stop: usize,
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
        let rest = text.get(at..)?;
        let first = *rest.first()?;
        let word = match (rest.first_chunk(), text.last_chunk()) {
            (Some(word), _) => u64::from_le_bytes(*word),
            (None, Some(last)) => u64::from_le_bytes(*last) >> (64 - 8 * rest.len()),
            (None, None) => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        };
        let code = self.find(word);
        let len = usize::from(self.lens[usize::from(code)]);
        // The word may have zeros that the text has not.
        Some(if len <= rest.len() {
            (code, first, len)
        } else {
            (self.singles[usize::from(first)], first, 1)
        })
    }

    /// Appends texts, which are one after the other and end at these places; returns how many bytes each takes.
    pub(in super::super) fn encode(&self, texts: &[u8], ends: &[usize], out: &mut Vec<u8>) -> Vec<i64> {
        let start = out.len();
        out.resize(start + 2 * texts.len(), 0);
        let starts = std::iter::once(0).chain(ends.iter().copied());
        let lane = |(number, (at, stop)): (usize, (usize, &usize))| {
            let (stop, end) = (*stop, start + 2 * at);
            Lane { number, at, stop, end }
        };
        let mut lanes: Vec<Lane> = starts.clone().zip(ends).enumerate().map(lane).collect();
        // Those that are encoded at once end at about the same time.
        lanes.sort_unstable_by_key(|lane| (lane.stop - lane.at, lane.number));
        for lanes in lanes.chunks_mut(LANES) {
            if let Ok(lanes) = <&mut [Lane; LANES]>::try_from(&mut *lanes) {
                self.encode_lanes(texts, lanes, out);
            }
            for lane in lanes {
                while let Some((code, byte, len)) = self.next(&texts[..lane.stop], lane.at) {
                    lane.put(code, byte, len, out);
                }
            }
        }
        lanes.sort_unstable_by_key(|lane| lane.number);
        let mut end = start;
        let mut joined = |(at, lane): (usize, &Lane)| {
            let size = lane.end - (start + 2 * at);
            out.copy_within(lane.end - size..lane.end, end);
            end += size;
            size as i64
        };
        let sizes = starts.zip(&lanes).map(&mut joined).collect();
        out.truncate(end);
        sizes
    }

    /// Encodes texts as long as each has eight bytes.
    fn encode_lanes(&self, texts: &[u8], lanes: &mut [Lane; LANES], out: &mut [u8]) {
        loop {
            let steps = lanes.iter().map(|lane| (lane.stop - lane.at) / SYMBOL_BYTES).min();
            let Some(steps @ 1..) = steps else { break };
            for _ in 0..steps {
                for lane in &mut *lanes {
                    if let Some(word) = texts.get(lane.at..).and_then(|rest| rest.first_chunk()) {
                        let code = self.find(u64::from_le_bytes(*word));
                        lane.put(code, word[0], usize::from(self.lens[usize::from(code)]), out);
                    }
                }
            }
        }
    }

    /// The symbol at a place of a count.
    pub(super) fn symbol(&self, place: usize) -> Option<Symbol> {
        match place.checked_sub(256) {
            Some(code) => self.symbols.0.get(code).copied(),
            None => u8::try_from(place).ok().map(Symbol::of_byte),
        }
    }
}

impl Lane {
    /// Appends a code; after an escape the byte.
    #[inline]
    fn put(&mut self, code: u8, byte: u8, len: usize, out: &mut [u8]) {
        if let Some(two) = out.get_mut(self.end..self.end + 2) {
            two.copy_from_slice(&[code, byte]);
        }
        self.end += 1 + usize::from(code == ESCAPE);
        self.at += len;
    }
}

const _: () = assert!(SYMBOL_BYTES == size_of::<u64>());
