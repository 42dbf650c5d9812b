//! Each rule of Avro's schema resolution.

use super::{File, record, row};
use apache_avro::types::Value;
use arrow_array::record_batch;
use trevni_parquet::ParquetReader;

/// A value of a field `f` of one type, read as another type, with what the field has beside it.
pub(super) fn read(written: &str, value: Value, wanted: &str) -> Result<Value, String> {
    let file = File::new(&row(&format!(r#"{{"name": "f", "type": {written}}}"#)), &[record([("f", value)])]);
    let rows = file.read_as(&row(&format!(r#"{{"name": "f", "type": {wanted}}}"#)))?;
    match <[Value; 1]>::try_from(rows).unwrap() {
        [Value::Record(mut fields)] => Ok(fields.pop().unwrap().1),
        other => panic!("{other:?}"),
    }
}

pub(super) fn some(tag: u32, value: Value) -> Value {
    Value::Union(tag, Box::new(value))
}

#[test]
fn numbers_texts_and_bytes_are_promoted() {
    let text = Value::String("é".into());
    for (written, value, wanted, expected) in [
        (r#""int""#, Value::Int(-7), r#""long""#, Value::Long(-7)),
        (r#""int""#, Value::Int(16_777_217), r#""float""#, Value::Float(16_777_216.0)),
        (r#""int""#, Value::Int(16_777_217), r#""double""#, Value::Double(16_777_217.0)),
        (r#""long""#, Value::Long(1 << 40), r#""float""#, Value::Float((1u64 << 40) as f32)),
        (r#""long""#, Value::Long(-1), r#""double""#, Value::Double(-1.0)),
        (r#""float""#, Value::Float(0.1), r#""double""#, Value::Double(0.1f32.into())),
        (r#""string""#, text.clone(), r#""bytes""#, Value::Bytes("é".into())),
        (r#""bytes""#, Value::Bytes("é".into()), r#""string""#, text),
    ] {
        assert_eq!(read(written, value, wanted), Ok(expected), "{written} {wanted}");
    }
}

#[test]
fn other_types_are_no_types_to_read_as() {
    let types = [
        (r#""null""#, Value::Null, "null"),
        (r#""boolean""#, Value::Boolean(true), "boolean"),
        (r#""int""#, Value::Int(1), "int"),
        (r#""long""#, Value::Long(1), "long"),
        (r#""float""#, Value::Float(1.0), "float"),
        (r#""double""#, Value::Double(1.0), "double"),
        (r#""string""#, Value::String("a".into()), "string"),
        (r#""bytes""#, Value::Bytes(vec![1]), "bytes"),
        (r#"{"type": "fixed", "name": "F", "size": 1}"#, Value::Fixed(1, vec![1]), "fixed"),
        (r#"{"type": "enum", "name": "E", "symbols": ["a"]}"#, Value::Enum(0, "a".into()), "enum"),
        (r#"{"type": "array", "items": "int"}"#, Value::Array(vec![]), "array"),
        (r#"{"type": "map", "values": "int"}"#, Value::Map([].into()), "map"),
        (
            r#"{"type": "record", "name": "R", "fields": [{"name": "a", "type": "int"}]}"#,
            record([("a", Value::Int(1))]),
            "record",
        ),
    ];
    let promoted =
        ["int long", "int float", "int double", "long float", "long double", "float double", "string bytes"];
    let mut refused = 0;
    for (written, value, from) in &types {
        for (wanted, _, to) in &types {
            let pair = format!("{from} {to}");
            // The other test has these; byte 1 is a text.
            if from == to || promoted.contains(&&*pair) || pair == "bytes string" {
                continue;
            }
            let error = read(written, value.clone(), wanted);
            assert_eq!(error, Err(format!("field f: {from} cannot be read as {to}")));
            refused += 1;
        }
    }
    assert_eq!(refused, 13 * 12 - 8);
}

#[test]
fn bytes_that_are_no_text_are_an_error_of_their_row() {
    let rows = [b"a", b"b", b"\xff"].map(|bytes| record([("f", Value::Bytes(bytes.to_vec()))]));
    let file = File::new(&row(r#"{"name": "f", "type": "bytes"}"#), &rows);
    let error = file
        .read(&ParquetReader::builder().batch_size(2).read_schema(row(r#"{"name": "f", "type": "string"}"#)));
    assert_eq!(error.unwrap_err(), "row 2, field f: bytes that are not UTF-8, where the schema has text");
}

#[test]
fn fields_of_records_are_found_by_name_and_alias() {
    let avro = row(r#"{"name": "a", "type": "int"}, {"name": "b", "type": "string"}"#);
    let file = File::new(&avro, &[record([("a", Value::Int(1)), ("b", Value::String("x".into()))])]);
    let read = |fields: &str| file.read_as(&row(fields));
    let (one, text) = (Value::Int(1), Value::String("x".into()));
    assert_eq!(
        read(r#"{"name": "b", "type": "string"}, {"name": "a", "type": "int"}"#).unwrap(),
        [record([("b", text.clone()), ("a", one.clone())])]
    );
    // A name is nearer than an alias, which is nearer than a default.
    assert_eq!(
        read(r#"{"name": "a", "aliases": ["c"], "type": "int"}, {"name": "d", "aliases": ["x", "b"], "type": "string", "default": "e"}"#)
            .unwrap(),
        [record([("a", one.clone()), ("d", text)])]
    );
    // Two fields may come from one, though apache-avro does not like such a schema.
    let twice = row(r#"{"name": "c", "aliases": ["a"], "type": "long"}, {"name": "a", "type": "int"}"#);
    let batch =
        ParquetReader::builder().read_schema(twice).open(file.path()).unwrap().next().unwrap().unwrap();
    let expected = record_batch!(("c", Int64, [1]), ("a", Int32, [1])).unwrap();
    assert_eq!(batch.columns(), expected.columns());
    let error = read(r#"{"name": "c", "type": "int"}"#).unwrap_err();
    assert_eq!(error, "field c: the file has no such field, and the schema no default for it");
}

#[test]
fn errors_name_the_field_at_any_depth() {
    let inner = |fields: &str| format!(r#"{{"type": "record", "name": "I", "fields": [{fields}]}}"#);
    let outer = |inner: &str| {
        row(&format!(
            r#"{{"name": "l", "type": {{"type": "array", "items": ["null", {{"type": "map", "values": {inner}}}]}}}}"#
        ))
    };
    let one = some(1, Value::Map([("k".to_owned(), record([("a", some(0, Value::Null))]))].into()));
    let file = File::new(
        &outer(&inner(r#"{"name": "a", "type": ["null", "int"]}"#)),
        &[record([("l", Value::Array(vec![]))]), record([("l", Value::Array(vec![one]))])],
    );
    let error = |fields: &str| file.read_as(&outer(&inner(fields))).unwrap_err();
    assert_eq!(
        error(r#"{"name": "b", "type": "int"}"#),
        "field l.value.b: the file has no such field, and the schema no default for it"
    );
    assert_eq!(error(r#"{"name": "a", "type": "string"}"#), "field l.value.a: int cannot be read as string");
    assert_eq!(
        error(r#"{"name": "b", "type": "int", "default": 1.5}"#),
        "field l.value.b: the default 1.5 is no int"
    );
    assert_eq!(
        error(r#"{"name": "a", "type": "int"}"#),
        "row 1, field l.value.a: a null, which the schema does not allow"
    );
}

#[test]
fn symbols_are_found_by_name_or_are_the_default() {
    let written = r#"{"type": "enum", "name": "E", "symbols": ["a", "b", "c"]}"#;
    let read_as = |wanted: &str| read(written, Value::Enum(2, "c".into()), wanted);
    let wanted = r#"{"type": "enum", "name": "E", "symbols": ["c", "a"]}"#;
    assert_eq!(read_as(wanted), Ok(Value::Enum(0, "c".into())));
    let wanted = r#"{"type": "enum", "name": "E", "symbols": ["a", "z"], "default": "z"}"#;
    assert_eq!(read_as(wanted), Ok(Value::Enum(1, "z".into())));
    let wanted = r#"{"type": "enum", "name": "E", "symbols": ["a", "b"]}"#;
    let error = read_as(wanted).unwrap_err();
    assert_eq!(error, r#"row 0, field f: the schema's enum has no symbol "c", and no default"#);
    // A symbol that no row has is no error.
    assert_eq!(read(written, Value::Enum(1, "b".into()), wanted), Ok(Value::Enum(1, "b".into())));
}

#[test]
fn columns_of_type_enum_are_enums_without_a_schema_too() {
    let day = r#"{"type": "enum", "name": "Day", "symbols": ["SAT", "SUN"]}"#;
    let avro = row(&format!(r#"{{"name": "f", "type": {day}}}, {{"name": "g", "type": "string"}}"#));
    let rows = [record([("f", Value::Enum(1, "SUN".into())), ("g", Value::String("SUN".into()))])];
    // What a dictionary of Arrow is to Parquet has no type ENUM; Avro's own writer says so, as the parquet crate can.
    let file = super::members::enum_column(&["SUN", "SAT"]);
    let wanted = r#"{"type": "enum", "name": "Other", "symbols": ["SAT", "SUN"]}"#;
    let values = file.read_as(&row(&format!(r#"{{"name": "f", "type": {wanted}}}"#))).unwrap();
    assert_eq!(values, [1, 0].map(|at| record([("f", Value::Enum(at, ["SAT", "SUN"][at as usize].into()))])));
    let values = file.read_as(&row(r#"{"name": "f", "type": "string"}"#)).unwrap();
    assert_eq!(values[0], record([("f", Value::String("SUN".into()))]));
    // A text is none.
    let error = File::new(&avro, &rows).read_as(&row(&format!(r#"{{"name": "g", "type": {wanted}}}"#)));
    assert_eq!(error, Err("field g: string cannot be read as enum".into()));
}

#[test]
fn names_of_types_are_those_of_the_file_or_aliases() {
    let fixed = |name: &str, more: &str| format!(r#"{{"type": "fixed", "name": "{name}", "size": 2{more}}}"#);
    let value = Value::Fixed(2, vec![1, 2]);
    let read_as = |wanted: &str| read(&fixed("ns.F", ""), value.clone(), wanted);
    assert_eq!(read_as(&fixed("other.F", "")), Ok(value.clone()));
    assert_eq!(read_as(&fixed("G", r#", "aliases": ["H", "ns.F"]"#)), Ok(value.clone()));
    let error = read_as(&fixed("G", "")).unwrap_err();
    assert_eq!(error, "field f: a type named F cannot be read as one named G, which has no such alias");
    let size = read_as(r#"{"type": "fixed", "name": "F", "size": 3}"#).unwrap_err();
    assert_eq!(size, "field f: fixed cannot be read as fixed");

    // Of the rows too, where the file says a name.
    let avro = row(r#"{"name": "a", "type": "int"}"#);
    for keeps_schema in [true, false] {
        let file = File::with_metadata(&avro, &[record([("a", Value::Int(1))])], keeps_schema);
        let other = avro.replace("\"Row\"", "\"Line\"");
        match keeps_schema {
            true => assert_eq!(
                file.read_as(&other).unwrap_err(),
                "a type named Row cannot be read as one named Line, which has no such alias"
            ),
            false => assert_eq!(file.read_as(&other).unwrap(), [record([("a", Value::Int(1))])]),
        }
        let alias = avro.replace("\"Row\"", r#""Line", "aliases": ["Row"]"#);
        assert_eq!(file.read_as(&alias).unwrap(), [record([("a", Value::Int(1))])]);
    }
}

#[test]
fn types_of_a_union_are_the_same_or_the_first_that_fits() {
    let read_as = |wanted: &str| read(r#""int""#, Value::Int(1), wanted);
    assert_eq!(read_as(r#"["double", "int"]"#), Ok(some(1, Value::Int(1))));
    assert_eq!(read_as(r#"["string", "double", "long"]"#), Ok(some(1, Value::Double(1.0))));
    assert_eq!(read_as(r#"["null", "string", "long"]"#), Ok(some(2, Value::Long(1))));
    let error = read_as(r#"["string", "bytes"]"#).unwrap_err();
    assert_eq!(error, "field f: int cannot be read as any of string, bytes");

    let optional = r#"["null", "int"]"#;
    assert_eq!(read(optional, some(1, Value::Int(1)), r#""long""#), Ok(Value::Long(1)));
    let error = read(optional, some(0, Value::Null), r#""long""#).unwrap_err();
    assert_eq!(error, "row 0, field f: a null, which the schema does not allow");
    assert_eq!(read(optional, some(0, Value::Null), r#""null""#), Ok(Value::Null));
    let error = read(optional, some(1, Value::Int(1)), r#""null""#).unwrap_err();
    assert_eq!(error, "row 0, field f: a value, where the schema has null");
    assert_eq!(read(r#""null""#, Value::Null, optional), Ok(some(0, Value::Null)));

    // Records are told apart by their names.
    let one = r#"{"type": "record", "name": "One", "fields": [{"name": "a", "type": "int"}]}"#;
    let two = one.replace("One", "Two");
    let value = record([("a", Value::Int(1))]);
    assert_eq!(read(&two, value.clone(), &format!("[{one}, {two}]")), Ok(some(1, value)));
}
