//! Writes the header.

use super::super::MAGIC;
use super::super::derive::Spec;
use super::settings::{checksum_name, codec_name};
use crate::dialect::{FileSettings, Layout, sums};
use crate::metadata::{self, Metadata};
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;

/// Appends the header, and the starts of columns that have these sizes in bytes.
pub(super) fn encode(
    rows: u64,
    file: &Metadata,
    has_sum: bool,
    columns: &[Metadata],
    sizes: &[u64],
    out: &mut Vec<u8>,
) {
    out.extend_from_slice(&MAGIC);
    out.extend_from_slice(&rows.to_le_bytes());
    out.extend_from_slice(&(columns.len() as u32).to_le_bytes());
    let sum = sums::encode_file_metadata(file, has_sum, out);
    columns.iter().for_each(|column| column.encode(out));
    let mut start = (out.len() + 8 * columns.len()) as u64;
    for size in sizes {
        out.extend_from_slice(&start.to_le_bytes());
        start += size;
    }
    if let Some(sum) = sum {
        sum.fill(out);
    }
}

/// Metadata of a file: the format's keys first, then those of the user, and last the schema, where there is one.
pub(super) fn file_metadata(
    settings: &FileSettings,
    layout: Layout,
    has_levels: bool,
    schema: Option<Metadata>,
) -> Metadata {
    let mut file = Metadata::default();
    // Where columns have levels, no layout means values first.
    if layout != Layout::ValuesFirst || !has_levels {
        file.insert(metadata::LAYOUT, layout.name());
    }
    if settings.file_codec() != Codec::Null {
        file.insert(metadata::CODEC, codec_name(settings.file_codec()));
    }
    if settings.columns.checksum != Checksum::Null {
        file.insert(metadata::CHECKSUM, checksum_name(settings.columns.checksum));
    }
    let users =
        settings.metadata.iter().filter(|(key, _)| ![metadata::CODEC, metadata::CHECKSUM].contains(key));
    users.for_each(|(key, value)| file.insert(key, value));
    file.remove(metadata::SCHEMA);
    schema.iter().flat_map(Metadata::iter).for_each(|(key, value)| file.insert(key, value));
    file
}

/// Metadata of a column: the format's keys first, then those of the user, and last those of this crate.
pub(super) fn column_metadata(
    spec: &Spec<'_>,
    parent: Option<&str>,
    first_values: bool,
    more: &Metadata,
    own: [(&str, Option<Vec<u8>>); 3],
) -> Metadata {
    let mut entries = Metadata::default();
    entries.insert(metadata::NAME, spec.name);
    entries.insert(metadata::TYPE, spec.value_type.name());
    let mut number = |key: &str, number: usize| {
        if number > 0 {
            entries.insert(key, number.to_string());
        }
    };
    number(metadata::DEFINITION, usize::from(spec.greatest.definition));
    number(metadata::REPETITION, usize::from(spec.greatest.repetition));
    number(metadata::ARRAY_WIDTH, spec.width.unwrap_or_default());
    if let Some(parent) = parent {
        entries.insert(metadata::PARENT, parent);
    }
    if first_values {
        entries.insert(metadata::VALUES, *b"");
    }
    more.iter().for_each(|(key, value)| entries.insert(key, value));
    for (key, value) in own {
        if let Some(value) = value {
            entries.insert(key, value);
        }
    }
    entries
}
