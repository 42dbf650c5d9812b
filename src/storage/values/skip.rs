//! Passes over values of each type (specification, "Type Names"), and over arrays of them, without making them.

use super::decode::{Bits, enough};
use super::lengths::decode::Run;
use super::{LENGTH_ONE, TIMESTAMP_BYTES};
use crate::bytes::reader::{Bytes, Read};
use crate::bytes::varint::HIGH;
use crate::storage::value_type::ValueType;

/// Passes over `count` values.
pub(crate) fn skip(bytes: &mut Bytes<'_>, bits: &mut Bits, value_type: ValueType, count: u64) -> Read<()> {
    visit(value_type, SkipValues { bytes, bits, count })
}

/// Passes over `count` lengths and their values; returns the sum of the lengths.
pub(crate) fn skip_arrays(
    bytes: &mut Bytes<'_>,
    bits: &mut Bits,
    run: &mut Run,
    value_type: ValueType,
    count: u64,
) -> Read<u64> {
    visit(value_type, SkipArrays { bytes, bits, run, count })
}

/// Values of one type.
trait Skip {
    /// Whether values take no bytes, so that lengths of 1 may follow each other.
    const EMPTY: bool = false;

    /// Passes over values.
    fn skip(bytes: &mut Bytes<'_>, bits: &mut Bits, count: u64) -> Read<()>;

    /// How many of the first arrays are of one value and of a form that is known without decoding, at most `most`, and the
    /// bytes that they take.
    #[inline]
    fn ones(_rest: &[u8], _most: usize) -> (usize, usize) {
        (0, 0)
    }
}

/// What is done with values whose type is known.
trait Visit {
    type Out;

    fn visit<S: Skip>(self) -> Self::Out;
}

/// Finds the type of values, once for all of them.
#[inline]
fn visit<V: Visit>(value_type: ValueType, visitor: V) -> V::Out {
    match value_type {
        ValueType::Null => visitor.visit::<Nulls>(),
        ValueType::Boolean => visitor.visit::<Booleans>(),
        ValueType::Int | ValueType::Long => visitor.visit::<Integers>(),
        ValueType::Fixed8 => visitor.visit::<Fixed<1, 2>>(),
        ValueType::Fixed16 => visitor.visit::<Fixed<2, 3>>(),
        ValueType::Fixed32 | ValueType::Float => visitor.visit::<Fixed<4, 5>>(),
        ValueType::Fixed64 | ValueType::Double => visitor.visit::<Fixed<8, 9>>(),
        ValueType::Timestamp => visitor.visit::<Fixed<TIMESTAMP_BYTES, { TIMESTAMP_BYTES + 1 }>>(),
        ValueType::String | ValueType::Bytes => visitor.visit::<Blobs>(),
    }
}

struct SkipValues<'a, 'b> {
    bytes: &'a mut Bytes<'b>,
    bits: &'a mut Bits,
    count: u64,
}

impl Visit for SkipValues<'_, '_> {
    type Out = Read<()>;

    fn visit<S: Skip>(self) -> Self::Out {
        S::skip(self.bytes, self.bits, self.count)
    }
}

struct SkipArrays<'a, 'b> {
    bytes: &'a mut Bytes<'b>,
    bits: &'a mut Bits,
    run: &'a mut Run,
    count: u64,
}

impl Visit for SkipArrays<'_, '_> {
    type Out = Read<u64>;

    fn visit<S: Skip>(self) -> Self::Out {
        let Self { bytes, bits, run, count } = self;
        let (mut left, mut total) = (count, 0u64);
        while left > 0 {
            let most = usize::try_from(left).unwrap_or(usize::MAX);
            if run.is_done() && bytes.rest().first() == Some(&LENGTH_ONE) {
                let (ones, taken) = S::ones(bytes.rest(), most);
                if ones > 0 {
                    bytes.advance(taken);
                    left -= ones as u64;
                    total = total.saturating_add(ones as u64);
                    continue;
                }
            }
            let (length, lengths) = run.next_run(bytes, most, S::EMPTY)?;
            let values = u64::from(length) * lengths as u64;
            if values > 0 {
                bits.restart();
                S::skip(bytes, bits, values)?;
            }
            total = total.saturating_add(values);
            left -= lengths as u64;
        }
        Ok(total)
    }
}

struct Nulls;
struct Booleans;
struct Integers;
struct Blobs;

/// Values of `N` bytes each; `ONE` bytes are one after a length.
struct Fixed<const N: usize, const ONE: usize>;

impl Skip for Nulls {
    const EMPTY: bool = true;

    #[inline]
    fn skip(_bytes: &mut Bytes<'_>, _bits: &mut Bits, _count: u64) -> Read<()> {
        Ok(())
    }
}

impl Skip for Booleans {
    #[inline]
    fn skip(bytes: &mut Bytes<'_>, bits: &mut Bits, count: u64) -> Read<()> {
        enough(bytes, count / 8)?;
        // The rest of a byte that has been begun, whole bytes, and the beginning of another.
        let begun = count.min(bits.left() as u64);
        (0..begun).try_for_each(|_| bits.next(bytes).map(|_| ()))?;
        bytes.take(((count - begun) / 8) as usize)?;
        (0..(count - begun) % 8).try_for_each(|_| bits.next(bytes).map(|_| ()))
    }
}

impl Skip for Integers {
    #[inline]
    fn skip(bytes: &mut Bytes<'_>, _bits: &mut Bits, count: u64) -> Read<()> {
        enough(bytes, count)?;
        bytes.skip_integers(count)
    }

    /// Of one byte each, in eights, and of up to seven.
    #[inline]
    fn ones(rest: &[u8], most: usize) -> (usize, usize) {
        // Each has a length, and a byte whose highest bit is clear.
        const MASK: u128 = u128::from_le_bytes([
            0xff, 0x80, 0xff, 0x80, 0xff, 0x80, 0xff, 0x80, 0xff, 0x80, 0xff, 0x80, 0xff, 0x80, 0xff, 0x80,
        ]);
        const ONES: u128 = u128::from_le_bytes([
            LENGTH_ONE, 0, LENGTH_ONE, 0, LENGTH_ONE, 0, LENGTH_ONE, 0, LENGTH_ONE, 0, LENGTH_ONE, 0,
            LENGTH_ONE, 0, LENGTH_ONE, 0,
        ]);
        let (mut count, mut left) = (0, rest);
        while count < most {
            let (eights, _) = left.as_chunks::<16>();
            let are_short = |eight: &&[u8; 16]| u128::from_le_bytes(**eight) & MASK == ONES;
            let short = 8 * eights.iter().take((most - count) / 8).take_while(are_short).count();
            (count, left) = (count + short, &left[2 * short..]);
            // Each end of an integer is a byte without mark.
            let Some((chunk @ [LENGTH_ONE, ..], _)) = left.split_first_chunk::<8>() else {
                break;
            };
            let ends = !u64::from_le_bytes(*chunk) & HIGH & !0xff;
            if count == most || ends == 0 {
                break;
            }
            (count, left) = (count + 1, &left[ends.trailing_zeros() as usize / 8 + 1..]);
        }
        (count, rest.len() - left.len())
    }
}

impl<const N: usize, const ONE: usize> Skip for Fixed<N, ONE> {
    #[inline]
    fn skip(bytes: &mut Bytes<'_>, _bits: &mut Bits, count: u64) -> Read<()> {
        let needed = count.saturating_mul(N as u64);
        enough(bytes, needed)?;
        bytes.advance(needed as usize);
        Ok(())
    }

    #[inline]
    fn ones(rest: &[u8], most: usize) -> (usize, usize) {
        let (arrays, _) = rest.as_chunks::<ONE>();
        let count = arrays.iter().take(most).take_while(|array| array.first() == Some(&LENGTH_ONE)).count();
        (count, ONE * count)
    }
}

impl Skip for Blobs {
    #[inline]
    fn skip(bytes: &mut Bytes<'_>, _bits: &mut Bits, count: u64) -> Read<()> {
        enough(bytes, count)?;
        let mut rest = *bytes;
        for _ in 0..count {
            rest.prefixed()?;
        }
        *bytes = rest;
        Ok(())
    }

    /// With lengths of one byte.
    #[inline]
    fn ones(rest: &[u8], most: usize) -> (usize, usize) {
        let (mut count, mut left) = (0, rest);
        while count < most
            && let [LENGTH_ONE, length, after @ ..] = left
            && length & 0x81 == 0
            && let Some(next) = after.get(usize::from(length >> 1)..)
        {
            (count, left) = (count + 1, next);
        }
        (count, rest.len() - left.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_one_value_are_passed_over_up_to_another_one() {
        let arrays = |values: &[&[u8]]| {
            values.iter().flat_map(|value| [&[LENGTH_ONE][..], value].concat()).collect::<Vec<u8>>()
        };
        let short = arrays(&[&[5][..]; 30]);
        // Near the end of the bytes the caller reads them.
        assert_eq!(Integers::ones(&short, 30), (27, 54));
        assert_eq!(Integers::ones(&short, 17), (17, 34));
        let long = |integer: &[u8]| [&short[..34], &[LENGTH_ONE], integer, &short].concat();
        assert_eq!(Integers::ones(&long(&[0x80, 0x80, 1]), 40), (40, 82));
        assert_eq!(Integers::ones(&long(&[0x80; 9]), 40), (17, 34));
        assert_eq!(Integers::ones(&[&short[..16], &[0], &short].concat(), 40), (8, 16));
        let doubles = arrays(&[&[7; 8][..]; 10]);
        assert_eq!(Fixed::<8, 9>::ones(&doubles, 7), (7, 63));
        assert_eq!(Fixed::<8, 9>::ones(&doubles[..80], 20), (8, 72));
        assert_eq!(Fixed::<8, 9>::ones(&[&doubles[..27], &[0], &doubles].concat(), 20), (3, 27));
        assert_eq!(Fixed::<4, 5>::ones(&arrays(&[&[7; 4][..]; 3]), 9), (3, 15));
        let texts = arrays(&[&[4, b'a', b'b'], &[0], &[2, b'c'], &[0x80, 1]]);
        assert_eq!(Blobs::ones(&texts, 9), (3, 4 + 2 + 3));
        assert_eq!(Blobs::ones(&texts, 2), (2, 4 + 2));
        assert_eq!(Blobs::ones(&texts[..3], 9), (0, 0));
        assert_eq!(Blobs::ones(&[LENGTH_ONE, 3, 0], 9), (0, 0));
        assert_eq!(Booleans::ones(&arrays(&[&[1][..]; 30]), 30), (0, 0));
    }
}
