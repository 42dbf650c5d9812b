//! Newer meanings of columns: variants, geometries, JSON, times in UTC; and what few writers make.

use super::{data, files};
use arrow_array::RecordBatch;
use arrow_array::cast::AsArray;
use parquet::basic::{LogicalType, Repetition, Type as Physical};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::Type;
use serde_json::{Value, json};
use std::sync::Arc;
use trevni::{Reader, Writer};
use trevni_parquet::{PageEncoding, ParquetFile, ParquetOptions, ParquetReader, Statistics, Variants};

fn rows(bytes: Vec<u8>, variants: Variants) -> trevni_parquet::Result<Vec<RecordBatch>> {
    let reader = ParquetReader::builder().variants(variants).read(&ParquetFile::of_source(bytes)?)?;
    reader.map(|batch| batch.map_err(Into::into)).collect()
}

/// To a column file and back to Parquet.
fn there_and_back(bytes: Vec<u8>) -> Vec<u8> {
    let reader = ParquetReader::builder().read(&ParquetFile::of_source(bytes).unwrap()).unwrap();
    let columns = trevni_parquet::to_trevni(reader, Writer::builder(), Vec::new()).unwrap();
    let reader = Reader::from_slice(&columns).unwrap();
    trevni_parquet::to_parquet(&reader, ParquetOptions::new(), Vec::new()).unwrap()
}

/// The meanings of all fields, also of groups.
fn meanings(bytes: &[u8]) -> Vec<(String, LogicalType)> {
    fn walk(field: &Type, found: &mut Vec<(String, LogicalType)>) {
        let info = field.get_basic_info();
        found.extend(info.logical_type_ref().map(|meaning| (info.name().to_owned(), meaning.clone())));
        if field.is_group() {
            field.get_fields().iter().for_each(|field| walk(field, found));
        }
    }
    let file = SerializedFileReader::new(bytes::Bytes::copy_from_slice(bytes)).unwrap();
    let mut found = Vec::new();
    walk(file.metadata().file_metadata().schema(), &mut found);
    found
}

#[test]
fn damaged_variants_are_errors_of_their_rows() {
    let message =
        "message rows { optional group var (VARIANT) { required binary metadata; required binary value; } }";
    // All bytes are those of a JSON document.
    let bytes = one_row(parse_message_type(message).unwrap());
    let batch = rows(bytes.clone(), Variants::Stored).unwrap().remove(0);
    let value = batch.column(0).as_struct().column_by_name("value").unwrap().clone();
    assert_eq!(value.as_binary::<i32>().value(0), br#"{"a":1}"#);
    let error = rows(bytes, Variants::Json).unwrap_err();
    assert!(
        matches!(&error, trevni_parquet::Error::Value { row: 0, field, .. } if field == "var"),
        "{error}"
    );
}

/// Whether a value is the one that is expected; of some types only that it is a string or a number.
fn is_like(found: &Value, expected: &Value) -> bool {
    match expected {
        Value::Object(fields) if fields.contains_key("type") => found.is_string() || found.is_number(),
        Value::Object(fields) => found.as_object().is_some_and(|found| {
            let same =
                |(name, value): (&String, &Value)| found.get(name).is_some_and(|found| is_like(found, value));
            found.len() == fields.len() && fields.iter().all(same)
        }),
        Value::Array(items) => found.as_array().is_some_and(|found| {
            found.len() == items.len() && found.iter().zip(items).all(|(found, item)| is_like(found, item))
        }),
        Value::Number(number) if number.is_f64() => {
            found.as_f64().is_some_and(|found| (found - number.as_f64().unwrap()).abs() < 1e-4)
        }
        other => found == other,
    }
}

#[test]
fn variants_are_read_as_json_shredded_or_not() {
    let expected = std::fs::read_to_string(data("variant").join("expected.jsonl")).unwrap();
    let mut compared = 0;
    for line in expected.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let name = case["file"].as_str().unwrap();
        let bytes = std::fs::read(data("variant").join(name)).unwrap();
        let read = rows(bytes, Variants::Json);
        let Some(expected) = case["rows"].as_array() else {
            // What the library reads all the same of files that are invalid is its own affair.
            assert!(read.is_err() || !read.unwrap().is_empty(), "{name}");
            continue;
        };
        let batches = read.unwrap_or_else(|error| panic!("{name}: {error}"));
        let found: Vec<Value> = batches
            .iter()
            .flat_map(|batch| {
                let field = batch.schema_ref().field_with_name("var").unwrap().clone();
                assert_eq!(field.extension_type_name(), Some("arrow.json"), "{name}");
                let column = batch.column_by_name("var").unwrap().as_string::<i32>().clone();
                let value =
                    |text: Option<&str>| text.map_or(Value::Null, |text| serde_json::from_str(text).unwrap());
                column.iter().map(value).collect::<Vec<_>>()
            })
            .collect();
        assert!(is_like(&json!(found), &json!(expected)), "{name}: {found:?} is not {expected:?}");
        compared += 1;
    }
    assert_eq!(compared, 56);
}

#[test]
fn variants_are_variants_again() {
    for file in files("variant").iter().filter(|file| file.extension().is_some_and(|end| end == "parquet")) {
        let bytes = std::fs::read(file).unwrap();
        let Ok(before) = rows(bytes.clone(), Variants::Json) else { continue };
        let again = there_and_back(bytes);
        let found = meanings(&again);
        assert!(
            found.iter().any(|(name, meaning)| name == "var" && matches!(meaning, LogicalType::Variant(_))),
            "{found:?}"
        );
        let column = |batches: &[RecordBatch]| -> Vec<Option<String>> {
            let of = |batch: &RecordBatch| {
                let column = batch.column_by_name("var").unwrap().as_string::<i32>().clone();
                column.iter().map(|text| text.map(str::to_owned)).collect::<Vec<_>>()
            };
            batches.iter().flat_map(of).collect()
        };
        assert_eq!(column(&rows(again, Variants::Json).unwrap()), column(&before), "{}", file.display());
    }
}

#[test]
fn geometries_keep_their_coordinate_systems() {
    for file in files("geospatial") {
        let bytes = std::fs::read(&file).unwrap();
        // A system in JSON may have its keys in another order.
        let system = |crs: &Option<String>| {
            let text = crs.clone().unwrap_or_default();
            serde_json::from_str::<Value>(&text).unwrap_or(Value::String(text))
        };
        let geometries = |bytes: &[u8]| -> Vec<_> {
            let found = meanings(bytes).into_iter().filter_map(|(name, meaning)| match meaning {
                LogicalType::Geometry(geometry) => Some((name, system(&geometry.crs), None)),
                LogicalType::Geography(geography) => {
                    Some((name, system(&geography.crs), Some(format!("{:?}", geography.algorithm))))
                }
                _ => None,
            });
            found.collect()
        };
        let before = geometries(&bytes);
        assert_eq!(before.len(), 1, "{}", file.display());
        let batch = rows(bytes.clone(), Variants::Stored).unwrap().remove(0);
        let field = batch.schema_ref().field_with_name(&before[0].0).unwrap().clone();
        assert_eq!(field.extension_type_name(), Some("geoarrow.wkb"), "{field:?}");
        assert_eq!(geometries(&there_and_back(bytes)), before, "{}", file.display());
    }
}

/// A file of one row group with one row, whose leaves are those of a message.
fn one_row(message: Type) -> Vec<u8> {
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(Vec::new(), Arc::new(message), properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    while let Some(mut column) = group.next_column().unwrap() {
        // What is optional has level 1.
        match column.untyped() {
            parquet::column::writer::ColumnWriter::Int32ColumnWriter(_) => {
                column.typed::<Int32Type>().write_batch(&[7], Some(&[1]), None).unwrap();
            }
            parquet::column::writer::ColumnWriter::Int64ColumnWriter(_) => {
                column.typed::<Int64Type>().write_batch(&[7], Some(&[1]), None).unwrap();
            }
            _ => {
                let value = ByteArray::from(r#"{"a":1}"#);
                column.typed::<ByteArrayType>().write_batch(&[value], Some(&[1]), None).unwrap();
            }
        }
        column.close().unwrap();
    }
    group.close().unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn json_and_times_in_utc_keep_their_meaning() {
    let message = "message rows {
        optional int32 ms (TIME(MILLIS,true));
        optional int64 us (TIME(MICROS,true));
        optional int64 ns (TIME(NANOS,true));
        optional int64 local (TIME(MICROS,false));
        optional binary doc (JSON);
        optional binary bson (BSON);
    }";
    let bytes = one_row(parse_message_type(message).unwrap());
    let before = meanings(&bytes);
    let again = there_and_back(bytes);
    let after = meanings(&again);
    for (name, meaning) in &before {
        // Parquet's library has no Arrow type for BSON, which are bytes.
        let expected = if name == "bson" { None } else { Some(meaning) };
        assert_eq!(after.iter().find(|(own, _)| own == name).map(|(_, meaning)| meaning), expected, "{name}");
    }
    let batch = rows(again, Variants::Stored).unwrap().remove(0);
    assert_eq!(batch.column_by_name("doc").unwrap().as_string::<i32>().value(0), r#"{"a":1}"#);
}

fn leaf(name: &str) -> Arc<Type> {
    let leaf = Type::primitive_type_builder(name, Physical::INT32).with_repetition(Repetition::OPTIONAL);
    Arc::new(leaf.build().unwrap())
}

fn group(name: &str, fields: Vec<Arc<Type>>) -> Type {
    let mut group = Type::group_type_builder(name).with_fields(fields);
    if name != "rows" {
        group = group.with_repetition(Repetition::OPTIONAL);
    }
    group.build().unwrap()
}

#[test]
fn groups_without_fields_are_passed_over() {
    let bytes = one_row(group("rows", vec![leaf("a"), Arc::new(group("empty", Vec::new())), leaf("b")]));
    let batch = rows(bytes.clone(), Variants::Stored).unwrap().remove(0);
    assert_eq!(batch.num_rows(), 1);
    let names: Vec<String> = batch.schema_ref().fields().iter().map(|field| field.name().clone()).collect();
    assert_eq!(names, ["a", "b"]);
    there_and_back(bytes);
}

#[test]
fn fields_of_one_name_are_read() {
    let bytes = one_row(group("rows", vec![leaf("a"), leaf("a"), leaf("b")]));
    let batch = rows(bytes, Variants::Stored).unwrap().remove(0);
    assert_eq!((batch.num_rows(), batch.num_columns()), (1, 3));
}

#[test]
fn converted_types_that_are_not_known_are_passed_over() {
    // The name, then the field 6 of the element, the converted type: BSON is 20, as a zigzag number 40; and what follows it.
    for message in [
        "message rows { optional binary doc (BSON); optional binary more (BSON); optional int32 n; }",
        "message rows { optional binary doc (BSON) = 5; optional binary more (BSON) = 7; optional int32 n = 9; }",
    ] {
        let mut bytes = one_row(parse_message_type(message).unwrap());
        for name in [&b"doc\x25\x28"[..], b"more\x25\x28"] {
            let place = bytes.windows(name.len()).position(|window| window == name).unwrap();
            bytes[place + name.len() - 1] = 60;
        }
        let batch = rows(bytes, Variants::Stored).unwrap().remove(0);
        for column in 0..2 {
            assert_eq!(batch.column(column).as_binary::<i32>().value(0), br#"{"a":1}"#);
        }
        assert_eq!(batch.column(2).as_primitive::<arrow_array::types::Int32Type>().value(0), 7);
    }
}

#[test]
fn statistics_filters_and_encodings_are_chosen() {
    #[derive(serde::Serialize)]
    struct Row {
        user: String,
        time: i64,
    }
    let all = (0..2000).map(|n| Row { user: format!("user {}", n % 50), time: 1_000_000 + n });
    let columns = trevni::to_vec(all).unwrap();
    let reader = Reader::from_slice(&columns).unwrap();
    let write = |options| trevni_parquet::to_parquet(&reader, options, Vec::new());
    let file = |options| SerializedFileReader::new(bytes::Bytes::from(write(options).unwrap())).unwrap();
    let plain = file(ParquetOptions::new().statistics(Statistics::Nothing));
    assert!(plain.metadata().row_group(0).columns().iter().all(|column| column.statistics().is_none()));
    let options = ParquetOptions::new().statistics(Statistics::RowGroups).bloom_filter("user", Some(50));
    let chosen = file(options.encoding("time", PageEncoding::DeltaBinaryPacked));
    let group = chosen.metadata().row_group(0);
    assert!(group.columns().iter().all(|column| column.statistics().is_some()));
    assert!(
        group.column(0).bloom_filter_offset().is_some() && group.column(1).bloom_filter_offset().is_none()
    );
    let encodings: Vec<_> = group.column(1).encodings().collect();
    assert!(encodings.contains(&parquet::basic::Encoding::DELTA_BINARY_PACKED), "{encodings:?}");
    assert!(
        group.column(1).compressed_size() < plain.metadata().row_group(0).column(1).compressed_size() / 4
    );
    for (options, message) in [
        (ParquetOptions::new().bloom_filter("none", None), "there is no field \"none\""),
        (
            ParquetOptions::new().encoding("user", PageEncoding::DeltaBinaryPacked),
            "field user: BYTE_ARRAY has no encoding DeltaBinaryPacked",
        ),
    ] {
        assert_eq!(write(options).unwrap_err().to_string(), message);
    }
}
