//! A value that meets a value of another kind.

use std::collections::BTreeMap;

use derive_tests::{assert_reads, assert_round_trip};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{Loose, text};

#[test]
fn int_then_long() {
    assert_round_trip(&[1, -1, i64::from(i32::MAX), i64::from(i32::MAX) + 1, i64::MIN].map(Loose::Int));
}

#[test]
fn a_column_of_i32_and_i64_fields_of_one_name() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t")]
    enum Row {
        Narrow { n: i32 },
        Wide { n: i64 },
        Unsigned { n: u64 },
    }
    assert_round_trip(&[
        Row::Narrow { n: -5 },
        Row::Wide { n: i64::MIN },
        Row::Unsigned { n: u64::MAX },
        Row::Narrow { n: 5 },
    ]);
}

#[test]
fn int_then_string() {
    assert_round_trip(&[Loose::Int(1), Loose::Int(2), text("three"), Loose::Int(4)]);
}

#[test]
fn string_then_int_then_bool_then_null_then_list() {
    assert_round_trip(&[
        text("one"),
        Loose::Int(2),
        Loose::Flag(true),
        Loose::Null(()),
        Loose::List(vec![Loose::Int(5), text("six")]),
        Loose::Map(BTreeMap::from([("seven".into(), Loose::Int(7))])),
        text("eight"),
    ]);
}

#[test]
fn int_then_float_stay_apart() {
    assert_round_trip(&[json!(1), json!(1.0), json!(2), json!(2.5)]);
    assert_round_trip(&[json!(1.0), json!(1)]);
}

#[test]
fn f32_then_f64_keep_their_values() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t")]
    enum Row {
        Single { x: f32 },
        Double { x: f64 },
    }
    assert_round_trip(&[
        Row::Single { x: 0.1 },
        Row::Double { x: 0.1 },
        Row::Single { x: f32::MAX },
        Row::Double { x: f64::MAX },
    ]);
}

#[test]
fn u64_max_mixed_with_negative_numbers() {
    assert_round_trip(&[json!(u64::MAX), json!(-1), json!(i64::MIN), json!(0), json!(u64::MAX - 1)]);
    assert_round_trip(&[json!({"n": -1}), json!({"n": u64::MAX}), json!({"n": [i64::MIN, u64::MAX]})]);
}

#[test]
fn i64_then_i128() {
    #[derive(Debug, PartialEq, Serialize)]
    #[serde(untagged)]
    enum Number {
        Long(i64),
        Huge(i128),
    }
    assert_reads(&[Number::Long(1), Number::Huge(i128::MIN), Number::Long(-2)], &[1, i128::MIN, -2]);
}

#[test]
fn a_struct_then_a_map_of_the_same_fields() {
    #[derive(Debug, PartialEq, Serialize)]
    #[serde(untagged)]
    enum Row {
        Struct { a: i32, b: i32 },
        Map(BTreeMap<&'static str, i32>),
    }
    let rows = [
        Row::Struct { a: 1, b: 2 },
        Row::Map(BTreeMap::from([("a", 3), ("b", 4)])),
        Row::Struct { a: 5, b: 6 },
    ];
    let expected =
        [(1, 2), (3, 4), (5, 6)].map(|(a, b)| BTreeMap::from([("a".to_string(), a), ("b".to_string(), b)]));
    assert_reads(&rows, &expected);
}

#[test]
fn tuples_of_growing_length() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Row {
        Three(i32, i32, String),
        Two(i32, i32),
        One((bool,)),
    }
    assert_round_trip(&[Row::Two(1, 2), Row::Three(3, 4, "five".into()), Row::One((true,)), Row::Two(6, 7)]);
}

#[test]
fn a_string_then_bytes() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    enum Blob {
        Text(String),
        Raw(#[serde(with = "serde_bytes")] Vec<u8>),
    }
    let rows =
        [Blob::Text("a".into()), Blob::Raw(vec![0xff, 0]), Blob::Text(String::new()), Blob::Raw(vec![])];
    assert_reads(&rows, &rows);
}

#[test]
fn inside_lists_and_maps() {
    assert_round_trip(&[
        json!({"l": [1, 2], "m": {"k": 1}}),
        json!({"l": [], "m": {}}),
        json!({"l": [3_000_000_000_u32], "m": {"k": -3_000_000_000_i64}}),
        json!({"l": ["s", 1.5, null, 4], "m": {"k": "s", "other": [1]}}),
    ]);
}

#[test]
fn integers_of_three_widths_that_no_long_holds() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Any {
        Small(i32),
        Unsigned(u64),
        Signed(i64),
    }
    assert_round_trip(&[Any::Small(1), Any::Unsigned(u64::MAX), Any::Signed(i64::MIN), Any::Small(-1)]);
}

#[test]
fn a_list_beside_a_map_with_integer_keys() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Any {
        List(Vec<i32>),
        Map(std::collections::BTreeMap<i32, String>),
    }
    let map = |key: i32| Any::Map([(key, key.to_string())].into());
    let rows = [(1, Any::List(vec![1, 2])), (2, map(7)), (3, Any::List(vec![])), (4, map(-7))];
    assert_round_trip(&rows);
}
