//! The files of `tests/data`.

use super::{assert_carried, batches, json};
use arrow_schema::{DataType, Field, FieldRef, Schema};
use std::path::{Path, PathBuf};
use trevni::{Batch, Reader};
use trevni_arrow::ArrowReader;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data")
}

/// All files below a folder, of these endings.
fn files(folder: &Path, endings: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, endings));
        } else if path.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known)) {
            found.push(path);
        }
    }
    found.sort();
    found
}

#[test]
fn every_file_is_carried() {
    let mut carried = 0;
    for path in files(&folder(), &["trv", "redelm"]) {
        let Ok(reader) = Reader::open(&path) else { continue };
        let Ok(readable) = reader.batches().unwrap().collect::<trevni::Result<Vec<Batch>>>() else {
            continue;
        };
        println!("{}", path.display());
        assert_eq!(json(&readable), json(&batches(&reader)));
        carried += 1;
        if path.ends_with("logical_and_props.trv") {
            decimals_of_any_bytes(&reader);
            continue;
        }
        assert_carried(&reader);
    }
    assert!(carried > 150, "{carried} files");
}

#[test]
fn own_files_equal_their_json() {
    let mut compared = 0;
    for path in files(&folder().join("own/0.1"), &["trv"]) {
        let name = path.file_stem().unwrap().to_str().unwrap().split('-').next().unwrap();
        let text = std::fs::read_to_string(path.with_file_name(format!("{name}.jsonl"))).unwrap();
        let reader = Reader::open(&path).unwrap();
        let arrow = ArrowReader::new(&reader).unwrap();
        let again: Vec<Batch> =
            arrow.map(|batch| trevni_arrow::batch_of_record_batch(&batch.unwrap()).unwrap()).collect();
        let rows: Vec<serde_json::Value> =
            json(&again).iter().map(|row| serde_json::from_str(row).unwrap()).collect();
        let expected: Vec<serde_json::Value> =
            text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(rows.len(), expected.len(), "{}", path.display());
        for (row, expected) in rows.iter().zip(&expected) {
            assert_eq!(row, expected, "{}", path.display());
            compared += 1;
        }
    }
    assert!(compared > 1000, "{compared} rows");
}

/// Java stored bytes of any number as decimals: with the type of the storage they are what they are.
fn decimals_of_any_bytes(reader: &Reader<'_>) {
    let mut batches = ArrowReader::new(reader).unwrap();
    let error = batches.find_map(Result::err).unwrap();
    assert!(error.to_string().contains("field amount: a decimal is too large"), "{error}");

    let schema = trevni_arrow::schema_of_reader(reader).unwrap();
    let as_stored = |field: &FieldRef| match field.data_type() {
        DataType::Decimal128(..) => Field::clone(field).with_data_type(DataType::Binary),
        _ => Field::clone(field),
    };
    let fields: Vec<Field> = schema.fields().iter().map(as_stored).collect();
    let schema = Schema::new_with_metadata(fields, schema.metadata().clone());
    let batches = ArrowReader::builder(reader).schema(schema.into()).build().unwrap();
    let again: Vec<Batch> =
        batches.map(|batch| trevni_arrow::batch_of_record_batch(&batch.unwrap()).unwrap()).collect();
    assert_eq!(json(&again), json(&super::batches(reader)));
}
