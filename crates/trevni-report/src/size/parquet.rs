//! Bytes of the columns of a Parquet file, added up.

use super::{By, ColumnSize, Group, Kind, Subject};
use crate::failure::Failure;
use crate::input::ParquetInput;
use crate::parquet;
use std::collections::{BTreeMap, BTreeSet};

/// What the command says of the whole file.
pub(super) fn subject(file: &ParquetInput) -> Subject<'_> {
    let (rows, columns) = (file.file.row_count(), file.file.columns().len());
    Subject { name: &file.name, rows, columns, bytes: file.bytes, rest: "footer and indices" }
}

/// What the bytes of the columns that patterns name are for, in the order of the schema. A block is what a row group has of a
/// column.
pub(super) fn groups(file: &ParquetInput, by: By, patterns: &[String]) -> Result<Vec<Group>, Failure> {
    let mut groups: Vec<Group> = Vec::new();
    let chosen: BTreeSet<usize> = parquet::chosen(&file.file, patterns)?.into_iter().collect();
    let mut stored = 0u64;
    for row_group in file.file.row_groups() {
        for (number, chunk) in row_group.chunks.iter().enumerate() {
            stored = stored.saturating_add(chunk.compressed_bytes);
            if !chosen.contains(&number) {
                continue;
            }
            let (path, codec) = (chunk.path.join("."), chunk.codec.to_lowercase());
            let name = match by {
                By::Column => &path,
                By::Field => chunk.path.first().unwrap_or(&path),
                By::Part => "values",
                By::Codec => &codec,
            };
            let group = match groups.iter().position(|group| group.name == *name) {
                Some(place) => &mut groups[place],
                None => {
                    groups.push(Group::named(name));
                    let last = groups.len() - 1;
                    &mut groups[last]
                }
            };
            if !group.codecs.contains(&codec) {
                group.codecs.push(codec);
            }
            group.blocks += 1;
            group.stored = group.stored.saturating_add(chunk.compressed_bytes);
            group.size = Some(group.size.unwrap_or(0).saturating_add(chunk.uncompressed_bytes));
            if by == By::Column {
                group.column = Some(path);
            }
        }
    }
    if by == By::Part && patterns.is_empty() {
        // The footer, indices of pages and the like.
        let mut footer = Group::named("footer");
        footer.stored = file.bytes.saturating_sub(stored);
        groups.push(footer);
    }
    Ok(groups)
}

/// The columns that patterns name, in the order of the schema. A block is what a row group has of a column.
pub(super) fn of_columns(file: &ParquetInput, patterns: &[String]) -> Result<Vec<ColumnSize>, Failure> {
    let chosen: BTreeSet<usize> = parquet::chosen(&file.file, patterns)?.into_iter().collect();
    let mut sizes: BTreeMap<usize, ColumnSize> = BTreeMap::new();
    for row_group in file.file.row_groups() {
        let chunks = row_group.chunks.into_iter().enumerate();
        for (number, chunk) in chunks.filter(|(number, _)| chosen.contains(number)) {
            let kind = match chunk.physical_type {
                "BINARY" => Kind::Text,
                "FLOAT" | "DOUBLE" => Kind::Float,
                "BOOLEAN" | "FIXED_LEN_BYTE_ARRAY" => Kind::Other,
                _ => Kind::Integer,
            };
            let size = sizes.entry(number).or_insert_with(|| ColumnSize {
                name: chunk.path.join("."),
                path: chunk.path.clone(),
                kind,
                codec: chunk.codec.to_lowercase(),
                stored: 0,
                size: 0,
                blocks: 0,
            });
            size.stored = size.stored.saturating_add(chunk.compressed_bytes);
            size.size = size.size.saturating_add(chunk.uncompressed_bytes);
            size.blocks += 1;
        }
    }
    Ok(sizes.into_values().collect())
}
