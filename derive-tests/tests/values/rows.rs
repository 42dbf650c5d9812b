//! Rows that are JSON values of one or many shapes.

use derive_tests::assert_round_trip;
use serde_json::json;

use super::read;

#[test]
fn of_one_shape() {
    assert_round_trip(&[
        json!({"id": 1, "name": "a", "ok": true, "x": 0.5, "none": null, "list": [1, 2], "in": {"k": "v"}}),
        json!({"id": 2, "name": "", "ok": false, "x": -0.5, "none": null, "list": [], "in": {"k": "w"}}),
    ]);
}

#[test]
fn of_every_kind() {
    assert_round_trip(&[
        json!(null),
        json!(true),
        json!(1),
        json!(-1.5),
        json!("s"),
        json!([]),
        json!({}),
        json!([[]]),
        json!({"": {}}),
    ]);
}

#[test]
fn all_scalars() {
    assert_round_trip(&[json!(1), json!(2), json!(3)]);
    assert_round_trip(&[json!("a"), json!("")]);
    assert_round_trip(&[json!(true), json!(false)]);
}

#[test]
fn all_null() {
    assert_round_trip(&[json!(null), json!(null), json!(null)]);
}

#[test]
fn a_top_level_object_that_becomes_a_list() {
    assert_round_trip(&[json!({"a": 1}), json!([{"a": 2}]), json!({"a": 3, "b": [4]})]);
}

#[test]
fn a_field_of_another_kind_in_every_row() {
    assert_round_trip(&[
        json!({"v": 1}),
        json!({"v": "s"}),
        json!({"v": null}),
        json!({"v": 1.5}),
        json!({}),
        json!({"v": [1, "s", {"w": 1}]}),
        json!({"v": {"w": "s"}}),
        json!({"v": false}),
        json!({"v": {"w": [], "x": null}}),
        json!({"v": 2}),
    ]);
}

#[test]
fn read_through_the_collection_as_one_array() {
    assert_eq!(read(&[json!({"a": 1}), json!("x")]), json!([{"a": 1}, "x"]));
    assert_eq!(read(&[]), json!([]));
}
