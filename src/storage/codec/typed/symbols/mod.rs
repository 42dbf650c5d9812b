//! A table of the byte strings that come most often in texts, each one byte in their place: "FSST: Fast Random Access
//! String Compression" (Boncz, Neumann, Leis; VLDB 2020). Each text is encoded by itself.

mod decode;
mod finder;
mod train;

pub(super) use decode::Decoder;
pub(super) use finder::Finder;
pub(super) use train::Counts;

/// Escapes the next byte: it is no code, but a byte of the text.
const ESCAPE: u8 = 255;
/// The most symbols of a table.
const MOST: usize = ESCAPE as usize;
/// The most bytes of a symbol.
pub(super) const SYMBOL_BYTES: usize = 8;

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
            out.extend_from_slice(&symbol.word.to_le_bytes()[..usize::from(symbol.len)]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::reader::Bytes;
    use proptest::prelude::*;

    /// Where a text ends that is decoded one code at a time.
    fn one_by_one(decoder: &Decoder, encoded: &[u8]) -> super::super::section::Read<usize> {
        let (mut out, mut end, mut codes) = (Vec::new(), 0, encoded);
        while let [code, rest @ ..] = codes {
            let taken = if *code == ESCAPE && !rest.is_empty() { 2 } else { 1 };
            end = decoder.decode(&codes[..taken], end, u64::MAX, &mut out)?;
            codes = &codes[taken..];
        }
        Ok(end)
    }

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
            let decoder = Decoder::read(&mut Bytes::new(&table)).unwrap();
            let (mut out, mut end) = (Vec::new(), 0);
            for text in slices.iter().copied().chain([&*others]) {
                let mut encoded = Vec::new();
                finder.encode(text, &mut encoded);
                let start = end;
                end = decoder.decode(&encoded, start, u64::MAX, &mut out).unwrap();
                prop_assert_eq!(&out[start..end], text);
            }
            let all: Vec<u8> = slices.concat().into_iter().chain(others).collect();
            prop_assert_eq!(&out[..end], all);
        }

        #[test]
        fn any_bytes_are_a_table_and_texts_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let mut bytes = Bytes::new(&bytes);
            if let Ok(decoder) = Decoder::read(&mut bytes) {
                let mut out = Vec::new();
                let end = decoder.decode(bytes.rest(), 0, u64::MAX, &mut out);
                prop_assert!(end.is_err() || end <= Ok(8 * bytes.remaining()));
                prop_assert_eq!(end, one_by_one(&decoder, bytes.rest()));
            }
        }
    }

    #[test]
    fn prose_takes_less_than_three_fifths() {
        let prose = include_str!("../../../../../docs/format.md");
        let lines: Vec<&[u8]> = prose.lines().map(str::as_bytes).collect();
        let finder = Finder::of(&lines, &mut Counts::default());
        let mut encoded = Vec::new();
        lines.iter().for_each(|line| finder.encode(line, &mut encoded));
        assert!(encoded.len() * 5 < prose.len() * 3, "{} of {}", encoded.len(), prose.len());
    }
}
