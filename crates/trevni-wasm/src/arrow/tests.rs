//! What is written here is what `trevni-arrow` makes of the same rows.

use super::*;
use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use std::path::{Path, PathBuf};
use trevni_arrow::ArrowReader;

fn stream(reader: &Reader<'_>) -> Vec<u8> {
    let mut stream = begin(reader).unwrap();
    stream.extend(rows(reader).unwrap());
    stream.extend([0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]);
    stream
}

fn check(reader: &Reader<'_>, of: &str) -> usize {
    let expected = ArrowReader::builder(reader).own_types().batch_size(4096).build().unwrap();
    let expected: Vec<RecordBatch> = expected.map(Result::unwrap).collect();
    let stream = stream(reader);
    let read = StreamReader::try_new(&stream[..], None).unwrap();
    let schema = read.schema();
    let batches: Vec<RecordBatch> =
        read.map(|batch| batch.unwrap_or_else(|error| panic!("{of}: {error}"))).collect();
    let rows = |batches: &[RecordBatch]| batches.iter().map(RecordBatch::num_rows).sum::<usize>();
    assert_eq!(rows(&batches), rows(&expected), "{of}");
    if let Some(batch) = expected.first() {
        assert_eq!(schema.fields(), batch.schema().fields(), "{of}");
    }
    // Batches are cut at other rows.
    let (mut at, mut place) = (0, 0);
    for batch in &batches {
        let mut done = 0;
        while done < batch.num_rows() {
            let other = &expected[place];
            let len = (batch.num_rows() - done).min(other.num_rows() - at);
            for (number, (one, two)) in batch.columns().iter().zip(other.columns()).enumerate() {
                assert_eq!(&one.slice(done, len), &two.slice(at, len), "{of}, column {number}");
            }
            (done, at) = (done + len, at + len);
            if at == other.num_rows() {
                (at, place) = (0, place + 1);
            }
        }
    }
    rows(&batches)
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn files_of_the_repository_are_as_with_trevni_arrow() {
    let mut found = Vec::new();
    files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data"), &mut found);
    let mut checked = 0;
    for path in found {
        let name = path.display().to_string();
        let Ok(reader) = Reader::open(&path) else { continue };
        if reader.row_count() > 100_000 || ArrowReader::builder(&reader).own_types().build().is_err() {
            continue;
        }
        // Some are damaged, or of types that Arrow does not have.
        let whole = ArrowReader::builder(&reader).own_types().build().unwrap().all(|batch| batch.is_ok());
        if whole {
            check(&reader, &name);
            checked += 1;
        }
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn nested_rows_are_as_with_trevni_arrow() {
    let rows: serde_json::Value = serde_json::from_str(
        r#"[{"a": 1, "b": null, "l": [], "o": {"p": [{"q": null}, {"q": "x"}], "r": true}, "u": 1},
            {"a": null, "b": {"c": 2.5}, "l": [[1, null], []], "o": null, "u": "text"},
            {"a": 3, "l": [[]], "o": {"p": [], "r": null}, "u": [true], "late": {"n": null}},
            {"a": 9007199254740993, "b": {"c": null}, "l": [], "o": {"p": [{}], "r": false}, "u": null, "late": null}]"#,
    )
    .unwrap();
    let rows = rows.as_array().unwrap();
    let many: Vec<_> = rows.iter().cycle().take(10_001).collect();
    for rows in [rows.iter().collect::<Vec<_>>(), rows[..1].iter().collect(), Vec::new(), many] {
        let file = trevni::to_vec(&rows).unwrap();
        let reader = Reader::from_slice(&file).unwrap();
        assert_eq!(check(&reader, "rows"), rows.len());
        if rows.len() > 3 {
            assert_eq!(
                check(&reader.select([1..2, 3..rows.len() as u64]).unwrap(), "selected"),
                rows.len() - 2
            );
            assert_eq!(check(&reader.project(["o.r", "u"]).unwrap(), "projected"), rows.len());
        }
    }
}
