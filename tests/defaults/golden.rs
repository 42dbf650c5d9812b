//! Files of other programs, merged with themselves and split, and files whose items take no bytes.

use crate::ways::is_readable;
use serde::de::IgnoredAny;
use std::path::{Path, PathBuf};
use trevni::merge::Merge;
use trevni::verify::Verify;
use trevni::{Category, Reader};

fn files(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => files(&path, out),
            false if path.extension().is_some_and(|kind| kind == "trv" || kind == "redelm") => out.push(path),
            false => {}
        }
    }
}

/// Checks a file that was made of another one; codecs that this build lacks are no fault.
fn is_made(bytes: &[u8], rows: u64, path: &Path) {
    let report = Verify::new().source(bytes).unwrap();
    let unsupported = |finding: &trevni::verify::Finding| finding.error().category() == Category::Unsupported;
    assert!(report.findings.iter().all(unsupported) && report.unchecked.is_empty(), "{path:?}: {report:?}");
    let reader = Reader::from_slice(bytes).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    assert_eq!(reader.row_count(), rows, "{path:?}");
    if report.is_ok() {
        let found =
            reader.rows::<IgnoredAny>().unwrap().map(|row| row.map(drop)).collect::<Result<Vec<_>, _>>();
        assert_eq!(
            found.map(|rows| rows.len() as u64).map_err(|error| error.to_string()),
            Ok(rows),
            "{path:?}"
        );
    }
}

#[test]
fn golden_files_merged_and_split_are_read() {
    let mut all = Vec::new();
    files(Path::new("data"), &mut all);
    let mut made = 0;
    for path in all {
        let bytes = std::fs::read(&path).unwrap();
        let Ok(reader) = Reader::from_slice(&bytes) else { continue };
        let is_whole = Verify::new().source(&*bytes).unwrap().is_ok();
        let is_large = reader.row_count() > 20_000 || bytes.len() > 1 << 20;
        if !is_whole || is_large {
            continue;
        }
        let (mut merged, rows) = (Vec::new(), reader.row_count());
        let done = Merge::new().write(&[reader.clone(), reader.clone()], &mut merged);
        done.unwrap_or_else(|error| panic!("{path:?}: {error}"));
        is_made(&merged, 2 * rows, &path);
        for rows in [0..rows / 2, rows / 2..rows] {
            let (part, mut cut) = (reader.select(rows.clone()).unwrap(), Vec::new());
            Merge::new().write(&[part], &mut cut).unwrap();
            is_made(&cut, rows.end - rows.start, &path);
        }
        made += 1;
    }
    assert!(made > 100, "{made}");
}

/// As Avro's Java writes it: a length for each row, and nothing for each item.
#[test]
fn a_million_empty_items_are_read() {
    use crate::raw::{RawBlock, RawColumn, RawFile, int};
    let schema = r#"{"type":"record","name":"R","fields":[{"name":"v","type":{"type":"array","items":{"type":"record","name":"E","fields":[]}}}]}"#;
    let column = RawColumn::new("v[]", "null", [RawBlock::plain(1, int(1_000_000))]).array();
    is_readable(&RawFile::new(1, [column]).with("avro.schema", schema).bytes(), 1, "a million empty items");
    let lengths = int(1000).repeat(1000);
    let column = RawColumn::new("v[]", "null", [RawBlock::plain(1000, lengths)]).array();
    is_readable(
        &RawFile::new(1000, [column]).with("avro.schema", schema).bytes(),
        1000,
        "1,000 lists of 1,000",
    );
}
