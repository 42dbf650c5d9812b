//! Arrays whose lengths say more than there is.

use super::memory::{MIB, alone, within};
use super::raw::{RawBlock, RawColumn, RawFile, int, ints};
use serde_json::{Value, json};
use trevni::{Category, ErrorKind, Limits, Reader, ReaderBuilder, Result};

const MOST: i64 = i32::MAX as i64;
/// The longest run of ones: 2^30 + 1 lengths.
const RUN: i64 = i32::MIN as i64;

fn read(file: &RawFile) -> Result<Vec<Value>> {
    let mut limits = Limits::DEFAULT;
    limits.rows_without_bytes = 1 << 16;
    let bytes = file.bytes();
    within(64 * MIB, || {
        let reader = ReaderBuilder::new().limits(limits).source(bytes.as_slice())?;
        for column in 0..reader.columns().len() {
            let _ = reader.raw_column(column);
        }
        reader.batches()?.try_for_each(|batch| batch.map(drop))?;
        reader.rows()?.collect()
    })
}

#[track_caller]
fn fails(file: &RawFile, text: &str) {
    let error = read(file).unwrap_err();
    assert!(matches!(error.category(), Category::Corrupt | Category::Limit), "{error}");
    assert!(error.to_string().contains(text), "{error}");
    assert!(error.location().column.is_some(), "{error}");
}

/// One row of nested arrays: the lengths of each, and a column of values within.
fn nested(lengths: &[Vec<u8>], kind: &str, values: &[u8]) -> RawFile {
    let mut columns: Vec<RawColumn> = Vec::new();
    let name = |depth: usize| format!("a{}", "[]".repeat(depth));
    for (depth, lengths) in lengths.iter().enumerate() {
        let column = RawColumn::new(&name(depth), "null", [RawBlock::plain(1, lengths.as_slice())]).array();
        columns.push(if depth == 0 { column } else { column.child_of(&name(depth - 1)) });
    }
    let column = RawColumn::new("v", kind, [RawBlock::plain(1, values)]);
    columns.push(column.child_of(&name(lengths.len() - 1)));
    RawFile::new(1, columns)
}

#[test]
fn nested_arrays_built_by_hand_are_read() {
    let _alone = alone();
    let file = nested(&[int(2), ints([1, 2])], "int", &ints([7, 8, 9]));
    let item = |values: &[i32]| json!({"a[]": values.iter().map(|v| json!({"v": v})).collect::<Vec<_>>()});
    assert_eq!(read(&file).unwrap(), [json!({"a": [item(&[7]), item(&[8, 9])]})]);
}

#[test]
fn a_long_array_without_values_is_limited() {
    let _alone = alone();
    for kind in ["null", "int", "long", "boolean", "string", "bytes", "float", "double", "fixed32", "fixed64"]
    {
        fails(&nested(&[int(MOST)], kind, &[]), "");
        let plain = RawColumn::new("a", kind, [RawBlock::plain(1, int(MOST))]).array();
        fails(&RawFile::new(1, [plain]), "");
    }
    fails(&RawFile::new(1, [RawColumn::new("a", "null", [RawBlock::plain(1, int(MOST))]).array()]), "Limits");
    let some = RawColumn::new("a", "null", [RawBlock::plain(1, int(50_000))]).array();
    let rows = read(&RawFile::new(1, [some])).unwrap();
    assert_eq!(rows[0]["a"].as_array().unwrap().len(), 50_000);
}

#[test]
fn long_arrays_of_long_arrays_are_limited() {
    let _alone = alone();
    fails(&nested(&[int(3), ints([MOST, MOST, MOST])], "null", &[]), "above the limit");
    fails(&nested(&[int(MOST), int(RUN)], "null", &[]), "above the limit");
    fails(&nested(&[int(60_000), int(RUN), int(RUN)], "null", &[]), "left over");
    fails(&nested(&[int(1 << 20), ints(vec![RUN + 1; 100])], "null", &[]), "Limits");
}

#[test]
fn negative_lengths_are_runs_and_end_in_their_block() {
    let _alone = alone();
    // A run of three in a block of one row.
    fails(&nested(&[int(-3)], "int", &[]), "left over");
    let plain = |lengths: Vec<u8>| RawColumn::new("a", "int", [RawBlock::plain(1, lengths)]).array();
    fails(&RawFile::new(1, [plain(int(-3))]), "left over");
    fails(&RawFile::new(1, [plain(int(RUN))]), "truncated");
    let ones = RawColumn::new("a", "int", [RawBlock::plain(3, ints([-4, 7, 8, 9]))]).array();
    assert_eq!(read(&RawFile::new(3, [ones])).unwrap()[2], json!({"a": [9]}));
}

#[test]
fn an_array_column_needs_a_length_for_each_row() {
    let _alone = alone();
    let column = |bytes: &[u8]| RawColumn::new("a", "int", [RawBlock::plain(2, bytes)]).array();
    fails(&RawFile::new(2, [column(&[])]), "an array is truncated");
    fails(&RawFile::new(2, [column(&ints([1, 5]))]), "an array is truncated");
    fails(&RawFile::new(2, [column(&ints([1, 5, 0, 0]))]), "left over");
    fails(&RawFile::new(2, [column(&ints([1, 5, 2, 6]))]), "an array is truncated");
}

/// Two blocks of rows, so that a column asked for late has to pass over the first.
#[test]
fn long_runs_are_passed_over_quickly() {
    let _alone = alone();
    let rows = 1 << 15;
    let half = rows / 2;
    let mut lengths = vec![int(MOST), int(3 - 2 * (half - 1))];
    lengths.push(int(3 - 2 * half));
    let parent = RawBlock::plain(rows as u32, lengths.concat());
    // The child's lengths: runs of zeros, more than anybody can count one by one.
    let zeros = RawBlock::plain(rows as u32, ints(vec![i64::from(i32::MIN + 1); 2]));
    for kind in ["null", "int", "boolean", "string"] {
        let columns = [
            RawColumn::new("p", "null", [parent.clone()]).array(),
            RawColumn::new("c", kind, [zeros.clone()]).array().child_of("p"),
        ];
        let error = read(&RawFile::new(rows as u64, columns)).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Limit { .. }), "{error}");
    }
}

#[test]
fn an_optional_value_comes_once() {
    let _alone = alone();
    let schema = r#"{"type":"record","name":"R","fields":[{"name":"o","type":["null","int"]}]}"#;
    let column = RawColumn::new("o/int", "int", [RawBlock::plain(1, ints([2, 5, 6]))]).array();
    fails(&RawFile::new(1, [column]).with("avro.schema", schema), "an optional value comes more than once");
}

#[test]
fn a_union_has_one_value() {
    let _alone = alone();
    let schema = r#"{"type":"record","name":"R","fields":[{"name":"u","type":["int","string"]}]}"#;
    let file = |int: &[u8], string: &[u8]| {
        let ints = RawColumn::new("u/int", "int", [RawBlock::plain(1, int)]).array();
        let strings = RawColumn::new("u/string", "string", [RawBlock::plain(1, string)]).array();
        RawFile::new(1, [ints, strings]).with("avro.schema", schema)
    };
    assert_eq!(read(&file(&[2, 14], &[0])).unwrap(), [json!({"u": 7})]);
    for (int, string, text) in [
        (&[2u8, 14][..], &[2u8, 2, b'x'][..], "variants 0 and 1 of a union have a value at once"),
        (&[0], &[0], "a union has no value where it must have one"),
    ] {
        let error = read(&file(int, string)).unwrap_err();
        assert_eq!(error.category(), Category::Corrupt);
        assert!(error.to_string().contains(text), "{error}");
    }
}

#[test]
fn values_are_what_the_schema_says() {
    let _alone = alone();
    let schema =
        |kind: &str| format!(r#"{{"type":"record","name":"R","fields":[{{"name":"x","type":{kind}}}]}}"#);
    let color = r#"{"type":"enum","name":"Color","symbols":["RED","BLUE"]}"#;
    for (ordinal, text) in
        [(2, "an enum of 2 symbols has no number 2"), (-1, "an enum of 2 symbols has no number -1")]
    {
        let column = RawColumn::new("x", "int", [RawBlock::plain(1, int(ordinal))]);
        let file = RawFile::new(1, [column]).with("avro.schema", &schema(color));
        let error = read(&file).unwrap_err();
        assert_eq!(error.category(), Category::Corrupt);
        assert!(error.to_string().contains(text) && error.location().path == "x", "{error}");
        let bytes = file.bytes();
        let error = Reader::from_slice(&bytes).unwrap().column::<String>("x").unwrap_err();
        assert!(error.to_string().contains(text), "{error}");
    }
    let fixed = r#"{"type":"fixed","name":"Four","size":4}"#;
    let column = RawColumn::new("x", "bytes", [RawBlock::plain(1, [6, 1, 2, 3])]);
    fails(
        &RawFile::new(1, [column]).with("avro.schema", &schema(fixed)),
        "a fixed value does not have 4 bytes",
    );
    let column = RawColumn::new("x", "long", [RawBlock::plain(1, [6])]);
    fails(
        &RawFile::new(1, [column.clone()]).with("avro.schema", &schema("\"string\"")),
        "the column is of type long, the schema says string",
    );
    fails(
        &RawFile::new(1, [column.array()]).with("avro.schema", &schema("\"long\"")),
        "the schema and the column differ on whether it has lengths",
    );
}
