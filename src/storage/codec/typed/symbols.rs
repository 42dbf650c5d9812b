//! A table of the byte strings that come most often in texts, each one byte in their place: "FSST: Fast Random Access
//! String Compression" (Boncz, Neumann, Leis; VLDB 2020). Each text is encoded by itself.

use super::section::{Read, byte, take};
use crate::bytes::reader::Bytes;
use std::cmp::Reverse;
use std::collections::HashMap;

/// The byte that says that the next one stands for itself.
const ESCAPE: u8 = 255;
/// The most symbols of a table.
const MOST: usize = ESCAPE as usize;
/// The most bytes of a symbol.
const SYMBOL_BYTES: usize = 8;
/// How often the table is made anew of what the one before does.
const ROUNDS: usize = 5;
/// Bytes that a table is made of.
const SAMPLE_BYTES: usize = 16 << 10;

/// A byte string of at most eight bytes; the first is the lowest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Symbol {
    word: u64,
    len: u8,
}

impl Symbol {
    fn of_byte(byte: u8) -> Self {
        Self { word: u64::from(byte), len: 1 }
    }

    fn mask(self) -> u64 {
        u64::MAX >> (64 - 8 * u32::from(self.len))
    }

    /// The two after each other; none where they are too long.
    fn and(self, next: Self) -> Option<Self> {
        let len = self.len + next.len;
        let word = self.word | next.word.checked_shl(8 * u32::from(self.len))?;
        (usize::from(len) <= SYMBOL_BYTES).then_some(Self { word, len })
    }
}

/// What texts are encoded with.
#[derive(Debug)]
pub(super) struct Symbols {
    symbols: Vec<Symbol>,
    /// For each first byte the codes of the symbols that begin with it, the longest first.
    codes: Vec<Vec<u8>>,
}

/// Places of a count: bytes that stand for themselves, and the symbols after them.
const PLACES: usize = 256 + MOST;

impl Symbols {
    fn new(symbols: Vec<Symbol>) -> Self {
        let mut codes = vec![Vec::new(); 256];
        for len in (0..=SYMBOL_BYTES).rev() {
            for (symbol, code) in
                symbols.iter().zip(0u8..).filter(|(symbol, _)| usize::from(symbol.len) == len)
            {
                if let Some(codes) = codes.get_mut((symbol.word & 0xff) as usize) {
                    codes.push(code);
                }
            }
        }
        Self { symbols, codes }
    }

    /// A table for texts like these.
    pub(super) fn of(texts: &[&[u8]]) -> Self {
        let sample = sample(texts);
        let mut symbols = Self::new(Vec::new());
        let mut pairs = vec![0u16; PLACES * PLACES];
        for _ in 0..ROUNDS {
            pairs.fill(0);
            let singles = symbols.count(&sample, &mut pairs);
            symbols = symbols.next(&singles, &pairs);
        }
        symbols
    }

    /// The longest symbol that the bytes begin with: its code and length.
    #[inline]
    fn find(&self, rest: &[u8]) -> Option<(u8, usize)> {
        let word = match rest.first_chunk() {
            Some(word) => u64::from_le_bytes(*word),
            None => rest.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte)),
        };
        for code in self.codes.get((word & 0xff) as usize)? {
            let symbol = self.symbols.get(usize::from(*code))?;
            if word & symbol.mask() == symbol.word && usize::from(symbol.len) <= rest.len() {
                return Some((*code, usize::from(symbol.len)));
            }
        }
        None
    }

    /// How often bytes and symbols come, and each after each.
    fn count(&self, sample: &[&[u8]], pairs: &mut [u16]) -> Vec<u32> {
        let mut singles = vec![0u32; PLACES];
        for text in sample {
            let (mut rest, mut before) = (*text, None);
            while let Some(first) = rest.first() {
                let (place, len) = match self.find(rest) {
                    Some((code, len)) => (256 + usize::from(code), len),
                    None => (usize::from(*first), 1),
                };
                // The first byte too, so that it can be a symbol again.
                let counted =
                    if len > 1 { [Some(place), Some(usize::from(*first))] } else { [Some(place), None] };
                for place in counted.into_iter().flatten() {
                    if let Some(count) = singles.get_mut(place) {
                        *count += 1;
                    }
                }
                if let Some(count) = before.and_then(|before: usize| pairs.get_mut(before * PLACES + place)) {
                    *count = count.saturating_add(1);
                }
                before = Some(place);
                rest = rest.get(len..).unwrap_or_default();
            }
        }
        singles
    }

    fn symbol(&self, place: usize) -> Option<Symbol> {
        match place.checked_sub(256) {
            Some(code) => self.symbols.get(code).copied(),
            None => u8::try_from(place).ok().map(Symbol::of_byte),
        }
    }

    /// The table of the symbols, and of pairs of them, that save the most bytes.
    fn next(&self, singles: &[u32], pairs: &[u16]) -> Self {
        let mut gains: HashMap<Symbol, u64> = HashMap::new();
        let mut gain = |symbol: Symbol, count: u64| {
            *gains.entry(symbol).or_default() += count * u64::from(symbol.len);
        };
        for (place, count) in singles.iter().enumerate().filter(|(_, count)| **count > 0) {
            let Some(symbol) = self.symbol(place) else { continue };
            gain(symbol, u64::from(*count));
            let row = pairs.get(place * PLACES..(place + 1) * PLACES).unwrap_or_default();
            for (next, count) in row.iter().enumerate().filter(|(_, count)| **count > 1) {
                if let Some(both) = self.symbol(next).and_then(|next| symbol.and(next)) {
                    gain(both, u64::from(*count));
                }
            }
        }
        let mut best: Vec<(u64, Symbol)> = gains.into_iter().map(|(symbol, gain)| (gain, symbol)).collect();
        best.sort_unstable_by_key(|(gain, symbol)| (Reverse(*gain), *symbol));
        best.truncate(MOST);
        Self::new(best.into_iter().map(|(_, symbol)| symbol).collect())
    }

    /// Appends a text.
    pub(super) fn encode(&self, text: &[u8], out: &mut Vec<u8>) {
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
            rest = rest.get(len..).unwrap_or_default();
        }
    }

    /// Appends the table.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.push(self.symbols.len() as u8);
        for symbol in &self.symbols {
            out.push(symbol.len);
            out.extend_from_slice(
                symbol.word.to_le_bytes().get(..usize::from(symbol.len)).unwrap_or_default(),
            );
        }
    }

    /// Reads a table.
    pub(super) fn read(bytes: &mut Bytes<'_>) -> Read<Self> {
        let mut symbols = Vec::new();
        for _ in 0..byte(bytes)? {
            let len = byte(bytes)?;
            if !(1..=SYMBOL_BYTES).contains(&usize::from(len)) {
                return Err("a symbol of texts has no bytes, or more than eight");
            }
            let word = take(bytes, usize::from(len))?.iter().rev();
            symbols.push(Symbol { word: word.fold(0, |word, byte| word << 8 | u64::from(*byte)), len });
        }
        Ok(Self { symbols, codes: Vec::new() })
    }

    /// Appends the text that has been encoded as these bytes.
    #[inline]
    pub(super) fn decode(&self, encoded: &[u8], out: &mut Vec<u8>) -> Read<()> {
        let mut codes = encoded.iter();
        while let Some(code) = codes.next() {
            match self.symbols.get(usize::from(*code)) {
                Some(symbol) => {
                    let len = out.len() + usize::from(symbol.len);
                    out.extend_from_slice(&symbol.word.to_le_bytes());
                    out.truncate(len);
                }
                None if *code == ESCAPE => out.push(*codes.next().ok_or("a text ends with an escape")?),
                None => return Err("a text has a symbol that is not in its table"),
            }
        }
        Ok(())
    }
}

/// Some texts, from the beginning to the end, of about [`SAMPLE_BYTES`].
fn sample<'a>(texts: &[&'a [u8]]) -> Vec<&'a [u8]> {
    let total: usize = texts.iter().map(|text| text.len()).sum();
    let (mut passed, mut taken) = (0, 0);
    let mut sample = Vec::new();
    // Of long texts parts.
    for part in texts.iter().flat_map(|text| text.chunks(512)) {
        if taken * (total / SAMPLE_BYTES).max(1) <= passed {
            taken += part.len();
            sample.push(part);
        }
        passed += part.len();
    }
    sample
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn texts_come_back(
            texts in prop::collection::vec("(ab|abc|the |[a-z]){0,12}|\\PC{0,9}", 0..60),
            others in prop::collection::vec(any::<u8>(), 0..30),
        ) {
            let slices: Vec<&[u8]> = texts.iter().map(String::as_bytes).collect();
            let symbols = Symbols::of(&slices);
            let mut table = Vec::new();
            symbols.write(&mut table);
            let read = Symbols::read(&mut Bytes::new(&table)).unwrap();
            for text in slices.into_iter().chain([&*others]) {
                let (mut encoded, mut decoded) = (Vec::new(), Vec::new());
                symbols.encode(text, &mut encoded);
                read.decode(&encoded, &mut decoded).unwrap();
                prop_assert_eq!(&decoded, text);
            }
        }

        #[test]
        fn any_bytes_are_a_table_and_texts_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut bytes = Bytes::new(&bytes);
            if let Ok(symbols) = Symbols::read(&mut bytes) {
                let mut out = Vec::new();
                let _ = symbols.decode(bytes.rest(), &mut out);
                prop_assert!(out.len() <= 8 * bytes.remaining());
            }
        }
    }

    #[test]
    fn prose_takes_less_than_three_fifths() {
        let prose = include_str!("../../../../docs/design.md");
        let lines: Vec<&[u8]> = prose.lines().map(str::as_bytes).collect();
        let symbols = Symbols::of(&lines);
        let mut encoded = Vec::new();
        lines.iter().for_each(|line| symbols.encode(line, &mut encoded));
        assert!(encoded.len() * 5 < prose.len() * 3, "{} of {}", encoded.len(), prose.len());
    }
}
