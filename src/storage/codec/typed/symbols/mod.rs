//! A table of the byte strings that come most often in texts, each one byte in their place: "FSST: Fast Random Access
//! String Compression" (Boncz, Neumann, Leis; VLDB 2020). Each text is encoded by itself.

mod finder;
mod train;

pub(super) use finder::Finder;
pub(super) use train::Counts;

use super::section::{Read, byte, take};
use crate::bytes::reader::Bytes;

/// Escapes the next byte: it is no code, but a byte of the text.
const ESCAPE: u8 = 255;
/// The most symbols of a table.
const MOST: usize = ESCAPE as usize;
/// The most bytes of a symbol.
const SYMBOL_BYTES: usize = 8;

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

/// The symbols by their codes.
#[derive(Debug, Default)]
pub(super) struct Symbols(Vec<Symbol>);

impl Symbols {
    /// Appends the table.
    pub(super) fn write(&self, out: &mut Vec<u8>) {
        out.push(self.0.len() as u8);
        for symbol in &self.0 {
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
        Ok(Self(symbols))
    }

    /// Appends the text that has been encoded as these bytes.
    #[inline]
    pub(super) fn decode(&self, encoded: &[u8], out: &mut Vec<u8>) -> Read<()> {
        let mut codes = encoded.iter();
        while let Some(code) = codes.next() {
            match self.0.get(usize::from(*code)) {
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
            let finder = Finder::of(&slices, &mut Counts::default());
            let mut table = Vec::new();
            finder.symbols().write(&mut table);
            let read = Symbols::read(&mut Bytes::new(&table)).unwrap();
            for text in slices.into_iter().chain([&*others]) {
                let (mut encoded, mut decoded) = (Vec::new(), Vec::new());
                finder.encode(text, &mut encoded);
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
        let prose = include_str!("../../../../../docs/design.md");
        let lines: Vec<&[u8]> = prose.lines().map(str::as_bytes).collect();
        let finder = Finder::of(&lines, &mut Counts::default());
        let mut encoded = Vec::new();
        lines.iter().for_each(|line| finder.encode(line, &mut encoded));
        assert!(encoded.len() * 5 < prose.len() * 3, "{} of {}", encoded.len(), prose.len());
    }
}
