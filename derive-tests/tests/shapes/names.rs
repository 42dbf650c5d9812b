//! Types and fields whose names clash.

use std::collections::BTreeMap;

use derive_tests::assert_round_trip;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::sparse;

mod left {
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    pub struct Item {
        pub a: i32,
    }
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    pub enum Kind {
        One,
        Two { a: i32 },
    }
}

mod right {
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    pub struct Item {
        pub b: String,
        pub a: bool,
    }
    #[derive(Debug, PartialEq, serde::Serialize, serde::Deserialize)]
    pub enum Kind {
        Three(String),
        One,
    }
}

#[test]
fn two_structs_of_one_name() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        left: left::Item,
        right: right::Item,
    }
    assert_round_trip(&[Row { left: left::Item { a: 1 }, right: right::Item { b: "b".into(), a: true } }]);
}

#[test]
fn two_enums_of_one_name() {
    assert_round_trip(&[
        (left::Kind::Two { a: 1 }, right::Kind::One),
        (left::Kind::One, right::Kind::Three("3".into())),
        (left::Kind::One, right::Kind::One),
    ]);
}

#[test]
fn a_generic_struct_of_two_types() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Wrapper<T> {
        value: T,
    }
    assert_round_trip(&[
        (Wrapper { value: 1 }, Wrapper { value: Some("x".to_string()) }),
        (Wrapper { value: 2 }, Wrapper { value: None }),
    ]);
}

#[test]
fn a_variant_named_as_its_enum_and_a_struct_named_as_a_variant() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Same {
        value: i32,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Kind {
        Kind { value: String },
        Same(Same),
    }
    assert_round_trip(&[
        (Kind::Kind { value: "k".into() }, Same { value: 1 }),
        (Kind::Same(Same { value: 2 }), Same { value: 3 }),
    ]);
}

#[test]
fn one_struct_in_many_places_with_other_fields_absent() {
    assert_round_trip(&[
        (sparse(Some(1), None, &[]), vec![sparse(None, None, &[1])]),
        (sparse(None, Some("b"), &[]), vec![]),
        (sparse(None, None, &[]), vec![sparse(None, Some("b"), &[]), sparse(Some(3), None, &[])]),
    ]);
}

#[test]
fn fields_named_as_our_own_words() {
    assert_round_trip(&[
        json!({"key": 1, "value": {"key": [1], "value": null}, "_0": 2, "_1": [], "null": "n", "item": true}),
    ]);
    assert_round_trip(&[BTreeMap::from([("key".to_string(), BTreeMap::from([("value".to_string(), 1)]))])]);
}
