//! Numbers read as wider, narrower or other numbers.

use derive_tests::{assert_contains, assert_reads, every_encoding, read_error};
use serde::Deserialize;
use serde_json::json;

use super::{Field, field};

#[test]
fn every_integer_into_every_wider_one() {
    assert_reads(&[i8::MIN, i8::MAX], &[i64::from(i8::MIN), i64::from(i8::MAX)]);
    assert_reads(&[i16::MIN, i16::MAX], &[i32::from(i16::MIN), i32::from(i16::MAX)]);
    assert_reads(&[0, u8::MAX], &[0, u64::from(u8::MAX)]);
    assert_reads(&[0, u16::MAX], &[0, i128::from(u16::MAX)]);
    assert_reads(&[0, u32::MAX], &[0, i64::from(u32::MAX)]);
    assert_reads(&[i64::MIN, i64::MAX], &[i128::from(i64::MIN), i128::from(i64::MAX)]);
    assert_reads(&[0, u64::MAX], &[0, u128::from(u64::MAX)]);
}

#[test]
fn a_narrower_integer_where_the_values_fit() {
    assert_reads(&[-1_i64, 127], &[-1_i8, 127]);
    assert_reads(&[0_u64, 255], &[0_u8, 255]);
    assert_reads(&[0_i64, i64::MAX], &[0_u64, i64::MAX as u64]);
    assert_reads(&[0_u64, i64::MAX as u64], &[0_i64, i64::MAX]);
    assert_reads(&[0_i128, i128::from(u64::MAX)], &[0_u64, u64::MAX]);
}

#[test]
fn f32_into_f64_and_back() {
    assert_reads(
        &[0.1_f32, f32::MAX, f32::NEG_INFINITY],
        &[f64::from(0.1_f32), f64::from(f32::MAX), f64::NEG_INFINITY],
    );
    assert_reads(&[0.5_f64, -2.0], &[0.5_f32, -2.0]);
}

#[test]
fn integers_into_floats() {
    assert_reads(&[1_i32, -2], &[1.0_f64, -2.0]);
    assert_reads(&[1_i64, -3], &[1.0_f64, -3.0]);
    assert_reads(&[1_u64, 1 << 40], &[1.0_f64, (1_u64 << 40) as f64]);
    assert_reads(&[1_u8, 255], &[1.0_f32, 255.0]);
}

#[test]
fn a_float_into_an_integer_is_an_error() {
    assert_contains(&read_error::<Field<i32>>(&[field(1.5_f64)]), &["floating point", "row 0", "width"]);
}

#[test]
fn out_of_range_names_path_and_row() {
    let rows = [1, 255, 256, 3].map(|width| json!({"id": 1, "inner": {"w": 0, "width": width}}));
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Outer {
        inner: Field<u8>,
    }
    assert_contains(&read_error::<Outer>(&rows), &["256", "row 2", "inner.width"]);
}

#[test]
fn negative_into_unsigned_is_out_of_range() {
    assert_contains(&read_error::<Field<u64>>(&[field(1), field(-7)]), &["-7", "row 1", "width"]);
}

#[test]
fn u64_above_i64_max_into_i64_is_out_of_range() {
    let error = read_error::<Field<i64>>(&[field(1), field(u64::MAX)]);
    assert_contains(&error, &["18446744073709551615", "row 1", "width"]);
}

#[test]
fn out_of_range_in_a_list_item_names_the_path_of_the_list() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Outer {
        items: Vec<Field<i8>>,
    }
    let rows = [
        json!({"items": [{"width": 1}]}),
        json!({"items": []}),
        json!({"items": [{"width": 2}, {"width": 128}]}),
    ];
    assert_contains(&read_error::<Outer>(&rows), &["128", "row 2", "items[1].width"]);
}

#[test]
fn out_of_range_in_a_tuple_names_its_position() {
    let error = read_error::<Field<(bool, u8)>>(&[field((true, 1)), field((true, -1))]);
    assert_contains(&error, &["-1", "row 1", "width._1"]);
}

#[test]
fn rows_before_the_error_are_handed_out() {
    for file in every_encoding(&[field(1), field(2), field(300), field(4)]) {
        let reader = trevni::Reader::from_slice(&file.bytes).unwrap();
        let read: Vec<_> = reader.rows::<Field<u8>>().unwrap().take(3).collect();
        assert_eq!(read[0].as_ref().unwrap().width, 1, "{}", file.name);
        assert_eq!(read[1].as_ref().unwrap().width, 2, "{}", file.name);
        assert!(read[2].is_err(), "{}", file.name);
    }
}
