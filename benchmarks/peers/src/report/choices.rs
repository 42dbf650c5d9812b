//! Codecs of trevni beside other formats, for users who choose one.

use super::numbers::{ratio, table};
use super::pictures;
use super::tables::data_sets;
use crate::figures::{Figures, Operation};
use std::io::Result;
use std::path::Path;

/// Name, codec and what the table calls them.
const CHOICES: [(&str, &str, &str); 9] = [
    ("trevni, crc32", "snappy", "trevni (snappy)"),
    ("trevni, crc32", "typed", "trevni, typed"),
    ("trevni, crc32", "typed-zstandard", "trevni, typed-zstandard"),
    ("parquet", "snappy", "Parquet, snappy"),
    ("parquet", "zstandard", "Parquet, zstandard"),
    ("arrow-ipc", "zstandard", "Arrow IPC, zstandard"),
    ("bitcode", "none", "bitcode"),
    ("bitcode", "zstandard", "bitcode, zstandard"),
    ("csv", "zstandard", "CSV, zstandard"),
];
/// What the others are divided by.
const UNIT: (&str, &str) = ("parquet", "zstandard");

/// What is compared: bytes, or the time of an operation.
const QUESTIONS: [(&str, &str, Option<Operation>); 6] = [
    ("size", "Size", None),
    ("write", "Write all rows", Some(Operation::Write)),
    ("read", "Read all rows", Some(Operation::Read)),
    ("columns", "Read three fields", Some(Operation::Three)),
    ("filter", "Read one row in a hundred, by a condition", Some(Operation::Filter)),
    ("rows", "Read rows by number, nanoseconds a row", Some(Operation::Row)),
];

/// Bytes or time ÷ those of Parquet with Zstandard; for rows by number, nanoseconds.
fn value(figures: &Figures, data: &str, choice: (&str, &str), operation: Option<Operation>) -> Option<f64> {
    let absolute = |(peer, codec): (&str, &str)| match operation {
        None => figures.bytes(data, codec, peer).map(|bytes| bytes as f64),
        Some(operation) => figures.cpu(data, codec, peer, operation),
    };
    match operation {
        Some(Operation::Row) => absolute(choice),
        _ => Some(absolute(choice)? / absolute(UNIT)?),
    }
}

/// A table for each question; the second figure of a cell is with an allocator that keeps memory. Pictures are in `folder`.
pub fn tables([figures, kept]: [&Figures; 2], folder: &str) -> String {
    let sets = data_sets(figures);
    let header: Vec<&str> = [""].into_iter().chain(sets.iter().map(|(data, _)| data.as_str())).collect();
    let mut text = String::new();
    for (file, title, operation) in QUESTIONS {
        let rows = CHOICES.iter().filter_map(|&(peer, codec, name)| {
            let cells = sets.iter().map(|(data, _)| {
                let shown = |figures| {
                    let value = value(figures, data, (peer, codec), operation)?;
                    let is_row = operation == Some(Operation::Row);
                    Some(if is_row { super::numbers::nanoseconds(value) } else { ratio(value) })
                };
                let second = operation.and_then(|_| shown(kept));
                let first = shown(figures);
                first
                    .map(|first| second.map_or_else(|| first.clone(), |second| format!("{first} · {second}")))
            });
            let cells: Vec<Option<String>> = cells.collect();
            let has_any = cells.iter().any(Option::is_some);
            let shown = cells.into_iter().map(|cell| cell.unwrap_or_else(|| "–".to_owned()));
            has_any.then(|| [name.to_owned()].into_iter().chain(shown).collect())
        });
        let rows: Vec<Vec<String>> = rows.collect();
        text.push_str(&format!(
            "## {title}\n\n![{title}]({folder}/{file}.svg)\n\n{}\n",
            table(&header, &rows)
        ));
    }
    text
}

/// Draws a picture for each question into a folder.
///
/// # Errors
///
/// A folder or file that cannot be written.
pub fn pictures(figures: &Figures, folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let sets = data_sets(figures);
    let names: Vec<&str> = sets.iter().map(|(data, _)| data.as_str()).collect();
    for (file, title, operation) in QUESTIONS {
        let lines = CHOICES.iter().map(|&(peer, codec, name)| {
            let values = names.iter().map(|data| value(figures, data, (peer, codec), operation));
            (name, values.collect::<Vec<_>>())
        });
        let unit = if operation == Some(Operation::Row) { "" } else { " ÷ Parquet with Zstandard" };
        let picture = pictures::bars(&format!("{title}{unit}"), &names, &lines.collect::<Vec<_>>());
        std::fs::write(folder.join(file).with_extension("svg"), picture)?;
    }
    Ok(())
}
