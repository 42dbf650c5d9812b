//! Byte strings of a constant number of bytes, without lengths.

use super::decode::{self, Bits};
use super::encode;
use crate::bytes::buffer::Buffer;
use crate::bytes::reader::{Bytes, Malformed, Read};
use crate::storage::zone_map::OpenZone;
use crate::vector::{Binaries, Span};
use std::ops::Range;

/// Values that are read.
pub(super) struct FixedBytes<'a> {
    pub(super) out: &'a mut Binaries,
    pub(super) size: usize,
}

impl decode::Values for FixedBytes<'_> {
    fn decode(&mut self, bytes: &mut Bytes<'_>, _bits: &mut Bits, count: usize) -> Read<()> {
        let piece = bytes.take(count.saturating_mul(self.size))?;
        let fits = self.out.extend_with(|start, spans| {
            let ends = (1..=count).map(|number| (number * self.size) as u32);
            let size = self.size as u32;
            spans.extend(
                ends.map(|end| Span { start: start.wrapping_add(end - size), end: start.wrapping_add(end) }),
            );
            piece
        });
        match fits {
            true => Ok(()),
            false => Err(Malformed::Limit { value: piece.len() as u64, limit: u64::from(u32::MAX) }),
        }
    }
}

/// Values that are written.
pub(super) struct FixedValues<'a> {
    pub(super) values: &'a Binaries,
    pub(super) size: usize,
}

impl encode::Values for FixedValues<'_> {
    fn most(&self, values: Range<usize>) -> usize {
        values.len() * self.size
    }

    fn encode(&self, values: Range<usize>, _bits: &mut encode::Bits, out: &mut Buffer) {
        values.filter_map(|at| self.values.get(at)).for_each(|value| out.extend(value));
    }

    fn observe(&self, values: Range<usize>, zone: &mut OpenZone) {
        zone.texts(self.values.data(), &self.values.spans()[values]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use decode::Values as _;
    use encode::Values as _;

    #[test]
    fn bytes_of_one_size_come_back() {
        let values = Binaries::try_from_iter([b"abc", b"def", b"ghi"]).unwrap();
        let mut buffer = Buffer::default();
        FixedValues { values: &values, size: 3 }.encode(1..3, &mut encode::Bits::default(), &mut buffer);
        assert_eq!(buffer.as_slice(), b"defghi");
        let mut out = Binaries::default();
        let mut read = FixedBytes { out: &mut out, size: 3 };
        let mut bytes = Bytes::new(buffer.as_slice());
        read.decode(&mut bytes, &mut Bits::default(), 2).unwrap();
        read.decode(&mut bytes, &mut Bits::default(), 1).unwrap_err();
        assert_eq!(out.iter().collect::<Vec<_>>(), [b"def", b"ghi"]);
    }
}
