//! Writes the header.
//!
//! Of a wide file, it is mostly keys of columns. Names, types and parents stay: Java needs the types, and others go by the
//! names. Java would read columns without names, by position; but a column would take 48 bytes all the same, and no tool
//! could name it.

use super::super::version::{MAGIC, Version};
use super::super::{SMALL_COLUMN_BYTES, WIDE_COLUMNS};
use crate::dialect::sums::{self, ColumnSums};
use crate::dialect::trevni::columns::ColumnSpec;
use crate::metadata::{self, Metadata};

/// What comes before the columns (specification, "File Format").
pub(in super::super) struct Header {
    pub(in super::super) version: Version,
    pub(in super::super) rows: u64,
    pub(in super::super) metadata: Metadata,
    /// Whether it has a checksum.
    pub(in super::super) has_sum: bool,
    /// Metadata of each column.
    pub(in super::super) columns: Vec<Metadata>,
}

impl Header {
    /// Leaves out what a wide file should do without, and brings together what all columns have; they have these sizes in
    /// bytes.
    fn shorten(&mut self, sizes: &[u64]) {
        let mut all = Vec::with_capacity(self.columns.len() * ColumnSums::BYTES);
        for (column, size) in self.columns.iter_mut().zip(sizes) {
            if *size <= SMALL_COLUMN_BYTES {
                column.remove(metadata::ZONE_MAP);
            }
            // Where one has none, all keep theirs.
            all.extend_from_slice(column.get(metadata::COLUMN_SUMS).unwrap_or_default());
        }
        if all.len() == self.columns.len() * ColumnSums::BYTES {
            self.columns.iter_mut().for_each(|column| column.remove(metadata::COLUMN_SUMS));
            self.metadata.insert(metadata::ALL_COLUMN_SUMS, all);
        }
    }
}

/// The header, and the starts of columns that have these sizes in bytes.
pub(in super::super) fn encode(mut header: Header, sizes: &[u64]) -> Vec<u8> {
    if header.columns.len() > WIDE_COLUMNS {
        header.shorten(sizes);
    }
    let starts: Vec<u64> = starts(sizes).collect();
    let mut out = Vec::new();
    append(&header, &starts, &mut out);
    out
}

/// Where columns of these sizes start, each next to the one before it, counted from the end of the header.
fn starts(sizes: &[u64]) -> impl Iterator<Item = u64> {
    sizes.iter().scan(0, |end, size| Some(std::mem::replace(end, *end + size)))
}

/// Appends the header, and the starts of columns, which count from its end.
pub(in super::super) fn append(header: &Header, starts: &[u64], out: &mut Vec<u8>) {
    out.extend_from_slice(&MAGIC);
    out.push(header.version.number());
    out.extend_from_slice(&header.rows.to_le_bytes());
    out.extend_from_slice(&(header.columns.len() as u32).to_le_bytes());
    let sum = sums::encode_file_metadata(&header.metadata, header.has_sum, out);
    header.columns.iter().for_each(|column| column.encode(out));
    let end = (out.len() + 8 * header.columns.len()) as u64;
    for start in starts {
        out.extend_from_slice(&end.saturating_add(*start).to_le_bytes());
    }
    if let Some(sum) = sum {
        sum.fill(out);
    }
}

/// The most entries of a column that this crate makes.
const USUAL_ENTRIES: usize = 7;

/// Metadata of a column: the format's keys first, in Java's order, then the user's, and last
/// the checksums and the zone map.
pub(in super::super) fn column_metadata(
    spec: &ColumnSpec,
    parent: Option<&str>,
    first_values: bool,
    more: &Metadata,
    sums: Option<ColumnSums>,
    zone_map: Option<Vec<u8>>,
) -> Metadata {
    let mut entries = Metadata::with_capacity(USUAL_ENTRIES + more.len());
    entries.push(metadata::NAME, spec.name.as_bytes());
    entries.push(metadata::TYPE, spec.value_type.name().as_bytes());
    if let Some(parent) = parent {
        entries.push(metadata::PARENT, parent.as_bytes());
    }
    if spec.array {
        entries.push(metadata::ARRAY, *b"");
    }
    if first_values {
        entries.push(metadata::VALUES, *b"");
    }
    for (key, value) in more.iter() {
        entries.insert(key, value);
    }
    if let Some(sums) = sums {
        entries.push(metadata::COLUMN_SUMS, sums.encode());
    }
    if let Some(zone_map) = zone_map {
        entries.push(metadata::ZONE_MAP, zone_map);
    }
    entries
}
