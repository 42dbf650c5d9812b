//! The parts of a typed block: unsigned numbers, and bytes after their number.
//!
//! What reads a part keeps its place in the block, not its bytes: these are given with each call, so that a reader can be
//! kept beside the memory of the block.

use crate::bytes::reader::Bytes;

/// What is wrong with the bytes.
pub(super) type Read<T> = Result<T, &'static str>;

pub(super) const ENDS: &str = "it ends too early";

/// Appends an unsigned number: seven bits a byte, the lowest first.
pub(super) fn put_count(mut count: u64, out: &mut Vec<u8>) {
    while count > 0x7f {
        out.push(count as u8 | 0x80);
        count >>= 7;
    }
    out.push(count as u8);
}

/// Reads what [`put_count`] has written.
pub(super) fn count(bytes: &mut Bytes<'_>) -> Read<u64> {
    let mut count = 0;
    for shift in (0..64).step_by(7) {
        let byte = bytes.byte().map_err(|_| ENDS)?;
        if shift == 63 && byte > 1 {
            break;
        }
        count |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Ok(count);
        }
    }
    Err("a count has more than 64 bits")
}

/// Appends a signed number, zig-zag.
pub(super) fn put_integer(integer: i64, out: &mut Vec<u8>) {
    put_count((integer << 1 ^ integer >> 63).cast_unsigned(), out);
}

/// Reads what [`put_integer`] has written.
pub(super) fn integer(bytes: &mut Bytes<'_>) -> Read<i64> {
    let number = count(bytes)?;
    Ok((number >> 1).cast_signed() ^ -(number & 1).cast_signed())
}

/// Appends what `fill` appends, after its number of bytes.
pub(super) fn put_section(out: &mut Vec<u8>, fill: impl FnOnce(&mut Vec<u8>)) {
    let mut section = Vec::new();
    fill(&mut section);
    put_count(section.len() as u64, out);
    out.append(&mut section);
}

/// Where in a block some bytes of it are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Section {
    start: usize,
    end: usize,
}

impl Section {
    /// What has not been read of bytes that begin with the block.
    pub(super) fn rest(bytes: &Bytes<'_>) -> Self {
        Self { start: bytes.position(), end: bytes.position() + bytes.remaining() }
    }

    /// Reads the bytes from here on.
    pub(super) fn bytes<'a>(&self, block: &'a [u8]) -> Bytes<'a> {
        // A block with fewer bytes ends too early, which is an error of what is read of it.
        Bytes::at(block.get(..self.end).unwrap_or(block), self.start)
    }

    /// Goes on after what has been read.
    pub(super) fn advance(&mut self, bytes: &Bytes<'_>) {
        self.start = bytes.position();
    }

    /// The bytes before a later place.
    pub(super) fn before(self, later: &Self) -> Self {
        Self { start: self.start, end: later.start }
    }

    /// Takes a number of bytes.
    pub(super) fn take<'a>(&mut self, block: &'a [u8], count: usize) -> Read<&'a [u8]> {
        let mut bytes = self.bytes(block);
        let taken = take(&mut bytes, count)?;
        self.advance(&bytes);
        Ok(taken)
    }
}

/// Reads what [`put_section`] has written.
pub(super) fn section(bytes: &mut Bytes<'_>) -> Read<Section> {
    let len = count(bytes)?;
    let start = bytes.position();
    take(bytes, usize::try_from(len).map_err(|_| ENDS)?)?;
    Ok(Section { start, end: bytes.position() })
}

/// The next bytes.
pub(super) fn take<'a>(bytes: &mut Bytes<'a>, count: usize) -> Read<&'a [u8]> {
    bytes.take(count).map_err(|_| ENDS)
}

/// The next byte.
pub(super) fn byte(bytes: &mut Bytes<'_>) -> Read<u8> {
    bytes.byte().map_err(|_| ENDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 127, 128, 1 << 31, u64::MAX >> 1, u64::MAX] {
            let mut out = Vec::new();
            put_count(number, &mut out);
            put_integer(number.cast_signed(), &mut out);
            let mut bytes = Bytes::new(&out);
            assert_eq!(count(&mut bytes), Ok(number));
            assert_eq!(integer(&mut bytes), Ok(number.cast_signed()));
            assert_eq!(bytes.remaining(), 0);
        }
    }

    #[test]
    fn more_than_64_bits_are_refused() {
        let mut most = [0xff; 10];
        most[9] = 2;
        assert!(count(&mut Bytes::new(&most)).is_err());
        assert_eq!(count(&mut Bytes::new(&[0x80; 3])), Err(ENDS));
    }
}
