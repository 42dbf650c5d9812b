//! Files read as other types than they were written with.

use std::collections::HashMap;

use derive_tests::{assert_reads, assert_reads_as_json, write};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::types::{Point, point, rows};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename = "record")]
struct Wide {
    #[serde(rename = "int")]
    id: u32,
    #[serde(rename = "string")]
    name: String,
    #[serde(rename = "record")]
    place: Point,
    #[serde(rename = "map")]
    tags: HashMap<String, Vec<i32>>,
    #[serde(rename = "array")]
    list: Vec<Point>,
    #[serde(rename = "null")]
    last: i64,
}

fn wide() -> Vec<Wide> {
    vec![
        Wide {
            id: 1,
            name: "one".into(),
            place: point(10, Some("a")),
            tags: HashMap::from([("k".into(), vec![1, 2])]),
            list: vec![point(1, None), point(2, Some("b"))],
            last: 100,
        },
        Wide {
            id: 2,
            name: "two".into(),
            place: point(20, None),
            tags: HashMap::new(),
            list: vec![],
            last: 200,
        },
        Wide {
            id: 3,
            name: "three".into(),
            place: point(30, Some("c")),
            tags: HashMap::from([("l".into(), vec![]), ("m".into(), vec![3])]),
            list: vec![point(3, None)],
            last: 300,
        },
    ]
}

#[test]
fn read_a_subset_of_fields() {
    mod narrow {
        #[derive(Debug, PartialEq, serde::Deserialize)]
        #[serde(rename = "record")]
        pub struct Wide {
            #[serde(rename = "int")]
            pub id: u32,
            #[serde(rename = "string")]
            pub name: String,
        }
    }
    let expected: Vec<_> = wide().into_iter().map(|w| narrow::Wide { id: w.id, name: w.name }).collect();
    assert_reads(&wide(), &expected);
}

#[test]
fn read_a_subset_with_a_struct_of_another_name() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename = "map")]
    struct Head {
        #[serde(rename = "string")]
        name: String,
    }
    assert_reads(&wide(), &["one", "two", "three"].map(|name| Head { name: name.into() }));
}

#[test]
fn read_a_subset_that_skips_a_nested_struct_a_map_and_a_list() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename = "record")]
    struct Ends {
        #[serde(rename = "int")]
        id: u32,
        #[serde(rename = "null")]
        last: i64,
    }
    assert_reads(&wide(), &[Ends { id: 1, last: 100 }, Ends { id: 2, last: 200 }, Ends { id: 3, last: 300 }]);
}

#[test]
fn read_one_field_of_a_nested_struct() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename = "array")]
    struct OnlyX {
        #[serde(rename = "int")]
        x: i32,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename = "record")]
    struct Outer {
        #[serde(rename = "record")]
        place: OnlyX,
        #[serde(rename = "array")]
        list: Vec<OnlyX>,
    }
    let outer =
        |x, list: &[i32]| Outer { place: OnlyX { x }, list: list.iter().map(|&x| OnlyX { x }).collect() };
    assert_reads(&wide(), &[outer(10, &[1, 2]), outer(20, &[]), outer(30, &[3])]);
}

#[test]
fn read_fields_reordered() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename = "int")]
    struct Reordered {
        #[serde(rename = "null")]
        last: i64,
        #[serde(rename = "string")]
        name: String,
        #[serde(rename = "int")]
        id: u32,
    }
    let expected: Vec<_> =
        wide().into_iter().map(|w| Reordered { last: w.last, name: w.name, id: w.id }).collect();
    assert_reads(&wide(), &expected);
}

#[test]
fn read_a_field_added_later() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename = "string")]
    struct Newer {
        #[serde(rename = "int")]
        id: u32,
        added: Option<String>,
        #[serde(default)]
        count: i32,
    }
    assert_reads(&wide(), &[1, 2, 3].map(|id| Newer { id, added: None, count: 0 }));
}

#[test]
fn read_a_field_renamed_by_alias() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename = "record")]
    struct Renamed {
        #[serde(alias = "int")]
        number: u32,
    }
    assert_reads(&wide(), &[1, 2, 3].map(|number| Renamed { number }));
}

#[test]
fn read_i32_as_i64() {
    assert_reads(&rows([i32::MIN, -1, i32::MAX]), &rows([i64::from(i32::MIN), -1, i64::from(i32::MAX)]));
}

#[test]
fn read_a_value_as_an_option() {
    assert_reads(
        &rows(["a".to_string(), "b".to_string()]),
        &rows([Some("a".to_string()), Some("b".to_string())]),
    );
}

#[test]
fn read_borrowed_str() {
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(rename = "string")]
    struct Name<'a> {
        #[serde(rename = "string")]
        name: &'a str,
    }
    let bytes = write(&wide());
    let mut names = Vec::new();
    for batch in trevni::Reader::from_slice(&bytes).unwrap().batches().unwrap() {
        let batch = batch.unwrap();
        for row in batch.rows::<Name<'_>>() {
            names.push(row.unwrap().name.len());
        }
    }
    assert_eq!(names, [3, 3, 5]);
}

#[test]
fn read_untyped_into_json_values() {
    assert_reads_as_json(&wide());
    let value: Value = trevni::from_slice(&write(&wide())).unwrap();
    assert_eq!(value[2]["map"], json!({"l": [], "m": [3]}));
}
