//! bound, deny_unknown_fields, borrow: attributes of the reading side's type.

use std::borrow::Cow;

use derive_tests::{assert_contains, assert_round_trip, read_error, write};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[test]
fn bound_on_a_generic_struct() {
    trait Unit {
        type Amount;
    }
    #[derive(Debug, PartialEq)]
    struct Grams;
    impl Unit for Grams {
        type Amount = u16;
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(bound(serialize = "U::Amount: Serialize", deserialize = "U::Amount: Deserialize<'de>"))]
    struct Weight<U: Unit> {
        amount: U::Amount,
    }
    assert_round_trip::<Weight<Grams>>(&[Weight { amount: 1 }, Weight { amount: u16::MAX }]);
}

#[test]
fn deny_unknown_fields_accepts_exactly_its_fields() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Row {
        a: i32,
        b: Option<String>,
    }
    assert_round_trip(&[Row { a: 1, b: None }, Row { a: 2, b: Some("b".into()) }]);
}

#[test]
fn deny_unknown_fields_refuses_a_file_with_more() {
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Row {
        a: i32,
    }
    assert_contains(&read_error::<Row>(&[json!({"a": 1, "b": 2})]), &["unknown field `b`"]);
}

#[test]
fn deny_unknown_fields_refuses_in_a_nested_struct() {
    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code)]
    struct Inner {
        a: i32,
    }
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Row {
        inner: Vec<Inner>,
    }
    assert_contains(
        &read_error::<Row>(&[json!({"inner": [{"a": 1, "b": 2}], "more": 0})]),
        &["unknown field `b`"],
    );
}

#[test]
fn borrow_on_a_cow() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row<'a> {
        #[serde(borrow)]
        text: Cow<'a, str>,
    }
    let written = [Row { text: Cow::Borrowed("a") }, Row { text: Cow::Owned("b".into()) }];
    let bytes = write(&written);
    for batch in trevni::Reader::from_slice(&bytes).unwrap().batches().unwrap() {
        let batch = batch.unwrap();
        let read: Vec<Row<'_>> = batch.rows().map(Result::unwrap).collect();
        assert_eq!(read, written);
        assert!(read.iter().all(|row| matches!(row.text, Cow::Borrowed(_))));
    }
}
