//! Values read as another kind: options, maps, text, bytes.

use std::collections::BTreeMap;

use derive_tests::{assert_contains, assert_reads, read_error};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use serde_json::{Value, json};

use super::{Field, Inner, field, inner};

#[derive(Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
enum Colour {
    Red,
    Green,
}

#[test]
fn a_value_as_an_option_of_it() {
    assert_reads(&[field(inner(1))], &[field(Some(inner(1)))]);
    assert_reads(
        &[field(vec![1, 2]), field(vec![])],
        &[field(Some(vec![Some(1), Some(2)])), field(Some(vec![]))],
    );
    assert_reads(&[field(Colour::Red)], &[field(Some(Colour::Red))]);
}

#[test]
fn an_option_as_its_value_where_none_is_missing() {
    assert_reads(&[field(Some(1)), field(Some(2))], &[field(1), field(2)]);
    assert_reads(&[field(Some(inner(1)))], &[field(inner(1))]);
}

#[test]
fn a_none_as_a_value_names_path_and_row() {
    assert_contains(&read_error::<Field<i32>>(&[field(Some(1)), field(None)]), &["row 1", "width"]);
    assert_contains(&read_error::<Field<Inner>>(&[field(Some(inner(1))), field(None)]), &["row 1", "width"]);
    assert_contains(
        &read_error::<Field<Vec<i32>>>(&[field(None), field(Some(vec![1]))]),
        &["row 0", "width"],
    );
}

#[test]
fn an_option_that_was_never_some_as_any_option() {
    assert_reads(&[field(None::<i32>)], &[field(None::<Inner>)]);
}

#[test]
fn an_option_of_option_from_an_option() {
    assert_reads(&[field(Some(1)), field(None)], &[field(Some(Some(1))), field(None)]);
}

#[test]
fn text_into_a_number_names_path_and_row() {
    let error = read_error::<Field<i32>>(&[json!({"width": 1}), json!({"width": "two"})]);
    assert_contains(&error, &["invalid type", "row 1", "width"]);
}

#[test]
fn a_struct_into_a_number_names_path_and_row() {
    assert_contains(&read_error::<Field<i32>>(&[field(inner(1))]), &["invalid type", "row 0", "width"]);
}

#[test]
fn a_number_into_a_struct_names_path_and_row() {
    assert_contains(&read_error::<Field<Inner>>(&[field(1)]), &["invalid type", "row 0", "width"]);
}

#[test]
fn a_newtype_and_its_inside() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Id(i64);
    assert_reads(&[field(Id(1))], &[field(1)]);
    assert_reads(&[field(1)], &[field(Id(1))]);
}

#[test]
fn a_char_and_a_string_of_one_char() {
    assert_reads(&[field('é')], &[field("é".to_string())]);
    assert_reads(&[field("é".to_string())], &[field('é')]);
}

#[test]
fn a_unit_variant_and_its_name() {
    assert_reads(
        &[field(Colour::Red), field(Colour::Green)],
        &[field("Red".to_string()), field("Green".to_string())],
    );
    assert_reads(&[field("Green"), field("Red")], &[field(Colour::Green), field(Colour::Red)]);
}

#[test]
fn a_struct_and_a_map() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Two {
        a: i32,
        b: i32,
    }
    let map = BTreeMap::from([("a".to_string(), 1), ("b".to_string(), 2)]);
    assert_reads(&[field(Two { a: 1, b: 2 })], &[field(map.clone())]);
    assert_reads(&[field(map)], &[field(Two { a: 1, b: 2 })]);
}

#[test]
fn a_struct_from_maps_whose_keys_come_in_any_order_with_more_beside() {
    let rows = [json!({"width": 1, "a": 0}), json!({"z": [1], "width": 2}), json!({"width": 3})];
    let maps: Vec<BTreeMap<String, Value>> =
        rows.iter().map(|r| serde_json::from_value(r.clone()).unwrap()).collect();
    assert_reads(&maps, &[field(1), field(2), field(3)]);
}

#[test]
fn a_list_and_a_tuple_of_the_same_length() {
    assert_reads(&[field(vec![1, 2])], &[field((1, 2))]);
    assert_reads(&[field((1, 2))], &[field(vec![1, 2])]);
    assert_reads(&[field([1, 2, 3])], &[field(vec![1, 2, 3])]);
}

#[test]
fn a_list_too_short_for_a_tuple_names_path_and_row() {
    let error = read_error::<Field<(i32, i32)>>(&[field(vec![1, 2]), field(vec![3])]);
    assert_contains(&error, &["invalid length 1", "row 1", "width"]);
}

#[test]
fn bytes_and_a_list_of_u8() {
    assert_reads(&[field(ByteBuf::from([1, 255]))], &[field(vec![1_u8, 255])]);
    assert_reads(&[field(vec![1_u8, 255])], &[field(ByteBuf::from([1, 255]))]);
}

#[test]
fn text_as_bytes() {
    assert_reads(&[field("aé")], &[field(ByteBuf::from("aé".as_bytes()))]);
}

#[test]
fn map_keys_of_another_integer() {
    let map = |keys: &[i64]| field(keys.iter().map(|&k| (k, k * 2)).collect::<BTreeMap<_, _>>());
    assert_reads(&[map(&[1, 2])], &[field(BTreeMap::from([(1_u8, 2_i16), (2, 4)]))]);
}

#[test]
fn integer_keys_and_their_text() {
    let numbers = field(BTreeMap::from([(1, true), (-2, false)]));
    let texts = field(BTreeMap::from([("1".to_string(), true), ("-2".to_string(), false)]));
    assert_reads(&[&numbers], &[field(BTreeMap::from([("1".to_string(), true), ("-2".to_string(), false)]))]);
    assert_reads(&[texts], &[numbers]);
}

#[test]
fn enum_keys_and_their_text() {
    let texts = BTreeMap::from([("Green".to_string(), 2), ("Red".to_string(), 1)]);
    let colours = BTreeMap::from([(Colour::Red, 1), (Colour::Green, 2)]);
    assert_reads(&[field(&texts)], &[field(BTreeMap::from([(Colour::Red, 1), (Colour::Green, 2)]))]);
    assert_reads(&[field(colours)], &[field(texts)]);
}

#[test]
fn a_tagged_enum_as_a_struct_of_its_fields() {
    #[derive(Serialize)]
    #[serde(tag = "type")]
    enum Event {
        A { width: i32 },
        B { width: i32, label: i32 },
    }
    assert_reads(&[Event::A { width: 1 }, Event::B { width: 2, label: 3 }], &[field(1), field(2)]);
}
