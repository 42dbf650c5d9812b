//! The header: what it says of columns is found when it is read, and taken out of its bytes when it is asked for.

mod names;
mod read;

pub(super) use read::read;

use super::super::version::Version;
use crate::dialect::trevni::WIDE_COLUMNS;
use crate::dialect::trevni::columns::ColumnSpec;
use crate::metadata::{self, Entries, Metadata};
use crate::storage::value_type::ValueType;
use std::ops::Range;
use std::sync::OnceLock;

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
