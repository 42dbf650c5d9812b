//! Fields that come late, stop, are absent or null.

use derive_tests::{assert_reads, assert_round_trip};
use serde::Serialize;
use serde_json::{Value, json};

use super::{Sparse, sparse};

#[test]
fn a_field_that_shows_up_late_is_absent_before() {
    assert_round_trip(&[
        sparse(None, None, &[]),
        sparse(None, Some("b"), &[]),
        sparse(Some(1), None, &[7, 8]),
    ]);
}

#[test]
fn a_field_that_stops_is_absent_after() {
    assert_round_trip(&[sparse(Some(1), Some("b"), &[1]), sparse(None, None, &[]), sparse(None, None, &[])]);
}

#[test]
fn a_field_in_the_middle_shows_up_after_hundreds_of_rows() {
    let mut rows: Vec<_> = (0..500).map(|n| json!({"first": n, "last": n})).collect();
    rows.push(json!({"first": 1, "middle": {"deep": ["x"]}, "last": 2}));
    rows.push(json!({"first": 3, "last": 4}));
    assert_round_trip(&rows);
}

#[test]
fn absent_then_null() {
    assert_round_trip(&[json!({"a": 1}), json!({"a": 1, "b": null}), json!({"a": 1, "b": 2})]);
}

#[test]
fn null_then_absent() {
    assert_round_trip(&[
        json!({"a": 1, "b": null}),
        json!({"a": 1}),
        json!({"a": 1, "b": 2}),
        json!({"a": 1, "b": null}),
    ]);
}

#[test]
fn value_then_absent_then_null() {
    assert_round_trip(&[json!({"b": 2}), json!({}), json!({"b": null}), json!({"b": 3})]);
}

#[test]
fn a_union_that_is_absent_and_then_null() {
    assert_round_trip(&[
        json!({"a": []}),
        json!({"a": false}),
        json!({}),
        json!({"a": null}),
        json!({"a": [1]}),
    ]);
    assert_round_trip(&[
        json!({"a": []}),
        json!({}),
        json!({"a": 1}),
        json!({"a": null}),
        json!({"a": {"b": 2}}),
    ]);
}

#[test]
fn a_union_in_a_list_that_becomes_absent_and_null_at_once() {
    assert_round_trip(&[
        json!([{"b": false}]),
        json!([{"b": 0}, {}]),
        json!([{"b": null}]),
        json!([{}, {"b": "x"}, {"b": null}]),
    ]);
}

#[test]
fn only_null_and_absent() {
    assert_round_trip(&[json!({"b": null}), json!({}), json!({"b": null})]);
    assert_round_trip(&[json!({}), json!({"b": null})]);
}

#[test]
fn absent_and_null_in_records_of_a_list() {
    assert_round_trip(&[
        json!({"list": [{"a": 1}, {"a": null}, {}]}),
        json!({"list": []}),
        json!({"list": [{}, {"b": "late"}, {"a": null, "b": null}]}),
        json!({}),
    ]);
}

#[test]
fn fields_in_another_order_in_every_row() {
    struct Shuffled(Vec<(&'static str, i32)>);
    impl Serialize for Shuffled {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.0.iter().copied())
        }
    }
    let rows =
        [vec![("a", 1), ("b", 2), ("c", 3)], vec![("c", 6), ("a", 4)], vec![("b", 8), ("d", 9), ("a", 7)]];
    let expected =
        [json!({"a": 1, "b": 2, "c": 3}), json!({"a": 4, "c": 6}), json!({"a": 7, "b": 8, "d": 9})];
    assert_reads(&rows.map(Shuffled), &expected);
}

#[test]
fn zero_rows() {
    assert_round_trip::<Sparse>(&[]);
    assert_round_trip::<Vec<Option<i32>>>(&[]);
    assert_round_trip::<Value>(&[]);
    assert_round_trip::<()>(&[]);
}

#[test]
fn zero_rows_read_as_any_type() {
    assert_reads::<i32, Sparse>(&[], &[]);
    assert_reads::<Sparse, (String, u8)>(&[], &[]);
}

#[test]
fn zero_fields_keep_the_row_count() {
    assert_round_trip(&[(); 1000]);
    assert_round_trip(&vec![json!({}); 10]);
    assert_round_trip(&vec![json!(null); 10]);
    assert_round_trip(&vec![Vec::<i32>::new(); 10]);
}

#[test]
fn empty_records_then_fields() {
    assert_round_trip(&[json!({}), json!({}), json!({"a": 1}), json!({})]);
}

#[test]
fn three_hundred_optional_fields() {
    let row = |n: usize| -> Value {
        (0..300)
            .filter(|field| field % 7 == n % 7 || field % 31 == n)
            .map(|field| (format!("f{field}"), json!(n + field)))
            .collect()
    };
    assert_round_trip(&(0..20).map(row).collect::<Vec<_>>());
}

#[test]
fn a_new_field_in_every_row() {
    let rows: Vec<Value> = (0..40).map(|n| json!({format!("only{n}"): n, "all": n})).collect();
    assert_round_trip(&rows);
}
