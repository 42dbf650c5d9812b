//! JSON numbers come back exact.

use derive_tests::assert_round_trip;
use serde_json::{Value, json};

use super::read;

#[test]
fn integers_at_their_limits() {
    assert_round_trip(&[
        json!(u64::MAX),
        json!(i64::MIN),
        json!(0),
        json!(i64::MAX),
        json!(i64::MAX as u64 + 1),
    ]);
    assert_round_trip(&[json!({"n": i64::MIN}), json!({"n": u64::MAX})]);
}

#[test]
fn integers_and_floats_stay_what_they_were() {
    let rows = [json!(1), json!(1.0), json!([1, 1.0, -1, -1.0]), json!({"a": 2}), json!({"a": 2.0})];
    assert_round_trip(&rows);
    assert_eq!(read(&rows).to_string(), Value::from(rows.to_vec()).to_string());
}

#[test]
fn floats_to_the_last_bit() {
    let rows = [0.1, -0.0, f64::MIN_POSITIVE, f64::MAX, f64::EPSILON, 5e-324, 1e300].map(|x| json!({"x": x}));
    assert_eq!(read(&rows).to_string(), Value::from(rows.to_vec()).to_string());
}

#[test]
fn integers_beyond_the_precision_of_a_float() {
    assert_round_trip(&[json!([9_007_199_254_740_993_u64, 1.5]), json!([-9_007_199_254_740_993_i64, 0.5])]);
}
