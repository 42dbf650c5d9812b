//! The values of a column in a row group, in pieces: no byte is moved when more come.

use super::super::values;
use crate::bytes::buffer::Buffer;
use crate::error::Result;
use crate::storage::checksum::RunningSum;
use crate::vector::Vector;

/// Bytes of a piece, but for larger values.
const PIECE_BYTES: usize = 64 << 10;

/// A piece with less room than this takes no more values.
const LEAST_ROOM_BYTES: usize = PIECE_BYTES / 16;

/// Bytes, in pieces that are used again when they have been forgotten.
#[derive(Default)]
pub(super) struct Pieces {
    pieces: Vec<Buffer>,
    /// Number of the piece that takes values.
    open: usize,
    /// Number of bytes in the pieces before it.
    before: u64,
    /// The checksum of all bytes, where it is wanted: taken of bytes that have just been written.
    sum: Option<RunningSum>,
}

impl Pieces {
    /// None yet.
    pub(super) fn new(has_sum: bool) -> Self {
        Self { sum: has_sum.then(RunningSum::default), ..Self::default() }
    }

    /// Appends values.
    ///
    /// # Errors
    ///
    /// As [`values::encode`].
    pub(super) fn append(&mut self, values: &Vector) -> Result<()> {
        let mut at = 0;
        while at < values.len() {
            if self.pieces.len() == self.open {
                self.pieces.push(Buffer::default());
            }
            let Some(piece) = self.pieces.get_mut(self.open) else {
                break;
            };
            let room = PIECE_BYTES.saturating_sub(piece.len());
            let count = values::fitting(values, at, room);
            if piece.len() > 0 && (count == 0 || room < LEAST_ROOM_BYTES && at + count < values.len()) {
                self.before += piece.len() as u64;
                self.open += 1;
                continue;
            }
            let (end, from) = (at + count.max(1), piece.len());
            values::encode(values, at..end, piece)?;
            if let Some(sum) = &mut self.sum {
                sum.update(&piece.as_slice()[from..]);
            }
            at = end;
        }
        Ok(())
    }

    /// Number of bytes.
    pub(super) fn size(&self) -> u64 {
        self.before + self.pieces.get(self.open).map_or(0, |piece| piece.len() as u64)
    }

    /// The checksum of all bytes, where it is wanted.
    pub(super) fn sum(&self) -> Option<u32> {
        self.sum.as_ref().map(RunningSum::value)
    }

    /// The bytes, piece after piece.
    pub(super) fn slices(&self) -> impl Iterator<Item = &[u8]> {
        self.pieces.iter().take(self.open + 1).map(Buffer::as_slice)
    }

    /// Forgets all bytes, and keeps their memory.
    pub(super) fn clear(&mut self) {
        self.pieces.iter_mut().for_each(Buffer::clear);
        (self.open, self.before) = (0, 0);
        self.sum = self.sum.take().map(|_| RunningSum::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_the_bytes_of_one() {
        let long = "long ".repeat(PIECE_BYTES / 3);
        let texts = (0..50_000).map(|number| match number % 9_999 {
            5_000 => long.as_str(),
            other => &long[..other % 40],
        });
        let texts = Vector::try_from_iter(texts).unwrap();
        let numbers: Vector = (0..70_000i64).collect::<Vec<_>>().into();
        let mut pieces = Pieces::new(true);
        for _ in 0..2 {
            for (values, batches) in [(&texts, 1), (&texts, 3), (&numbers, 1), (&numbers, 5)] {
                let mut whole = Buffer::default();
                for _ in 0..batches {
                    pieces.append(values).unwrap();
                    values::encode(values, 0..values.len(), &mut whole).unwrap();
                }
                assert!(pieces.slices().count() > 5);
                let most = pieces.slices().map(<[u8]>::len).max().unwrap();
                assert!(most <= long.len() + 3, "{most}");
                let joined: Vec<u8> = pieces.slices().flatten().copied().collect();
                assert!(joined == whole.as_slice());
                assert_eq!(pieces.sum(), Some(RunningSum::of(&joined)));
                assert_eq!(pieces.size(), whole.len() as u64);
                pieces.clear();
                assert_eq!((pieces.size(), pieces.slices().map(<[u8]>::len).sum()), (0, 0));
            }
        }
    }
}
