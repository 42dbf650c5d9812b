//! Byte strings: one after the other, each whole, as what it adds to the beginning of the one before, or with symbols for
//! what comes often; or as places in a list of the different ones.

use super::super::snappy;
use super::context::{Context, Layout};
use super::integers::{Encoded, Integers};
use super::section::{Read, byte, count, put_count, put_section, section, take};
use super::symbols::Symbols;
use crate::bytes::reader::Bytes;

/// How texts are encoded: the first byte after their number.
mod form {
    pub(super) const PLAIN: u8 = 0;
    pub(super) const DISTINCT: u8 = 1;
    pub(super) const SHARED: u8 = 2;
    pub(super) const SYMBOLS: u8 = 3;
    pub(super) const SNAPPY: u8 = 4;
}

/// The most different texts that are listed.
const DISTINCT_MAX: usize = 1 << 16;

/// Texts of fewer bytes get no table of symbols.
const SYMBOLS_BYTES: usize = 1 << 10;

/// Appends texts in the form that takes the fewest bytes.
pub(super) fn encode(texts: &[&[u8]], context: &mut Context, out: &mut Vec<u8>) {
    let most = DISTINCT_MAX.min(texts.len() / 2 + 1);
    let places = if texts.len() > 1 { context.table.places(texts.iter().copied(), most) } else { None };
    let Some(places) = places else {
        return Listed::of(texts, context).write(texts, context, out);
    };
    let places = places.sorted();
    let numbers: Vec<i64> = places.places.iter().map(|place| i64::from(*place)).collect();
    let numbers = Encoded::of(&numbers, context);
    let listed = Listed::of(&places.values, context);
    let bits = listed.bits + numbers.bits + 64;
    let total: usize = texts.iter().map(|text| text.len()).sum();
    // Other forms take time, and are seldom that short.
    if bits * SURELY_SHORTER > context.text_bits(total) {
        let plain = Listed::of(texts, context);
        if plain.bits <= bits {
            return plain.write(texts, context, out);
        }
    }
    put_count(texts.len() as u64, out);
    out.push(form::DISTINCT);
    put_section(out, |out| listed.write(&places.values, context, out));
    numbers.write(out);
}

/// A list of different texts is taken without a look at other forms if it makes texts so many times shorter.
const SURELY_SHORTER: u64 = 3;

/// Texts one after the other.
struct Listed {
    form: Form,
    /// Bytes of each.
    lengths: Vec<i64>,
    /// About the bits that they take.
    bits: u64,
}

/// What is written of each text.
enum Form {
    Plain,
    /// What it does not share with the one before: of how many bytes that is.
    Shared(Vec<i64>),
    /// With symbols of this table, one after the other.
    Symbols(Symbols, Vec<u8>),
    /// All together, compressed.
    Snappy(Vec<u8>),
}

impl Listed {
    fn of(texts: &[&[u8]], context: &mut Context) -> Self {
        let lengths: Vec<i64> = texts.iter().map(|text| text.len() as i64).collect();
        let total: usize = texts.iter().map(|text| text.len()).sum();
        let bits = context.text_bits(total) + Encoded::of(&lengths, context).bits;
        let mut best = Self { form: Form::Plain, lengths, bits };
        best.try_shared(texts, total, context);
        if context.layout == Layout::Alone && total >= SYMBOLS_BYTES {
            best.try_symbols(texts, context);
            best.try_snappy(texts, total, context);
        }
        best
    }

    fn try_shared(&mut self, texts: &[&[u8]], total: usize, context: &mut Context) {
        let pairs = std::iter::once(&[][..]).chain(texts.iter().copied()).zip(texts);
        let shared: Vec<i64> = pairs.map(|(before, text)| common(before, text) as i64).collect();
        let saved: i64 = shared.iter().sum();
        if saved as usize <= texts.len() {
            return;
        }
        let rest: Vec<i64> =
            self.lengths.iter().zip(&shared).map(|(length, shared)| length - shared).collect();
        let parts = Encoded::of(&rest, context).bits + Encoded::of(&shared, context).bits;
        let bits = context.text_bits(total - saved as usize) + parts + 16;
        if bits < self.bits {
            *self = Self { form: Form::Shared(shared), lengths: rest, bits };
        }
    }

    fn try_symbols(&mut self, texts: &[&[u8]], context: &mut Context) {
        let (symbols, mut encoded, mut end) = (Symbols::of(texts), Vec::new(), 0);
        let mut lengths = Vec::with_capacity(texts.len());
        for text in texts {
            symbols.encode(text, &mut encoded);
            lengths.push((encoded.len() - end) as i64);
            end = encoded.len();
        }
        let mut table = Vec::new();
        symbols.write(&mut table);
        let bits = context.text_bits(encoded.len() + table.len()) + Encoded::of(&lengths, context).bits;
        // It takes time to read them.
        if bits < self.bits - self.bits / 16 {
            *self = Self { form: Form::Symbols(symbols, encoded), lengths, bits };
        }
    }

    fn try_snappy(&mut self, texts: &[&[u8]], total: usize, context: &mut Context) {
        let Some(compressed) = context.snappy(&texts.concat()) else {
            return;
        };
        let lengths: Vec<i64> = texts.iter().map(|text| text.len() as i64).collect();
        let bits = context.text_bits(compressed.len()) + Encoded::of(&lengths, context).bits;
        // All must be read where one is wanted.
        if total > 0 && bits < self.bits - self.bits / 8 {
            *self = Self { form: Form::Snappy(compressed), lengths, bits };
        }
    }

    fn write(&self, texts: &[&[u8]], context: &mut Context, out: &mut Vec<u8>) {
        put_count(texts.len() as u64, out);
        let mut integers = |integers: &[i64], out: &mut Vec<u8>| {
            let encoded = Encoded::of(integers, context);
            put_section(out, |out| encoded.write(out));
        };
        match &self.form {
            Form::Plain => {
                out.push(form::PLAIN);
                integers(&self.lengths, out);
                texts.iter().for_each(|text| out.extend_from_slice(text));
            }
            Form::Shared(shared) => {
                out.push(form::SHARED);
                integers(&self.lengths, out);
                integers(shared, out);
                for (text, shared) in texts.iter().zip(shared) {
                    out.extend_from_slice(text.get(*shared as usize..).unwrap_or_default());
                }
            }
            Form::Snappy(compressed) => {
                out.push(form::SNAPPY);
                integers(&self.lengths, out);
                out.extend_from_slice(compressed);
            }
            Form::Symbols(symbols, encoded) => {
                out.push(form::SYMBOLS);
                integers(&self.lengths, out);
                symbols.write(out);
                out.extend_from_slice(encoded);
            }
        }
    }
}

/// Bytes that two texts begin with.
fn common(one: &[u8], two: &[u8]) -> usize {
    let words = one.as_chunks::<8>().0.iter().zip(two.as_chunks::<8>().0);
    let same = 8 * words.take_while(|(one, two)| one == two).count();
    let (one, two) = (one.iter().skip(same), two.iter().skip(same));
    same + one.zip(two).take_while(|(one, two)| one == two).count()
}

/// Texts that are read from the first to the last.
pub(super) struct Texts<'a> {
    left: u64,
    source: Source<'a>,
}

enum Source<'a> {
    Listed(Parts<'a>),
    Distinct(Places<'a>),
}

/// Texts one after the other.
struct Parts<'a> {
    lengths: Integers<'a>,
    rest: Rest<'a>,
    bytes: Bytes<'a>,
    /// Where in `text` the next one begins, if all are there.
    start: usize,
    /// The last text, where its bytes are not together in the block.
    text: Vec<u8>,
}

/// What a text is made of, beside its own bytes.
enum Rest<'a> {
    Nothing,
    Shared(Integers<'a>),
    Symbols(Symbols),
    /// All are together.
    All,
}

/// Places in a list.
struct Places<'a> {
    /// The different texts, one after the other, and where each ends.
    texts: Vec<u8>,
    ends: Vec<u32>,
    places: Integers<'a>,
}

impl<'a> Texts<'a> {
    /// `most` is the number of bytes that all texts may have.
    pub(super) fn new(bytes: &'a [u8], most: usize) -> Read<Self> {
        let mut bytes = Bytes::new(bytes);
        let left = count(&mut bytes)?;
        let source = match byte(&mut bytes)? {
            form::DISTINCT => Source::Distinct(Places::new(bytes, most)?),
            form => Source::Listed(Parts::new(form, bytes, most)?),
        };
        Ok(Self { left, source })
    }

    /// How many have not been given.
    pub(super) fn left(&self) -> u64 {
        self.left
    }

    /// The next one.
    #[inline]
    pub(super) fn next(&mut self) -> Read<&[u8]> {
        self.left = self.left.checked_sub(1).ok_or(FEWER)?;
        match &mut self.source {
            Source::Listed(parts) => parts.next(),
            Source::Distinct(places) => places.next(),
        }
    }
}

const FEWER: &str = "there are fewer texts than wanted";

/// The next integer, which is a length or a place.
#[inline]
fn length(integers: &mut Integers<'_>) -> Read<usize> {
    let length = integers.one()?.ok_or(FEWER)?;
    usize::try_from(length).map_err(|_| "a length is negative")
}

impl<'a> Parts<'a> {
    fn new(form: u8, mut bytes: Bytes<'a>, most: usize) -> Read<Self> {
        let mut text = Vec::new();
        let lengths = Integers::new(section(&mut bytes)?)?;
        let rest = match form {
            form::PLAIN => Rest::Nothing,
            form::SHARED => Rest::Shared(Integers::new(section(&mut bytes)?)?),
            form::SYMBOLS => Rest::Symbols(Symbols::read(&mut bytes)?),
            form::SNAPPY => {
                snappy::decompress(bytes.rest(), most, &mut text)?;
                Rest::All
            }
            _ => return Err("texts have an unknown form"),
        };
        Ok(Self { lengths, rest, bytes, start: 0, text })
    }

    #[inline]
    fn next(&mut self) -> Read<&[u8]> {
        let length = length(&mut self.lengths)?;
        if let Rest::All = self.rest {
            let start = self.start;
            self.start = start.saturating_add(length);
            return self.text.get(start..self.start).ok_or(FEWER);
        }
        let own = take(&mut self.bytes, length)?;
        match &mut self.rest {
            Rest::Nothing | Rest::All => return Ok(own),
            Rest::Shared(shared) => {
                let shared = self::length(shared)?;
                if shared > self.text.len() {
                    return Err("a text shares more bytes with the one before than that has");
                }
                self.text.truncate(shared);
                self.text.extend_from_slice(own);
            }
            Rest::Symbols(symbols) => {
                self.text.clear();
                symbols.decode(own, &mut self.text)?;
            }
        }
        Ok(&self.text)
    }
}

impl<'a> Places<'a> {
    fn new(mut bytes: Bytes<'a>, most: usize) -> Read<Self> {
        let mut listed = Bytes::new(section(&mut bytes)?);
        let number = count(&mut listed)?;
        let form = byte(&mut listed)?;
        let mut listed = Parts::new(form, listed, most)?;
        if number > DISTINCT_MAX as u64 {
            return Err("a list of different texts is too long");
        }
        let (mut texts, mut ends) = (Vec::new(), Vec::new());
        for _ in 0..number {
            texts.extend_from_slice(listed.next()?);
            if texts.len() > most {
                return Err("the different texts are longer than all texts");
            }
            ends.push(u32::try_from(texts.len()).map_err(|_| "texts are too long")?);
        }
        Ok(Self { texts, ends, places: Integers::new(bytes.rest())? })
    }

    #[inline]
    fn next(&mut self) -> Read<&[u8]> {
        let place = length(&mut self.places)?;
        let start = match place.checked_sub(1) {
            Some(before) => self.ends.get(before).copied(),
            None => Some(0),
        };
        match (start, self.ends.get(place)) {
            (Some(start), Some(end)) => Ok(self.texts.get(start as usize..*end as usize).unwrap_or_default()),
            _ => Err("a text has no place in the list of different ones"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn encoded(texts: &[&[u8]], layout: Layout) -> Vec<u8> {
        let mut out = Vec::new();
        let mut context = Context::default();
        context.layout = layout;
        encode(texts, &mut context, &mut out);
        out
    }

    fn decoded(bytes: &[u8]) -> Read<Vec<Vec<u8>>> {
        let (mut texts, mut out, mut total) = (Texts::new(bytes, 1 << 20)?, Vec::new(), 0);
        while texts.left() > 0 && total < 1 << 20 {
            let text = texts.next()?;
            total += text.len() + 1;
            out.push(text.to_vec());
        }
        Ok(out)
    }

    fn texts() -> impl Strategy<Value = Vec<Vec<u8>>> {
        let text = prop_oneof![
            3 => prop::sample::select(vec!["", "ORD", "JFK", "a longer text that comes often"])
                .prop_map(|text| text.as_bytes().to_vec()),
            1 => prop::collection::vec(any::<u8>(), 0..40),
            1 => (0u32..500).prop_map(|number| format!("https://example.org/{number:05}").into_bytes()),
        ];
        (prop::collection::vec(text, 0..200), 1usize..8, any::<bool>()).prop_map(|(texts, times, sorted)| {
            let mut texts: Vec<Vec<u8>> = std::iter::repeat_n(texts, times).flatten().collect();
            if sorted {
                texts.sort();
            }
            texts
        })
    }

    proptest! {
        #[test]
        fn texts_come_back(texts in texts(), alone in any::<bool>()) {
            let slices: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
            let layout = if alone { Layout::Alone } else { Layout::Bytes };
            prop_assert_eq!(decoded(&encoded(&slices, layout)), Ok(texts));
        }

        #[test]
        fn damaged_bytes_are_texts_or_an_error(
            texts in texts(), at in any::<prop::sample::Index>(), byte in any::<u8>(), cut in any::<bool>(),
        ) {
            let slices: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
            let mut bytes = encoded(&slices, Layout::Alone);
            let at = at.index(bytes.len());
            match cut {
                true => bytes.truncate(at),
                false => bytes[at] = byte,
            }
            let _ = decoded(&bytes);
        }
    }

    #[test]
    fn few_texts_and_sorted_ones_take_few_bytes() {
        let few: Vec<&[u8]> =
            (0..10_000).map(|at| [&b"EWR"[..], b"JFK", b"LGA"][at * 7919 % 101 % 3]).collect();
        assert!(encoded(&few, Layout::Alone).len() < 10_000 / 4 + 200);
        let sorted: Vec<String> =
            (0..10_000).map(|at| format!("https://example.org/items/{at:08}")).collect();
        let sorted: Vec<&[u8]> = sorted.iter().map(String::as_bytes).collect();
        assert!(encoded(&sorted, Layout::Alone).len() < 10_000 * 3);
    }
}
