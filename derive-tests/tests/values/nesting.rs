//! Objects and arrays within each other.

use derive_tests::assert_round_trip;
use serde_json::json;

#[test]
fn objects_in_objects() {
    assert_round_trip(&[
        json!({"a": {"b": {"c": {"d": 1}}}}),
        json!({"a": {"b": {"c": {}}}}),
        json!({"a": {"b": {"e": "late"}}}),
        json!({"a": {}}),
        json!({}),
    ]);
}

#[test]
fn arrays_in_arrays() {
    assert_round_trip(&[json!([[[1], []], []]), json!([]), json!([[], [[2, 3], [4]]]), json!([[[]]])]);
}

#[test]
fn arrays_of_mixed_kinds() {
    assert_round_trip(&[
        json!({"l": [1, "two", 3.0, null, true, [4], {"five": 5}]}),
        json!({"l": [{"five": "5"}, {"six": [6]}, [[7]], "eight"]}),
        json!({"l": []}),
    ]);
}

#[test]
fn arrays_of_objects_of_mixed_fields() {
    assert_round_trip(&[
        json!([{"a": 1}, {"b": 2}, {}, {"a": null, "b": "x"}]),
        json!([{"c": [{"d": 1}, {"e": 2}]}]),
    ]);
}

#[test]
fn an_array_that_turns_into_an_object_inside_an_array() {
    assert_round_trip(&[json!([[1], [2]]), json!([{"k": [1]}]), json!([[{"k": [3]}], 4])]);
}
