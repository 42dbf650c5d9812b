//! Null, absent and empty are three things.

use derive_tests::assert_round_trip;
use serde_json::json;

use super::read;

#[test]
fn null_absent_empty_list_and_empty_object_differ() {
    let rows = [
        json!({"a": null}),
        json!({}),
        json!({"a": []}),
        json!({"a": {}}),
        json!({"a": [null]}),
        json!({"a": [[]]}),
    ];
    assert_round_trip(&rows);
}

#[test]
fn null_and_absent_differ_in_a_column_of_numbers() {
    assert_eq!(read(&[json!({"a": 1}), json!({"a": null}), json!({})]), json!([{"a": 1}, {"a": null}, {}]));
}

#[test]
fn null_and_empty_differ_in_a_column_of_lists() {
    assert_round_trip(&[
        json!({"a": [1]}),
        json!({"a": null}),
        json!({"a": []}),
        json!({}),
        json!({"a": [2, 3]}),
    ]);
}

#[test]
fn null_and_empty_differ_in_a_column_of_strings() {
    assert_round_trip(&[json!({"a": "x"}), json!({"a": ""}), json!({"a": null}), json!({})]);
}

#[test]
fn null_rows_and_empty_rows_differ() {
    assert_round_trip(&[json!({"a": 1}), json!(null), json!({})]);
}
