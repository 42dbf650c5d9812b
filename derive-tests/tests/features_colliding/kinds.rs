//! Enums, options, lists, maps, tuples and scalars in a field.

use std::collections::{BTreeMap, HashMap};

use derive_tests::assert_round_trip;
use serde::{Deserialize, Serialize};

use crate::types::{Colour, Shape, point, rows, shapes};

#[test]
fn enum_with_data() {
    assert_round_trip(&rows(shapes()));
}

#[test]
fn option_of_enum_with_data() {
    let mut values: Vec<Option<Shape>> = shapes().into_iter().map(Some).collect();
    values.insert(0, None);
    values.insert(3, None);
    assert_round_trip(&rows(values));
}

#[test]
fn unit_only_enum() {
    assert_round_trip(&rows([Colour::Blue, Colour::Red, Colour::Blue, Colour::Green]));
}

#[test]
fn top_level_rows_are_an_enum() {
    assert_round_trip(&shapes());
    assert_round_trip(&[Colour::Green, Colour::Red]);
}

#[test]
fn vec_of_option_of_vec_of_i32() {
    assert_round_trip(&rows([
        vec![Some(vec![1, 2]), None, Some(vec![])],
        vec![],
        vec![None, None],
        vec![Some(vec![i32::MIN, 0, i32::MAX])],
    ]));
}

#[test]
fn option_of_vec_of_option_of_string() {
    let text = |s: &str| Some(s.to_string());
    assert_round_trip(&rows([
        Some(vec![text("a"), None]),
        None,
        Some(vec![]),
        Some(vec![None, text(""), text("é")]),
    ]));
}

#[test]
fn hash_map_of_string_to_struct() {
    assert_round_trip(&rows([
        HashMap::from([("int".to_string(), point(1, None)), ("record".to_string(), point(2, Some("two")))]),
        HashMap::new(),
        HashMap::from([("".to_string(), point(3, Some("")))]),
    ]));
}

#[test]
fn hash_map_of_u32_to_string() {
    assert_round_trip(&rows([
        HashMap::from([(0, "zero".to_string()), (u32::MAX, "max".to_string())]),
        HashMap::new(),
        HashMap::from([(7, String::new())]),
    ]));
}

#[test]
fn b_tree_map_of_enum_to_i32() {
    assert_round_trip(&rows([
        BTreeMap::from([(Colour::Red, 1), (Colour::Blue, -1)]),
        BTreeMap::new(),
        BTreeMap::from([(Colour::Green, 0)]),
    ]));
}

#[test]
fn tuple_of_i32_and_string() {
    assert_round_trip(&rows([(1, "one".to_string()), (-2, String::new()), (3, "three".to_string())]));
}

#[test]
fn array_of_three_f32() {
    assert_round_trip(&rows([[0.0_f32, 1.5, -2.25], [f32::MAX, f32::MIN, f32::MIN_POSITIVE]]));
}

#[test]
fn u64_max() {
    assert_round_trip(&rows([0, u64::MAX, i64::MAX as u64, i64::MAX as u64 + 1, 1]));
}

#[test]
fn i128_at_its_limits() {
    assert_round_trip(&rows([0, i128::MIN, i128::MAX, -1, u64::MAX as i128 + 1]));
}

#[test]
fn u128_at_its_limits() {
    assert_round_trip(&rows([0, u128::MAX, i128::MAX as u128, i128::MAX as u128 + 1, 1]));
}

#[test]
fn char_of_every_utf8_length() {
    assert_round_trip(&rows(['a', '\0', 'é', '漢', '🦀', char::MAX]));
}

#[test]
fn unit_struct_field() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "null")]
    struct Marker;
    assert_round_trip(&rows([Marker, Marker, Marker]));
}

#[test]
fn newtype_struct() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "double")]
    struct Metres(f64);
    assert_round_trip(&rows([Metres(1.5), Metres(-0.25)]));
    assert_round_trip(&[Metres(1.5), Metres(2.0)]);
}
