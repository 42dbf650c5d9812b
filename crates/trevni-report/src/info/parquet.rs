//! What a Parquet file is, as its footer says it.

use super::{Fields, Names, listed, value_of};
use crate::failure::Failure;
use crate::human::{bytes, count};
use crate::input::ParquetInput;
use crate::output::Output;
use crate::shown::shown;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Metadata that are the schema once more.
const SCHEMAS: [&str; 3] = ["parquet.avro.schema", "avro.schema", "ARROW:schema"];

/// What the columns have in common.
struct Facts {
    codecs: Names,
    encodings: Names,
    row_groups: usize,
    /// Rows of the largest row group.
    most_rows: u64,
    /// Bytes of all columns in the file, and before the codec.
    stored: u64,
    size: u64,
    /// The largest columns, and their shares of the bytes.
    largest: Vec<(String, f64)>,
    schema: Fields,
}

/// Columns that are named as the largest.
const LARGEST: usize = 3;

impl Facts {
    fn of(file: &ParquetInput) -> Self {
        let mut schema = Fields::default();
        // What the library does not know has no shape, and is shown nevertheless.
        if let Ok(shape) = file.shape() {
            schema.count(&shape, 0);
        }
        let (mut codecs, mut encodings) = (Names::new(), Names::new());
        let (mut row_groups, mut most_rows, mut stored, mut size) = (0, 0, 0u64, 0u64);
        let mut columns: BTreeMap<String, u64> = BTreeMap::new();
        let mut kinds: BTreeMap<String, [Vec<String>; 2]> = BTreeMap::new();
        for group in file.file.row_groups() {
            row_groups += 1;
            most_rows = group.rows.max(most_rows);
            for chunk in group.chunks {
                stored = stored.saturating_add(chunk.compressed_bytes);
                size = size.saturating_add(chunk.uncompressed_bytes);
                let path = chunk.path.join(".");
                let bytes = columns.entry(path.clone()).or_default();
                *bytes = bytes.saturating_add(chunk.compressed_bytes);
                let [own_codecs, own_encodings] = kinds.entry(path).or_default();
                own_codecs.push(chunk.codec.to_lowercase());
                own_encodings.extend(chunk.encodings);
            }
        }
        for [own_codecs, own_encodings] in kinds.into_values() {
            for (all, own) in [(&mut codecs, own_codecs), (&mut encodings, own_encodings)] {
                let own: std::collections::BTreeSet<String> = own.into_iter().collect();
                own.into_iter().for_each(|name| *all.entry(name).or_default() += 1);
            }
        }
        let mut largest: Vec<(String, u64)> = columns.into_iter().collect();
        largest.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
        let share = |(name, bytes): (String, u64)| (name, bytes as f64 / stored.max(1) as f64);
        let largest = largest.into_iter().take(LARGEST).map(share).collect();
        Self { codecs, encodings, row_groups, most_rows, stored, size, largest, schema }
    }
}

pub(super) fn write(file: &ParquetInput, out: &mut Output) -> io::Result<()> {
    let (facts, footer) = (Facts::of(file), &file.file);
    let columns = count(footer.columns().len() as u64, "column");
    let (rows, size) = (count(footer.row_count(), "row"), bytes(file.bytes));
    writeln!(out, "{}  Parquet {}, {rows}, {columns}, {size}", shown(&file.name), footer.version())?;
    writeln!(out, "schema    {}", facts.schema.line())?;
    if let Some(program) = footer.created_by() {
        writeln!(out, "written   by {}", shown(program))?;
    }
    let most = count(facts.most_rows, "row");
    writeln!(out, "groups    {}, of {most} at most", count(facts.row_groups as u64, "row group"))?;
    if facts.row_groups > 0 {
        writeln!(out, "codec     {}", listed(&facts.codecs))?;
        let encodings: Vec<_> = facts.encodings.keys().map(|name| shown(name)).collect();
        writeln!(out, "encoding  {}", encodings.join(", "))?;
        writeln!(
            out,
            "bytes     {} of columns, {} before the codec",
            bytes(facts.stored),
            bytes(facts.size)
        )?;
        let named = facts.largest.iter();
        let named = named.map(|(name, share)| format!("{} {:.1}%", shown(name), 100.0 * share));
        writeln!(out, "largest   {}", named.collect::<Vec<_>>().join(", "))?;
    }
    for (key, value) in footer.key_values() {
        let value = value.unwrap_or_default();
        let value = match SCHEMAS.contains(&key) {
            true => format!("({})", bytes(value.len() as u64)),
            false => value_of(value.as_bytes(), out),
        };
        writeln!(out, "metadata  {}={value}", shown(key))?;
    }
    Ok(())
}

/// The value of a key of the metadata.
pub(super) fn value(file: &ParquetInput, key: &str) -> Result<String, Failure> {
    let mut pairs = file.file.key_values();
    match pairs.find(|(own, _)| *own == key) {
        Some((_, value)) => Ok(value.unwrap_or_default().to_owned()),
        None => Err(Failure::new(format!("{}: no key {key:?} in the metadata", file.name))),
    }
}

/// As that of column files, with `created_by`; `codecs` and `encodings` say how many columns have each.
pub(super) fn as_json(file: &ParquetInput) -> Value {
    let (facts, footer) = (Facts::of(file), &file.file);
    let metadata: Map<String, Value> =
        footer.key_values().map(|(key, value)| (key.to_owned(), json!(value))).collect();
    json!({
        "file": file.name,
        "format": "parquet",
        "version": footer.version(),
        "created_by": footer.created_by(),
        "row_groups": facts.row_groups,
        "rows": footer.row_count(),
        "columns": footer.columns().len(),
        "bytes": file.bytes,
        "stored_bytes": facts.stored,
        "uncompressed_bytes": facts.size,
        "largest_row_group_rows": facts.most_rows,
        "fields": facts.schema.outermost,
        "all_fields": facts.schema.all,
        "lists": facts.schema.lists,
        "maps": facts.schema.maps,
        "optional": facts.schema.optional,
        "always_null": facts.schema.null,
        "codecs": facts.codecs,
        "encodings": facts.encodings,
        "largest": facts.largest.iter().map(|(name, share)| json!({"name": name, "share": share})).collect::<Vec<_>>(),
        "metadata": metadata,
    })
}
