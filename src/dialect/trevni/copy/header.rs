//! The header of the result: what the files say of themselves, brought together.

use super::column::Column;
use super::{Found, Options, Outline, Part, encode_header, target};
use crate::dialect::sums::ColumnSums;
use crate::error::Result;
use crate::metadata::{self, Metadata};
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use std::collections::HashSet;

/// Metadata of the file: that of the first, then what only later ones have, but for the format's own.
pub(super) fn merged_file_metadata(parts: &[Part<'_, '_>], outline: &Outline, options: &Options) -> Metadata {
    let mut keys = HashSet::new();
    let mut pairs = Vec::new();
    for (number, part) in parts.iter().enumerate() {
        for (key, value) in part.file.header.metadata().iter() {
            let is_own =
                key.starts_with("trevni.") || [metadata::SCHEMA, metadata::SCHEMA_KIND].contains(&key);
            if (number == 0 || !is_own) && keys.insert(key) {
                pairs.push((key, value));
            }
        }
    }
    let mut merged = Metadata::from_pairs(pairs);
    // Types that not all files have would be wrong for the values of some.
    for key in metadata::OF_ARROW {
        if !metadata::is_common(key, parts.iter().map(|part| part.file.header.metadata())) {
            merged.remove(key);
        }
    }
    if let Some(derived) = outline.derived {
        merged.remove(metadata::SCHEMA_KIND);
        if derived {
            merged.insert(metadata::SCHEMA_KIND, metadata::DERIVED);
        }
    }
    if let Some(schema) = &outline.schema {
        merged.insert(metadata::SCHEMA, schema.as_bytes());
    }
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

/// Metadata of the columns, as the first file that has each has it; `file` is the metadata of the result, `sums` has the
/// checksums of the columns.
pub(super) fn columns(
    parts: &[Part<'_, '_>],
    outline: &Outline,
    columns: &[Column],
    file: &Metadata,
    sums: &[Option<ColumnSums>],
    options: &Options,
) -> Result<Vec<Metadata>> {
    let mut all = Vec::with_capacity(columns.len());
    for ((number, spec), (column, sums)) in outline.columns.iter().enumerate().zip(columns.iter().zip(sums)) {
        let parent = spec.parent.and_then(|parent| outline.columns.get(parent)).map(|parent| &*parent.name);
        let own = match target::first_own(parts, number)? {
            Some((_, Found { file, number, .. })) => {
                let mut own = file.column(number)?.metadata.to_metadata();
                // These say how it is stored in the beginning, which is not so in another file.
                if file.is_within_beginning(number) {
                    [metadata::CODEC, metadata::CHECKSUM].into_iter().for_each(|key| own.remove(key));
                }
                own.insert(metadata::NAME, spec.name.as_bytes());
                if let Some(parent) = parent {
                    own.insert(metadata::PARENT, parent.as_bytes());
                }
                own
            }
            None => encode_header::column_metadata(spec, parent, false, &Metadata::default(), None, None),
        };
        all.push(merged_column_metadata(own, column, file, *sums, options));
    }
    Ok(all)
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
