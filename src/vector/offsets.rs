//! Lengths of lists, kept as running sums.

use super::marks::{MarkedLists, Marks, push_numbers, spread};
use super::room::{self, Growth};
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
#[derive(Clone, Debug)]
pub struct Offsets {
    numbers: Vec<u32>,
    /// Instead of the numbers: lists of one item at most, which were decoded so.
    marked: Option<Box<MarkedLists>>,
}

impl Default for Offsets {
    fn default() -> Self {
        Self { numbers: vec![0], marked: None }
    }
}

impl PartialEq for Offsets {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Offsets {}

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
            None => Ok(Self { numbers, marked: None }),
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
        match self.marked {
            None => self.numbers,
            Some(lists) => lists.into_numbers(),
        }
    }

    /// The numbers of [settled](Self::settle) offsets, to be changed.
    #[inline(always)]
    fn settled(&mut self) -> &mut Vec<u32> {
        debug_assert!(self.marked.is_none(), "marks are pushed to, or settled first");
        &mut self.numbers
    }

    /// `count` lists of one item each.
    pub(crate) fn ones(count: usize) -> Self {
        Self { numbers: (0..=count as u32).collect(), marked: None }
    }

    /// `count` lists without items.
    pub(crate) fn zeros(count: usize) -> Self {
        Self { numbers: vec![0; count + 1], marked: None }
    }

    /// Number of lists.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.marked {
            None => self.numbers.len() - 1,
            Some(lists) => lists.len(),
        }
    }

    /// Whether there are no lists.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of items of all lists.
    #[must_use]
    pub fn total(&self) -> usize {
        match &self.marked {
            None => self.numbers.last().map_or(0, |last| *last as usize),
            Some(lists) => lists.items() as usize,
        }
    }

    /// The positions of a list's items.
    #[inline]
    #[must_use]
    pub fn range(&self, index: usize) -> Option<std::ops::Range<usize>> {
        range_of(self.as_slice(), index)
    }

    /// As [`range`](Self::range), of [settled](Self::settle) offsets: without a look at marks.
    #[inline(always)]
    pub(crate) fn settled_range(&self, index: usize) -> Option<std::ops::Range<usize>> {
        range_of(&self.numbers, index)
    }

    /// Makes numbers of marks.
    pub(crate) fn settle(&mut self) -> &mut Self {
        if self.marked.is_some() {
            self.forget_marks();
        }
        self
    }

    #[cold]
    fn forget_marks(&mut self) {
        if let Some(lists) = self.marked.take() {
            self.numbers = lists.into_numbers();
        }
    }

    /// The numbers: starts, and the end of the last list.
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> &[u32] {
        match &self.marked {
            None => &self.numbers,
            Some(lists) => lists.numbers(),
        }
    }

    /// For each list a bit, the lowest of the first byte first, set where it has an item: of lists of one item at most that were decoded
    /// as such bits, as validity bitmaps of Arrow are; `None` of others. Bits beyond the last list are not set.
    #[must_use]
    pub fn bits(&self) -> Option<&[u8]> {
        self.marked.as_ref().map(|lists| lists.bits())
    }

    /// For each list its item, or `missing` if it is empty; lists have one item at most.
    ///
    /// ```
    /// use trevni::vector::Offsets;
    ///
    /// assert_eq!(Offsets::from_lengths([1, 0, 1])?.spread(&[5, 6], 0), [5, 0, 6]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn spread<T: Copy>(&self, items: &[T], missing: T) -> Vec<T> {
        /// Lists that are looked at together: where all have an item, these are copied at once.
        const AT_ONCE: usize = 8;
        if let Some(lists) = &self.marked {
            return spread(lists.bits(), lists.len(), items, missing);
        }
        let mut out = Vec::with_capacity(self.len());
        let (mut start, ends) = (0, self.numbers.get(1..).unwrap_or_default());
        for ends in ends.chunks(AT_ONCE) {
            let [.., end] = *ends else { continue };
            match items.get(start as usize..end as usize) {
                Some(all) if all.len() == ends.len() => out.extend_from_slice(all),
                _ => {
                    let mut start = start;
                    out.extend(ends.iter().map(|end| {
                        let before = std::mem::replace(&mut start, *end);
                        let item = items.get(before as usize).copied().unwrap_or(missing);
                        if before == *end { missing } else { item }
                    }));
                }
            }
            start = end;
        }
        out
    }

    /// The lengths of the lists.
    pub fn lengths(&self) -> impl Iterator<Item = u32> + '_ {
        self.as_slice().windows(2).map(|pair| pair[1] - pair[0])
    }

    /// Appends a list that ends where `total` items have been; false where that passes 32 bits.
    #[inline]
    #[must_use]
    pub(crate) fn push_end(&mut self, total: usize) -> bool {
        match u32::try_from(total) {
            Ok(end) => {
                self.settled().push(end);
                true
            }
            Err(_) => false,
        }
    }

    /// Appends a list without items.
    #[inline]
    pub(crate) fn push_empty(&mut self) {
        let numbers = self.settled();
        let last = numbers.last().copied().unwrap_or_default();
        numbers.push(last);
    }

    /// Appends a list of one item.
    #[inline]
    pub(crate) fn push_one(&mut self) {
        let numbers = self.settled();
        let last = numbers.last().copied().unwrap_or_default();
        numbers.push(last.wrapping_add(1));
    }

    /// Appends a list of one item, or of none.
    #[inline]
    pub(crate) fn push_if(&mut self, item: bool) {
        let numbers = self.settled();
        let last = numbers.last().copied().unwrap_or_default();
        numbers.push(last.wrapping_add(u32::from(item)));
    }

    /// Appends lists by marks, at most [`u32::MAX`] of them: whether a list begins there, and whether an item is there,
    /// which belongs to the list that began last. False where an item is there before the first list.
    #[inline]
    #[must_use]
    pub(crate) fn push_marked(&mut self, marks: impl ExactSizeIterator<Item = (bool, bool)>) -> bool {
        let numbers = self.settled();
        let (before, start) = (numbers.len(), numbers.last().copied().unwrap_or_default());
        // The first place takes what belongs to no list.
        numbers.resize(before + marks.len(), 0);
        let Some((_, ends)) = numbers.split_at_mut_checked(before - 1) else {
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
        numbers.truncate(before + at);
        fits
    }

    /// Appends a list of `length` items; false where that passes 32 bits.
    #[inline]
    #[must_use]
    pub(crate) fn push_length(&mut self, length: u32) -> bool {
        let numbers = self.settled();
        let last = numbers.last().copied().unwrap_or_default();
        match last.checked_add(length) {
            Some(end) => {
                numbers.push(end);
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
        let numbers = self.settle().settled();
        let last = numbers.last().copied().unwrap_or_default();
        let items: i64 = lengths.iter().map(|length| (*length).into()).sum();
        u32::try_from(i64::from(last) + items).ok()?;
        let mut end = last;
        numbers.extend(lengths.iter().map(|length| {
            end = end.wrapping_add((*length).into() as u32);
            end
        }));
        usize::try_from(items).ok()
    }

    /// Keeps [marks](Self::push_marks) as they are, where nothing else is appended. There are no lists yet.
    pub(crate) fn keep_marks(&mut self) {
        // Memory for numbers is given back: those that may be made have their own.
        *self = Self { numbers: vec![0], marked: Some(Box::default()) };
    }

    /// Appends lists of one item at most; returns their items, `None` where as many as lists would pass 32 bits.
    #[must_use]
    pub(crate) fn push_marks(&mut self, marks: &Marks<'_>) -> Option<usize> {
        let last = self.total() as u32;
        last.checked_add(u32::try_from(marks.len()).ok()?)?;
        let items = match &mut self.marked {
            Some(lists) => lists.push(marks),
            None => {
                push_numbers(marks, &mut self.numbers);
                self.total() as u32 - last
            }
        };
        Some(items as usize)
    }

    /// Appends `count` lists of one item each; false where that passes 32 bits.
    #[must_use]
    pub(crate) fn push_ones(&mut self, count: usize) -> bool {
        let numbers = self.settled();
        let last = numbers.last().copied().unwrap_or_default();
        match u32::try_from(count).ok().and_then(|count| last.checked_add(count)) {
            // Counted up to the last that is added, which may be the largest there is.
            Some(end) => {
                numbers.extend((last..end).map(|before| before + 1));
                true
            }
            None => false,
        }
    }

    /// Appends lists of lengths below 64, each written as twice its length in a byte, eight at a time as long as all of these
    /// are so; returns how many, and their items.
    pub(crate) fn push_short(&mut self, lengths: &[u8]) -> (usize, usize) {
        const OTHER: u64 = 0x8181_8181_8181_8181;
        let numbers = self.settled();
        let last = numbers.last().copied().unwrap_or_default();
        let (words, _) = lengths.as_chunks::<8>();
        let count = words.iter().take_while(|word| u64::from_le_bytes(**word) & OTHER == 0).count();
        let words = &words[..count];
        let most = words.len().saturating_mul(8 * 63);
        if u32::try_from(most).ok().and_then(|most| last.checked_add(most)).is_none() {
            return (0, 0);
        }
        let mut end = last;
        numbers.extend(words.as_flattened().iter().map(|length| {
            end += u32::from(length >> 1);
            end
        }));
        (8 * count, (end - last) as usize)
    }

    /// Appends `count` lists without items.
    pub(crate) fn push_empties(&mut self, count: usize) {
        let numbers = self.settled();
        let last = numbers.last().copied().unwrap_or_default();
        numbers.resize(numbers.len() + count, last);
    }

    /// Appends lists of the same lengths as some of `other`, which must be there; false where that passes
    /// 32 bits.
    #[must_use]
    pub(crate) fn push_range(&mut self, other: &Self, range: std::ops::Range<usize>) -> bool {
        if let (Some(lists), Some(from)) = (&mut self.marked, &other.marked) {
            let fits = range.end <= from.len() && lists.items().checked_add(from.items()).is_some();
            return fits && {
                lists.push(&Marks::Bits(from.bits(), range.start, range.len()));
                true
            };
        }
        let Some([first, ends @ ..]) = other.as_slice().get(range.start..=range.end) else {
            return false;
        };
        let numbers = self.settle().settled();
        let last = numbers.last().copied().unwrap_or_default();
        let total = ends.last().unwrap_or(first) - first;
        if last.checked_add(total).is_none() {
            return false;
        }
        numbers.extend(ends.iter().map(|end| last + (end - first)));
        true
    }

    /// Whether no list has more than one item.
    pub(crate) fn is_optional(&self) -> bool {
        let pairs = self.numbers.iter().zip(&self.numbers[1..]);
        self.marked.is_some() || pairs.fold(true, |fits, (start, end)| fits & (end.wrapping_sub(*start) <= 1))
    }

    /// Makes room for `count` more lists.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.settle().settled().reserve(count);
    }

    /// Bytes of the buffer, with room for `more` lists.
    pub(crate) fn room(&self, more: usize, growth: Growth) -> u64 {
        // Of marks as much as the numbers that they may become.
        room::bytes(self.len() + 1, self.numbers.capacity(), more, size_of::<u32>(), growth)
    }

    /// Makes room for exactly this number of lists.
    ///
    /// # Errors
    ///
    /// The system is out of memory.
    pub(crate) fn try_reserve_exact(&mut self, more: usize) -> Result<()> {
        match self.marked {
            None => room::reserved(self.numbers.try_reserve_exact(more)),
            Some(_) => Ok(()),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.marked = None;
        self.numbers.clear();
        self.numbers.push(0);
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.settle().settled().truncate(len + 1);
    }
}

#[inline(always)]
fn range_of(numbers: &[u32], index: usize) -> Option<std::ops::Range<usize>> {
    match numbers.get(index..)? {
        [start, end, ..] => Some(*start as usize..*end as usize),
        _ => None,
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
        let mut full = Offsets::from_lengths([u32::MAX - 100]).unwrap();
        let (all, some) = (Marks::Same(true, 101), Marks::Bits(&[0x0f; 12], 0, 96));
        assert_eq!((full.push_marks(&all), full.push_marks(&some)), (None, Some(48)));
        full.truncate(1);
        assert_eq!((full.push_short(&bytes), full.len()), ((0, 0), 1));
    }

    #[test]
    fn marked_lists_are_lists_like_others() {
        let bits: Vec<u8> = (0..=255).collect();
        let marks = Marks::Bits(&bits, 3, 2001);
        let lengths: Vec<u32> = (3..2004).map(|bit| u32::from(bits[bit / 8] >> (bit % 8) & 1)).collect();
        let other = Offsets::from_lengths(lengths.iter().copied()).unwrap();
        let mut marked = Offsets::default();
        marked.keep_marks();
        assert_eq!(marked.push_marks(&marks), Some(other.total()));
        assert!(marked.bits().is_some() && other.bits().is_none());
        assert_eq!((&marked, marked.len(), marked.total()), (&other, 2001, other.total()));
        let items: Vec<u32> = (0..other.total() as u32).collect();
        assert_eq!(marked.spread(&items, 7), other.spread(&items, 7));
        assert_eq!(marked.range(1000), other.range(1000));
        assert!(marked.is_optional() && marked.clone().into_inner() == other.as_slice());
        // Once they are numbers, each may come after them.
        let changes: [fn(&mut Offsets); 9] = [
            |offsets| offsets.push_empty(),
            |offsets| offsets.push_one(),
            |offsets| offsets.push_if(true),
            |offsets| assert!(offsets.push_length(3)),
            |offsets| assert_eq!(offsets.push_lengths(&[1, 0, 2]), Some(3)),
            |offsets| assert!(offsets.push_ones(2) && offsets.push_end(5000)),
            |offsets| offsets.push_empties(4),
            |offsets| offsets.truncate(77),
            |offsets| assert_eq!(offsets.push_marks(&Marks::Bits(&[0x55; 3], 1, 19)), Some(9)),
        ];
        for change in changes {
            let (mut one, mut two) = (marked.clone(), other.clone());
            change(one.settle());
            change(&mut two);
            assert_eq!(one, two);
            assert!(one.push_range(&marked, 3..99) && two.push_range(&other, 3..99));
            assert_eq!(one, two);
            one.clear();
            assert_eq!(one, Offsets::default());
            one.keep_marks();
            assert!(one.push_range(&marked, 5..700) && one.push_range(&marked, 7..8) && one.bits().is_some());
            let lengths = lengths[5..700].iter().chain(&lengths[7..8]);
            assert!(one.lengths().eq(lengths.copied()) && !one.push_range(&marked, 2000..2002));
        }
    }
}
