//! Odd keys and strings.

use derive_tests::assert_round_trip;
use serde_json::json;

#[test]
fn odd_keys() {
    assert_round_trip(&[
        json!({"": 1, " ": 2, "a.b": 3, "a": {"b": 4}, "a>b": 5, "a#": 6, "\0": 7, "漢": 8, "\"": 9, "-": 10, "0": 11}),
        json!({"a": {"b": null}, "A": 1, "á": 2, "a ": 3}),
    ]);
}

#[test]
fn odd_strings() {
    let long = "é".repeat(70_000);
    assert_round_trip(&[json!(""), json!("\0"), json!("🦀"), json!("a\"\\\n"), json!(long), json!("null")]);
}

#[test]
fn a_very_long_key() {
    assert_round_trip(&[json!({"k".repeat(3000): 1}), json!({"k".repeat(3001): 2})]);
}
