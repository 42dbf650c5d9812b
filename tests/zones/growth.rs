//! Zones of blocks that were written before the shape of the rows had grown.

use crate::check::{check, small, write};
use serde_json::{Value, json};

/// Writes rows and checks zones and rows; in batches of few rows, so that blocks are sealed before the
/// shape grows, and in large ones.
fn check_grown(rows: &[Value]) {
    for (block_size, batch_rows) in [(1, 1), (8, 3), (64, 16), (1 << 16, 4096), (1 << 16, 1)] {
        let bytes = write(small().block_size(block_size).batch_rows(batch_rows), rows);
        check(&bytes);
        assert_eq!(trevni::from_slice::<Vec<Value>>(&bytes).unwrap(), rows, "{block_size} {batch_rows}");
    }
}

/// The rows one kind after the other, in this order and in the other.
fn check_orders(kinds: &[&dyn Fn(i64) -> Value]) {
    let rows = |kind: &&dyn Fn(i64) -> Value| (-10..20).map(kind).collect::<Vec<Value>>();
    let mut all: Vec<Vec<Value>> = kinds.iter().map(rows).collect();
    check_grown(&all.concat());
    all.reverse();
    check_grown(&all.concat());
}

#[test]
fn ints_become_longs_and_unions() {
    check_orders(&[&|n| json!({ "a": n }), &|n| json!({ "a": n << 40 })]);
    check_orders(&[&|n| json!({ "a": n }), &|n| json!({ "a": n as f64 / 8.0 })]);
    check_orders(&[&|n| json!({ "a": [n, n + 1] }), &|n| json!({ "a": [n << 40] })]);
    check_orders(&[&|n| json!({ "a": n }), &|n| json!({ "a": n << 40 }), &|n| json!({ "a": n.to_string() })]);
}

#[test]
fn floats_become_doubles() {
    // serde_json has no floats of 32 bits.
    #[derive(serde::Serialize)]
    #[serde(untagged)]
    enum Number {
        Float(f32),
        Double(f64),
        Floats(Vec<f32>),
        Doubles(Vec<f64>),
    }
    let singles = || (0..50u8).map(|n| Number::Float(f32::from(n) / 3.0 - 5.0));
    let doubles = || (0..50u8).map(|n| Number::Double(f64::from(n) / 7.0));
    let lists = || (0..50u8).map(|n| Number::Floats(vec![f32::from(n) / 3.0, f32::NAN]));
    let wide = || (0..50u8).map(|n| Number::Doubles(vec![f64::from(n) / 7.0; 3]));
    for batch_rows in [1, 7, 4096] {
        let builder = || small().batch_rows(batch_rows);
        check(&write(builder(), &singles().chain(doubles()).collect::<Vec<_>>()));
        check(&write(builder(), &lists().chain(wide()).collect::<Vec<_>>()));
        check(&write(builder(), &singles().chain(doubles()).chain(lists()).collect::<Vec<_>>()));
    }
}

#[test]
fn options_and_fields_appear_late() {
    check_orders(&[&|n| json!({ "a": n }), &|_| json!({ "a": null })]);
    check_orders(&[&|n| json!({ "a": n }), &|_| json!({}), &|_| json!({ "a": null })]);
    check_orders(&[&|n| json!({ "a": n }), &|n| json!({ "b": n.to_string(), "c": [n] })]);
    check_orders(&[&|n| json!({ "a": { "b": n } }), &|_| json!({ "a": null })]);
    check_orders(&[&|_| json!({ "a": [] }), &|_| json!({ "a": [null] }), &|n| json!({ "a": [n, null] })]);
    check_orders(&[&|n| json!({ "a": [n, n] }), &|_| json!({ "a": [null, null] })]);
    check_orders(&[&|n| json!({ "a": [[n], []] }), &|_| json!({ "a": [[null], null] })]);
}

#[test]
fn unions_appear_late() {
    check_orders(&[&|n| json!({ "a": n }), &|n| json!({ "a": format!("text {n}") })]);
    check_orders(&[&|n| json!({ "a": n }), &|n| json!({ "a": n % 2 == 0 }), &|_| json!({ "a": null })]);
    check_orders(&[&|n| json!([n, n]), &|n| json!([n, "text"]), &|_| json!([null])]);
    check_orders(&[&|n| json!({ "a": { "b": n } }), &|n| json!({ "a": [n] }), &|_| json!({})]);
    // Nulls part from the branches of a union.
    check_orders(&[
        &|n| json!({ "a": n }),
        &|n| json!({ "a": "x".repeat(n.unsigned_abs() as usize) }),
        &|n| {
            if n % 2 == 0 { json!({}) } else { json!({ "a": null }) }
        },
    ]);
}
