//! Strings or byte strings, each of which is one of a list of different ones.

use super::{Binaries, Strings, Vector};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Different values that entries refer to by their positions: those of one block of a file, as it is encoded.
///
/// Batches of a block share its dictionary, so that what is made of the values can be made once: [`Arc::ptr_eq`] tells.
#[derive(Debug, Default)]
pub struct Dictionary {
    values: Binaries,
    /// The same as vectors, made at the first request. Not strings if a value is not UTF-8.
    bytes: OnceLock<Vector>,
    texts: OnceLock<Option<Vector>>,
}

impl Dictionary {
    pub(crate) fn new(values: Binaries) -> Self {
        Self { values, ..Self::default() }
    }

    /// The values, which may be strings.
    #[must_use]
    pub fn values(&self) -> &Binaries {
        &self.values
    }

    /// The values as a vector of strings or of byte strings; `None` where strings are wanted and a value is not UTF-8.
    pub(crate) fn vector(&self, is_text: bool) -> Option<&Vector> {
        let texts = || {
            let texts = self.values.iter().map(std::str::from_utf8).collect::<Result<Vec<_>, _>>();
            Some(Vector::String(Strings::try_from_iter(texts.ok()?).ok()?))
        };
        match is_text {
            true => self.texts.get_or_init(texts).as_ref(),
            false => Some(self.bytes.get_or_init(|| Vector::Bytes(self.values.clone()))),
        }
    }
}

/// Strings or byte strings as positions in a dictionary.
#[derive(Clone, Debug, Default)]
pub struct DictionaryVector {
    dictionary: Arc<Dictionary>,
    keys: Vec<u32>,
    /// Bytes of the values of all entries.
    bytes: usize,
    pub(crate) is_text: bool,
}

impl DictionaryVector {
    /// Without entries.
    pub(crate) fn new(is_text: bool) -> Self {
        Self { is_text, ..Self::default() }
    }

    /// The different values.
    #[must_use]
    pub fn dictionary(&self) -> &Arc<Dictionary> {
        &self.dictionary
    }

    /// The position of each entry's value in the dictionary, which has one there.
    #[must_use]
    pub fn keys(&self) -> &[u32] {
        &self.keys
    }

    /// The keys, without a copy.
    #[must_use]
    pub fn into_keys(self) -> Vec<u32> {
        self.keys
    }

    /// The values of all entries, one after the other.
    #[must_use]
    pub fn to_values(&self) -> Binaries {
        let mut values = Binaries::default();
        // They are not more bytes than a batch may have.
        let _ = self.each(0..self.len(), |value| values.push_packed(value));
        values
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The value of an entry.
    fn get(&self, index: usize) -> Option<&[u8]> {
        self.dictionary.values.get(*self.keys.get(index)? as usize)
    }

    /// Bytes of memory that the entries take: as values one after the other, which they may become.
    pub(super) fn size(&self) -> usize {
        self.bytes + self.len() * 8
    }

    /// Bytes of the values of all entries together.
    pub(super) fn value_bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn clear(&mut self) {
        self.keys.clear();
        self.bytes = 0;
        self.dictionary = Arc::default();
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.keys.truncate(len);
        let lengths = self.keys.iter().filter_map(|key| self.dictionary.values.get(*key as usize));
        self.bytes = lengths.map(<[u8]>::len).sum();
    }

    pub(super) fn keys_mut(&mut self) -> &mut Vec<u32> {
        &mut self.keys
    }

    /// Whether entries of a dictionary can be appended.
    pub(crate) fn may_refer_to(&self, dictionary: &Arc<Dictionary>) -> bool {
        self.is_empty() || Arc::ptr_eq(&self.dictionary, dictionary)
    }

    /// Appends entries of a dictionary that [may be](Self::may_refer_to): their positions in it. The bytes of their values are
    /// [counted](Self::count_bytes) after that.
    pub(crate) fn extend(&mut self, dictionary: &Arc<Dictionary>, keys: impl Iterator<Item = u32>) {
        if self.is_empty() {
            self.dictionary = Arc::clone(dictionary);
        }
        self.keys.extend(keys);
    }

    /// Counts bytes of values.
    pub(crate) fn count_bytes(&mut self, bytes: usize) {
        self.bytes += bytes;
    }

    /// Appends some entries of another vector; false where they are of another dictionary.
    pub(super) fn extend_from(&mut self, other: &Self, range: Range<usize>) -> bool {
        match other.keys.get(range) {
            Some(keys) if self.may_refer_to(&other.dictionary) => {
                let values = &other.dictionary.values;
                let length = |key: &u32| values.get(*key as usize).map_or(0, <[u8]>::len);
                self.count_bytes(keys.iter().map(length).sum());
                self.extend(&other.dictionary, keys.iter().copied());
                true
            }
            _ => false,
        }
    }

    /// Calls with the value of each of some entries, as long as it says true; whether it always has.
    pub(super) fn each(&self, range: Range<usize>, mut call: impl FnMut(&[u8]) -> bool) -> bool {
        range.into_iter().all(|index| self.get(index).is_some_and(&mut call))
    }

    /// The same with strings; false where a value of the dictionary is not UTF-8.
    pub(super) fn texts(&self, range: Range<usize>, mut call: impl FnMut(&str) -> bool) -> bool {
        let (Some(Vector::String(texts)), Some(keys)) = (self.dictionary.vector(true), self.keys.get(range))
        else {
            return false;
        };
        keys.iter().all(|key| texts.get(*key as usize).is_some_and(&mut call))
    }

    /// Whether all values that entries may have are UTF-8, if they must be.
    pub(crate) fn is_valid(&self) -> bool {
        !self.is_text || self.dictionary.vector(true).is_some()
    }
}

impl PartialEq for DictionaryVector {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && (0..self.len()).all(|index| self.get(index) == other.get(index))
    }
}

impl Vector {
    /// Makes a vector of a dictionary, whose values are [valid](DictionaryVector::is_valid), one of strings or of byte strings.
    pub(crate) fn forget_dictionary(&mut self) {
        let Self::Dictionary(vector) = self else { return };
        let plain = match vector.is_text {
            true => Self::String(Strings::default()),
            false => Self::Bytes(Binaries::default()),
        };
        let (len, own) = (vector.len(), std::mem::replace(self, plain));
        // They are not more bytes than a batch may have.
        let _ = own.copy_range(0..len, self);
    }
}
