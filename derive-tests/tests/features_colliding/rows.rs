//! JSON, rows of all kinds, recursion and options.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::Duration;

use derive_tests::{assert_reads, assert_round_trip, write};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::types::{Row, Shape, point, rows};

#[test]
fn json_values_of_the_same_shape() {
    assert_round_trip(&[
        json!({"int": 1, "string": "x"}),
        json!({"int": 2, "string": "y"}),
        json!({"int": -3, "string": ""}),
    ]);
}

#[test]
fn json_values_of_mixed_shapes() {
    assert_round_trip(&[
        json!({"int": 1}),
        json!({"int": "one", "string": [1, "two", null]}),
        json!(null),
        json!([true, {"Some": 1.5}]),
        json!({"int": {"string": {}}}),
        json!("text"),
    ]);
}

#[test]
fn empty_file() {
    assert_round_trip::<Row<String>>(&[]);
}

#[test]
fn zero_rows_of_a_struct_with_an_enum() {
    assert_round_trip::<Row<Shape>>(&[]);
    assert_round_trip::<Shape>(&[]);
}

#[test]
fn option_of_boxed_node() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "array")]
    struct Node {
        #[serde(rename = "array")]
        value: i32,
        #[serde(rename = "null")]
        next: Option<Box<Node>>,
    }
    let chain = |values: &[i32]| {
        values.iter().rev().fold(None, |next, &value| Some(Box::new(Node { value, next }))).map(|node| *node)
    };
    assert_round_trip(&rows([chain(&[1]), chain(&[1, 2, 3, 4]), None, chain(&[5, 6])]));
}

#[test]
fn recursive_tree() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "map")]
    struct Tree {
        #[serde(rename = "map")]
        name: String,
        #[serde(rename = "array")]
        children: Vec<Tree>,
    }
    let tree = |name: &str, children| Tree { name: name.into(), children };
    assert_round_trip(&[
        tree("leaf", vec![]),
        tree("root", vec![tree("a", vec![tree("b", vec![])]), tree("c", vec![])]),
        tree("flat", vec![tree("d", vec![]), tree("e", vec![])]),
    ]);
}

#[test]
fn option_of_option_of_i32() {
    assert_round_trip(&rows([Some(Some(1)), Some(None), None, Some(Some(2))]));
    assert_round_trip(&rows([None, Some(None), Some(Some(1))]));
}

#[test]
fn option_of_unit() {
    assert_round_trip(&rows([Some(()), None, Some(())]));
    assert_round_trip(&rows([None, Some(())]));
}

#[test]
fn late_optional() {
    let mut values = vec![None; 999];
    values.push(Some("late".to_string()));
    assert_round_trip(&rows(values));
}

#[test]
fn optional_never_present() {
    assert_round_trip(&rows([None::<String>, None, None]));
}

#[test]
fn bytes() {
    let values = [&b"abc"[..], b"", &[0, 255, 128]].map(serde_bytes::ByteBuf::from);
    assert_reads(&rows(values.clone()), &rows(values));
}

#[test]
fn floats_keep_infinity_and_the_sign_of_zero() {
    let written = rows([(f32::INFINITY, f64::NEG_INFINITY), (-0.0, -0.0), (0.0, 0.0)]);
    assert_reads(&written, &written);
    let read: Vec<Row<(f32, f64)>> = trevni::from_slice(&write(&written)).unwrap();
    let signs: Vec<_> =
        read.iter().map(|row| (row.value.0.is_sign_negative(), row.value.1.is_sign_negative())).collect();
    assert_eq!(signs, [(false, true), (true, true), (false, false)]);
}

#[test]
fn struct_with_no_fields() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "null")]
    struct Empty {}
    assert_round_trip(&rows([Empty {}, Empty {}]));
    assert_round_trip(&[Empty {}, Empty {}, Empty {}]);
}

#[test]
fn result_of_i32_or_string() {
    assert_round_trip(&rows([Ok(1), Err("no".to_string()), Ok(-2)]));
}

#[test]
fn std_duration() {
    assert_round_trip(&rows([
        Duration::ZERO,
        Duration::new(u64::MAX, 999_999_999),
        Duration::from_millis(1500),
    ]));
}

#[test]
fn std_ip_addr() {
    let values = [IpAddr::V4(Ipv4Addr::new(127, 0, 0, 1)), IpAddr::V6(Ipv6Addr::LOCALHOST)];
    assert_round_trip(&rows(values));
    let read: Vec<Row<String>> = trevni::from_slice(&write(&rows(values))).unwrap();
    assert_eq!(read[1].value, "::1");
}

#[test]
fn rows_are_lists() {
    assert_round_trip(&[vec![1, 2, 3], vec![], vec![-4]]);
}

#[test]
fn rows_are_tuples() {
    assert_round_trip(&[(1, "a".to_string(), Some(true)), (2, "b".to_string(), None)]);
}

#[test]
fn rows_are_optional_structs() {
    assert_round_trip(&[Some(point(1, None)), None, Some(point(2, Some("b")))]);
    assert_round_trip(&[None, Some(point(1, None))]);
}
