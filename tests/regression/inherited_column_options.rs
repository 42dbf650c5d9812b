//! A merge whose columns are encoded anew was refused where options of the first file's columns, such as `fixed64`, were none for what the
//! same paths meant with the rows of all files.

use serde_json::{Value, json};
use trevni::column::ValueType;
use trevni::formats::Levels;
use trevni::merge::Merge;
use trevni::{Codec, Dialect, Reader, Writer, WriterBuilder};

fn write(options: WriterBuilder, rows: &[Value]) -> Vec<u8> {
    let mut writer = options.build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}

/// The rows of both come back from files of all formats; returns the file in Trevni with levels.
#[track_caller]
fn check(first: WriterBuilder, one: &[Value], other: &[Value]) -> Vec<u8> {
    let files = [write(first, one), write(Writer::builder(), other)];
    let readers = files.each_ref().map(|file| Reader::from_slice(file).unwrap());
    let merge = |merge: Merge| {
        let mut file = Vec::new();
        merge.write(&readers, &mut file).unwrap();
        assert_eq!(trevni::from_slice::<Vec<Value>>(&file).unwrap(), [one, other].concat());
        file
    };
    merge(Merge::new().dialect(Dialect::RedElm));
    merge(Merge::new().dialect(Dialect::Trevni).compact(true));
    merge(Merge::new().dialect(Dialect::Levels))
}

fn types(file: &[u8]) -> Vec<ValueType> {
    let reader = Reader::from_slice(file).unwrap();
    let types = reader.columns().iter().map(|column| column.value_type());
    types.filter(|value_type| *value_type != ValueType::Null).collect()
}

/// Numbers that are smaller in a fixed width.
fn numbers(count: i64) -> Vec<Value> {
    (0..count).map(|number| json!({"p": i64::MAX - number, "q": 1})).collect()
}

#[test]
fn a_width_stays_where_all_values_take_it() {
    let fixed = || Writer::builder().fixed_integers().block_size(100);
    let types_with = |p: Value| types(&check(fixed(), &numbers(100), &[json!({"p": p, "q": 2})]));
    assert_eq!(types_with(json!(5)), [ValueType::Fixed64, ValueType::Long]);
    assert_eq!(types_with(Value::Null), [ValueType::Fixed64, ValueType::Long]);
    assert_eq!(types_with(json!("text")), [ValueType::Long, ValueType::String, ValueType::Long]);
    assert_eq!(types_with(json!(u64::MAX)), [ValueType::Fixed64, ValueType::Long]);
    assert_eq!(types_with(json!({"x": 5, "y": 0.5}))[2..], [ValueType::Double, ValueType::Long]);
    assert_eq!(types_with(json!([1, 2])).len(), 3);
}

#[test]
fn bytes_in_place_of_numbers_without_signs_are_taken() {
    let rows: Vec<(u64,)> = (0..100).map(|number| (u64::MAX - number,)).collect();
    let mut writer = Writer::builder().fixed_integers().block_size(100).build(Vec::new()).unwrap();
    writer.write_all(&rows).unwrap();
    let files = [writer.finish().unwrap(), trevni::to_vec([(-1,)]).unwrap()];
    let readers = files.each_ref().map(|file| Reader::from_slice(file).unwrap());
    let mut file = Vec::new();
    Merge::new().dialect(Dialect::Levels).write(&readers, &mut file).unwrap();
    let expected: Vec<(i128,)> = rows.iter().map(|row| (i128::from(row.0),)).chain([(-1,)]).collect();
    assert_eq!(trevni::from_slice::<Vec<(i128,)>>(&file).unwrap(), expected);
    assert_eq!(types(&file), [ValueType::Bytes]);
}

#[test]
fn first_values_stay_where_columns_are_flat() {
    let row = |p: Value| json!({"in": {"p": p}, "q": 1});
    for (other, stay) in [
        (json!({"in": {"p": 2}, "q": 2}), true),
        (row(json!("text")), false),
        (row(json!([2])), false),
        (json!({"q": 2}), false),
    ] {
        for path in ["in.p", "in"] {
            let file =
                check(Writer::builder().first_values([path]), &[row(json!(1))], std::slice::from_ref(&other));
            let reader = Reader::from_slice(&file).unwrap();
            let has = reader.columns().iter().any(|column| column.has_first_values());
            assert_eq!(has, stay, "{path} {other}");
        }
    }
}

#[test]
fn an_array_width_stays_where_there_are_lists_of_values() {
    let matrix = || Writer::builder().format(Levels::new().array_width("p", 2));
    for (other, stays) in
        [(json!([3, 4]), true), (Value::Null, true), (json!("text"), false), (json!([[1, 2]]), false)]
    {
        let file = check(matrix(), &[json!({"p": [1, 2]})], &[json!({"p": other})]);
        let reader = Reader::from_slice(&file).unwrap();
        assert_eq!(reader.columns().iter().any(|column| column.array_width().is_some()), stays, "{other}");
    }
}

#[test]
fn what_has_another_name_in_the_result_has_no_options() {
    // A variant of a union of numbers is called by its width.
    let options =
        Writer::builder().column_codec("p.long", Codec::Deflate).column_metadata("p.long", "unit", "mile");
    let one = [json!({"p": -1}), json!({"p": "text"})];
    for other in [json!({"p": u64::MAX}), json!({"p": 2})] {
        check(options.clone(), &one, &[other]);
    }
}
