//! default, skip, skip_serializing_if: what is not written and what is read instead.

use derive_tests::{
    assert_contains, assert_reads, assert_reads_as_json, assert_round_trip, read_error, write,
};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::json;

use super::as_json;

#[test]
fn default_fills_what_a_row_leaves_out() {
    fn seven() -> i32 {
        7
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        id: i32,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        list: Vec<i32>,
        #[serde(default = "seven", skip_serializing_if = "is_seven")]
        seven: i32,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        text: String,
    }
    fn is_seven(n: &i32) -> bool {
        *n == 7
    }
    assert_round_trip(&[
        Row { id: 1, list: vec![], seven: 7, text: String::new() },
        Row { id: 2, list: vec![1], seven: 8, text: String::new() },
        Row { id: 3, list: vec![], seven: 7, text: "t".into() },
    ]);
}

#[test]
fn default_of_the_container_fills_missing_fields() {
    #[derive(Serialize)]
    struct Old {
        a: i32,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(default)]
    struct New {
        a: i32,
        b: String,
    }
    impl Default for New {
        fn default() -> Self {
            New { a: -1, b: "given".into() }
        }
    }
    assert_reads(&[Old { a: 1 }], &[New { a: 1, b: "given".into() }]);
}

#[test]
fn default_is_not_taken_for_a_null() {
    #[derive(Serialize)]
    struct Written {
        amount: Option<i32>,
    }
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Read {
        #[serde(default)]
        amount: i32,
    }
    assert_contains(
        &read_error::<Read>(&[Written { amount: Some(1) }, Written { amount: None }]),
        &["row 1", "amount"],
    );
}

#[test]
fn skip_leaves_a_field_out_of_the_file() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        a: i32,
        #[serde(skip)]
        hidden: String,
        b: i32,
    }
    let read = |a, b| Row { a, hidden: String::new(), b };
    let written = |a, b| Row { a, hidden: "secret".into(), b };
    assert_reads(&[written(1, 2), written(3, 4)], &[read(1, 2), read(3, 4)]);
    assert_eq!(as_json(&[written(1, 2)]), json!([{"a": 1, "b": 2}]));
}

#[test]
fn skip_serializing_writes_nothing_and_reads_a_default() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(skip_serializing, default)]
        a: i32,
        b: i32,
    }
    assert_reads(&[Row { a: 1, b: 2 }], &[Row { a: 0, b: 2 }]);
}

#[test]
fn skip_deserializing_writes_but_does_not_read() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        a: i32,
        #[serde(skip_deserializing)]
        b: i32,
        c: i32,
    }
    let rows = [Row { a: 1, b: 2, c: 3 }];
    assert_eq!(as_json(&rows), json!([{"a": 1, "b": 2, "c": 3}]));
    assert_reads(&rows, &[Row { a: 1, b: 0, c: 3 }]);
}

#[test]
fn skip_serializing_if_everywhere_leaves_empty_rows() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(skip_serializing_if = "Option::is_none")]
        a: Option<i32>,
        #[serde(skip_serializing_if = "Option::is_none")]
        b: Option<String>,
    }
    assert_round_trip(&[
        Row { a: None, b: None },
        Row { a: None, b: Some("x".into()) },
        Row { a: Some(1), b: None },
        Row { a: None, b: None },
    ]);
}

#[test]
fn skip_serializing_if_in_structs_in_lists() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Item {
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        tags: Vec<String>,
        id: i32,
    }
    let item = |id, tags: &[&str]| Item { id, tags: tags.iter().map(|t| t.to_string()).collect() };
    assert_round_trip(&[
        vec![item(1, &[]), item(2, &["a"])],
        vec![],
        vec![item(3, &["b", "c"]), item(4, &[]), item(5, &[])],
    ]);
}

#[test]
fn skip_serializing_if_keeps_the_two_nones_of_a_nested_option_apart() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "present")]
        a: Option<Option<i32>>,
    }
    fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<i32>>, D::Error> {
        Option::deserialize(deserializer).map(Some)
    }
    let rows = [None, Some(None), Some(Some(1)), None].map(|a| Row { a });
    assert_reads_as_json(&rows);
    let plain: Vec<Row> =
        trevni::from_slice(&write(&[json!({}), json!({"a": null}), json!({"a": 1})])).unwrap();
    assert_eq!(plain, [None, Some(None), Some(Some(1))].map(|a| Row { a }));
}
