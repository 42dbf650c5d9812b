//! Lengths of lists, kept as running sums.

/// Where the items of each list begin: one number more than lists, the first is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Offsets(Vec<u32>);

impl Default for Offsets {
    fn default() -> Self {
        Self(vec![0])
    }
}

impl Offsets {
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
        let pairs = self.0.iter().zip(self.0.get(1..).unwrap_or_default());
        pairs.fold(true, |fits, (start, end)| fits & (end.wrapping_sub(*start) <= 1))
    }

    /// Makes room for `count` more lists.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.0.reserve(count);
    }

    pub(crate) fn clear(&mut self) {
        self.0.truncate(1);
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.0.truncate(len + 1);
    }
}
