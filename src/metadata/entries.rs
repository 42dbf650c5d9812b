//! Metadata in its encoded form.

use super::Metadata;
use crate::bytes::reader::{Bytes, Malformed};

/// Encoded keys and values, decoded on demand. Keys are UTF-8.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entries<'a>(&'a [u8]);

impl<'a> Entries<'a> {
    /// Entries that were all read with [`next`] before.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    /// The last value of a key.
    pub(crate) fn get(self, key: &str) -> Option<&'a [u8]> {
        self.iter().filter(|(other, _)| *other == key.as_bytes()).last().map(|(_, value)| value)
    }

    /// The value of a key, if it is UTF-8.
    pub(crate) fn get_str(self, key: &str) -> Option<&'a str> {
        self.get(key).and_then(|value| std::str::from_utf8(value).ok())
    }

    /// The decoded entries.
    pub(crate) fn to_metadata(self) -> Metadata {
        let text = |(key, value)| std::str::from_utf8(key).ok().map(|key| (key, value));
        Metadata::from_pairs(self.iter().filter_map(text).collect())
    }

    fn iter(self) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
        let mut bytes = Bytes::new(self.0);
        std::iter::from_fn(move || next(&mut bytes).ok())
    }
}

/// Reads a key and its value.
#[inline]
pub(crate) fn next<'a>(bytes: &mut Bytes<'a>) -> Result<(&'a [u8], &'a [u8]), Malformed> {
    Ok((bytes.prefixed()?, bytes.prefixed()?))
}
