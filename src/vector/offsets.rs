//! Lengths of lists, kept as running sums.

use super::room::{self, Growth};
use crate::bytes::lanes::SUMS_OF_BITS;
use crate::error::{Error, Result};

/// Where the items of each list begin: one number more than lists, the first is 0.
///
/// ```
/// use trevni::vector::Offsets;
///
/// let offsets = Offsets::from_lengths([2, 0, 1])?;
/// assert_eq!(offsets.as_slice(), [0, 2, 2, 3]);
/// assert_eq!(offsets.range(2), Some(2..3));
/// assert_eq!(Offsets::from_ends([2, 2, 3])?, offsets);
/// // Starts, and the end of the last list, without a copy.
/// assert_eq!(Offsets::try_from(vec![0, 2, 2, 3])?.into_inner(), [0, 2, 2, 3]);
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offsets(Vec<u32>);

impl Default for Offsets {
    fn default() -> Self {
        Self(vec![0])
    }
}

/// Takes the numbers over as they are: starts, and the end of the last list.
impl TryFrom<Vec<u32>> for Offsets {
    type Error = Error;

    fn try_from(numbers: Vec<u32>) -> Result<Self> {
        if numbers.first() != Some(&0) {
            return Err(Error::vector("the first offset must be 0"));
        }
        match numbers.windows(2).position(|pair| pair.first() > pair.last()) {
            Some(list) => {
                Err(Error::vector(format!("offsets must ascend: list {list} ends before it begins")))
            }
            None => Ok(Self(numbers)),
        }
    }
}

impl Offsets {
    /// Lists of these lengths.
    ///
    /// # Errors
    ///
    /// More than [`u32::MAX`] items together.
    pub fn from_lengths(lengths: impl IntoIterator<Item = u32>) -> Result<Self> {
        let mut offsets = Self::default();
        match lengths.into_iter().all(|length| offsets.push_length(length)) {
            true => Ok(offsets),
            false => Err(Error::vector("lists of more than 4,294,967,295 items together")),
        }
    }

    /// Lists that end at these positions, one directly after the other.
    ///
    /// # Errors
    ///
    /// A position before the one before it.
    pub fn from_ends(ends: impl IntoIterator<Item = u32>) -> Result<Self> {
        std::iter::once(0).chain(ends).collect::<Vec<u32>>().try_into()
    }

    /// The numbers, without a copy: starts, and the end of the last list.
    #[must_use]
    pub fn into_inner(self) -> Vec<u32> {
        self.0
    }

    /// `count` lists of one item each.
    pub(crate) fn ones(count: usize) -> Self {
        Self((0..=count as u32).collect())
    }

    /// `count` lists without items.
    pub(crate) fn zeros(count: usize) -> Self {
        Self(vec![0; count + 1])
    }

    /// Number of lists.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len() - 1
    }

    /// Whether there are no lists.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of items of all lists.
    #[must_use]
    pub fn total(&self) -> usize {
        self.0.last().map_or(0, |last| *last as usize)
    }

    /// The positions of a list's items.
    #[inline]
    #[must_use]
    pub fn range(&self, index: usize) -> Option<std::ops::Range<usize>> {
        match self.0.get(index..)? {
            [start, end, ..] => Some(*start as usize..*end as usize),
            _ => None,
        }
    }

    /// The numbers: starts, and the end of the last list.
    #[must_use]
    pub fn as_slice(&self) -> &[u32] {
        &self.0
    }

    /// The lengths of the lists.
    pub fn lengths(&self) -> impl Iterator<Item = u32> + '_ {
        self.0.windows(2).map(|pair| pair[1] - pair[0])
    }

    /// Appends a list that ends where `total` items have been; false where that passes 32 bits.
    #[inline]
    #[must_use]
    pub(crate) fn push_end(&mut self, total: usize) -> bool {
        match u32::try_from(total) {
            Ok(end) => {
                self.0.push(end);
                true
            }
            Err(_) => false,
        }
    }

    /// Appends a list without items.
    #[inline]
    pub(crate) fn push_empty(&mut self) {
        let last = self.0.last().copied().unwrap_or_default();
        self.0.push(last);
    }

    /// Appends a list of one item.
    #[inline]
    pub(crate) fn push_one(&mut self) {
        let last = self.0.last().copied().unwrap_or_default();
        self.0.push(last.wrapping_add(1));
    }

    /// Appends a list of one item, or of none.
    #[inline]
    pub(crate) fn push_if(&mut self, item: bool) {
        let last = self.0.last().copied().unwrap_or_default();
        self.0.push(last.wrapping_add(u32::from(item)));
    }

    /// Appends lists by marks, at most [`u32::MAX`] of them: whether a list begins there, and whether an item is there,
    /// which belongs to the list that began last. False where an item is there before the first list.
    #[inline]
    #[must_use]
    pub(crate) fn push_marked(&mut self, marks: impl ExactSizeIterator<Item = (bool, bool)>) -> bool {
        let (before, start) = (self.0.len(), self.0.last().copied().unwrap_or_default());
        // The first place takes what belongs to no list.
        self.0.resize(before + marks.len(), 0);
        let Some((_, ends)) = self.0.split_at_mut_checked(before - 1) else {
            return false;
        };
        let (mut at, mut total) = (0, start);
        for (begins, item) in marks {
            at += usize::from(begins);
            total = total.wrapping_add(u32::from(item));
            if let Some(end) = ends.get_mut(at) {
                *end = total;
            }
        }
        let fits = ends.first().is_some_and(|first| *first == start);
        if let Some(first) = ends.first_mut() {
            *first = start;
        }
        self.0.truncate(before + at);
        fits
    }

    /// Appends a list of `length` items; false where that passes 32 bits.
    #[inline]
    #[must_use]
    pub(crate) fn push_length(&mut self, length: u32) -> bool {
        let last = self.0.last().copied().unwrap_or_default();
        match last.checked_add(length) {
            Some(end) => {
                self.0.push(end);
                true
            }
            None => false,
        }
    }

    /// Appends lists of these lengths; returns their items, `None` where one is negative or they pass 32 bits.
    #[must_use]
    pub(crate) fn push_lengths<T: Copy + Into<i64>>(&mut self, lengths: &[T]) -> Option<usize> {
        let all = lengths.iter().fold(0, |all, length| all | (*length).into());
        u32::try_from(all).ok()?;
        let last = self.0.last().copied().unwrap_or_default();
        let items: i64 = lengths.iter().map(|length| (*length).into()).sum();
        u32::try_from(i64::from(last) + items).ok()?;
        let mut end = last;
        self.0.extend(lengths.iter().map(|length| {
            end = end.wrapping_add((*length).into() as u32);
            end
        }));
        usize::try_from(items).ok()
    }

    /// Appends a list for each bit, the lowest first, which has an item where it is set; returns their items, `None` where
    /// as many as lists would pass 32 bits.
    #[must_use]
    pub(crate) fn push_bits(&mut self, bits: &[u8]) -> Option<usize> {
        let last = self.0.last().copied().unwrap_or_default();
        let most = u32::try_from(8 * bits.len()).ok()?;
        last.checked_add(most)?;
        let (mut total, start) = (last, self.0.len());
        self.0.resize(start + 8 * bits.len(), 0);
        let (eights, _) = self.0.split_at_mut(start).1.as_chunks_mut::<8>();
        for (ends, byte) in eights.iter_mut().zip(bits) {
            let sums = SUMS_OF_BITS[usize::from(*byte)];
            for (end, sum) in ends.iter_mut().zip(sums) {
                *end = total + u32::from(sum);
            }
            total += u32::from(sums[7]);
        }
        Some((total - last) as usize)
    }

    /// Appends `count` lists of one item each; false where that passes 32 bits.
    #[must_use]
    pub(crate) fn push_ones(&mut self, count: usize) -> bool {
        let last = self.0.last().copied().unwrap_or_default();
        match u32::try_from(count).ok().and_then(|count| last.checked_add(count)) {
            // Counted up to the last that is added, which may be the largest there is.
            Some(end) => {
                self.0.extend((last..end).map(|before| before + 1));
                true
            }
            None => false,
        }
    }

    /// Appends lists of lengths below 64, each written as twice its length in a byte, eight at a time as long as all of these
    /// are so; returns how many, and their items.
    pub(crate) fn push_short(&mut self, lengths: &[u8]) -> (usize, usize) {
        const OTHER: u64 = 0x8181_8181_8181_8181;
        let last = self.0.last().copied().unwrap_or_default();
        let (words, _) = lengths.as_chunks::<8>();
        let count = words.iter().take_while(|word| u64::from_le_bytes(**word) & OTHER == 0).count();
        let words = &words[..count];
        let most = words.len().saturating_mul(8 * 63);
        if u32::try_from(most).ok().and_then(|most| last.checked_add(most)).is_none() {
            return (0, 0);
        }
        let mut end = last;
        self.0.extend(words.as_flattened().iter().map(|length| {
            end += u32::from(length >> 1);
            end
        }));
        (8 * count, (end - last) as usize)
    }

    /// Appends `count` lists without items.
    pub(crate) fn push_empties(&mut self, count: usize) {
        let last = self.0.last().copied().unwrap_or_default();
        self.0.resize(self.0.len() + count, last);
    }

    /// Appends lists of the same lengths as some of `other`, which must be there; false where that passes
    /// 32 bits.
    #[must_use]
    pub(crate) fn push_range(&mut self, other: &Self, range: std::ops::Range<usize>) -> bool {
        let Some([first, ends @ ..]) = other.0.get(range.start..=range.end) else {
            return false;
        };
        let last = self.0.last().copied().unwrap_or_default();
        let total = ends.last().unwrap_or(first) - first;
        if last.checked_add(total).is_none() {
            return false;
        }
        self.0.extend(ends.iter().map(|end| last + (end - first)));
        true
    }

    /// Whether no list has more than one item.
    pub(crate) fn is_optional(&self) -> bool {
        let pairs = self.0.iter().zip(&self.0[1..]);
        pairs.fold(true, |fits, (start, end)| fits & (end.wrapping_sub(*start) <= 1))
    }

    /// Makes room for `count` more lists.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.0.reserve(count);
    }

    /// Bytes of the buffer, with room for `more` lists.
    pub(crate) fn room(&self, more: usize, growth: Growth) -> u64 {
        room::bytes(self.0.len(), self.0.capacity(), more, size_of::<u32>(), growth)
    }

    /// Makes room for exactly this number of lists.
    ///
    /// # Errors
    ///
    /// The system is out of memory.
    pub(crate) fn try_reserve_exact(&mut self, more: usize) -> Result<()> {
        room::reserved(self.0.try_reserve_exact(more))
    }

    pub(crate) fn clear(&mut self) {
        self.0.truncate(1);
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.0.truncate(len + 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lengths_are_what_they_are_one_by_one() {
        let lengths: Vec<u32> = (0..100).map(|number| number * 7 % 64).collect();
        let bytes: Vec<u8> = lengths.iter().map(|length| 2 * *length as u8).collect();
        for other in [0x80, 1, 0xff] {
            for at in 0..100 {
                let mut bytes = bytes.clone();
                bytes[at] = other;
                let mut offsets = Offsets::from_lengths([5]).unwrap();
                let (count, total) = offsets.push_short(&bytes);
                assert_eq!(count, at / 8 * 8);
                assert_eq!(total as u32, lengths[..count].iter().sum::<u32>());
                assert!(offsets.lengths().skip(1).eq(lengths[..count].iter().copied()));
            }
        }
        let bits: Vec<u8> = (0..=255).collect();
        let mut optional = Offsets::from_lengths([5]).unwrap();
        assert_eq!(optional.push_bits(&bits), Some(1024));
        let lengths = bits.iter().flat_map(|byte| (0..8).map(move |bit| u32::from(byte >> bit & 1)));
        assert!(optional.lengths().skip(1).eq(lengths));
        let mut full = Offsets::from_lengths([u32::MAX - 100]).unwrap();
        assert_eq!((full.push_bits(&[0xff; 13]), full.push_bits(&[0x0f; 12])), (None, Some(48)));
        full.truncate(1);
        assert_eq!((full.push_short(&bytes), full.len()), ((0, 0), 1));
    }
}
