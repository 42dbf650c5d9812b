//! Reads values of each type (specification, "Type Names").

use super::bytes::FixedBytes;
use super::lengths::decode::Run;
use super::packing::Blobs;
use super::{LENGTH_ONE, TIMESTAMP_BYTES};
use crate::bytes::reader::{Bytes, Malformed, Read};
use crate::bytes::varint::UnZigZag;
use crate::storage::value_type::ValueType;
use crate::vector::{Offsets, Vector};

/// Bits of a byte that has not been read wholly.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bits {
    /// Bits taken of `byte`; 0 where a new byte begins.
    used: u8,
    byte: u8,
}

impl Bits {
    /// Begins a new byte with the next bit.
    #[inline]
    pub(crate) fn restart(&mut self) {
        self.used = 0;
    }

    /// Bits of the byte that has been begun which have not been taken.
    #[inline]
    pub(super) fn left(&self) -> usize {
        usize::from(8 - self.used) % 8
    }

    #[inline]
    pub(super) fn next(&mut self, bytes: &mut Bytes<'_>) -> Read<bool> {
        if self.used == 0 {
            self.byte = bytes.byte()?;
        }
        let value = self.byte >> self.used & 1 == 1;
        self.used = (self.used + 1) % 8;
        Ok(value)
    }
}

/// Values of one type.
pub(crate) trait Values {
    /// Whether values take no bytes, so that lengths of 1 may follow each other.
    fn are_empty(&self) -> bool {
        false
    }

    /// Appends the next `count` values.
    fn decode(&mut self, bytes: &mut Bytes<'_>, bits: &mut Bits, count: usize) -> Read<()>;

    /// Appends arrays, at most `most`, as long as they are read faster than by their lengths first, which go to `offsets`;
    /// returns how many they were.
    #[inline]
    fn decode_arrays(&mut self, bytes: &mut Bytes<'_>, most: usize, offsets: &mut Offsets) -> Read<usize> {
        let (mut count, mut bits) = (0, Bits::default());
        while count < most && bytes.rest().first() == Some(&LENGTH_ONE) {
            bytes.advance(1);
            bits.restart();
            self.decode(bytes, &mut bits, 1)?;
            count += 1;
        }
        push_ones(offsets, count)
    }
}

/// Appends the next `count` arrays, whose lengths go to `offsets`.
pub(crate) fn decode_lists(
    values: &mut dyn Values,
    bytes: &mut Bytes<'_>,
    (run, bits): (&mut Run, &mut Bits),
    count: usize,
    offsets: &mut Offsets,
) -> Read<()> {
    offsets.reserve(count.min(1 << 16));
    let mut left = count;
    while left > 0 {
        if run.is_done() {
            left -= values.decode_arrays(bytes, left, offsets)?;
            if left == 0 {
                break;
            }
        }
        let (length, count) = run.next_run(bytes, left, values.are_empty())?;
        push(offsets, length, count)?;
        bits.restart();
        if length > 0 {
            values.decode(bytes, bits, length as usize * count)?;
        }
        left -= count;
    }
    Ok(())
}

/// Appends `count` times the same length; it is at most 1 where they are several.
#[inline]
fn push(offsets: &mut Offsets, length: u32, count: usize) -> Read<()> {
    let fits = match length {
        0 => {
            offsets.push_empties(count);
            true
        }
        1 => offsets.push_ones(count),
        _ => offsets.push_length(length),
    };
    if fits { Ok(()) } else { Err(Malformed::Limit { value: u64::from(length), limit: u64::from(u32::MAX) }) }
}

/// Appends a number of arrays of one value.
#[inline]
pub(super) fn push_ones(offsets: &mut Offsets, count: usize) -> Read<usize> {
    match offsets.push_ones(count) {
        true => Ok(count),
        false => Err(Malformed::Limit { value: count as u64, limit: u64::from(u32::MAX) }),
    }
}

/// Calls the sink of a type, once for all values; strings go to bytes.
pub(crate) fn show(
    value_type: ValueType,
    out: &mut Vector,
    to: &mut dyn FnMut(&mut dyn Values) -> Read<()>,
) -> Read<()> {
    match (value_type, out) {
        (ValueType::Null, Vector::Null(out)) => to(&mut Nulls(out)),
        (ValueType::Boolean, Vector::Boolean(out)) => to(&mut Booleans(out)),
        (ValueType::Int, Vector::Int(out) | Vector::Enum(out)) => to(&mut Integers(out)),
        (ValueType::Long, Vector::Long(out)) => to(&mut Integers(out)),
        (ValueType::Fixed32, Vector::Int(out) | Vector::Enum(out)) => {
            to(&mut Fixed::<_, _, 4, 5> { out, from: i32::from_le_bytes })
        }
        (ValueType::Fixed8, Vector::Int(out)) => {
            to(&mut Fixed::<_, _, 1, 2> { out, from: |[byte]: [u8; 1]| i32::from(byte.cast_signed()) })
        }
        (ValueType::Fixed16, Vector::Int(out)) => {
            to(&mut Fixed::<_, _, 2, 3> { out, from: |bytes| i32::from(i16::from_le_bytes(bytes)) })
        }
        (ValueType::Timestamp, Vector::Bytes(out)) => to(&mut FixedBytes { out, size: TIMESTAMP_BYTES }),
        (ValueType::Fixed64, Vector::Long(out)) => {
            to(&mut Fixed::<_, _, 8, 9> { out, from: i64::from_le_bytes })
        }
        (ValueType::Float, Vector::Float(out)) => {
            to(&mut Fixed::<_, _, 4, 5> { out, from: f32::from_le_bytes })
        }
        (ValueType::Double, Vector::Double(out)) => {
            to(&mut Fixed::<_, _, 8, 9> { out, from: f64::from_le_bytes })
        }
        (ValueType::String | ValueType::Bytes, Vector::Bytes(out)) => to(&mut Blobs::new(out)),
        // Columns of other types than the shape says have been refused when the file was opened.
        _ => to(&mut Nulls(&mut 0)),
    }
}

struct Nulls<'a>(&'a mut usize);
struct Booleans<'a>(&'a mut Vec<bool>);
struct Integers<'a, T>(&'a mut Vec<T>);

/// Values of `N` bytes each; `ONE` bytes are one after a length.
struct Fixed<'a, T, F, const N: usize, const ONE: usize>
where
    F: Fn([u8; N]) -> T,
{
    out: &'a mut Vec<T>,
    from: F,
}

impl Values for Nulls<'_> {
    fn are_empty(&self) -> bool {
        true
    }

    #[inline]
    fn decode(&mut self, _bytes: &mut Bytes<'_>, _bits: &mut Bits, count: usize) -> Read<()> {
        *self.0 = self.0.saturating_add(count);
        Ok(())
    }

    #[inline]
    fn decode_arrays(&mut self, bytes: &mut Bytes<'_>, most: usize, offsets: &mut Offsets) -> Read<usize> {
        let (count, total) = offsets.push_short(bytes.rest().get(..most).unwrap_or(bytes.rest()));
        *self.0 = self.0.saturating_add(total);
        bytes.advance(count);
        Ok(count)
    }
}

impl Values for Booleans<'_> {
    #[inline]
    fn decode(&mut self, bytes: &mut Bytes<'_>, bits: &mut Bits, count: usize) -> Read<()> {
        enough(bytes, (count / 8) as u64)?;
        self.0.reserve(count);
        // The rest of a byte that has been begun, whole bytes, and the beginning of another.
        let begun = count.min(bits.left());
        for _ in 0..begun {
            self.0.push(bits.next(bytes)?);
        }
        let whole = bytes.take((count - begun) / 8)?;
        let start = self.0.len();
        self.0.resize(start + 8 * whole.len(), false);
        let (eights, _) = self.0[start..].as_chunks_mut::<8>();
        for (eight, byte) in eights.iter_mut().zip(whole) {
            *eight = std::array::from_fn(|bit| byte >> bit & 1 == 1);
        }
        for _ in 0..(count - begun) % 8 {
            self.0.push(bits.next(bytes)?);
        }
        Ok(())
    }
}

impl<T: UnZigZag> Values for Integers<'_, T> {
    #[inline]
    fn decode(&mut self, bytes: &mut Bytes<'_>, _bits: &mut Bits, count: usize) -> Read<()> {
        enough(bytes, count as u64)?;
        self.0.reserve(count);
        bytes.integers(count, self.0)
    }

    #[inline]
    fn decode_arrays(&mut self, bytes: &mut Bytes<'_>, most: usize, offsets: &mut Offsets) -> Read<usize> {
        push_ones(offsets, bytes.integers_of_one(most, self.0)?)
    }
}

impl<T, F: Fn([u8; N]) -> T, const N: usize, const ONE: usize> Values for Fixed<'_, T, F, N, ONE> {
    #[inline]
    fn decode(&mut self, bytes: &mut Bytes<'_>, _bits: &mut Bits, count: usize) -> Read<()> {
        let (chunks, _) = bytes.take(count.saturating_mul(N))?.as_chunks();
        self.out.extend(chunks.iter().map(|chunk| (self.from)(*chunk)));
        Ok(())
    }

    #[inline]
    fn decode_arrays(&mut self, bytes: &mut Bytes<'_>, most: usize, offsets: &mut Offsets) -> Read<usize> {
        let (ones, _) = bytes.rest().as_chunks::<ONE>();
        let ones = ones.get(..most).unwrap_or(ones);
        // The caller reports bytes that end too early.
        let count = ones.iter().take_while(|one| one.first() == Some(&LENGTH_ONE)).count();
        let values = ones.iter().take(count).map(|one| one.last_chunk().map_or([0; N], |value| *value));
        self.out.extend(values.map(&self.from));
        bytes.advance(count * ONE);
        push_ones(offsets, count)
    }
}

/// Fails early where there cannot be enough bytes, before memory is reserved.
#[inline]
pub(super) fn enough(bytes: &Bytes<'_>, needed: u64) -> Read<()> {
    let available = bytes.remaining() as u64;
    if needed > available { Err(Malformed::End { needed, available }) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn booleans_are_the_same_in_pieces_of_any_size() {
        let block: Vec<u8> = (0..20).map(|number: u8| number.wrapping_mul(0x5b) ^ 0xa6).collect();
        let expected: Vec<bool> = (0..160).map(|bit| block[bit / 8] >> (bit % 8) & 1 == 1).collect();
        for (first, second) in (0..=60).flat_map(|first| (0..=100).map(move |second| (first, second))) {
            let (mut bytes, mut bits, mut out) = (Bytes::new(&block), Bits::default(), Vec::new());
            for count in [first, second] {
                Booleans(&mut out).decode(&mut bytes, &mut bits, count).unwrap();
            }
            assert_eq!(out, expected[..first + second]);
            assert_eq!(bytes.position(), (first + second).div_ceil(8));
            assert!(Booleans(&mut out).decode(&mut bytes, &mut bits, 161 - first - second).is_err());
        }
    }
}
