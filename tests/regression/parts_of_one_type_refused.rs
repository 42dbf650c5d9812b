//! Two files of one Rust type were no dataset, and no merge, where one file has both rows: the types of a field differed by the rows
//! that came.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Debug;
use trevni::merge::Merge;
use trevni::{Dataset, DatasetWriter, Reader, Shape, Writer, from_slice, to_vec};

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(untagged)]
enum Number {
    Integer(i64),
    Text(String),
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Untagged {
    v: Number,
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(tag = "kind")]
enum Internal {
    Click { at: (i32, i32) },
    Key { at: String },
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    A { x: i32 },
    B(i32, i32),
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(untagged)]
enum Keyed {
    List(Vec<u8>),
    Map(BTreeMap<u32, u8>),
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
enum Kind {
    View,
    Buy,
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Row {
    id: u64,
    kind: Kind,
    error: Option<String>,
}

/// The rows of all files, as a dataset and merged, in either order.
fn check<T: DeserializeOwned + Clone + PartialEq + Debug>(files: &[Vec<u8>]) {
    let mut files: Vec<&[u8]> = files.iter().map(Vec::as_slice).collect();
    for _ in 0..2 {
        let rows: Vec<T> = files.iter().flat_map(|file| from_slice::<Vec<T>>(file).unwrap()).collect();
        let readers: Vec<Reader<'_>> = files.iter().map(|file| Reader::from_slice(file).unwrap()).collect();
        let mut merged = Vec::new();
        Merge::new().write(&readers, &mut merged).unwrap();
        assert_eq!(from_slice::<Vec<T>>(&merged).unwrap(), rows);
        let dataset = Dataset::from_readers(readers).unwrap();
        let found: Vec<T> = dataset.rows().unwrap().collect::<trevni::Result<_>>().unwrap();
        assert_eq!(found, rows);
        files.reverse();
    }
}

fn each_in_a_file<T: Serialize + DeserializeOwned + Clone + PartialEq + Debug>(rows: [T; 2]) {
    let files: Vec<Vec<u8>> = rows.iter().map(|row| to_vec([row]).unwrap()).collect();
    check::<T>(&files);
}

#[test]
fn enums_and_values_of_two_types() {
    each_in_a_file([Untagged { v: Number::Integer(1) }, Untagged { v: Number::Text("x".to_owned()) }]);
    each_in_a_file([Internal::Click { at: (1, 2) }, Internal::Key { at: "F1".to_owned() }]);
    each_in_a_file([Adjacent::A { x: 1 }, Adjacent::B(1, 2)]);
    each_in_a_file([json!({"v": 1}), json!({"v": "x"})]);
    each_in_a_file([Keyed::List(vec![1]), Keyed::Map([(1, 2)].into())]);
}

#[test]
fn accidents_of_rows() {
    let row = |id, kind: &Kind, error: Option<&str>| Row {
        id,
        kind: kind.clone(),
        error: error.map(str::to_owned),
    };
    let (view, buy) = (Kind::View, Kind::Buy);
    let files = |one: &[Row], two: &[Row]| check::<Row>(&[to_vec(one).unwrap(), to_vec(two).unwrap()]);
    files(&[row(1, &view, None), row(2, &buy, None)], &[row(3, &buy, None), row(4, &view, None)]);
    files(&[row(1, &view, None)], &[row(2, &view, Some("e"))]);
    files(&[row(1, &view, Some("a")), row(1, &view, None)], &[row(2, &view, Some("e"))]);
    files(&[row(1, &view, None)], &[row(u64::MAX, &view, None)]);
    let mut writer = Writer::builder().shape(&Shape::from_type::<Row>().unwrap()).build(Vec::new()).unwrap();
    writer.write(&row(1, &view, None)).unwrap();
    check::<Row>(&[writer.finish().unwrap(), to_vec([row(2, &view, None)]).unwrap()]);
    each_in_a_file([json!({"a": 1}), json!({"a": 1, "b": 2})]);
    each_in_a_file([json!({"a": 1}), json!({"a": 1.5})]);
}

#[test]
fn a_folder_that_was_appended_to() {
    let folder = std::env::temp_dir().join(format!("trevni-appended-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let rows =
        [json!({"id": 1, "value": 7}), json!({"id": 2, "value": "seven"}), json!({"id": 3, "value": [7]})];
    for row in &rows {
        let mut writer = DatasetWriter::builder().append(&folder).unwrap();
        writer.write(row).unwrap();
        writer.finish().unwrap();
    }
    let found: Vec<Value> =
        Dataset::open(&folder).unwrap().rows().unwrap().collect::<trevni::Result<_>>().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(found, rows);
}
