//! Each file is read to its rows, in several ways.

use super::{folder, kinds};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};
use std::path::{Path, PathBuf};
use trevni::verify::Verify;
use trevni::{Reader, col};

/// The files of which this build has all codecs.
fn files() -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "trv"))
        .collect();
    files.sort();
    assert!(files.len() >= 71, "{} files", files.len());
    files
}

/// The kind of the rows of a file: its name up to the first hyphen.
fn kind(path: &Path) -> &str {
    path.file_stem().unwrap().to_str().unwrap().split('-').next().unwrap()
}

/// The rows that a file must have, a line of JSON each.
fn expected(path: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(path.with_file_name(format!("{}.jsonl", kind(path)))).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// The rows of a reader, a line of JSON each.
fn lines(path: &Path, reader: &Reader<'_>) -> Vec<String> {
    fn of<T: Serialize + DeserializeOwned>(reader: &Reader<'_>) -> Vec<String> {
        reader.rows::<T>().unwrap().map(|row| serde_json::to_string(&row.unwrap()).unwrap()).collect()
    }
    match kind(path) {
        "everything" => of::<kinds::Everything>(reader),
        "orders" => of::<kinds::Order>(reader),
        "grown" => of::<kinds::Grown>(reader),
        "logicals" | "none" => of::<kinds::Logicals>(reader),
        "choices" => of::<Option<(u8, Vec<String>)>>(reader),
        "forms" => of::<kinds::Form>(reader),
        "hashes" => of::<kinds::Hash>(reader),
        "points" => of::<kinds::Point>(reader),
        "repeats" => of::<kinds::Repeat>(reader),
        other => panic!("no rows are known of {other}"),
    }
}

/// Checks that lists of lines are the same, and says where they are not.
fn same(path: &Path, found: &[String], expected: &[String]) {
    for (row, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert_eq!(found, expected, "row {row} of {}", path.display());
    }
    assert_eq!(found.len(), expected.len(), "rows of {}", path.display());
}

#[test]
fn every_file_reads_to_its_rows() {
    for path in files() {
        let expected = expected(&path);
        let reader = Reader::open(&path).unwrap();
        assert_eq!(reader.row_count(), expected.len() as u64, "{}", path.display());
        same(&path, &lines(&path, &reader), &expected);
        let threaded = Reader::builder().threads(3).open(&path).unwrap();
        same(&path, &lines(&path, &threaded), &expected);
        let middle = expected.len() / 3..expected.len() / 2;
        let selected = reader.select(middle.start as u64..middle.end as u64).unwrap();
        same(&path, &lines(&path, &selected), &expected[middle]);
    }
}

#[test]
fn every_file_gives_its_rows_as_values() {
    for path in files() {
        let reader = Reader::open(&path).unwrap();
        let mut found = Vec::new();
        for batch in reader.batches().unwrap() {
            let batch = batch.unwrap();
            found.extend(batch.values().map(|value| serde_json::to_string(&value).unwrap()));
        }
        // Rows of JSON have no fields that are absent; values have them as nulls.
        let bare = |line: &String| line.replace(",\"rare\":null", "");
        let found: Vec<String> = found.iter().map(bare).collect();
        same(&path, &found, &expected(&path));
    }
}

#[test]
fn every_file_is_filtered_by_its_statistics() {
    for path in files().into_iter().filter(|path| !["choices", "none"].contains(&kind(path))) {
        let expected = expected(&path);
        let reader = Reader::open(&path).unwrap();
        for (from, to) in [(0, 1), (11, 20), (expected.len() - 1, expected.len()), (1000, 2000)] {
            let filtered = reader.filter(col("id").between(from as i64, to as i64 - 1)).unwrap();
            let rows = expected.get(from..to.min(expected.len())).unwrap_or_default();
            same(&path, &lines(&path, &filtered), rows);
        }
    }
}

#[test]
fn every_block_of_every_file_is_whole() {
    for path in files() {
        let reader = Reader::open(&path).unwrap();
        let rows = reader.row_count();
        let report = Verify::new().open(&path).unwrap();
        assert!(report.is_ok(), "{}: {:?}", path.display(), report.findings);
        assert_eq!(report.rows, rows);
        assert_eq!(reader.rows::<IgnoredAny>().unwrap().map(Result::unwrap).count() as u64, rows);
        for (number, column) in reader.columns().iter().enumerate() {
            let place = format!("column {} of {}", column.name(), path.display());
            let blocks = reader.blocks(number).unwrap();
            assert_eq!(blocks.iter().map(|block| u64::from(block.rows)).sum::<u64>(), rows, "{place}");
            let raw = reader.raw_column(number).unwrap_or_else(|error| panic!("{place}: {error}"));
            assert_eq!(raw.len() as u64, rows, "{place}");
            reader.zone_map(number).unwrap();
        }
    }
}
