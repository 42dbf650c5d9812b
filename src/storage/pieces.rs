//! Pieces of a file by their positions: the part that a source that never waits has fetched.

use std::collections::BTreeMap;
use std::ops::{Deref, DerefMut, Range};

/// Pieces of a file by their positions, none of which overlaps another: the part that a [`Source`](crate::Source) that never waits has
/// fetched of [`Reader::ranges`](crate::Reader::ranges). It is a map from the position of the first byte.
///
/// ```
/// use trevni::reader::Pieces;
///
/// let mut pieces = Pieces::default();
/// pieces.insert(10, vec![1, 2, 3]);
/// pieces.insert(13, vec![4]);
/// let mut bytes = [0; 2];
/// assert!(pieces.copy(12, &mut bytes, |_| {}));
/// assert_eq!(bytes, [3, 4]);
/// assert!(!pieces.copy(13, &mut bytes, |_| {}));
/// assert_eq!(pieces.absent(8..20), [8..10, 14..20]);
/// ```
#[derive(Clone, Debug)]
pub struct Pieces<B>(BTreeMap<u64, B>);

impl<B> Default for Pieces<B> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<B> FromIterator<(u64, B)> for Pieces<B> {
    fn from_iter<I: IntoIterator<Item = (u64, B)>>(pieces: I) -> Self {
        Self(pieces.into_iter().collect())
    }
}

impl<B> Deref for Pieces<B> {
    type Target = BTreeMap<u64, B>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl<B> DerefMut for Pieces<B> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<B: AsRef<[u8]>> Pieces<B> {
    /// Fills a buffer from pieces that follow each other, and calls with each of them; false where one is missing.
    pub fn copy(&mut self, mut offset: u64, mut buffer: &mut [u8], mut used: impl FnMut(&mut B)) -> bool {
        while !buffer.is_empty() {
            let Some((start, piece)) = self.0.range_mut(..=offset).next_back() else { return false };
            used(piece);
            let at = usize::try_from(offset - start).unwrap_or(usize::MAX);
            let Some(rest) = piece.as_ref().get(at..).filter(|rest| !rest.is_empty()) else { return false };
            let len = rest.len().min(buffer.len());
            let (now, after) = buffer.split_at_mut(len);
            now.copy_from_slice(&rest[..len]);
            (offset, buffer) = (offset + len as u64, after);
        }
        true
    }

    /// The parts of a range that are not there, in order.
    #[must_use]
    pub fn absent(&self, range: Range<u64>) -> Vec<Range<u64>> {
        let (mut absent, mut at) = (Vec::new(), range.start);
        if range.is_empty() {
            return absent;
        }
        let next = at.saturating_add(1);
        let before = self.0.range(..=at).next_back();
        for (start, piece) in before.into_iter().chain(self.0.range(next..range.end.max(next))) {
            if *start > at {
                absent.push(at..*start);
            }
            at = at.max(start.saturating_add(piece.as_ref().len() as u64));
        }
        if at < range.end {
            absent.push(at..range.end);
        }
        absent
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_byte_is_there_or_absent(
            wanted in prop::collection::vec((0u64..40, 0u64..9), 0..12), start in 0u64..45, len in 0usize..20,
        ) {
            let (mut pieces, mut there) = (Pieces::default(), [false; 64]);
            for (start, len) in wanted {
                for part in pieces.absent(start..start + len) {
                    there[part.start as usize..part.end as usize].fill(true);
                    pieces.insert(part.start, part.map(|at| at as u8).collect::<Vec<u8>>());
                }
            }
            let end = start + len as u64;
            let absent: Vec<u64> = pieces.absent(start..end).into_iter().flatten().collect();
            let expected: Vec<u64> = (start..end).filter(|at| !there[*at as usize]).collect();
            prop_assert_eq!(&absent, &expected);
            let mut buffer = vec![0; len];
            prop_assert_eq!(pieces.copy(start, &mut buffer, |_| {}), expected.is_empty());
            if expected.is_empty() {
                prop_assert_eq!(buffer, (start..end).map(|at| at as u8).collect::<Vec<u8>>());
            }
        }
    }
}
