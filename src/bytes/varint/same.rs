//! Reads integers that all have the same length: one byte, or two. The loops are functions of their own, which the compiler
//! turns into lanes of 16 bits.

use super::decode::UnZigZag;

/// The length 1.
pub(super) const ONE: u8 = 2;

/// Bytes whose integers are read together where all of them are of one byte, or all are of two.
pub(super) const SAME_BYTES: usize = 32;

/// Appends integers, at most `most`, as long as those of the next [`SAME_BYTES`] bytes are of the same length; returns how
/// many, and the bytes used.
#[inline(never)]
pub(super) fn decode_same<T: UnZigZag>(data: &[u8], most: usize, out: &mut Vec<T>) -> (usize, usize) {
    let (mut at, mut count) = (0, 0);
    while most - count >= SAME_BYTES
        && let Some(bytes) = data.get(at..).and_then(|rest| rest.first_chunk::<SAME_BYTES>())
    {
        let (pairs, _) = bytes.as_chunks::<2>();
        if bytes.iter().fold(0, |all, byte| all | byte) < 0x80 {
            out.extend(bytes.iter().map(|byte| one_byte::<T>(*byte)));
            count += SAME_BYTES;
        } else if pairs.iter().fold(0, |others, pair| others | (u16::from_le_bytes(*pair) ^ 0x80)) & 0x8080
            == 0
        {
            out.extend(pairs.iter().map(|pair| two_bytes::<T>(*pair)));
            count += SAME_BYTES / 2;
        } else {
            break;
        }
        at += SAME_BYTES;
    }
    (count, at)
}

/// An integer of one byte.
#[inline(always)]
fn one_byte<T: UnZigZag>(byte: u8) -> T {
    T::from(i16::from((byte >> 1).cast_signed() ^ -(byte & 1).cast_signed()))
}

/// An integer of two bytes.
#[inline(always)]
fn two_bytes<T: UnZigZag>(pair: [u8; 2]) -> T {
    let pair = u16::from_le_bytes(pair);
    let number = pair & 0x7f | pair >> 1 & 0x3f80;
    T::from((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
}

/// Appends integers that each follow the length 1, at most `most`, as long as all of the next [`ONES`] take one byte, or all
/// take two; returns how many, and the bytes used.
#[inline(never)]
pub(super) fn decode_same_ones<T: UnZigZag>(data: &[u8], most: usize, out: &mut Vec<T>) -> (usize, usize) {
    const SHORT: Form<2> = Form::repeat([ONE, 0], [0xff, 0x80]);
    const LONG: Form<3> = Form::repeat([ONE, 0x80, 0], [0xff, 0x80, 0x80]);
    let (mut at, mut count) = (0, 0);
    while most - count >= ONES {
        let rest = &data[at..];
        if let Some(ones) = rest.first_chunk::<{ 3 * ONES }>().filter(|ones| LONG.fits(*ones))
            && let Some(ones) = ones.as_chunks().0.first_chunk::<ONES>()
        {
            let pairs = ones.map(|[_, low, high]| [low, high]);
            out.extend(pairs.iter().map(|pair| two_bytes::<T>(*pair)));
            at += 3 * ONES;
        } else if let Some(ones) = rest.first_chunk::<{ 2 * ONES }>().filter(|ones| SHORT.fits(*ones)) {
            let (ones, _) = ones.as_chunks();
            out.extend(ones.iter().map(|[_, byte]| one_byte::<T>(*byte)));
            at += 2 * ONES;
        } else {
            break;
        }
        count += ONES;
    }
    (count, at)
}

/// Integers after lengths that are read together.
pub(super) const ONES: usize = 8;

/// Which bits of some bytes must be set, and which must not be; in words.
struct Form<const N: usize> {
    wanted: [u64; N],
    mask: [u64; N],
}

impl<const N: usize> Form<N> {
    /// A form of fewer bytes, over and over.
    const fn repeat(wanted: [u8; N], mask: [u8; N]) -> Self {
        let mut form = Self { wanted: [0; N], mask: [0; N] };
        let mut at = 0;
        while at < 8 * N {
            form.wanted[at / 8] |= (wanted[at % N] as u64) << (8 * (at % 8));
            form.mask[at / 8] |= (mask[at % N] as u64) << (8 * (at % 8));
            at += 1;
        }
        form
    }

    #[inline(always)]
    fn fits(&self, bytes: &[u8]) -> bool {
        let words = bytes.as_chunks().0.iter().zip(self.wanted.iter().zip(&self.mask));
        words.fold(0, |all, (word, (wanted, mask))| all | (u64::from_le_bytes(*word) ^ wanted) & mask) == 0
    }
}
