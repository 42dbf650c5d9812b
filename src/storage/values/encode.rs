//! Writes values of each type (specification, "Type Names").

use super::blobs::Blobs;
use super::bytes::FixedValues;
use super::kept::Kept;
use super::lengths::encode::Run;
use super::{LENGTH_ONE, TIMESTAMP_BYTES};
use crate::bytes::buffer::{Buffer, SLACK};
use crate::bytes::varint::{ZigZag, put, put_all, put_ones};
use crate::storage::value_type::ValueType;
use crate::storage::zone_map::OpenZone;
use crate::vector::Vector;
use std::ops::Range;

/// Bits of a byte that is not full yet.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bits {
    /// Bits taken of the last byte; 0 where a new byte begins.
    used: u8,
}

impl Bits {
    /// Begins a new byte with the next bit.
    #[inline]
    pub(crate) fn restart(&mut self) {
        self.used = 0;
    }

    #[inline]
    fn push(&mut self, value: bool, out: &mut Buffer) {
        if self.used == 0 {
            out.push(u8::from(value));
        } else if let Some(last) = out.last_mut() {
            *last |= u8::from(value) << self.used;
        }
        self.used = (self.used + 1) % 8;
    }
}

/// How many integers are written at once: room is made for the longest, and most are short.
const INTEGERS_AT_ONCE: usize = 64;

/// Values of one type. Ranges are positions of values.
pub(crate) trait Values {
    /// The most bytes that some values take.
    fn most(&self, values: Range<usize>) -> usize;

    /// Appends values.
    fn encode(&self, values: Range<usize>, bits: &mut Bits, out: &mut Buffer);

    /// Appends values, each after the length 1: as arrays of one.
    fn encode_ones(&self, values: Range<usize>, bits: &mut Bits, out: &mut Buffer) {
        for at in values {
            out.push(LENGTH_ONE);
            bits.restart();
            self.encode(at..at + 1, bits, out);
        }
    }

    /// Takes note of values that are appended, for the zone map.
    fn observe(&self, values: Range<usize>, zone: &mut OpenZone);

    /// Copies values to memory for values of their type; returns the bytes that they take in a block. `None` where it is for others,
    /// or would be more than `most` bytes.
    fn hold(&self, _values: Range<usize>, _to: &mut Kept, _most: usize) -> Option<usize> {
        None
    }
}

/// A number of a vector.
pub(crate) trait Number: Copy {
    /// As [`Values::hold`]; integers have variable length.
    fn hold(values: &[Self], to: &mut Kept, most: usize) -> Option<usize>;
}

macro_rules! numbers {
    ($($number:ty: $hold:ident,)+) => {$(
        impl Number for $number {
            fn hold(values: &[Self], to: &mut Kept, most: usize) -> Option<usize> {
                to.$hold(values, most)
            }
        }
    )+};
}

numbers! {
    i64: hold_integers,
    f32: hold_floats,
    f64: hold_doubles,
}

impl Number for i32 {
    fn hold(values: &[Self], to: &mut Kept, most: usize) -> Option<usize> {
        let values: Vec<i64> = values.iter().map(|value| i64::from(*value)).collect();
        to.hold_integers(&values, most)
    }
}

/// Where lists are appended to.
pub(crate) struct Lists<'a> {
    pub(crate) run: &'a mut Run,
    /// Whether lengths of 0, and of 1, are joined to runs.
    pub(crate) joined: [bool; 2],
    pub(crate) bits: &'a mut Bits,
    pub(crate) out: &'a mut Buffer,
    /// Lists without values so far.
    pub(crate) empty: u64,
}

/// Appends lists, each of the values from its offset to the next one, after its length.
pub(crate) fn encode_lists(values: &dyn Values, offsets: &[u32], lists: &mut Lists<'_>) {
    let (mut at, mut start) = (0, offsets.first().copied().unwrap_or_default());
    while let Some(end) = offsets.get(at + 1) {
        let length = end.wrapping_sub(start);
        if length > 1 {
            lists.run.push_alone(length, lists.out);
            values.encode(start as usize..*end as usize, lists.bits, lists.out);
            (at, start) = (at + 1, *end);
        } else {
            let more =
                offsets[at + 1..].windows(2).take_while(|pair| pair[1].wrapping_sub(pair[0]) == length);
            let count = 1 + more.count();
            lists.empty += if length == 0 { count as u64 } else { 0 };
            let next = start + length * count as u32;
            if lists.joined[length as usize] {
                lists.run.push(length, count as u64, lists.out);
            } else if length == 1 {
                lists.run.end(lists.out);
                values.encode_ones(start as usize..next as usize, lists.bits, lists.out);
            } else {
                (0..count).for_each(|_| lists.run.push_alone(0, lists.out));
            }
            (at, start) = (at + count, next);
        }
        lists.bits.restart();
    }
}

/// Shows values with their type, once for all of them; the column's type says how integers are written. None have no bytes.
pub(crate) fn show(value_type: ValueType, values: Option<&Vector>, to: &mut dyn FnMut(&dyn Values)) {
    let Some(values) = values else { return to(&Nothing) };
    match values {
        Vector::Int(values) | Vector::Enum(values) if value_type == ValueType::Fixed32 => {
            to(&Fixed { values, to_bytes: i32::to_le_bytes, observe: OpenZone::integers })
        }
        Vector::Int(values) if value_type == ValueType::Fixed16 => {
            to(&Fixed { values, to_bytes: |value| (value as i16).to_le_bytes(), observe: OpenZone::integers })
        }
        Vector::Int(values) if value_type == ValueType::Fixed8 => {
            to(&Fixed { values, to_bytes: |value| [value as u8], observe: OpenZone::integers })
        }
        Vector::Bytes(values) if value_type == ValueType::Timestamp => {
            to(&FixedValues { values, size: TIMESTAMP_BYTES })
        }
        Vector::Long(values) if value_type == ValueType::Fixed64 => {
            to(&Fixed { values, to_bytes: i64::to_le_bytes, observe: OpenZone::integers })
        }
        Vector::Boolean(values) => to(&Booleans(values)),
        Vector::Int(values) | Vector::Enum(values) => to(&Integers(values)),
        Vector::Long(values) => to(&Integers(values)),
        Vector::Float(values) => to(&Fixed { values, to_bytes: f32::to_le_bytes, observe: OpenZone::floats }),
        Vector::Double(values) => {
            to(&Fixed { values, to_bytes: f64::to_le_bytes, observe: OpenZone::floats })
        }
        Vector::String(values) => to(&Blobs::new(values.data(), values)),
        Vector::Bytes(values) => to(&Blobs::new(values.data(), values)),
        _ => to(&Nothing),
    }
}

/// Values without bytes.
pub(super) struct Nothing;

struct Booleans<'a>(&'a [bool]);

struct Integers<'a, T>(&'a [T]);

/// Values of `N` bytes each.
struct Fixed<'a, T, F, const N: usize>
where
    F: Fn(T) -> [u8; N],
{
    values: &'a [T],
    to_bytes: F,
    /// Takes note of values for the zone map.
    observe: fn(&mut OpenZone, &[T]),
}

impl Values for Nothing {
    fn most(&self, _values: Range<usize>) -> usize {
        0
    }

    fn encode(&self, _values: Range<usize>, _bits: &mut Bits, _out: &mut Buffer) {}

    fn encode_ones(&self, values: Range<usize>, _bits: &mut Bits, out: &mut Buffer) {
        out.write(values.len(), |room| {
            room.fill(LENGTH_ONE);
            values.len()
        });
    }

    fn observe(&self, _values: Range<usize>, _zone: &mut OpenZone) {}
}

impl Values for Booleans<'_> {
    #[inline]
    fn most(&self, values: Range<usize>) -> usize {
        values.len()
    }

    #[inline]
    fn encode(&self, values: Range<usize>, bits: &mut Bits, out: &mut Buffer) {
        let mut values = &self.0[values];
        if bits.used == 0 {
            let (bytes, rest) = values.as_chunks::<8>();
            out.write(bytes.len(), |room| {
                for (place, byte) in room.iter_mut().zip(bytes) {
                    *place = byte.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
                }
                bytes.len()
            });
            values = rest;
        }
        values.iter().for_each(|value| bits.push(*value, out));
    }

    fn observe(&self, values: Range<usize>, zone: &mut OpenZone) {
        zone.integers(&self.0[values]);
    }
}

impl<T: ZigZag + Number + Ord + Into<i64>> Values for Integers<'_, T> {
    #[inline]
    fn most(&self, values: Range<usize>) -> usize {
        values.len() * T::BYTES_MAX
    }

    #[inline]
    fn encode(&self, values: Range<usize>, _bits: &mut Bits, out: &mut Buffer) {
        for values in self.0[values].chunks(INTEGERS_AT_ONCE) {
            out.write(values.len() * T::BYTES_MAX + SLACK, |room| put_all(room, 0, values));
        }
    }

    #[inline]
    fn encode_ones(&self, values: Range<usize>, _bits: &mut Bits, out: &mut Buffer) {
        for values in self.0[values].chunks(INTEGERS_AT_ONCE) {
            out.write(values.len() * (1 + T::BYTES_MAX) + SLACK, |room| put_ones(room, 0, values));
        }
    }

    fn observe(&self, values: Range<usize>, zone: &mut OpenZone) {
        zone.integers(&self.0[values]);
    }

    fn hold(&self, values: Range<usize>, to: &mut Kept, most: usize) -> Option<usize> {
        T::hold(&self.0[values], to, most)
    }
}

impl<T: Number, F: Fn(T) -> [u8; N], const N: usize> Values for Fixed<'_, T, F, N> {
    #[inline]
    fn most(&self, values: Range<usize>) -> usize {
        values.len() * N
    }

    #[inline]
    fn encode(&self, values: Range<usize>, _bits: &mut Bits, out: &mut Buffer) {
        put_fixed(&self.values[values], &self.to_bytes, out);
    }

    #[inline]
    fn encode_ones(&self, values: Range<usize>, _bits: &mut Bits, out: &mut Buffer) {
        let values = &self.values[values];
        let size = values.len() * (1 + N);
        out.write(size, |room| {
            for (place, value) in room.chunks_exact_mut(1 + N).zip(values) {
                if let [length, bytes @ ..] = place {
                    *length = LENGTH_ONE;
                    bytes.copy_from_slice(&(self.to_bytes)(*value));
                }
            }
            size
        });
    }

    fn observe(&self, values: Range<usize>, zone: &mut OpenZone) {
        (self.observe)(zone, &self.values[values]);
    }

    fn hold(&self, values: Range<usize>, to: &mut Kept, most: usize) -> Option<usize> {
        let values = &self.values[values];
        T::hold(values, to, most).map(|_| values.len() * N)
    }
}

/// Appends values of `N` bytes each.
#[inline]
fn put_fixed<T: Copy, const N: usize>(values: &[T], to_bytes: impl Fn(T) -> [u8; N], out: &mut Buffer) {
    out.write(values.len() * N, |room| {
        for (place, value) in room.as_chunks_mut::<N>().0.iter_mut().zip(values) {
            *place = to_bytes(*value);
        }
        values.len() * N
    });
}

/// Appends a length.
#[inline]
pub(crate) fn encode_length(length: i32, out: &mut Buffer) {
    out.write(i32::BYTES_MAX + SLACK, |room| put(room, 0, length.zigzag()));
}
