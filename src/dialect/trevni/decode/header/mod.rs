//! The header: what it says of columns is found when it is read, and taken out of its bytes when it is asked for.

use super::super::Version;
use crate::dialect::trevni::WIDE_COLUMNS;
use crate::dialect::trevni::columns::ColumnSpec;
use crate::error::{Error, Result};
use crate::metadata::{self, Entries, Metadata};
use crate::storage::value_type::ValueType;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::OnceLock;

mod read;

pub(super) use read::read;

/// What comes before the columns (specification, "File Format").
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) version: Version,
    pub(crate) rows: u64,
    /// The header as it is in the file, up to the last column's metadata, but for long zone maps.
    bytes: Box<[u8]>,
    /// Where the file's metadata are.
    file: Range<usize>,
    /// Whether it has a checksum, which has been compared.
    has_sum: bool,
    /// Number of bytes, with the starts of columns.
    end: u64,
    /// The names of all columns, one after the other.
    names: String,
    columns: Vec<ColumnEntry>,
    /// Made when they are first asked for.
    metadata: OnceLock<Metadata>,
    inherited: OnceLock<Inherited>,
}

/// What holds for all columns, if they do not say otherwise: found once, since a file may have as many entries as columns.
#[derive(Debug)]
pub(crate) struct Inherited {
    /// Name of the codec.
    pub(crate) codec: Box<str>,
    /// Name of the checksum.
    pub(crate) checksum: Box<str>,
    /// Whether the file is of this crate, which it does not always say.
    pub(crate) is_of_this_crate: bool,
    /// Whether the schema was derived from rows.
    pub(crate) is_derived: bool,
    /// The checksums of all columns, where they are together.
    pub(crate) column_sums: Option<Box<[u8]>>,
}

/// Where the header speaks of a column, and what it says in few bytes.
#[derive(Debug)]
struct ColumnEntry {
    /// Within the names of all columns.
    name: Range<usize>,
    metadata: Range<usize>,
    value_type: ValueType,
    array: bool,
    first_values: bool,
    parent: Option<usize>,
    start: u64,
    /// Where the zone map is in the file, if it is not in the metadata that are kept.
    zone_map: Option<Range<u64>>,
}

/// One column's part of the header.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnHeader<'a> {
    pub(crate) spec: ColumnSpec<&'a str>,
    /// Whether descriptors hold the first value of their block.
    pub(crate) first_values: bool,
    /// Without the zone map, where that is long.
    pub(crate) metadata: Entries<'a>,
    /// Position in the file.
    pub(crate) start: u64,
}

impl Header {
    /// Number of columns.
    pub(crate) fn len(&self) -> usize {
        self.columns.len()
    }

    pub(crate) fn column(&self, number: usize) -> Option<ColumnHeader<'_>> {
        self.columns.get(number).map(|place| self.at(place))
    }

    /// The type of a column's values, and whether it stores lengths.
    pub(crate) fn kind(&self, number: usize) -> Option<(ValueType, bool)> {
        self.columns.get(number).map(|place| (place.value_type, place.array))
    }

    pub(crate) fn columns(&self) -> impl ExactSizeIterator<Item = ColumnHeader<'_>> + Clone {
        self.columns.iter().map(|place| self.at(place))
    }

    /// What all columns are, without what else is said of them.
    pub(crate) fn specs(&self) -> Vec<ColumnSpec<&str>> {
        self.columns().map(|column| column.spec).collect()
    }

    /// The names of the columns.
    pub(crate) fn names(&self) -> impl ExactSizeIterator<Item = &str> + Clone {
        self.columns.iter().map(|place| &self.names[place.name.clone()])
    }

    /// Where the zone map of a column is in the file, where it is too long to be kept with its metadata.
    pub(crate) fn zone_map(&self, number: usize) -> Option<Range<u64>> {
        self.columns.get(number).and_then(|place| place.zone_map.clone())
    }

    /// Metadata of the file.
    pub(crate) fn metadata(&self) -> &Metadata {
        self.metadata.get_or_init(|| self.entries().to_metadata())
    }

    /// Metadata of the file, in the form that it has there.
    pub(crate) fn entries(&self) -> Entries<'_> {
        Entries::new(self.part(&self.file))
    }

    /// What the file's metadata say of all columns.
    pub(crate) fn inherited(&self) -> &Inherited {
        self.inherited.get_or_init(|| {
            let keys =
                [metadata::CODEC, metadata::CHECKSUM, metadata::SCHEMA_KIND, metadata::ALL_COLUMN_SUMS];
            let [codec, checksum, kind, sums] = self.entries().all(keys);
            let name = |name: Option<&[u8]>| {
                name.and_then(|name| std::str::from_utf8(name).ok()).unwrap_or("null").into()
            };
            Inherited {
                codec: name(codec),
                checksum: name(checksum),
                is_of_this_crate: self.has_sum || kind.is_some() || self.has_zone_map(),
                is_derived: kind == Some(metadata::DERIVED.as_bytes()),
                column_sums: sums.map(Box::from),
            }
        })
    }

    /// Whether a column has a zone map, which only this crate writes.
    fn has_zone_map(&self) -> bool {
        self.columns.iter().any(|column| {
            column.zone_map.is_some()
                || Entries::new(self.part(&column.metadata)).get(metadata::ZONE_MAP).is_some()
        })
    }

    /// Number of bytes, with the starts of columns.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Whether the file is wide, so that small columns have no zone maps.
    pub(crate) fn is_wide(&self) -> bool {
        self.len() > WIDE_COLUMNS
    }

    /// The same header, of which is known that it is as it was written, or not.
    pub(crate) fn with_sum(self, has_sum: bool) -> Self {
        Self { has_sum, ..self }
    }

    /// Whether it has a checksum, which has been compared.
    pub(crate) fn has_sum(&self) -> bool {
        self.has_sum
    }

    fn part(&self, range: &Range<usize>) -> &[u8] {
        &self.bytes[range.clone()]
    }

    fn at(&self, place: &ColumnEntry) -> ColumnHeader<'_> {
        let ColumnEntry { value_type, array, first_values, parent, start, .. } = *place;
        let name = &self.names[place.name.clone()];
        let metadata = Entries::new(self.part(&place.metadata));
        ColumnHeader { spec: ColumnSpec { name, value_type, array, parent }, first_values, metadata, start }
    }
}

/// How many columns are compared with a name before it is looked up: parents are near their children.
const NEAR: usize = 64;

/// About the bytes of a name.
const LENGTH: usize = 24;

/// The names of the columns so far.
struct Names<'a> {
    text: Vec<u8>,
    names: Vec<&'a [u8]>,
    /// The name that was found last, and its number: siblings have one parent.
    found: Option<(&'a [u8], usize)>,
    /// The number of the last column of each name; made only where comparing would take too long.
    numbers: HashMap<&'a [u8], usize>,
    /// How many columns are in there.
    covered: usize,
}

impl<'a> Names<'a> {
    /// Room for the names of a number of columns.
    fn with_capacity(count: usize) -> Self {
        Self {
            text: Vec::with_capacity(count * LENGTH),
            names: Vec::with_capacity(count),
            found: None,
            numbers: HashMap::new(),
            covered: 0,
        }
    }

    /// Adds the name of the next column, which is UTF-8; returns where it is in the text of all names.
    fn add(&mut self, name: &'a [u8]) -> Range<usize> {
        let start = self.text.len();
        self.text.extend_from_slice(name);
        if self.found.is_some_and(|(found, _)| found == name) {
            self.found = None;
        }
        self.names.push(name);
        start..self.text.len()
    }

    /// The number of the last column that has a name.
    fn last(&mut self, name: &'a [u8]) -> Option<usize> {
        if let Some((_, number)) = self.found.filter(|(found, _)| *found == name) {
            return Some(number);
        }
        let number = self.search(name)?;
        self.found = Some((name, number));
        Some(number)
    }

    fn search(&mut self, name: &[u8]) -> Option<usize> {
        let far = self.names.len().saturating_sub(NEAR);
        let near = &self.names[far..];
        if let Some(found) = near.iter().rposition(|other| *other == name) {
            return Some(far + found);
        }
        if far > 0 {
            let rest = self.names.iter().copied().zip(0..).skip(self.covered);
            self.numbers.extend(rest);
            self.covered = self.names.len();
        }
        self.numbers.get(name).copied()
    }

    /// All names, one after the other.
    ///
    /// # Errors
    ///
    /// None: each of them is UTF-8, and so is the whole.
    fn into_text(self) -> Result<String> {
        String::from_utf8(self.text).map_err(|_| Error::internal("the names of the columns are not UTF-8"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_of_a_name_is_found_near_and_far() {
        let others: Vec<String> = (0..300).map(|number| format!("column {number}")).collect();
        let mut names = Names::with_capacity(8);
        assert_eq!(names.add(b"one"), 0..3);
        assert_eq!(names.add(b"two"), 3..6);
        assert_eq!(names.add(b"one"), 6..9);
        for (number, other) in others.iter().enumerate() {
            assert_eq!((names.last(b"one"), names.last(b"two")), (Some(2), Some(1)));
            assert_eq!(
                (names.last(other.as_bytes()), names.last(b"column 0")),
                (None, (number > 0).then_some(3))
            );
            names.add(other.as_bytes());
        }
        names.add(b"two");
        assert_eq!(names.last(b"two"), Some(303));
    }
}
