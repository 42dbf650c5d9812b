//! Typed rows and JSON rows in exchange.

use std::collections::BTreeMap;

use derive_tests::{assert_reads, write};
use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
enum Kind {
    Unit,
    Data { n: i32 },
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Row {
    id: u64,
    name: Option<String>,
    kind: Kind,
    pairs: Vec<(i32, bool)>,
    map: BTreeMap<String, f64>,
}

fn rows() -> [Row; 2] {
    [
        Row {
            id: u64::MAX,
            name: None,
            kind: Kind::Unit,
            pairs: vec![(1, true), (2, false)],
            map: BTreeMap::new(),
        },
        Row {
            id: 1,
            name: Some("n".into()),
            kind: Kind::Data { n: -1 },
            pairs: vec![],
            map: BTreeMap::from([("k".into(), 0.5)]),
        },
    ]
}

#[test]
fn rows_written_as_json_values_read_as_structs() {
    let values: Vec<Value> = rows().iter().map(|row| serde_json::to_value(row).unwrap()).collect();
    assert_reads(&values, &rows());
}

#[test]
fn rows_copied_through_json_values_read_as_structs() {
    let copied: Vec<Value> = trevni::from_slice(&write(&rows())).unwrap();
    assert_reads(&copied, &rows());
}
