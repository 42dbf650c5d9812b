//! A table of the byte strings that come most often in strings, each one byte in their place: "FSST: Fast Random Access
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
    fn from_byte(byte: u8) -> Self {
        Self { word: u64::from(byte), len: 1 }
    }

    fn mask(self) -> u64 {
        u64::MAX >> (64 - 8 * u32::from(self.len))
    }

    /// The two after each other; `None` where they are too long.
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
            strings in prop::collection::vec("(ab|abc|the |[a-z]){0,12}|\\PC{0,9}", 0..60),
            others in prop::collection::vec(any::<u8>(), 0..30),
        ) {
            let slices: Vec<&[u8]> = strings.iter().map(String::as_bytes).collect();
            let mut finder = Finder::default();
            finder.train(&slices, &mut Counts::default());
            let mut table = Vec::new();
            finder.symbols().write(&mut table);
            let decoder = Decoder::read(&mut Bytes::new(&table)).unwrap();
            let (mut out, mut end) = (Vec::new(), 0);
            for text in slices.iter().copied().chain([&*others]) {
                let mut encoded = Vec::new();
                finder.encode(&[text], 1, &mut encoded);
                let start = end;
                end = decoder.decode(&encoded, start, u64::MAX, &mut out).unwrap();
                prop_assert_eq!(&out[start..end], text);
            }
            let all: Vec<u8> = slices.concat().into_iter().chain(others).collect();
            prop_assert_eq!(&out[..end], all);
        }

        #[test]
        fn the_longest_symbol_is_found(
            symbols in prop::collection::vec(prop::collection::vec(1u8..4, 1..=8), 0..400),
            strings in prop::collection::vec(prop::collection::vec(1u8..5, 0..90), 0..40), group in 1usize..9,
        ) {
            let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
            let all = symbols.iter().map(|bytes| Symbol { word: word(bytes), len: bytes.len() as u8 });
            let mut finder = Finder::default();
            // What was there before does not matter.
            finder.set((0..200u64).map(|number| Symbol { word: number * 259 % 65_536, len: 2 }));
            finder.set(all.clone());
            let known = &finder.symbols().0;
            prop_assert!(known.len() <= MOST && known.iter().all(|symbol| all.clone().any(|other| other == *symbol)));
            let slices: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
            let (mut out, mut expected, mut sizes) = (Vec::new(), Vec::new(), Vec::new());
            for text in slices.chunks(group).map(<[_]>::concat) {
                let (mut at, start) = (0, expected.len());
                while let Some(byte) = text.get(at) {
                    let begins = |symbol: &Symbol| text[at..].starts_with(&symbol.word.to_le_bytes()[..symbol.len.into()]);
                    let codes = (0..=u8::MAX).zip(known).filter(|(_, symbol)| begins(symbol));
                    if let Some((code, symbol)) = codes.max_by_key(|(_, symbol)| symbol.len) {
                        expected.push(code);
                        at += usize::from(symbol.len);
                    } else {
                        expected.extend([ESCAPE, *byte]);
                        at += 1;
                    }
                }
                sizes.push((expected.len() - start) as i64);
            }
            prop_assert_eq!(finder.encode(&slices, group, &mut out), sizes);
            prop_assert_eq!(out, expected);
        }

        #[test]
        fn a_table_does_not_depend_on_the_one_before(
            strings in prop::collection::vec("(ab|abc|the |[a-z]){0,12}", 0..60), before in prop::collection::vec("[a-z]{0,30}", 0..60),
        ) {
            let [strings, before]: [Vec<&[u8]>; 2] = [&strings, &before].map(|strings| strings.iter().map(String::as_bytes).collect());
            let (mut finder, mut counts, mut other) = (Finder::default(), Counts::default(), Finder::default());
            finder.train(&before, &mut counts);
            finder.train(&strings, &mut counts);
            other.train(&strings, &mut Counts::default());
            prop_assert_eq!(&finder.symbols().0, &other.symbols().0);
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
        let mut finder = Finder::default();
        finder.train(&lines, &mut Counts::default());
        let mut encoded = Vec::new();
        lines.iter().for_each(|line| drop(finder.encode(&[line], 1, &mut encoded)));
        assert!(encoded.len() * 5 < prose.len() * 3, "{} of {}", encoded.len(), prose.len());
    }
}
