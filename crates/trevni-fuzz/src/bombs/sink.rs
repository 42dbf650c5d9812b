//! Bytes that are put together with each of their numbers known, so that any of them can be another one.

use crate::codec::Codec;
use crate::metadata::{put_count, zigzag};

/// How a number is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum As {
    /// A varint without a sign.
    Count,
    /// A varint after zig-zag.
    Integer,
    Byte,
    /// A byte of many, of which each may be a number or a part of one.
    OfMany,
    Little32,
    Little64,
    Big16,
    Big32,
    Big64,
    /// Decimal digits.
    Digits,
}

/// What takes the place of a number.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Extreme {
    Number(i64),
    Bytes(&'static [u8]),
}

/// A number of a form, as it is where nothing is changed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub(crate) name: &'static str,
    form: As,
    value: i64,
}

/// Numbers at the limits of 64 bits.
const BORDERS: [i64; 16] = [
    0,
    1,
    2,
    127,
    128,
    1024,
    1025,
    65_535,
    65_537,
    1 << 24,
    1 << 30,
    (1 << 31) - 1,
    1 << 31,
    1 << 32,
    i64::MAX,
    -1,
];
/// The same, signed.
const SIGNED: [i64; 6] = [-2, -1 << 30, -1 << 31, (-1 << 31) - 1, i64::MIN + 1, i64::MIN];
/// A varint that does not end, and one of more than 64 bits.
const VARINTS: [Extreme; 2] =
    [Extreme::Bytes(&[0xff; 11]), Extreme::Bytes(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 2])];
const BYTES: [i64; 18] = [0, 1, 2, 3, 7, 8, 15, 16, 31, 32, 63, 64, 65, 127, 128, 192, 193, 255];
/// Those of a byte of many: also the highest byte of a large number, and a varint that goes on.
const OF_MANY: [i64; 5] = [0, 1, 127, 128, 255];
const DIGITS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "250",
    "65537",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "18446744073709551615",
    "18446744073709551616",
    "1e400",
    "0.5",
];

impl Number {
    /// What is put in its place.
    pub(crate) fn extremes(&self) -> Vec<Extreme> {
        let borders = BORDERS.into_iter().chain([self.value.wrapping_sub(1), self.value.wrapping_add(1)]);
        let borders = borders.filter(|border| *border != self.value);
        let mut all: Vec<Extreme> = match self.form {
            As::Byte => BYTES.into_iter().map(Extreme::Number).collect(),
            As::OfMany => OF_MANY.into_iter().map(Extreme::Number).collect(),
            As::Digits => DIGITS.iter().map(|digits| Extreme::Bytes(digits.as_bytes())).collect(),
            As::Count => borders.chain([i64::MIN]).map(Extreme::Number).collect(),
            _ => borders.chain(SIGNED).map(Extreme::Number).collect(),
        };
        if matches!(self.form, As::Count | As::Integer) {
            all.extend(VARINTS);
        }
        all
    }
}

/// Bytes under construction.
#[derive(Default)]
pub(crate) struct Sink {
    pub(crate) bytes: Vec<u8>,
    pub(crate) numbers: Vec<Number>,
    /// The place among the numbers of the one that is another, and that.
    change: Option<(usize, Extreme)>,
}

impl Sink {
    /// Bytes with one number in the place of another.
    pub(crate) fn changed(place: usize, extreme: Extreme) -> Self {
        Self { change: Some((place, extreme)), ..Self::default() }
    }

    pub(crate) fn put(&mut self, name: &'static str, form: As, value: i64) {
        let place = self.numbers.len();
        self.numbers.push(Number { name, form, value });
        match self.change {
            Some((changed, Extreme::Number(number))) if changed == place => {
                encode(form, number, &mut self.bytes)
            }
            Some((changed, Extreme::Bytes(bytes))) if changed == place => self.bytes.extend_from_slice(bytes),
            _ => encode(form, value, &mut self.bytes),
        }
    }

    pub(crate) fn raw(&mut self, bytes: impl AsRef<[u8]>) {
        self.bytes.extend_from_slice(bytes.as_ref());
    }

    /// Bytes each of which is a number.
    pub(crate) fn each(&mut self, name: &'static str, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.put(name, As::OfMany, i64::from(*byte)));
    }

    /// What `fill` puts together, by itself.
    pub(crate) fn apart(&mut self, fill: impl FnOnce(&mut Self)) -> Vec<u8> {
        let before = std::mem::take(&mut self.bytes);
        fill(self);
        std::mem::replace(&mut self.bytes, before)
    }

    /// What `fill` puts together, after its number of bytes.
    pub(crate) fn sized(&mut self, name: &'static str, form: As, fill: impl FnOnce(&mut Self)) {
        let inside = self.apart(fill);
        self.put(name, form, inside.len() as i64);
        self.raw(inside);
    }

    /// What `fill` puts together, in a section of a typed block.
    pub(crate) fn section(&mut self, fill: impl FnOnce(&mut Self)) {
        self.sized("bytes of a section", As::Count, fill);
    }

    /// A string of the metadata: its length, then its bytes.
    pub(crate) fn text(&mut self, text: impl AsRef<[u8]>) {
        self.sized("bytes of a text", As::Integer, |sink| sink.raw(text));
    }

    /// What `fill` puts together, compressed.
    pub(crate) fn packed(&mut self, codec: Codec, fill: impl FnOnce(&mut Self)) {
        let inside = self.apart(fill);
        self.raw(codec.compress(&inside));
    }
}

fn encode(form: As, value: i64, out: &mut Vec<u8>) {
    match form {
        As::Count => put_count(value.cast_unsigned(), out),
        As::Integer => put_count(zigzag(value), out),
        As::Byte | As::OfMany => out.push(value as u8),
        As::Little32 => out.extend((value as u32).to_le_bytes()),
        As::Little64 => out.extend(value.to_le_bytes()),
        As::Big16 => out.extend((value as u16).to_be_bytes()),
        As::Big32 => out.extend((value as u32).to_be_bytes()),
        As::Big64 => out.extend(value.to_be_bytes()),
        As::Digits => out.extend(value.to_string().bytes()),
    }
}

/// Bytes of a varint after zig-zag.
pub(crate) fn width(value: i64) -> u64 {
    let mut out = Vec::new();
    encode(As::Integer, value, &mut out);
    out.len() as u64
}
