//! Encodes texts in the form that takes the fewest bytes.

use super::super::context::{Context, Layout};
use super::super::integers::Encoded;
use super::super::section::{put_count, put_section};
use super::super::symbols::Symbols;
use super::{DISTINCT_MAX, form};

/// Texts of fewer bytes get no table of symbols.
const SYMBOLS_BYTES: usize = 1 << 10;

/// Appends texts in the form that takes the fewest bytes.
pub(in super::super) fn encode(texts: &[&[u8]], context: &mut Context, out: &mut Vec<u8>) {
    let most = DISTINCT_MAX.min(texts.len() / 2 + 1);
    let places = match texts.len() > 1 && context.table.may_repeat(texts) {
        true => context.table.places(texts.iter().copied(), most),
        false => None,
    };
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
