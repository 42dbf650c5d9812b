//! Parts of the fields.

use super::{File, record, row};
use apache_avro::types::Value;
use parquet::file::reader::{FileReader, SerializedFileReader};
use trevni_parquet::{Error, ParquetReader};

const AVRO: &str = r#"{"name": "id", "type": "int"}, {"name": "place", "type": {"type": "record", "name": "Place",
    "fields": [{"name": "town", "type": "string"}, {"name": "at", "type": ["null", {"type": "record", "name": "At", "fields": [
        {"name": "x", "type": "double"}, {"name": "y", "type": "double"}]}]}]}},
    {"name": "tags", "type": {"type": "map", "values": {"type": "record", "name": "Tag", "fields": [
        {"name": "a", "type": "string"}, {"name": "b", "type": "int"}]}}}"#;

fn file() -> File {
    let at = Value::Union(1, Box::new(record([("x", Value::Double(1.5)), ("y", Value::Double(2.5))])));
    let tag = record([("a", Value::String("red".into())), ("b", Value::Int(3))]);
    let rows = [
        record([
            ("id", Value::Int(7)),
            ("place", record([("town", Value::String("Ulm".into())), ("at", at)])),
            ("tags", Value::Map([("k".to_owned(), tag)].into())),
        ]),
        record([
            ("id", Value::Int(8)),
            (
                "place",
                record([
                    ("town", Value::String("Bonn".into())),
                    ("at", Value::Union(0, Box::new(Value::Null))),
                ]),
            ),
            ("tags", Value::Map([].into())),
        ]),
    ];
    File::new(&row(AVRO), &rows)
}

/// Damages the values of all columns but some.
fn damage(file: &File, whole: &[&str]) {
    let mut bytes = std::fs::read(file.path()).unwrap();
    let reader = SerializedFileReader::new(std::fs::File::open(file.path()).unwrap()).unwrap();
    let mut damaged = 0;
    for column in reader.metadata().row_group(0).columns() {
        if !whole.contains(&column.column_path().string().as_str()) {
            let (start, len) = column.byte_range();
            bytes[start as usize..(start + len) as usize].fill(0xff);
            damaged += 1;
        }
    }
    assert_eq!(damaged + whole.len(), reader.metadata().row_group(0).num_columns());
    std::fs::write(file.path(), bytes).unwrap();
}

#[test]
fn other_columns_are_not_read() {
    let projection = row(r#"{"name": "place", "type": {"type": "record", "name": "Place", "fields": [
            {"name": "at", "type": ["null", {"type": "record", "name": "At", "fields": [{"name": "y", "type": "double"}]}]}]}},
        {"name": "tags", "type": {"type": "map", "values": {"type": "record", "name": "Tag", "fields": [
            {"name": "b", "type": "int"}]}}}"#);
    let file = file();
    damage(&file, &["place.at.y", "tags.key_value.key", "tags.key_value.value.b"]);
    let rows = file.read(&ParquetReader::builder().projection_schema(&projection)).unwrap();
    let at = Value::Union(1, Box::new(record([("y", Value::Double(2.5))])));
    let tags = Value::Map([("k".to_owned(), record([("b", Value::Int(3))]))].into());
    assert_eq!(rows[0], record([("place", record([("at", at)])), ("tags", tags)]));
    // The same fields as a schema to read as.
    assert_eq!(file.read_as(&projection).unwrap(), rows);
    assert!(file.read_as(&row(r#"{"name": "id", "type": "int"}"#)).is_err());
}

#[test]
fn columns_that_a_read_schema_has_not_are_not_read() {
    let file = file();
    damage(&file, &["place.town", "place.at.x"]);
    // Of a record that has none of its fields, one column says where it is there.
    let schema = row(
        r#"{"name": "new", "type": "long", "default": 5}, {"name": "place", "type": {"type": "record", "name": "Place", "fields": [
            {"name": "at", "type": ["null", {"type": "record", "name": "At", "fields": [
                {"name": "z", "type": "double", "default": 9.5}]}]}]}}"#,
    );
    let rows = file.read_as(&schema).unwrap();
    let at = Value::Union(1, Box::new(record([("z", Value::Double(9.5))])));
    assert_eq!(rows[0], record([("new", Value::Long(5)), ("place", record([("at", at)]))]));
    let none = Value::Union(0, Box::new(Value::Null));
    assert_eq!(rows[1], record([("new", Value::Long(5)), ("place", record([("at", none)]))]));
    // Only defaults: no column at all.
    damage(&file, &[]);
    let rows = file.read_as(&row(r#"{"name": "new", "type": "long", "default": 5}"#)).unwrap();
    assert_eq!(rows, [record([("new", Value::Long(5))]), record([("new", Value::Long(5))])]);
}

#[test]
fn records_of_defaults_are_counted_by_a_column_that_the_projection_has() {
    let file = file();
    let place = |fields: &str| {
        row(&format!(
            r#"{{"name": "place", "type": {{"type": "record", "name": "Place", "fields": [{fields}]}}}}"#
        ))
    };
    let at = |field: &str| {
        place(&format!(
            r#"{{"name": "at", "type": ["null", {{"type": "record", "name": "At", "fields": [{field}]}}]}}"#
        ))
    };
    // The first columns of the record, `town` and `at.x`, are not read.
    let projection = at(r#"{"name": "y", "type": "double"}"#);
    let default = r#"{"name": "z", "type": "double", "default": 9.5}"#;
    let read = |wanted: &str| {
        file.read(&ParquetReader::builder().projection_schema(&projection).read_schema(wanted)).unwrap()
    };
    let z = || record([("z", Value::Double(9.5))]);
    let (there, null) = (Value::Union(1, Box::new(z())), Value::Union(0, Box::new(Value::Null)));
    assert_eq!(read(&place(default)), [record([("place", z())]), record([("place", z())])]);
    let rows = [there, null].map(|at| record([("place", record([("at", at)]))]));
    assert_eq!(read(&at(default)), rows);
}

#[test]
fn keys_of_a_map_come_with_one_column_of_its_values() {
    let file = file();
    damage(&file, &["tags.key_value.key", "tags.key_value.value.a"]);
    let rows = file.read(&ParquetReader::builder().project(["tags.key_value.key"])).unwrap();
    let tags = Value::Map([("k".to_owned(), record([("a", Value::String("red".into()))]))].into());
    assert_eq!(rows[0], record([("tags", tags)]));
}

#[test]
fn the_projection_is_the_schema_of_the_rows_where_it_says_them() {
    let file = file();
    let text = row(r#"{"name": "id", "type": "int", "doc": "a number"}"#);
    let reader = ParquetReader::builder().projection_schema(&text).open(file.path()).unwrap();
    assert_eq!(arrow_array::RecordBatchReader::schema(&reader).metadata()["avro.schema"], text);
}

#[test]
fn fields_that_the_file_has_not_are_named() {
    let file = file();
    for (fields, expected) in [
        (r#"{"name": "x", "type": "int"}"#, r#"there is no field "x""#),
        (
            r#"{"name": "place", "type": {"type": "record", "name": "P", "fields": [{"name": "land", "type": "string"}]}}"#,
            r#"there is no field "place.land""#,
        ),
        (
            r#"{"name": "id", "type": "long"}"#,
            "field id: it is int in the file, not long; a read schema can say so",
        ),
        (
            r#"{"name": "place", "type": {"type": "array", "items": "int"}}"#,
            "field place: it is record in the file, not array; a read schema can say so",
        ),
        (
            r#"{"name": "place", "type": {"type": "record", "name": "P", "fields": []}}"#,
            "field place: a record without fields cannot be read",
        ),
    ] {
        let error = file.read(&ParquetReader::builder().projection_schema(row(fields)));
        assert_eq!(error, Err(expected.to_owned()));
    }
    // An alias is no name in a projection.
    let alias = row(r#"{"name": "number", "aliases": ["id"], "type": "int"}"#);
    let error = ParquetReader::builder().projection_schema(alias).open(file.path()).err().unwrap();
    assert!(matches!(&error, Error::NoField(field) if field == "number"), "{error}");
    for text in [
        "",
        "{",
        r#"{"type": "record"}"#,
        r#"{"type":"record","name":"R","fields":[{"name":"r","type":"R"}]}"#,
    ] {
        for builder in
            [ParquetReader::builder().projection_schema(text), ParquetReader::builder().read_schema(text)]
        {
            let error = builder.open(file.path()).err().unwrap();
            assert!(matches!(&error, Error::Schema(_)), "{error}");
        }
    }
}
