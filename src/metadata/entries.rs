//! Metadata in its encoded form.

use super::{Metadata, is_sum};
use crate::bytes::reader::{Bytes, Malformed};
use crate::bytes::varint::encode_long;

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
        let [value] = self.all([key]);
        value
    }

    /// The last value of each key.
    pub(crate) fn all<const N: usize>(self, keys: [&str; N]) -> [Option<&'a [u8]>; N] {
        let mut values = [None; N];
        for (key, value) in self.iter() {
            for (found, wanted) in values.iter_mut().zip(keys) {
                if key == wanted.as_bytes() {
                    *found = Some(value);
                }
            }
        }
        values
    }

    /// The value of a key, if it is UTF-8.
    pub(crate) fn get_str(self, key: &str) -> Option<&'a str> {
        self.get(key).and_then(|value| std::str::from_utf8(value).ok())
    }

    /// The decoded entries, without checksums.
    pub(crate) fn to_metadata(self) -> Metadata {
        let text = |(key, value)| {
            let key = std::str::from_utf8(key).ok().filter(|key| !is_sum(key))?;
            Some((key, value))
        };
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

impl Metadata {
    /// Appends the number of entries, and the entries.
    pub(crate) fn encode(&self, out: &mut Vec<u8>) {
        encode_count(self.len(), out);
        self.iter().for_each(|(key, value)| encode_entry(key, value, out));
    }
}

/// Appends the number of entries that follow.
pub(crate) fn encode_count(count: usize, out: &mut Vec<u8>) {
    encode_long(out, count as i64);
}

/// Appends a key and its value.
pub(crate) fn encode_entry(key: &str, value: &[u8], out: &mut Vec<u8>) {
    encode_long(out, key.len() as i64);
    out.extend_from_slice(key.as_bytes());
    encode_long(out, value.len() as i64);
    out.extend_from_slice(value);
}
