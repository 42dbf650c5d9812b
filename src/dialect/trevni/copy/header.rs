//! The header of the result: what the files say of themselves, brought together.

use super::column::Column;
use super::{Options, Part};
use crate::dialect::sums::ColumnSums;
use crate::dialect::trevni::decode::File;
use crate::metadata::{self, Metadata};
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use std::collections::HashSet;

/// Metadata of the file: that of the first, then what only later ones have, but for the format's own.
pub(super) fn merged_file_metadata(parts: &[Part<'_, '_>], options: &Options) -> Metadata {
    let mut keys = HashSet::new();
    let mut pairs = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        for (key, value) in part.file.header.metadata().iter() {
            if (number == 0 || !key.starts_with("trevni.")) && keys.insert(key) {
                pairs.push((key, value));
            }
        }
    }
    let mut merged = Metadata::from_pairs(pairs);
    let mut set = |key: &str, name: &str| {
        if merged.contains(key) || name != "null" {
            merged.insert(key, name.as_bytes());
        }
    };
    if let Some(codec) = options.codec.filter(|codec| *codec != Codec::Auto) {
        set(metadata::CODEC, codec.name());
    }
    if let Some(checksum) = options.checksum {
        set(metadata::CHECKSUM, checksum.name());
    }
    merged
}

/// Whether the result has checksums of its header: where blocks have some, or would.
pub(super) fn has_sum(file: &Metadata, columns: &[Column]) -> bool {
    let named = file.get_str(metadata::CHECKSUM).is_some_and(|name| name != Checksum::Null.name());
    named || columns.iter().any(|column| column.target.checksum != Checksum::Null)
}

/// Metadata of the columns, as the first file has them; `file` is the metadata of the result, `sums` has the checksums
/// of the columns.
pub(super) fn columns(
    first: &File<'_>,
    columns: &[Column],
    file: &Metadata,
    sums: &[Option<ColumnSums>],
    options: &Options,
) -> Vec<Metadata> {
    let each = first.header.columns().enumerate().zip(columns).zip(sums);
    each.map(|(((number, header), column), sums)| {
        let mut own = header.metadata.to_metadata();
        // These say how it is stored in the beginning, which is not so in another file.
        if first.is_within_beginning(number) {
            [metadata::CODEC, metadata::CHECKSUM].into_iter().for_each(|key| own.remove(key));
        }
        merged_column_metadata(own, column, file, *sums, options)
    })
    .collect()
}

/// Metadata of a column: its own in the first file, with the codec and the checksum of the result, and last
/// the checksums and the zone map of its blocks.
fn merged_column_metadata(
    mut own: Metadata,
    column: &Column,
    file: &Metadata,
    sums: Option<ColumnSums>,
    options: &Options,
) -> Metadata {
    let target = column.target;
    own.remove(metadata::ZONE_MAP);
    if options.codec.is_some() {
        own.remove(metadata::CODEC);
    }
    if options.checksum.is_some() {
        own.remove(metadata::CHECKSUM);
    }
    // A name stays as it is where it says the same.
    let says = |own: &Metadata, key: &str| {
        own.get_str(key).or_else(|| file.get_str(key)).unwrap_or("null").to_owned()
    };
    if Codec::from_name(&says(&own, metadata::CODEC)).ok() != Some(target.codec) {
        own.insert(metadata::CODEC, target.codec.name().as_bytes());
    }
    if Checksum::from_name(&says(&own, metadata::CHECKSUM)).ok() != Some(target.checksum) {
        own.insert(metadata::CHECKSUM, target.checksum.name().as_bytes());
    }
    if let Some(sums) = sums {
        own.insert(metadata::COLUMN_SUMS, sums.encode());
    }
    if let Some(zone_map) = &column.zone_map {
        own.insert(metadata::ZONE_MAP, zone_map.as_slice());
    }
    own
}
