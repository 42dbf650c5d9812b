//! Writes strings and byte strings, each after its length.

use super::LENGTH_ONE;
use super::encode::{Bits, Values};
use super::kept::Kept;
use crate::bytes::buffer::{Buffer, SLACK};
use crate::bytes::varint::{ZigZag, put};
use crate::storage::zone_map::OpenZone;
use crate::vector::{self, Span};
use std::ops::Range;

/// Values of variable length.
#[derive(Clone, Copy)]
pub(crate) struct Blobs<'a> {
    data: &'a [u8],
    spans: &'a [Span],
    /// Whether `data` has them in the form of a block.
    framed: bool,
}

impl<'a> Blobs<'a> {
    pub(crate) fn new<B>(data: &'a [u8], values: &'a vector::Blobs<B>) -> Self {
        Self { data, spans: values.spans(), framed: values.is_framed() }
    }

    /// The values with their lengths, if they are in that form.
    #[inline]
    fn framed(&self, values: Range<usize>) -> Option<&'a [u8]> {
        let spans = self.spans.get(values).filter(|_| self.framed)?;
        let start = spans.first()?.start.checked_sub(1)?;
        self.data.get(start as usize..spans.last()?.end as usize)
    }

    #[inline]
    fn put<const LENGTHS: bool>(&self, values: Range<usize>, out: &mut Buffer) {
        let most = self.most(values.clone()) + values.len() + SLACK;
        let spans = &self.spans[values];
        out.write(most, |room| {
            let mut at = 0;
            for span in spans {
                let Range { start, end } = span.range();
                if LENGTHS {
                    room[at] = LENGTH_ONE;
                    at += 1;
                }
                at = put_blob(room, at, self.data, start, end);
            }
            at
        });
    }
}

/// Writes `data[from..to]` after its length, at a position; returns the position after it. A short
/// value is copied with what follows it, at once.
#[inline]
fn put_blob(room: &mut [u8], at: usize, data: &[u8], from: usize, to: usize) -> usize {
    let len = to - from;
    let value = data.get(from..).and_then(|rest| rest.first_chunk::<SLACK>());
    let place = room.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<{ 1 + SLACK }>());
    match (value, place) {
        (Some(value), Some([length, place @ ..])) if len <= SLACK => {
            *length = (len as u8) << 1;
            *place = *value;
            at + 1 + len
        }
        _ => put_long_blob(room, at, &data[from..to]),
    }
}

fn put_long_blob(room: &mut [u8], at: usize, value: &[u8]) -> usize {
    let at = put(room, at, (value.len() as i64).zigzag());
    let end = at + value.len();
    room[at..end].copy_from_slice(value);
    end
}

impl Values for Blobs<'_> {
    #[inline]
    fn most(&self, values: Range<usize>) -> usize {
        if let Some(piece) = self.framed(values.clone()) {
            return piece.len();
        }
        // The values are in order; there may be more bytes between them.
        let bytes = match self.spans.get(values.clone()) {
            Some([first, .., last]) => (last.end - first.start) as usize,
            Some([only]) => only.range().len(),
            _ => 0,
        };
        bytes + values.len() * i32::BYTES_MAX
    }

    #[inline]
    fn encode(&self, values: Range<usize>, _bits: &mut Bits, out: &mut Buffer) {
        match self.framed(values.clone()) {
            Some(piece) => out.extend(piece),
            None => self.put::<false>(values, out),
        }
    }

    #[inline]
    fn encode_ones(&self, values: Range<usize>, _bits: &mut Bits, out: &mut Buffer) {
        self.put::<true>(values, out);
    }

    fn observe(&self, values: Range<usize>, zone: &mut OpenZone) {
        zone.texts(self.data, &self.spans[values]);
    }

    fn hold(&self, values: Range<usize>, to: &mut Kept, most: usize) -> Option<usize> {
        to.hold_strings(self.data, &self.spans[values], most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::reader::Bytes;
    use crate::vector::Binaries;

    #[test]
    fn texts_of_any_length_follow_it() {
        let data: Vec<u8> = (0..150).collect();
        for (from, to) in (0..150).flat_map(|from| (from..150).map(move |to| (from, to))) {
            for slack in [0, SLACK] {
                let mut buffer = Buffer::default();
                buffer.write(8 + to - from + slack, |room| put_blob(room, 0, &data, from, to));
                assert_eq!(Bytes::new(buffer.as_slice()).prefixed(), Ok(&data[from..to]));
            }
        }
    }

    #[test]
    fn texts_are_written_the_same_in_one_piece_and_singly() {
        let mut values = Binaries::default();
        assert!((0..64).all(|length| values.push(&[b'x'; 64][length + 1..])));
        let whole = Blobs::new(values.data(), &values);
        let single = Blobs { framed: false, ..whole };
        for range in [0..64, 3..17, 5..5, 0..1] {
            let [piece, copies] = [&whole, &single].map(|blobs| {
                let mut buffer = Buffer::default();
                blobs.encode(range.clone(), &mut Bits::default(), &mut buffer);
                assert!(blobs.most(range.clone()) >= buffer.len());
                buffer.as_slice().to_vec()
            });
            assert_eq!(piece, copies);
        }
    }
}
