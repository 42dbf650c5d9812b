//! Writes values of each type (specification, "Type Names").

use crate::bytes::varint::{encode_long, encode_many, zigzag_int, zigzag_long};
use crate::vector::Vector;

/// Bits of a byte that is not full yet.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bits {
    /// Bits taken of the last byte; 0 where a new byte begins.
    used: u8,
}

impl Bits {
    /// Begins a new byte with the next bit.
    #[inline]
    pub(super) fn restart(&mut self) {
        self.used = 0;
    }

    #[inline]
    fn push(&mut self, value: bool, out: &mut Vec<u8>) {
        if self.used == 0 {
            out.push(u8::from(value));
        } else if let Some(last) = out.last_mut() {
            *last |= u8::from(value) << self.used;
        }
        self.used = (self.used + 1) % 8;
    }
}

/// Values of one type.
pub(super) trait Values {
    /// The most bytes that a value takes; none where there is no bound.
    const MOST: Option<usize>;

    /// Appends the values from `start` to `end`.
    fn encode(&self, start: usize, end: usize, bits: &mut Bits, out: &mut Vec<u8>);
}

/// What is done with values whose type is known.
pub(super) trait Visit {
    type Out;

    fn visit<V: Values>(self, values: &V) -> Self::Out;
}

/// Finds the type of values, once for all of them.
pub(super) fn visit<V: Visit>(values: &Vector, visitor: V) -> V::Out {
    match values {
        Vector::Boolean(values) => visitor.visit(&Booleans(values)),
        Vector::Int(values) | Vector::Enum(values) => visitor.visit(&Ints(values)),
        Vector::Long(values) => visitor.visit(&Longs(values)),
        Vector::Float(values) => visitor.visit(&Floats(values)),
        Vector::Double(values) => visitor.visit(&Doubles(values)),
        Vector::String(values) => visitor.visit(&Blobs { data: values.data(), offsets: values.offsets() }),
        Vector::Bytes(values) => visitor.visit(&Blobs { data: values.data(), offsets: values.offsets() }),
        _ => visitor.visit(&Nothing),
    }
}

/// Values without bytes.
pub(super) struct Nothing;

struct Booleans<'a>(&'a [bool]);
struct Ints<'a>(&'a [i32]);
struct Longs<'a>(&'a [i64]);
struct Floats<'a>(&'a [f32]);
struct Doubles<'a>(&'a [f64]);

struct Blobs<'a> {
    data: &'a [u8],
    offsets: &'a [u32],
}

impl Values for Nothing {
    const MOST: Option<usize> = None;

    fn encode(&self, _start: usize, _end: usize, _bits: &mut Bits, _out: &mut Vec<u8>) {}
}

impl Values for Booleans<'_> {
    const MOST: Option<usize> = Some(1);

    #[inline]
    fn encode(&self, start: usize, end: usize, bits: &mut Bits, out: &mut Vec<u8>) {
        for value in self.0.get(start..end).unwrap_or_default() {
            bits.push(*value, out);
        }
    }
}

impl Values for Ints<'_> {
    const MOST: Option<usize> = Some(5);

    #[inline]
    fn encode(&self, start: usize, end: usize, _bits: &mut Bits, out: &mut Vec<u8>) {
        match self.0.get(start..end).unwrap_or_default() {
            [value] => encode_long(out, i64::from(*value)),
            values => encode_many(out, values.iter().map(|value| u64::from(zigzag_int(*value)))),
        }
    }
}

impl Values for Longs<'_> {
    const MOST: Option<usize> = Some(10);

    #[inline]
    fn encode(&self, start: usize, end: usize, _bits: &mut Bits, out: &mut Vec<u8>) {
        match self.0.get(start..end).unwrap_or_default() {
            [value] => encode_long(out, *value),
            values => encode_many(out, values.iter().map(|value| zigzag_long(*value))),
        }
    }
}

impl Values for Floats<'_> {
    const MOST: Option<usize> = Some(4);

    #[inline]
    fn encode(&self, start: usize, end: usize, _bits: &mut Bits, out: &mut Vec<u8>) {
        out.extend(self.0.get(start..end).unwrap_or_default().iter().flat_map(|value| value.to_le_bytes()));
    }
}

impl Values for Doubles<'_> {
    const MOST: Option<usize> = Some(8);

    #[inline]
    fn encode(&self, start: usize, end: usize, _bits: &mut Bits, out: &mut Vec<u8>) {
        out.extend(self.0.get(start..end).unwrap_or_default().iter().flat_map(|value| value.to_le_bytes()));
    }
}

impl Values for Blobs<'_> {
    const MOST: Option<usize> = None;

    #[inline]
    fn encode(&self, start: usize, end: usize, _bits: &mut Bits, out: &mut Vec<u8>) {
        for pair in self.offsets.get(start..=end).unwrap_or_default().windows(2) {
            if let [from, to] = pair {
                let value = self.data.get(*from as usize..*to as usize).unwrap_or_default();
                encode_long(out, value.len() as i64);
                out.extend_from_slice(value);
            }
        }
    }
}
