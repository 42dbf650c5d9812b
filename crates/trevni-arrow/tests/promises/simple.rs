//! Unions and nulls of two kinds as types that all libraries have.

use super::{file_of, read};
use arrow_array::cast::AsArray;
use arrow_array::*;
use arrow_schema::{DataType, UnionMode};
use serde_json::json;
use std::sync::Arc;
use trevni_arrow::{Simplify, Unions};

fn simplified(file: &[u8], simplify: Simplify) -> RecordBatch {
    let batch = read(file).remove(0);
    let schema = Arc::new(simplify.schema(batch.schema_ref()));
    let simple = simplify.batch(&batch, &schema).unwrap();
    // They are plain columns, which a file keeps as such; but not those values of a sparse union that no row has.
    if simplify.unions != Unions::Sparse {
        assert_eq!(read(&file_of(&simple)), std::slice::from_ref(&simple));
    }
    simple
}

fn strings(array: &ArrayRef) -> Vec<Option<&str>> {
    array.as_string::<i32>().iter().collect()
}

fn rows() -> Vec<u8> {
    let values = [
        json!(7),
        json!(null),
        json!("a \"b\""),
        json!([{ "k": 1.5 }, { "k": null }]),
        json!(true),
        json!(0.25),
    ];
    trevni::to_vec(values.map(|value| json!({ "id": value }))).unwrap()
}

#[test]
fn unions_are_strings() {
    let json = simplified(&rows(), Simplify { unions: Unions::Json, plain_nulls: false });
    let wanted = ["7", "null", "\"a \\\"b\\\"\"", r#"[{"k":1.5},{"k":null}]"#, "true", "0.25"];
    let wanted = wanted.map(|text| (text != "null").then_some(text));
    assert_eq!(strings(json.column(0)), wanted);
    let plain = simplified(&rows(), Simplify { unions: Unions::String, plain_nulls: false });
    assert_eq!(strings(plain.column(0))[2], Some("a \"b\""));
    assert_eq!(strings(plain.column(0))[3], wanted[3]);
}

#[test]
fn unions_are_structs() {
    let batch = simplified(&rows(), Simplify { unions: Unions::Struct, plain_nulls: false });
    let column = batch.column(0).as_struct();
    assert_eq!(column.null_count(), 1);
    for row in 0..column.len() {
        let there = column.columns().iter().filter(|column| !column.is_null(row)).count();
        assert_eq!(there, usize::from(!column.is_null(row)));
    }
}

#[test]
fn dense_unions_are_sparse() {
    let batch = simplified(&rows(), Simplify { unions: Unions::Sparse, plain_nulls: false });
    let DataType::Union(_, UnionMode::Sparse) = batch.column(0).data_type() else { panic!() };
    let own = read(&rows()).remove(0);
    let (one, two) = (own.column(0).as_union(), batch.column(0).as_union());
    for row in 0..own.num_rows() {
        assert_eq!(one.value(row).to_data(), two.value(row).to_data());
    }
}

#[test]
fn absent_and_null_are_null() {
    let file = trevni::to_vec([json!({ "a": 1 }), json!({ "a": null }), json!({})]).unwrap();
    let own = read(&file).remove(0);
    let simple = Simplify { plain_nulls: true, ..Simplify::default() };
    let batch = simplified(&file, simple);
    match own.column(0).data_type() {
        DataType::Struct(_) => assert_ne!(own, batch),
        _ => assert_eq!(own, batch),
    }
    assert_eq!(batch.column(0).null_count(), 2);
    assert!(!batch.column(0).data_type().is_nested());
}

#[test]
fn other_types_stay() {
    let batch = record_batch!(("a", Int32, [Some(1), None]), ("b", Utf8, ["x", "y"])).unwrap();
    for unions in [Unions::Union, Unions::Sparse, Unions::Json, Unions::String, Unions::Struct] {
        let simplify = Simplify { unions, plain_nulls: true };
        let schema = Arc::new(simplify.schema(batch.schema_ref()));
        assert_eq!(simplify.batch(&batch, &schema).unwrap(), batch);
    }
}
