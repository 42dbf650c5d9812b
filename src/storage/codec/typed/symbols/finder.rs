//! Finds the symbols that a text begins with, and puts their codes in its place.

use super::{ESCAPE, SYMBOL_BYTES, Symbol, Symbols};

/// Lists of symbols, each for a hash of their first two bytes.
const LISTS: usize = 1 << LIST_BITS;
const LIST_BITS: u32 = 10;
/// Stands for no code.
const NONE: u16 = 256;

/// What texts are encoded with.
#[derive(Debug)]
pub(in super::super) struct Finder {
    symbols: Symbols,
    /// The symbols of two bytes and more: list after list, in each the longest first.
    long: Vec<Entry>,
    /// Where each list begins; after the last its end.
    starts: Vec<u16>,
    /// The codes of the symbols of one byte, by that byte.
    single: [u16; 256],
}

/// A symbol of a list.
#[derive(Clone, Copy, Debug)]
struct Entry {
    word: u64,
    mask: u64,
    len: u8,
    code: u8,
}

/// The list for the first two bytes of a word.
#[inline]
fn list(word: u64) -> usize {
    let hash = (word as u16 as u32).wrapping_mul(0x9e37_79b1);
    (hash >> (32 - LIST_BITS)) as usize
}

impl Finder {
    pub(super) fn new(symbols: Symbols) -> Self {
        let mut single = [NONE; 256];
        let mut long = Vec::new();
        for (symbol, code) in symbols.0.iter().zip(0u8..) {
            if symbol.len > 1 {
                long.push(Entry { word: symbol.word, mask: symbol.mask(), len: symbol.len, code });
            } else if let Some(place) = single.get_mut((symbol.word & 0xff) as usize) {
                *place = u16::from(code);
            }
        }
        long.sort_unstable_by_key(|entry| (list(entry.word), u8::MAX - entry.len, entry.code));
        let mut starts = Vec::with_capacity(LISTS + 1);
        let mut start = 0;
        for at in 0..=LISTS {
            let here = long[start..].iter();
            start += here.take_while(|entry| list(entry.word) < at).count();
            starts.push(start as u16);
        }
        Self { symbols, long, starts, single }
    }

    pub(in super::super) fn symbols(&self) -> &Symbols {
        &self.symbols
    }

    /// The longest symbol that the bytes begin with: its code and length.
    #[inline]
    pub(super) fn find(&self, rest: &[u8]) -> Option<(u8, usize)> {
        let word = match rest.first_chunk() {
            Some(word) => u64::from_le_bytes(*word),
            None => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        };
        if let Some([start, end]) = self.starts.get(list(word)..).and_then(|starts| starts.first_chunk()) {
            for entry in &self.long[usize::from(*start)..usize::from(*end)] {
                if word & entry.mask == entry.word && usize::from(entry.len) <= rest.len() {
                    return Some((entry.code, usize::from(entry.len)));
                }
            }
        }
        let code = self.single.get(usize::from(*rest.first()?))?;
        u8::try_from(*code).ok().map(|code| (code, 1))
    }

    /// Appends a text.
    pub(in super::super) fn encode(&self, text: &[u8], out: &mut Vec<u8>) {
        let mut rest = text;
        while let Some(first) = rest.first() {
            let len = match self.find(rest) {
                Some((code, len)) => {
                    out.push(code);
                    len
                }
                None => {
                    out.extend_from_slice(&[ESCAPE, *first]);
                    1
                }
            };
            rest = &rest[len..];
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

const _: () = assert!(SYMBOL_BYTES == size_of::<u64>());
