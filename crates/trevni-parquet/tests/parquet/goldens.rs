//! Files of many writers, from the Parquet project's collection, against what pyarrow reads.

use super::{data, files, json, stem};
use arrow_array::RecordBatch;
use serde_json::Value;
use std::fs::File;
use tempfile::TempDir;
use trevni::{Reader, Writer};
use trevni_arrow::ArrowReader;
use trevni_parquet::{Error, Int96, ParquetOptions, ParquetReader};

/// The rows of a column file, as JSON.
fn rows_of(file: &Reader<'_>) -> Vec<Value> {
    let batches: Vec<RecordBatch> = ArrowReader::new(file).unwrap().map(Result::unwrap).collect();
    batches.iter().flat_map(json::rows).collect()
}

fn expected(name: &str) -> Option<Vec<Value>> {
    let text = std::fs::read_to_string(data("expected").join(format!("{name}.jsonl"))).ok()?;
    Some(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

/// What the Parquet library does not read: its Thrift wants a list of other integers.
const REFUSED: [&str; 1] = ["dict-page-offset-zero"];

#[test]
fn files_of_others_become_column_files_and_parquet_again() {
    let folder = TempDir::new().unwrap();
    let mut compared = 0;
    for path in files("parquet-testing") {
        let name = stem(&path);
        let builder = ParquetReader::builder().int96(if name == "int96_from_spark" {
            Int96::Micros
        } else {
            Int96::Nanos
        });
        let reader = match builder.open(&path) {
            Ok(reader) => reader,
            Err(error) => {
                assert!(REFUSED.contains(&name), "{name}: {error}");
                assert!(matches!(error, Error::Damaged(_)), "{name}: {error}");
                continue;
            }
        };
        let file = folder.path().join(name);
        trevni_parquet::to_trevni(reader, Writer::builder(), File::create(&file).unwrap()).unwrap();
        let reader = Reader::open(&file).unwrap();
        let rows = rows_of(&reader);
        assert_eq!(rows.len() as u64, reader.row_count(), "{name}");
        // pyarrow wraps instants beyond nanoseconds around; the other test has them.
        if let Some(expected) = expected(name).filter(|_| name != "int96_from_spark") {
            assert_eq!(rows.len(), expected.len(), "{name}");
            for (row, (ours, theirs)) in rows.iter().zip(&expected).enumerate() {
                assert_eq!(ours, theirs, "{name}, row {row}");
            }
            compared += 1;
        }
        // Back to Parquet, and once more.
        let parquet = trevni_parquet::to_parquet(&reader, ParquetOptions::new(), Vec::new()).unwrap();
        let again = folder.path().join("again.parquet");
        std::fs::write(&again, parquet).unwrap();
        let file = folder.path().join("again");
        let sink = File::create(&file).unwrap();
        trevni_parquet::to_trevni(ParquetReader::open(&again).unwrap(), Writer::builder(), sink).unwrap();
        assert_eq!(rows_of(&Reader::open(&file).unwrap()), rows, "{name}");
    }
    assert_eq!(compared, 38);
}

#[test]
fn instants_beyond_nanoseconds_are_an_error_or_microseconds() {
    let path = data("parquet-testing/int96_from_spark.parquet");
    let error = ParquetReader::open(&path).unwrap().find_map(Result::err).unwrap();
    assert!(error.to_string().contains("row 2, field a: the instant is beyond timestamp-nanos"), "{error}");
    let rows = ParquetReader::builder().int96(Int96::Micros).open(&path).unwrap();
    let rows: Vec<Value> = rows.flat_map(|batch| json::rows(&batch.unwrap())).collect();
    // As DuckDB has them: the third is 9999-12-31 03:00:00, the last 290000-12-31 01:01:13.
    let nanos: Vec<&Value> = rows.iter().map(|row| &row["a"]).collect();
    let expected = serde_json::json!([
        1_704_141_296_123_456_000_i64,
        1_704_070_800_000_000_000_i64,
        "253402225200000000000",
        1_735_599_600_000_000_000_i64,
        null,
        "9089380393200000000000"
    ]);
    assert_eq!(nanos, expected.as_array().unwrap().iter().collect::<Vec<_>>());
}
