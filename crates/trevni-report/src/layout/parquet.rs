//! Where the columns of the row groups of a Parquet file are.

use super::Layout;
use crate::failure::Failure;
use crate::human::{bytes, thousands};
use crate::input::ParquetInput;
use crate::output::Output;
use crate::parquet;
use crate::report::{Cell, Report, Set};
use serde_json::{Value, json};
use std::io::{self, Write};
use trevni_parquet::{ColumnChunk, RowGroup};

pub(super) fn run(args: &Layout, file: &ParquetInput) -> Result<u8, Failure> {
    let groups = groups(file, &args.columns)?;
    let mut out = Output::new(None, false)?;
    let written = match args.json {
        true => writeln!(out, "{}", as_json(file, &groups)),
        false => write(&groups, args.number, &mut out),
    };
    written.map_err(|error| out.failed(&error))?;
    out.finish().map(|()| 0)
}

/// The row groups, each with the columns that patterns choose.
fn groups(file: &ParquetInput, patterns: &[String]) -> Result<Vec<RowGroup>, Failure> {
    let numbers = parquet::chosen(&file.file, patterns)?;
    let part = |group: RowGroup| {
        let chunks = numbers.iter().filter_map(|number| group.chunks.get(*number).cloned());
        let chunks = chunks.collect();
        let mut group = group;
        group.chunks = chunks;
        group
    };
    Ok(file.file.row_groups().map(part).collect())
}

/// A line for each column of each row group.
fn write(groups: &[RowGroup], most: Option<usize>, out: &mut Output) -> io::Result<()> {
    let mut report = Report::new(&[
        ("group", Set::Right),
        ("column", Set::Path(16)),
        ("type", Set::Left),
        ("offset", Set::Right),
        ("values", Set::Right),
        ("bytes", Set::Right),
        ("raw", Set::Right),
        ("codec", Set::Left),
        ("encodings", Set::Left),
    ]);
    for (number, group) in groups.iter().enumerate() {
        for chunk in &group.chunks {
            let cells: [Cell; 9] = [
                number.to_string().into(),
                chunk.path.join(".").into(),
                chunk.physical_type.to_owned().into(),
                format!("0x{:07x}", chunk.start).into(),
                thousands(chunk.values).into(),
                bytes(chunk.compressed_bytes).into(),
                bytes(chunk.uncompressed_bytes).into(),
                chunk.codec.to_lowercase().into(),
                chunk.encodings.join(", ").into(),
            ];
            report.line(cells);
        }
    }
    report.write_ends(most, out)
}

/// `{"file", "bytes", "row_groups": [{"rows", "columns": [{"name", "type", "offset", …}]}]}`.
fn as_json(file: &ParquetInput, groups: &[RowGroup]) -> Value {
    let column = |chunk: &ColumnChunk| {
        json!({
            "name": chunk.path.join("."),
            "type": chunk.physical_type,
            "offset": chunk.start,
            "values": chunk.values,
            "bytes": chunk.compressed_bytes,
            "uncompressed_bytes": chunk.uncompressed_bytes,
            "codec": chunk.codec.to_lowercase(),
            "encodings": chunk.encodings,
        })
    };
    let group = |group: &RowGroup| json!({"rows": group.rows, "columns": group.chunks.iter().map(column).collect::<Vec<_>>()});
    json!({
        "file": file.name,
        "bytes": file.bytes,
        "row_groups": groups.iter().map(group).collect::<Vec<_>>(),
    })
}
