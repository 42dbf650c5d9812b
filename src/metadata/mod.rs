//! Metadata of a file or a column: keys and bytes, in order, also in their encoded form.

use crate::bytes::reader::{Bytes, Read};
use crate::bytes::varint::encode_long;
use std::borrow::Cow;
use std::collections::HashMap;

#[cfg(any(feature = "files", feature = "levels"))]
mod known_values;

#[cfg(any(feature = "files", feature = "levels"))]
pub(crate) use known_values::known_values;

/// Key for the name of a column.
pub(crate) const NAME: &str = "trevni.name";
/// Key for the value type of a column.
pub(crate) const TYPE: &str = "trevni.type";
/// Key that marks an array column.
pub(crate) const ARRAY: &str = "trevni.array";
/// Key for the name of a column's parent.
pub(crate) const PARENT: &str = "trevni.parent";
/// Key that marks a column with first values.
pub(crate) const VALUES: &str = "trevni.values";
/// Key for the codec of a file or column.
pub(crate) const CODEC: &str = "trevni.codec";
/// Key for the checksum of a file or column.
pub(crate) const CHECKSUM: &str = "trevni.checksum";
/// Key for the order of what is in a block, in Trevni with levels.
pub(crate) const LAYOUT: &str = "trevni.layout";
/// Key for the greatest definition level of a column, in Trevni with levels.
pub(crate) const DEFINITION: &str = "trevni.definition";
/// Key for the greatest repetition level of a column, in Trevni with levels.
pub(crate) const REPETITION: &str = "trevni.repetition";
/// Key for the number of values of each entry of a column, in Trevni with levels.
pub(crate) const ARRAY_WIDTH: &str = "trevni.arraywidth";
/// Key for the Avro schema of the rows.
pub(crate) const SCHEMA: &str = "avro.schema";

/// Key for the origin of the schema; specific to this crate.
pub(crate) const SCHEMA_KIND: &str = "serde.schema";
/// Value of [`SCHEMA_KIND`] for a schema inferred from rows: branch names are not variants.
pub(crate) const DERIVED: &str = "derived";
/// Keys of a file's metadata for the types that its rows had in Arrow, and for the values of their dictionaries.
pub(crate) const OF_ARROW: [&str; 2] = ["arrow.schema", "arrow.dictionaries"];

/// Whether a key has one value in the metadata of all files, or is in none.
pub(crate) fn is_common<'m>(key: &str, mut all: impl Iterator<Item = &'m Metadata>) -> bool {
    let first = all.next().and_then(|metadata| metadata.get(key));
    all.all(|metadata| metadata.get(key) == first)
}

/// Key for the zone map of a column; specific to this crate.
pub(crate) const ZONE_MAP: &str = "zone_map";

/// Key for the checksum of the header, the first of the file's metadata; specific to this crate, as are the next two.
/// Its first letter, taken for a length, is negative.
pub(crate) const HEADER_SUM: &str = "crc32_header";
/// Key for the number of bytes of the header, the last of the file's metadata.
pub(crate) const HEADER_BYTES: &str = "crc32_header_bytes";
/// Key for the checksums of a column's block table and of the order of its blocks.
pub(crate) const COLUMN_SUMS: &str = "crc32_column";

/// Key for the checksums of all columns, in a long header of Trevni.
pub(crate) const ALL_COLUMN_SUMS: &str = "crc32_columns";

/// Name of the metadata block with the checksums of the parts of columns in RedElm; specific to this crate, as is the next.
pub(crate) const PART_SUMS: &str = "crc32_columns";
/// Name of the last metadata block of a RedElm file: the checksum of the footer.
pub(crate) const FOOTER_SUM: &str = "crc32_footer";

/// Whether a key is one of the checksums that only readers and writers of files see.
pub(crate) fn is_sum(key: &str) -> bool {
    [HEADER_SUM, HEADER_BYTES, COLUMN_SUMS, ALL_COLUMN_SUMS, PART_SUMS, FOOTER_SUM].contains(&key)
}

/// Key for the number of rows of each block of a column whose entries are more; specific to this crate.
pub(crate) const BLOCK_ROWS: &str = "block_rows";

/// The keys that most columns have.
const KNOWN: [&str; 9] = [NAME, TYPE, ARRAY, PARENT, VALUES, CODEC, CHECKSUM, COLUMN_SUMS, ZONE_MAP];

/// Entries up to this number are searched one by one.
const FEW: usize = 16;

/// The metadata of a file or a column: an ordered map from strings to bytes (specification, "Metadata").
///
/// Keys that begin with `trevni.` are reserved for the format.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Metadata {
    entries: Vec<(Cow<'static, str>, Vec<u8>)>,
}

impl Metadata {
    /// The value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&[u8]> {
        self.entries.iter().find(|(k, _)| *k == key).map(|(_, value)| value.as_slice())
    }

    /// The value of a key, if it is UTF-8.
    #[must_use]
    pub fn get_str(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(|value| std::str::from_utf8(value).ok())
    }

    /// Whether the key is present.
    #[must_use]
    pub fn contains(&self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// Iterates over keys and values, in file order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &[u8])> {
        self.entries.iter().map(|(key, value)| (&**key, value.as_slice()))
    }

    /// Number of entries.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Sets a key; an existing one keeps its position.
    pub(crate) fn insert(&mut self, key: &str, value: impl Into<Vec<u8>>) {
        match self.entries.iter_mut().find(|(k, _)| *k == key) {
            Some((_, old)) => *old = value.into(),
            None => self.entries.push((shared(key), value.into())),
        }
    }

    /// Room for a number of entries.
    pub(crate) fn with_capacity(entries: usize) -> Self {
        Self { entries: Vec::with_capacity(entries) }
    }

    /// Appends an entry of a key of this crate that is not there yet.
    pub(crate) fn push(&mut self, key: &'static str, value: impl Into<Vec<u8>>) {
        debug_assert!(!self.contains(key), "{key} is there already");
        self.entries.push((Cow::Borrowed(key), value.into()));
    }

    /// Removes a key.
    pub(crate) fn remove(&mut self, key: &str) {
        self.entries.retain(|(k, _)| k != key);
    }

    /// Entries that may repeat a key: the last value counts, at the first position.
    pub(crate) fn from_pairs(pairs: Vec<(&str, &[u8])>) -> Self {
        let mut metadata = Self { entries: Vec::with_capacity(pairs.len()) };
        if pairs.len() <= FEW {
            pairs.into_iter().for_each(|(key, value)| metadata.insert(key, value));
            return metadata;
        }
        let mut places = HashMap::with_capacity(pairs.len());
        for (key, value) in pairs {
            let place = *places.entry(key).or_insert(metadata.entries.len());
            match metadata.entries.get_mut(place) {
                Some((_, old)) => *old = value.to_vec(),
                None => metadata.entries.push((shared(key), value.to_vec())),
            }
        }
        metadata
    }
}

/// A key, borrowed if it is a known one.
fn shared(key: &str) -> Cow<'static, str> {
    match KNOWN.into_iter().find(|known| *known == key) {
        Some(known) => Cow::Borrowed(known),
        None => Cow::Owned(key.to_owned()),
    }
}

/// Encoded keys and values, decoded on demand. Keys are UTF-8.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entries<'a>(&'a [u8]);

impl<'a> Entries<'a> {
    /// Entries that were all read with [`next_entry`] before.
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
        std::iter::from_fn(move || next_entry(&mut bytes).ok())
    }
}

/// Reads a key and its value.
#[inline]
pub(crate) fn next_entry<'a>(bytes: &mut Bytes<'a>) -> Read<(&'a [u8], &'a [u8])> {
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
