//! Files of many rows in few bytes were above a limit, and a check called that damage.

use serde_json::Value;
use std::fs;
use trevni::merge::Merge;
use trevni::verify::Verify;
use trevni::{Category, Codec, Limits, Reader, Writer};

fn nulls() -> Vec<u8> {
    fs::read("hostile/files/a_million_nulls.trv").unwrap()
}

#[test]
fn a_million_nulls_are_read() {
    let file = nulls();
    let report = Verify::new().source(&file).unwrap();
    assert!(report.is_ok() && report.rows == 1_000_000, "{report:?}");
    let reader = Reader::from_slice(&file).unwrap();
    let mut merged = Vec::new();
    Merge::new().write(&[reader.clone(), reader], &mut merged).unwrap();
    let rows = Reader::from_slice(&merged).unwrap().batches().unwrap().map(|batch| batch.unwrap().len());
    assert_eq!(rows.sum::<usize>(), 2_000_000);
}

#[test]
fn more_nulls_than_the_default_limit_was_come_back() {
    let rows = vec![None::<i32>; 2_000_000];
    let back: Vec<Option<i32>> = trevni::from_slice(&trevni::to_vec(&rows).unwrap()).unwrap();
    assert_eq!(back.len(), rows.len());
}

/// An identifier and ten values that are missing: a byte for some thousand values.
#[test]
fn sparse_typed_rows_are_read() {
    let codec = if Codec::TypedZstandard.is_available() { Codec::TypedZstandard } else { Codec::Typed };
    let mut writer = Writer::builder().codec(codec).build(Vec::new()).unwrap();
    let rows = 300_000;
    for id in 0..rows {
        writer.write(&(id, [None::<f64>; 10])).unwrap();
    }
    let file = writer.finish().unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    let found = reader.batches().unwrap().map(|batch| batch.unwrap().len() as u64).sum::<u64>();
    assert_eq!(found, rows);
}

/// A limit that is met is neither damage nor a feature that is missing.
#[test]
fn a_limit_is_not_damage() {
    let mut limits = Limits::DEFAULT;
    limits.rows_without_bytes = 1 << 16;
    let options = || Reader::builder().limits(limits);
    let file = nulls();
    let report = Verify::new().reader(options()).source(&file).unwrap();
    assert!(!report.is_ok() && !report.is_damaged() && report.findings.is_empty(), "{report:?}");
    assert!(report.unchecked.iter().all(|finding| finding.error().category() == Category::Limit));
    assert_eq!(report.unchecked[0].rows(), Some(0..1_000_000));
    let reader = options().source(&*file).unwrap();
    let errors = [
        reader.batches().and_then(|mut batches| batches.try_for_each(|batch| batch.map(drop))).unwrap_err(),
        reader.rows::<Value>().and_then(|mut rows| rows.try_for_each(|row| row.map(drop))).unwrap_err(),
        reader.raw_column(0).unwrap_err(),
        options().salvage().source(&*file).unwrap().lost().unwrap_err(),
    ];
    for error in errors {
        assert!(error.category() == Category::Limit, "{error}");
        assert!(error.to_string().ends_with("(see Limits::rows_without_bytes)"), "{error}");
    }
}
