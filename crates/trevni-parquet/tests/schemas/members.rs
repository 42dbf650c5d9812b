//! Types that only other writers make: unions as records of members, and columns of type ENUM.

use super::{File, record, row};
use apache_avro::types::Value;
use arrow_array::{ArrayRef, Int32Array, RecordBatch, StringArray, StructArray, record_batch};
use arrow_schema::{DataType, Field, Fields, Schema};
use parquet::arrow::ArrowWriter;
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use std::sync::Arc;
use trevni_parquet::ParquetReader;

/// A column of type ENUM, as Avro's and Thrift's writers make them.
pub(super) fn enum_column(symbols: &[&str]) -> File {
    annotated("ENUM", symbols)
}

/// A column of bytes with a type.
fn annotated(kind: &str, values: &[&str]) -> File {
    let text = format!("message Row {{ required binary f ({kind}); }}");
    let schema = Arc::new(parse_message_type(&text).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let values: Vec<ByteArray> = values.iter().map(|value| (*value).into()).collect();
    column.typed::<ByteArrayType>().write_batch(&values, None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    File::of(&writer.into_inner().unwrap())
}

/// Two members, of which one is to be there.
fn members(numbers: Vec<Option<i32>>, texts: Vec<Option<&str>>, valid: Vec<bool>, avro: &str) -> File {
    let fields = Fields::from(vec![
        Field::new("member0", DataType::Int32, true),
        Field::new("member1", DataType::Utf8, true),
    ]);
    let arrays: Vec<ArrayRef> = vec![Arc::new(Int32Array::from(numbers)), Arc::new(StringArray::from(texts))];
    let has_nulls = valid.contains(&false);
    let unions = StructArray::new(fields.clone(), arrays, has_nulls.then(|| valid.into()));
    let schema = Arc::new(Schema::new(vec![Field::new("u", DataType::Struct(fields), has_nulls)]));
    let batch = RecordBatch::try_new(Arc::clone(&schema), vec![Arc::new(unions)]).unwrap();
    let avro = KeyValue::new("parquet.avro.schema".to_owned(), avro.to_owned());
    let properties = WriterProperties::builder().set_key_value_metadata(Some(vec![avro])).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), schema, Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    File::of(&writer.into_inner().unwrap())
}

const UNION: &str = r#"{"name": "u", "type": ["null", "int", "string"]}"#;

fn union(tag: u32, value: Value) -> Value {
    record([("u", Value::Union(tag, Box::new(value)))])
}

#[test]
fn members_of_a_union_are_read_one_by_one() {
    let file = members(
        vec![Some(1), None, None, Some(4)],
        vec![None, Some("two"), None, None],
        vec![true, true, false, true],
        &row(UNION),
    );
    let text = |text: &str| Value::String(text.to_owned());
    let rows = file.read_as(&row(UNION)).unwrap();
    let expected =
        [union(1, Value::Int(1)), union(2, text("two")), union(0, Value::Null), union(1, Value::Int(4))];
    assert_eq!(rows, expected);
    let rows = file.read_as(&row(r#"{"name": "u", "type": ["bytes", "null", "double"]}"#)).unwrap();
    let expected = [
        union(2, Value::Double(1.0)),
        union(0, Value::Bytes("two".into())),
        union(1, Value::Null),
        union(2, Value::Double(4.0)),
    ];
    assert_eq!(rows, expected);
    // One of the types cannot be read: an error of the first row that has it.
    let error = file.read_as(&row(r#"{"name": "u", "type": ["null", "long"]}"#)).unwrap_err();
    assert_eq!(error, "row 1, field u: field u: string cannot be read as long");
    // None of them can.
    let error = file.read_as(&row(r#"{"name": "u", "type": ["null", "boolean"]}"#)).unwrap_err();
    assert_eq!(error, "field u: string cannot be read as boolean");
}

#[test]
fn one_member_may_be_all_there_is() {
    let file = members(
        vec![Some(1), Some(2)],
        vec![None, None],
        vec![true; 2],
        &row(&UNION.replace("\"null\", ", "")),
    );
    let rows = file.read_as(&row(r#"{"name": "u", "type": "long"}"#)).unwrap();
    assert_eq!(rows, [1, 2].map(|number| record([("u", Value::Long(number))])));
}

#[test]
fn no_member_and_two_members_are_errors() {
    let avro = row(&UNION.replace("\"null\", ", ""));
    for (texts, expected) in [
        (vec![None, None], "row 1, field u: no member of a union"),
        (vec![Some("a"), Some("b")], "row 0, field u: two members of a union at once"),
    ] {
        let file = members(vec![Some(1), None], texts, vec![true; 2], &avro);
        let error = file.read_as(&row(r#"{"name": "u", "type": ["int", "string"]}"#)).unwrap_err();
        assert_eq!(error, expected);
    }
}

#[test]
fn rows_in_errors_are_those_of_the_file() {
    let batch = record_batch!(("f", Int32, [Some(1), None])).unwrap();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), None).unwrap();
    for _ in 0..3 {
        writer.write(&batch).unwrap();
        writer.flush().unwrap();
    }
    let file = File::of(&writer.into_inner().unwrap());
    let schema = row(r#"{"name": "f", "type": "int"}"#);
    for (groups, row) in [(0..3, 1), (1..3, 3), (2..3, 5)] {
        let error = file.read(&ParquetReader::builder().row_groups(groups).read_schema(&schema));
        assert_eq!(
            error.unwrap_err(),
            format!("row {row}, field f: a null, which the schema does not allow")
        );
    }
}

#[test]
fn documents_are_texts_or_bytes() {
    let text = "{}";
    let read = |kind: &str| annotated(kind, &[text]).read(&ParquetReader::builder()).unwrap();
    assert_eq!(read("JSON"), [record([("f", Value::String(text.into()))])]);
    assert_eq!(read("UTF8"), read("JSON"));
    assert_eq!(read("ENUM"), read("JSON"));
    assert_eq!(read("BSON"), [record([("f", Value::Bytes(text.into()))])]);
}
