//! Texts or byte strings behind each other, with their ends.

/// Values of variable length: all bytes in one buffer, and where each value ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blobs<B> {
    data: B,
    /// Starts of the values, and the end of the last.
    offsets: Vec<u32>,
}

/// Texts.
pub type Strings = Blobs<String>;

/// Byte strings.
pub type Binaries = Blobs<Vec<u8>>;

impl<B: Default> Default for Blobs<B> {
    fn default() -> Self {
        Self { data: B::default(), offsets: vec![0] }
    }
}

impl<B> Blobs<B> {
    /// Number of values.
    #[must_use]
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Whether there are no values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Starts of the values within the buffer, and the end of the last: one more than values.
    #[must_use]
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    #[inline]
    fn range(&self, index: usize) -> Option<std::ops::Range<usize>> {
        match self.offsets.get(index..)? {
            [start, end, ..] => Some(*start as usize..*end as usize),
            _ => None,
        }
    }
}

impl Strings {
    /// The value at a position.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&str> {
        self.data.get(self.range(index)?)
    }

    /// The values, in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map_while(|index| self.get(index))
    }

    /// All bytes, without borders between the values.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        self.data.as_bytes()
    }

    /// Appends a value; false where the buffer would pass 4 GiB.
    #[inline]
    #[must_use]
    pub fn push(&mut self, value: &str) -> bool {
        match u32::try_from(self.data.len() + value.len()) {
            Ok(end) => {
                self.data.push_str(value);
                self.offsets.push(end);
                true
            }
            Err(_) => false,
        }
    }

    pub(crate) fn clear(&mut self) {
        self.data.clear();
        self.offsets.truncate(1);
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.offsets.truncate(len + 1);
        self.data.truncate(self.offsets.last().map_or(0, |end| *end as usize));
    }

    /// Takes the buffers out for refilling; [`Strings::refilled`] puts them back.
    pub(crate) fn take(&mut self) -> Binaries {
        let data = std::mem::take(&mut self.data).into_bytes();
        let offsets = std::mem::replace(&mut self.offsets, vec![0]);
        Binaries { data, offsets }
    }

    /// Texts from byte strings: one check for all of them; none where one is not UTF-8.
    pub(crate) fn refilled(binaries: Binaries) -> Option<Self> {
        let Binaries { data, offsets } = binaries;
        let data = String::from_utf8(data).ok()?;
        // The whole is UTF-8; so is each value, if no border is inside a character.
        let whole = data.is_ascii() || offsets.iter().all(|offset| data.is_char_boundary(*offset as usize));
        whole.then_some(Self { data, offsets })
    }
}

impl Binaries {
    /// The value at a position.
    #[inline]
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        self.data.get(self.range(index)?)
    }

    /// The values, in order.
    pub fn iter(&self) -> impl Iterator<Item = &[u8]> {
        (0..self.len()).map_while(|index| self.get(index))
    }

    /// All bytes, without borders between the values.
    #[must_use]
    pub fn data(&self) -> &[u8] {
        &self.data
    }

    /// Appends a value; false where the buffer would pass 4 GiB.
    #[inline]
    #[must_use]
    pub fn push(&mut self, value: &[u8]) -> bool {
        match u32::try_from(self.data.len() + value.len()) {
            Ok(end) => {
                self.data.extend_from_slice(value);
                self.offsets.push(end);
                true
            }
            Err(_) => false,
        }
    }

    /// Makes room for `count` more values.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.offsets.reserve(count);
    }

    /// Appends the first `len` bytes; false where there are fewer, or the buffer would pass 4 GiB.
    /// Short values are copied with what follows them, at once, and then cut.
    #[inline]
    #[must_use]
    pub(crate) fn push_front(&mut self, bytes: &[u8], len: usize) -> bool {
        let Ok(end) = u32::try_from(self.data.len() as u64 + len as u64) else {
            return false;
        };
        match (bytes.first_chunk::<16>(), bytes.get(..len)) {
            (Some(chunk), _) if len <= chunk.len() => {
                self.data.extend_from_slice(chunk);
                self.data.truncate(end as usize);
            }
            (_, Some(value)) => self.data.extend_from_slice(value),
            (_, None) => return false,
        }
        self.offsets.push(end);
        true
    }

    pub(crate) fn clear(&mut self) {
        self.data.clear();
        self.offsets.truncate(1);
    }

    pub(crate) fn truncate(&mut self, len: usize) {
        self.offsets.truncate(len + 1);
        self.data.truncate(self.offsets.last().map_or(0, |end| *end as usize));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_border_inside_a_character_is_refused() {
        let mut binaries = Binaries::default();
        assert!(binaries.push(&"é".as_bytes()[..1]) && binaries.push(&"é".as_bytes()[1..]));
        assert_eq!(Strings::refilled(binaries), None);
    }

    #[test]
    fn values_come_back() {
        let mut strings = Strings::default();
        for value in ["a", "", "é日"] {
            assert!(strings.push(value));
        }
        assert_eq!(strings.iter().collect::<Vec<_>>(), ["a", "", "é日"]);
        strings.truncate(1);
        assert_eq!((strings.len(), strings.get(1)), (1, None));
        let mut binaries = strings.take();
        assert!(binaries.push("日".as_bytes()));
        assert_eq!(Strings::refilled(binaries).unwrap().get(1), Some("日"));
    }
}
