//! serde's attributes.

use std::collections::BTreeMap;

use derive_tests::assert_round_trip;
use serde::{Deserialize, Serialize};

use crate::types::{Point, point, rows};

#[test]
fn flattened_struct() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "record")]
    struct Outer {
        #[serde(rename = "long")]
        id: i32,
        #[serde(flatten)]
        point: Point,
        #[serde(rename = "null")]
        last: bool,
    }
    assert_round_trip(&[
        Outer { id: 1, point: point(10, Some("a")), last: false },
        Outer { id: 2, point: point(20, None), last: true },
    ]);
}

#[test]
fn flattened_map_with_varying_keys() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "map")]
    struct Outer {
        #[serde(rename = "map")]
        id: i32,
        #[serde(flatten)]
        extra: BTreeMap<String, i64>,
    }
    assert_round_trip(&[
        Outer { id: 1, extra: BTreeMap::from([("null".into(), 1), ("int".into(), 2)]) },
        Outer { id: 2, extra: BTreeMap::new() },
        Outer { id: 3, extra: BTreeMap::from([("record".into(), 3)]) },
        Outer { id: 4, extra: BTreeMap::from([("int".into(), -2), ("Entry".into(), i64::MAX)]) },
    ]);
}

#[test]
fn internally_tagged_enum() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "null")]
    #[serde(rename = "string")]
    enum Event {
        #[serde(rename = "null")]
        Start,
        #[serde(rename = "string")]
        Move {
            #[serde(rename = "int")]
            x: i32,
            #[serde(rename = "long")]
            y: i32,
        },
        #[serde(rename = "record")]
        Say {
            #[serde(rename = "string")]
            text: String,
            #[serde(rename = "int")]
            x: String,
        },
        #[serde(rename = "int")]
        At(Point),
    }
    assert_round_trip(&rows([
        Event::Start,
        Event::Move { x: 1, y: 2 },
        Event::Say { text: "hi".into(), x: "not a number".into() },
        Event::At(point(5, Some("p"))),
        Event::Start,
    ]));
}

#[test]
fn adjacently_tagged_enum() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "int", content = "string")]
    #[serde(rename = "record")]
    enum Event {
        #[serde(rename = "null")]
        Start,
        #[serde(rename = "int")]
        Level(u8),
        #[serde(rename = "record")]
        Move {
            #[serde(rename = "int")]
            x: i32,
            #[serde(rename = "record")]
            y: i32,
        },
        #[serde(rename = "string")]
        Pair(i32, String),
    }
    assert_round_trip(&rows([
        Event::Level(3),
        Event::Start,
        Event::Pair(1, "one".into()),
        Event::Move { x: 1, y: 2 },
        Event::Start,
    ]));
}

#[test]
fn untagged_enum() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    #[serde(rename = "union")]
    enum Loose {
        #[serde(rename = "null")]
        Nothing,
        #[serde(rename = "long")]
        Number(i64),
        #[serde(rename = "string")]
        Text(String),
        #[serde(rename = "array")]
        Many(Vec<i64>),
        #[serde(rename = "record")]
        Place {
            #[serde(rename = "union")]
            x: i32,
        },
    }
    assert_round_trip(&rows([
        Loose::Number(1),
        Loose::Text("one".into()),
        Loose::Nothing,
        Loose::Many(vec![1, 2, 3]),
        Loose::Place { x: 7 },
        Loose::Number(-1),
    ]));
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "union")]
struct Skipping {
    #[serde(rename = "union")]
    id: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[serde(rename = "null")]
    note: Option<String>,
}

#[test]
fn skip_serializing_if() {
    assert_round_trip(&[
        Skipping { id: 1, note: Some("a".into()) },
        Skipping { id: 2, note: None },
        Skipping { id: 3, note: Some("c".into()) },
    ]);
}

#[test]
fn skip_serializing_if_first_row_is_none() {
    assert_round_trip(&[
        Skipping { id: 1, note: None },
        Skipping { id: 2, note: Some("b".into()) },
        Skipping { id: 3, note: None },
    ]);
}
