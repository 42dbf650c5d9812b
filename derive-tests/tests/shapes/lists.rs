//! Lists and maps that are empty, null, or change their items.

use std::collections::BTreeMap;

use derive_tests::{assert_reads, assert_round_trip};
use serde::Serialize;
use serde_json::json;

#[test]
fn empty_lists_first_then_values() {
    assert_round_trip(&[
        vec![],
        vec![],
        vec![],
        vec!["a".to_string()],
        vec![],
        vec!["b".to_string(), "c".to_string()],
    ]);
}

#[test]
fn lists_always_empty() {
    assert_round_trip(&vec![Vec::<Vec<String>>::new(); 5]);
    assert_round_trip(&vec![vec![Vec::<String>::new(), vec![]]; 5]);
}

#[test]
fn empty_inner_lists_first() {
    assert_round_trip(&[vec![vec![]], vec![], vec![vec![], vec![vec![]]], vec![vec![vec![1], vec![]]]]);
}

#[test]
fn empty_maps_first() {
    assert_round_trip(&[BTreeMap::new(), BTreeMap::new(), BTreeMap::from([("k".to_string(), vec![1])])]);
}

#[test]
fn items_that_become_optional() {
    assert_round_trip(&[json!([1, 2]), json!([3, null, 4]), json!([]), json!([null])]);
}

#[test]
fn records_in_lists_that_gain_fields_within_one_row() {
    assert_round_trip(&[json!([{"a": 1}, {"a": 2, "b": {"c": []}}, {"b": {"c": [1]}}])]);
}

#[test]
fn a_null_list_an_empty_list_and_a_list_of_null_differ() {
    assert_round_trip(&[None, Some(vec![]), Some(vec![None]), Some(vec![Some(1)])]);
}

#[test]
fn a_long_list_between_empty_ones() {
    assert_round_trip(&[vec![], (0..10_000).collect::<Vec<i32>>(), vec![], vec![1]]);
}

#[test]
fn a_long_array_of_one_type() {
    assert_round_trip(&[[1.5_f32; 32], [-0.5; 32]]);
}

#[test]
fn an_array_of_zero_items() {
    assert_round_trip(&[[(); 0]; 3]);
    assert_round_trip(&[json!({"a": []}), json!({"a": []})]);
}

#[test]
fn a_sequence_that_does_not_tell_its_length() {
    struct Unsized(u32);
    impl Serialize for Unsized {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_seq((0..).take_while(|n| *n < self.0).filter(|n| n % 2 == 0))
        }
    }
    assert_reads(&[Unsized(5), Unsized(0), Unsized(2)], &[vec![0, 2, 4], vec![], vec![0]]);
}
