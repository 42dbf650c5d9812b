//! Encodes strings in the form that takes the fewest bytes.

use super::super::context::Context;
use super::super::integers::{Encoded, Places, Table};
use super::super::section::{put_count, put_section};
use super::super::symbols::Finder;
use super::{DISTINCT_MAX, GROUP, PIECE_BYTES, form};
use std::rc::Rc;

/// Strings of fewer bytes get no table of symbols.
const SYMBOLS_BYTES: usize = 1 << 10;

/// Appends strings in the form that takes the fewest bytes.
pub(in super::super) fn encode(strings: &[&[u8]], context: &mut Context, out: &mut Vec<u8>) {
    let Some(places) = distinct(strings, &mut context.table) else {
        return Listed::from_texts(strings, context).write(strings, out);
    };
    let numbers = Encoded::from_places(&places.places, context);
    let listed = Listed::from_texts(&places.values, context);
    let bits = listed.bits + numbers.bits + 64;
    let total: usize = strings.iter().map(|text| text.len()).sum();
    // Other forms take time, and are seldom that short.
    if bits * SURELY_SHORTER > context.text_bits(total)
        && (total < 2 * SAMPLE_BYTES || some_bits(strings, context) <= bits + bits / 16)
    {
        let plain = Listed::from_texts(strings, context);
        if plain.bits <= bits {
            return plain.write(strings, out);
        }
    }
    put_count(strings.len() as u64, out);
    out.push(form::DISTINCT);
    put_section(out, |out| listed.write(&places.values, out));
    numbers.write(out);
}

/// A list of different strings is taken without a look at other forms if it makes strings this many times shorter.
const SURELY_SHORTER: u64 = 3;

/// About how many bits strings take that are not listed, by some in the middle.
fn some_bits(strings: &[&[u8]], context: &mut Context) -> u64 {
    let some = strings.len().div_ceil(PART);
    Listed::from_texts(&strings[(strings.len() - some) / 2..][..some], context).bits * PART as u64
}

/// Of this number of strings, one is looked at first.
const PART: usize = 8;

/// The different ones of some strings in ascending order, and the places of all; `None` where few come again.
fn distinct<'a>(strings: &[&'a [u8]], table: &mut Table) -> Option<Places<&'a [u8]>> {
    let most = DISTINCT_MAX.min(strings.len() / 2 + 1);
    if strings.len() < 2 {
        return None;
    }
    let mut words = Vec::with_capacity(strings.len());
    words.extend(strings.iter().map_while(|text| word(text)));
    let found = match words.len() < strings.len() {
        true => {
            let found = table.places(strings, most)?;
            let first = found.values.first().copied().unwrap_or_default();
            let shared =
                found.values.iter().fold(first.len(), |shared, text| shared.min(common(first, text)));
            found.map(|text| (head(&text[shared..]), text))
        }
        false => {
            let Places { values, places } = table.places(&words, most)?;
            let mut texts = Vec::with_capacity(values.len());
            // Places ascend where they come first.
            for (text, place) in strings.iter().zip(&places) {
                if *place as usize == texts.len() {
                    texts.push(*text);
                }
            }
            Places { values: values.into_iter().zip(texts).collect(), places }
        }
    };
    Some(found.sorted().map(|(_, text)| text))
}

/// The first eight bytes of a string as a number. Different numbers have the order of their strings.
fn head(text: &[u8]) -> u64 {
    match text.first_chunk() {
        Some(bytes) => u64::from_be_bytes(*bytes),
        None => text
            .iter()
            .zip((0..=56).rev().step_by(8))
            .fold(0, |word, (byte, shift)| word | u64::from(*byte) << shift),
    }
}

/// Strings one after the other.
struct Listed {
    form: Form,
    /// Bytes of each.
    lengths: Rc<Encoded<'static>>,
    /// About the bits that they take.
    bits: u64,
}

/// What is written of each text.
enum Form {
    Plain,
    /// What it does not share with the one before: of how many bytes that is.
    Shared(Encoded<'static>),
    /// A table of symbols, and codes of them one after the other; and the bytes of each group.
    Symbols(Vec<u8>, Encoded<'static>),
    /// Some together, compressed.
    Pieces(Vec<u8>),
}

impl Listed {
    fn from_texts(strings: &[&[u8]], context: &mut Context) -> Self {
        let lengths: Vec<i64> = strings.iter().map(|text| text.len() as i64).collect();
        let total: usize = strings.iter().map(|text| text.len()).sum();
        let shared = shared(strings, &lengths, total, context);
        let lengths = Rc::new(Encoded::from_lengths(lengths, context));
        let bits = context.text_bits(total) + lengths.bits;
        let plain = Self { form: Form::Plain, lengths: Rc::clone(&lengths), bits };
        let mut best = match shared {
            Some(shared) if shared.bits < plain.bits => shared,
            _ => plain,
        };
        if context.layout.has_symbols() && total >= SYMBOLS_BYTES {
            let mut finder = context.finder.take().unwrap_or_default();
            finder.train(strings, context.counts());
            let promise = Promise::new(strings, total, &finder, best.bits, context);
            if promise.symbols {
                best.try_symbols(strings, &lengths, &finder, context);
            }
            context.finder = Some(finder);
            if promise.pieces {
                best.try_pieces(strings, &lengths, context);
            }
        }
        best
    }

    fn try_symbols(
        &mut self,
        strings: &[&[u8]],
        lengths: &Rc<Encoded<'static>>,
        finder: &Finder,
        context: &mut Context,
    ) {
        let mut encoded = Vec::new();
        finder.symbols().write(&mut encoded);
        let sizes = finder.encode(strings, GROUP as usize, &mut encoded);
        let sizes = Encoded::from_lengths(sizes, context);
        let bits = context.text_bits(encoded.len()) + lengths.bits + sizes.bits;
        // Symbols are slower to read, so they must save a sixteenth.
        if bits < self.bits - self.bits / 16 {
            *self = Self { form: Form::Symbols(encoded, sizes), lengths: Rc::clone(lengths), bits };
        }
    }

    fn try_pieces(&mut self, strings: &[&[u8]], lengths: &Rc<Encoded<'static>>, context: &mut Context) {
        // To read one text, its piece is decompressed, so this must save an eighth.
        let limit = self.bits - self.bits / 8;
        let Some(compressed) = pieces(strings, context) else { return };
        let bits = context.text_bits(compressed.len()) + lengths.bits;
        if bits < limit {
            *self = Self { form: Form::Pieces(compressed), lengths: Rc::clone(lengths), bits };
        }
    }

    fn write(&self, strings: &[&[u8]], out: &mut Vec<u8>) {
        put_count(strings.len() as u64, out);
        let integers = |integers: &Encoded, out: &mut Vec<u8>| put_section(out, |out| integers.write(out));
        match &self.form {
            Form::Plain => {
                out.push(form::PLAIN);
                integers(&self.lengths, out);
                strings.iter().for_each(|text| out.extend_from_slice(text));
            }
            Form::Shared(shared) => {
                out.push(form::SHARED);
                integers(&self.lengths, out);
                integers(shared, out);
                for (text, shared) in strings.iter().zip(shared.integers()) {
                    out.extend_from_slice(&text[*shared as usize..]);
                }
            }
            Form::Pieces(compressed) => {
                out.push(form::PIECES);
                integers(&self.lengths, out);
                out.extend_from_slice(compressed);
            }
            Form::Symbols(encoded, sizes) => {
                out.push(form::SYMBOLS);
                integers(&self.lengths, out);
                integers(sizes, out);
                out.extend_from_slice(encoded);
            }
        }
    }
}

/// Which forms some strings in the middle make worth a try with all.
struct Promise {
    symbols: bool,
    pieces: bool,
}

/// Bytes of the strings in the middle: as many as snappy looks back.
const SAMPLE_BYTES: usize = PIECE_BYTES;

impl Promise {
    /// `bits` is the size of the best form so far.
    fn new(strings: &[&[u8]], total: usize, finder: &Finder, bits: u64, context: &mut Context) -> Self {
        if total < 4 * SAMPLE_BYTES {
            return Self { symbols: true, pieces: true };
        }
        let (mut sample, mut bytes) = (Vec::new(), 0);
        for text in strings.iter().cycle().skip(strings.len() / 2).take(strings.len()) {
            if bytes + text.len() > SAMPLE_BYTES && bytes > 0 {
                break;
            }
            bytes += text.len();
            sample.push(*text);
        }
        let mut encoded = Vec::new();
        finder.encode(&sample, GROUP as usize, &mut encoded);
        let mut compressed = Vec::new();
        if context.put_snappy(&sample.concat(), &mut compressed).is_none() {
            return Self { symbols: true, pieces: false };
        }
        let all = |some: usize| {
            let all = total as u64 * some as u64 / bytes.max(1) as u64;
            context.text_bits(all as usize)
        };
        // Pieces must save an eighth, so all strings are tried where they seem to save anything.
        let (symbols, pieces) = (all(encoded.len()), all(compressed.len()));
        Self {
            symbols: symbols < bits && symbols - symbols / 8 < pieces,
            pieces: pieces < bits && pieces < symbols,
        }
    }
}

/// Strings one after the other in pieces, each compressed with snappy; `None` where one is too long for it.
fn pieces(strings: &[&[u8]], context: &mut Context) -> Option<Vec<u8>> {
    let (mut compressed, mut piece) = (Vec::new(), Vec::with_capacity(PIECE_BYTES));
    for text in strings {
        if !piece.is_empty() && piece.len() + text.len() > PIECE_BYTES {
            context.put_snappy(&piece, &mut compressed)?;
            piece.clear();
        }
        piece.extend_from_slice(text);
    }
    context.put_snappy(&piece, &mut compressed)?;
    Some(compressed)
}

/// Strings without what they share with the one before; `None` where that is less than a byte each.
fn shared(strings: &[&[u8]], lengths: &[i64], total: usize, context: &mut Context) -> Option<Listed> {
    let pairs = std::iter::once(&[][..]).chain(strings.iter().copied()).zip(strings);
    let shared: Vec<i64> = pairs.map(|(before, text)| common(before, text) as i64).collect();
    let saved: i64 = shared.iter().sum();
    if saved as usize <= strings.len() {
        return None;
    }
    let rest: Vec<i64> = lengths.iter().zip(&shared).map(|(length, shared)| length - shared).collect();
    let [rest, shared] = [rest, shared].map(|integers| Encoded::from_parts(integers, context));
    let bits = context.text_bits(total - saved as usize) + rest.bits + shared.bits + 16;
    Some(Listed { form: Form::Shared(shared), lengths: Rc::new(rest), bits })
}

/// Bytes that two strings begin with.
pub(in super::super) fn common(one: &[u8], two: &[u8]) -> usize {
    let words = one.as_chunks::<8>().0.iter().zip(two.as_chunks::<8>().0);
    let same = 8 * words.take_while(|(one, two)| one == two).count();
    let (one, two) = (one.iter().skip(same), two.iter().skip(same));
    same + one.zip(two).take_while(|(one, two)| one == two).count()
}

/// A text of seven bytes at most as a number: numbers ascend as strings do.
#[inline]
fn word(text: &[u8]) -> Option<u64> {
    let len = text.len();
    let bytes = match (text.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) if len < 8 => {
            let [first, last] = [first, last].map(|bytes| u64::from(u32::from_be_bytes(*bytes)));
            // The last four bytes overlap the first four: the shift and the mask drop what both have.
            first << 32 | last << (8 * (8 - len)) & 0xffff_ffff
        }
        (None, None) => {
            text.iter().zip([56, 48, 40]).fold(0, |word, (byte, shift)| word | u64::from(*byte) << shift)
        }
        _ => return None,
    };
    Some(bytes | len as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn words_are_ordered_as_texts(one in prop::collection::vec(0u8..3, 0..9), two in prop::collection::vec(0u8..3, 0..9)) {
            prop_assert_eq!(word(&one).is_some(), one.len() < 8);
            if let (Some(first), Some(second)) = (word(&one), word(&two)) {
                prop_assert_eq!(first.cmp(&second), one.cmp(&two));
            }
        }

        #[test]
        fn different_strings_ascend_and_places_lead_back(
            shared in prop::collection::vec(0u8..3, 0..20),
            pool in prop::collection::vec(prop::collection::vec(0u8..3, 0..12), 1..6),
            picks in prop::collection::vec(0usize..6, 12..60),
        ) {
            let pool: Vec<Vec<u8>> = pool.iter().map(|end| [&*shared, end].concat()).collect();
            let strings: Vec<&[u8]> = picks.iter().map(|pick| &*pool[pick % pool.len()]).collect();
            let Places { values, places } = distinct(&strings, &mut Table::default()).unwrap();
            prop_assert!(values.is_sorted_by(|one, two| one < two));
            let back: Vec<&[u8]> = places.iter().map(|place| values[*place as usize]).collect();
            prop_assert_eq!(back, strings);
        }
    }
}
