//! A file of Avro's Java implementation, and the texts that Java gives its values.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use trevni::{Reader, Writer, col};

const FILE: &[u8] = include_bytes!("../data/logical/java.trv");
const SCHEMA: &str = include_str!("../data/logical/java.avsc");
const TEXTS: &str = include_str!("../data/logical/java.texts.jsonl");

#[derive(Serialize, Deserialize, Debug, PartialEq)]
struct Texts {
    date: String,
    time_millis: String,
    time_micros: Option<String>,
    timestamp_millis: String,
    timestamp_micros: Option<String>,
    timestamp_nanos: String,
    local_millis: String,
    local_micros: String,
    local_nanos: Vec<String>,
    decimal: String,
    fixed_decimal: Option<String>,
    decimals: BTreeMap<String, String>,
    uuid: String,
    fixed_uuid: String,
}

fn texts() -> Vec<Texts> {
    let lines = TEXTS.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

#[test]
fn values_have_the_texts_that_java_gives_them() {
    let rows: Vec<Texts> = trevni::from_slice(FILE).unwrap();
    assert_eq!(rows.len(), 120);
    for (row, (ours, java)) in rows.iter().zip(texts()).enumerate() {
        assert_eq!(*ours, java, "row {row}");
    }
}

#[test]
fn texts_of_java_are_stored_as_java_stores_them() {
    let mut writer = Writer::builder().schema(SCHEMA).build(Vec::new()).unwrap();
    writer.write_all(texts()).unwrap();
    let file = writer.finish().unwrap();
    let (ours, java) = (Reader::from_slice(&file).unwrap(), Reader::from_slice(FILE).unwrap());
    assert_eq!(ours.shape(), java.shape());
    let batches = ours.batches().unwrap().zip(java.batches().unwrap());
    let mut rows = 0;
    for (ours, java) in batches {
        let (ours, java) = (ours.unwrap(), java.unwrap());
        assert_eq!(ours.vector(), java.vector());
        rows += ours.len();
    }
    assert_eq!(rows, 120);
}

#[test]
fn texts_find_rows_among_values_of_java() {
    for (number, java) in texts().into_iter().enumerate() {
        let found = Reader::from_slice(FILE)
            .unwrap()
            .filter(
                col("timestamp_nanos").eq(java.timestamp_nanos.as_str())
                    & col("decimal").eq(java.decimal.as_str())
                    & col("fixed_uuid").eq(java.fixed_uuid.as_str()),
            )
            .unwrap();
        let found: Vec<Texts> = found.rows().unwrap().collect::<trevni::Result<_>>().unwrap();
        assert_eq!(found, [java], "row {number}");
    }
}
