//! A cursor over bytes that never reads past their end, and parts of slices that are known to be there.

use super::varint::{self, UnZigZag};
use crate::error::{Error, ErrorKind, Result};
use std::slice::SliceIndex;

/// What is read, or why it could not be decoded.
pub(crate) type Read<T> = std::result::Result<T, Malformed>;

/// Why bytes could not be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Malformed {
    /// This many bytes were needed, that many were left.
    End { needed: u64, available: u64 },
    /// An integer with too many bytes.
    Varint,
    /// A negative length.
    Negative(i64),
    /// Text that is not UTF-8.
    Utf8,
    /// A count above a limit.
    Limit { value: u64, limit: u64 },
}

impl Malformed {
    /// Counts `after` more bytes as there, which follow the bytes at hand.
    pub(crate) fn before(self, after: u64) -> Self {
        match self {
            Self::End { needed, available } => {
                Self::End { needed, available: available.saturating_add(after) }
            }
            other => other,
        }
    }

    /// Turns this into the crate's error, naming what was being decoded.
    #[cold]
    pub(crate) fn of(self, what: &'static str) -> Error {
        match self {
            Self::End { needed, available } => ErrorKind::Truncated { what, needed, available },
            Self::Varint => ErrorKind::Varint { what },
            Self::Negative(value) => ErrorKind::Count { what, value, why: "it is negative" },
            Self::Utf8 => ErrorKind::Utf8 { what },
            // Values are counted, and their places kept, in 32 bits.
            Self::Limit { value, limit } => ErrorKind::Limit { what, value, limit, option: "" },
        }
        .into()
    }
}

/// Reads from the front of a slice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a> {
    data: &'a [u8],
    position: usize,
}

impl<'a> Bytes<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self { data, position: 0 }
    }

    /// Continues at `position`, or at the end where that is nearer.
    pub(crate) fn at(data: &'a [u8], position: usize) -> Self {
        Self { data, position: position.min(data.len()) }
    }

    pub(crate) fn position(&self) -> usize {
        self.position
    }

    pub(crate) fn remaining(&self) -> usize {
        self.data.len() - self.position
    }

    /// What is left to read.
    #[inline]
    pub(crate) fn rest(&self) -> &'a [u8] {
        &self.data[self.position..]
    }

    #[cold]
    fn end(&self, needed: u64) -> Malformed {
        Malformed::End { needed, available: self.remaining() as u64 }
    }

    /// Skips what [`Bytes::rest`] showed.
    #[inline]
    pub(crate) fn advance(&mut self, count: usize) {
        self.position = self.data.len().min(self.position.saturating_add(count));
    }

    #[inline]
    pub(crate) fn take(&mut self, count: usize) -> Read<&'a [u8]> {
        match self.rest().get(..count) {
            Some(bytes) => {
                self.position += count;
                Ok(bytes)
            }
            None => Err(self.end(count as u64)),
        }
    }

    #[inline]
    pub(crate) fn array<const N: usize>(&mut self) -> Result<[u8; N], Malformed> {
        match self.rest().first_chunk::<N>() {
            Some(bytes) => {
                self.position += N;
                Ok(*bytes)
            }
            None => Err(self.end(N as u64)),
        }
    }

    #[inline]
    pub(crate) fn byte(&mut self) -> Read<u8> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(crate) fn fixed32(&mut self) -> Read<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn fixed64(&mut self) -> Read<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// A zig-zag integer of at most five bytes.
    #[inline]
    pub(crate) fn int(&mut self) -> Read<i32> {
        let (value, used) = varint::decode(self.rest()).map_err(|e| self.complete(e))?;
        self.position += used;
        Ok(value)
    }

    /// A zig-zag integer of at most ten bytes.
    #[inline]
    pub(crate) fn long(&mut self) -> Read<i64> {
        let (value, used) = varint::decode(self.rest()).map_err(|e| self.complete(e))?;
        self.position += used;
        Ok(value)
    }

    /// Appends zig-zag integers.
    #[inline]
    pub(crate) fn integers<T: UnZigZag>(&mut self, count: usize, out: &mut Vec<T>) -> Read<()> {
        let used = varint::decode_all(self.rest(), count, out).map_err(|e| self.complete(e))?;
        self.position += used;
        Ok(())
    }

    /// Appends zig-zag integers, as long as each follows a length of 1; returns how many.
    #[inline]
    pub(crate) fn integers_of_one<T: UnZigZag>(&mut self, most: usize, out: &mut Vec<T>) -> Read<usize> {
        let (count, used) = varint::decode_ones(self.rest(), most, out).map_err(|e| self.complete(e))?;
        self.position += used;
        Ok(count)
    }

    /// Passes over zig-zag integers of at most ten bytes each.
    pub(crate) fn skip_integers(&mut self, count: u64) -> Read<()> {
        self.position += varint::skip(self.rest(), count).map_err(|e| self.complete(e))?;
        Ok(())
    }

    #[cold]
    fn complete(&self, error: varint::Bad) -> Malformed {
        match error {
            varint::Bad::End => self.end(self.remaining() as u64 + 1),
            varint::Bad::TooLong => Malformed::Varint,
        }
    }

    /// A length followed by that many bytes.
    #[inline]
    pub(crate) fn prefixed(&mut self) -> Read<&'a [u8]> {
        // A length of one byte, as most are.
        if let Some((first, rest)) = self.rest().split_first()
            && first & 0x81 == 0
            && let Some(bytes) = rest.get(..usize::from(first >> 1))
        {
            self.position += 1 + bytes.len();
            return Ok(bytes);
        }
        let (bytes, position) = self.prefixed_otherwise()?;
        self.position = position;
        Ok(bytes)
    }

    /// As [`Bytes::prefixed`], with the position after it. Takes a copy, so that the fast way keeps its own in
    /// registers.
    #[inline(never)]
    fn prefixed_otherwise(mut self) -> Read<(&'a [u8], usize)> {
        let length = self.long()?;
        match usize::try_from(length) {
            Ok(length) => self.take(length).map(|bytes| (bytes, self.position)),
            Err(_) => Err(Malformed::Negative(length)),
        }
    }

    /// A length followed by that many bytes of UTF-8.
    pub(crate) fn text(&mut self) -> Read<&'a str> {
        std::str::from_utf8(self.prefixed()?).map_err(|_| Malformed::Utf8)
    }
}

/// Slices of which parts are taken.
pub(crate) trait Part<T> {
    /// The items in a range that earlier checks have made sure of. What a file says does not decide whether it is within.
    ///
    /// # Errors
    ///
    /// [`Error::internal`], where the range is not within the slice. Debug builds panic.
    fn part<R: SliceIndex<[T], Output = [T]>>(&self, range: R) -> Result<&[T]>;
}

impl<T> Part<T> for [T] {
    #[inline]
    fn part<R: SliceIndex<[T], Output = [T]>>(&self, range: R) -> Result<&[T]> {
        self.get(range).ok_or_else(|| missing(self.len()))
    }
}

#[cold]
fn missing(len: usize) -> Error {
    debug_assert!(false, "a range that is known to be within {len} items is not");
    Error::internal(format!("a range is not within {len} items"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_read_past_the_end() {
        let mut bytes = Bytes::new(&[1, 2, 3]);
        assert_eq!(bytes.fixed32(), Err(Malformed::End { needed: 4, available: 3 }));
        assert_eq!(bytes.take(3), Ok(&[1u8, 2, 3][..]));
        assert_eq!(bytes.byte(), Err(Malformed::End { needed: 1, available: 0 }));
    }

    #[test]
    fn a_negative_length_is_refused() {
        assert_eq!(Bytes::new(&[0x01]).prefixed(), Err(Malformed::Negative(-1)));
    }

    #[test]
    fn a_huge_length_allocates_nothing() {
        let bytes = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
        let error = Bytes::new(&bytes).prefixed();
        assert_eq!(error, Err(Malformed::End { needed: i64::MAX as u64, available: 0 }));
    }

    #[test]
    fn ranges_within_are_found() {
        assert_eq!([1, 2, 3].part(1..).unwrap(), [2, 3]);
        assert_eq!([1, 2, 3].part(3..3).unwrap(), [0; 0]);
    }

    #[test]
    #[cfg_attr(debug_assertions, should_panic(expected = "within 3 items"))]
    fn others_are_faults_of_ours() {
        let error = [1, 2, 3].part(2..4).unwrap_err();
        assert!(error.to_string().contains("within 3 items"), "{error}");
    }
}
