//! What becomes of rows: by rule, and in parts as in one.

mod differences;

use super::report::{fields, lines};
use super::{Counts, Mixed, RowCounter, Rules, settle, wish};
use crate::counts::wanted::WantedType;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::sync::Arc;

/// The tree of some rows, looked at in parts of so many.
fn tree(rows: &[Value], part: usize, map_keys: usize, types: &[(String, WantedType)]) -> Counts {
    let wish = Arc::new(wish(types, &[], &[], false).unwrap());
    let mut all = Counts::new(Some(wish.clone()));
    for rows in rows.chunks(part) {
        let mut node = Counts::new(Some(wish.clone()));
        let mut state = RowCounter::new(map_keys);
        rows.iter().for_each(|row| state.add(&mut node, &row.to_string()).unwrap());
        all.merge(node, map_keys);
    }
    all
}

/// What would become of rows, and how many values there are. The fields below maps come in the order of
/// what was a field before, which depends on the parts; so they are sorted.
fn report(rows: &[Value], part: usize, map_keys: usize, mixed: Mixed) -> String {
    let node = tree(rows, part, map_keys, &[]);
    let plan = settle(&node, Rules { mixed, ..Rules::default() }).unwrap();
    let lines = lines(&fields(&plan, Some(&node), false));
    let mut lines: Vec<&str> = lines.lines().collect();
    if plan.shape().to_avro().contains("\"map\"") {
        lines.sort_unstable();
    }
    format!("{plan}\n{}", lines.join("\n"))
}

/// What becomes of a field with these values; null where a row has none.
#[track_caller]
fn becomes(values: &[Value], mixed: Mixed) -> String {
    let row = |value: &Value| json!({ "a": value });
    let rows: Vec<Value> = values.iter().map(row).collect();
    let node = tree(&rows, 2, 200, &[]);
    let plan = settle(&node, Rules { mixed, ..Rules::default() }).unwrap();
    plan.record().unwrap().fields[0].plan.to_string()
}

#[test]
fn one_field_has_one_type() {
    for (values, expected) in [
        (json!([1, -2, 3]), "int64"),
        (json!([1, 2.5]), "float64"),
        (json!([1.0, 2.0]), "float64"),
        (json!([9_007_199_254_740_992_i64, 0.5]), "float64"),
        (json!([9_007_199_254_740_993_i64, 0.5]), "union<int64, float64>"),
        (json!([u64::MAX, 0]), "uint64"),
        (json!([u64::MAX, -1]), "int128"),
        (json!([u64::MAX, 0.5, 0.5]), "union<float64, uint64>"),
        (json!([true, null]), "boolean?"),
        (json!([null, null]), "null"),
        (json!(["1", "2"]), "string"),
        (json!([[], []]), "list<null>"),
        (json!([[1], [null, 2.5], null]), "list<float64?>?"),
        (json!([[], {}]), "union<struct, list<null>>"),
        (json!(["x", "y", 1, {"b": 1}, {"b": 1}, {"b": 2}]), "union<struct, string, int64>"),
    ] {
        let values = values.as_array().unwrap();
        assert_eq!(becomes(values, Mixed::Union), expected, "{values:?}");
    }
    assert_eq!(becomes(&[json!(1), json!("x"), Value::Null], Mixed::Json), "json?");
    assert_eq!(becomes(&[json!(1), json!(0.5)], Mixed::Json), "float64");
}

#[test]
fn fields_that_some_rows_lack_are_absent_not_null() {
    let rows = [json!({"a": 1, "b": null, "c": 1}), json!({"b": 2}), json!({"a": 1, "c": null})];
    let node = tree(&rows, 1, 200, &[]);
    let plan = settle(&node, Rules::default()).unwrap();
    let found = plan.record().unwrap().fields.iter().map(|field| (field.plan.absent, field.plan.null));
    assert_eq!(found.collect::<Vec<_>>(), [(true, false), (true, true), (true, true)]);
}

/// The names of the fields of rows, in their order, whatever the parts.
#[track_caller]
fn order(rows: &[&str]) -> String {
    let rows: Vec<Value> = rows
        .iter()
        .map(|keys| Value::Object(keys.chars().map(|key| (key.to_string(), json!(1))).collect()))
        .collect();
    let of = |part| {
        let plan = settle(&tree(&rows, part, 200, &[]), Rules::default()).unwrap();
        plan.record().unwrap().fields.iter().map(|field| field.name.to_owned()).collect::<String>()
    };
    let whole = of(rows.len());
    (1..rows.len()).for_each(|part| assert_eq!(of(part), whole, "{rows:?} in parts of {part}"));
    whole
}

#[test]
fn fields_that_come_late_keep_the_order_of_their_objects() {
    for (rows, expected) in [
        (&["abc"][..], "abc"),
        (&["acd", "abcd"], "abcd"),
        (&["ad", "acd", "abd"], "abcd"),
        (&["ad", "abcd"], "abcd"),
        (&["bc", "abc"], "abc"),
        (&["cd", "abcd", "axd"], "axbcd"),
        (&["c", "ab", "bc"], "cab"),
        (&["ab", "xy"], "abxy"),
        (&["ab", "xyb"], "axyb"),
        (&["", "a"], "a"),
        (&["a", "ba", "ca", "ad"], "bcad"),
        // No order keeps both.
        (&["ab", "ba"], "ab"),
    ] {
        assert_eq!(order(rows), expected, "{rows:?}");
    }
}

#[test]
fn given_types_are_not_looked_into() {
    let types = [("a".to_owned(), WantedType::Json), ("b.c".to_owned(), WantedType::String)];
    let rows = [json!({"a": {"x": [1]}, "b": [{"c": 1}, {"c": "x"}]}), json!({"a": 1, "b": []})];
    let node = tree(&rows, 1, 200, &types);
    let plan = settle(&node, Rules::default()).unwrap();
    let found: Vec<String> =
        plan.record().unwrap().fields.iter().map(|field| field.plan.to_string()).collect();
    assert_eq!(found, ["json", "list<struct>"]);
    let item = plan.record().unwrap().fields[1].plan.item().unwrap();
    assert_eq!(item.record().unwrap().fields[0].plan.to_string(), "string");
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (0..1000).prop_map(|n| json!(f64::from(n) / 8.0)),
        "[a-z]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 30, 5, |value| {
        prop_oneof![
            prop::collection::vec(value.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec(("[a-f]", value), 0..5)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn parts_are_as_the_whole(rows in prop::collection::vec(value(), 0..20), part in 1..8_usize, keys in 1..5_usize) {
        for mixed in [Mixed::Union, Mixed::Json] {
            prop_assert_eq!(report(&rows, part, keys, mixed), report(&rows, 1000, keys, mixed));
        }
    }
}
