//! Writes the header.

use super::super::version::{MAGIC, Version};
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

/// Appends the header, and the starts of columns that have these sizes in bytes.
pub(in super::super) fn encode(header: &Header, sizes: &[u64], out: &mut Vec<u8>) {
    out.extend_from_slice(&MAGIC);
    out.push(header.version.number());
    out.extend_from_slice(&header.rows.to_le_bytes());
    out.extend_from_slice(&(header.columns.len() as u32).to_le_bytes());
    let sum = sums::encode_file_metadata(&header.metadata, header.has_sum, out);
    header.columns.iter().for_each(|column| column.encode(out));
    let mut start = (out.len() + 8 * header.columns.len()) as u64;
    for size in sizes {
        out.extend_from_slice(&start.to_le_bytes());
        start += size;
    }
    if let Some(sum) = sum {
        sum.fill(out);
    }
}

/// Metadata of a column: the format's keys first, in Java's order, then the user's, and last
/// the checksums and the zone map.
pub(super) fn column_metadata(
    spec: &ColumnSpec,
    parent: Option<&str>,
    first_values: bool,
    more: &Metadata,
    sums: Option<ColumnSums>,
    zone_map: Option<Vec<u8>>,
) -> Metadata {
    let mut entries = Metadata::default();
    entries.insert(metadata::NAME, spec.name.as_bytes());
    entries.insert(metadata::TYPE, spec.value_type.name().as_bytes());
    if let Some(parent) = parent {
        entries.insert(metadata::PARENT, parent.as_bytes());
    }
    if spec.array {
        entries.insert(metadata::ARRAY, *b"");
    }
    if first_values {
        entries.insert(metadata::VALUES, *b"");
    }
    for (key, value) in more.iter() {
        entries.insert(key, value);
    }
    if let Some(sums) = sums {
        entries.insert(metadata::COLUMN_SUMS, sums.encode());
    }
    if let Some(zone_map) = zone_map {
        entries.insert(metadata::ZONE_MAP, zone_map);
    }
    entries
}
