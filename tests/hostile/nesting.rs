//! Schemas and parents that nest too deep, or name too much.

use super::memory::{MIB, alone, within};
use super::raw::{RawBlock, RawColumn, RawFile};
use serde_json::Value;
use trevni::shape::MAX_DEPTH;
use trevni::{Category, Error, ErrorKind, Reader, WriterBuilder};

/// The error of opening a file with this schema.
#[track_caller]
fn open(schema: &str) -> Error {
    let column = RawColumn::new("a", "int", [RawBlock::plain(1, [2])]);
    let file = RawFile::new(1, [column]).with("avro.schema", schema).bytes();
    within(32 * MIB, || Reader::from_slice(&file).map(drop)).unwrap_err()
}

fn repeated(start: &str, middle: &str, end: &str, count: usize) -> String {
    format!("{}{middle}{}", start.repeat(count), end.repeat(count))
}

#[test]
fn texts_that_nest_too_deep_are_refused() {
    let _alone = alone();
    for (start, end) in [
        (r#"{"type":"array","items":"#, "}"),
        (r#"{"type":"map","values":"#, "}"),
        (r#"{"type":"#, "}"),
        ("[", "]"),
        (r#"{"doc":"#, "}"),
        (r#"["null",{"type":"array","items":"#, "}]"),
    ] {
        for count in [200, 10_000, 100_000] {
            let error = open(&repeated(start, "\"int\"", end, count));
            let deep = matches!(error.kind(), ErrorKind::TooDeep { limit: MAX_DEPTH });
            assert!(deep || error.category() == Category::Corrupt, "{error}");
            assert!(deep || count == 200, "{error}");
        }
    }
    let unfinished = r#"{"type":"array","items":"#.repeat(10_000);
    assert!(matches!(open(&unfinished).kind(), ErrorKind::TooDeep { .. }));
}

#[test]
fn names_that_nest_too_deep_are_refused() {
    let _alone = alone();
    for count in [MAX_DEPTH + 3, 500, 3000] {
        let first = r#"{"name":"f0","type":{"type":"record","name":"R0","fields":[]}}"#.to_owned();
        let next = |i: usize| {
            let inner = format!(r#"[{{"name":"x","type":"R{}"}}]"#, i - 1);
            format!(r#"{{"name":"f{i}","type":{{"type":"record","name":"R{i}","fields":{inner}}}}}"#)
        };
        let fields: Vec<String> = std::iter::once(first).chain((1..count).map(next)).collect();
        let schema = format!(r#"{{"type":"record","name":"R","fields":[{}]}}"#, fields.join(","));
        let error = open(&schema);
        assert!(matches!(error.kind(), ErrorKind::TooDeep { .. }), "{error}");
    }
}

#[test]
fn names_that_multiply_are_refused() {
    let _alone = alone();
    for inner in [r#"{"type":"record","name":"R0","fields":[]}"#, r#"{"type":"fixed","name":"R0","size":1}"#]
    {
        let mut fields = vec![format!(r#"{{"name":"f","type":{inner}}}"#)];
        for i in 1..40 {
            let part = |name: &str| format!(r#"{{"name":"{name}","type":"R{}"}}"#, i - 1);
            let parts = format!("[{},{}]", part("a"), part("b"));
            fields.push(format!(
                r#"{{"name":"f{i}","type":{{"type":"record","name":"R{i}","fields":{parts}}}}}"#
            ));
        }
        let error = open(&format!(r#"{{"type":"record","name":"R","fields":[{}]}}"#, fields.join(",")));
        assert_eq!(error.category(), Category::Corrupt);
        assert!(error.to_string().contains("named types are repeated too often"), "{error}");
    }
}

#[test]
fn recursive_types_are_refused() {
    let _alone = alone();
    let list = r#"{"type":"record","name":"N","fields":[{"name":"next","type":["null","N"]}]}"#;
    let error = open(list);
    assert_eq!(error.category(), Category::Corrupt);
    assert!(error.to_string().contains("type \"N\" is recursive"), "{error}");
}

#[test]
fn long_names_over_many_columns_are_refused() {
    let _alone = alone();
    let fields: Vec<String> = (0..5000).map(|i| format!(r#"{{"name":"f{i}","type":"int"}}"#)).collect();
    let inner = format!(r#"{{"type":"record","name":"I","fields":[{}]}}"#, fields.join(","));
    let schema = format!(
        r#"{{"type":"record","name":"R","fields":[{{"name":"{}","type":{inner}}}]}}"#,
        "n".repeat(100_000)
    );
    let error = open(&schema);
    assert!(error.to_string().contains("the schema has"), "{error}");
}

#[test]
fn texts_that_are_no_schema_are_refused() {
    let _alone = alone();
    for (schema, text) in [
        ("", "not JSON"),
        ("nonsense", "not JSON"),
        ("3", "3 is no type"),
        ("\"int\" \"int\"", "not JSON"),
        ("\"tensor\"", "type \"tensor\" is not known"),
        (r#"{"type":"record","name":"R"}"#, "without \"fields\""),
        (r#"{"type":"enum","name":"E"}"#, "without symbols"),
        (r#"{"type":"fixed","name":"F","size":-1}"#, "without a size"),
        (r#"{"items":"int"}"#, "a type without \"type\""),
        (r#"["int",["null","int"]]"#, "a union directly within a union"),
    ] {
        let error = open(schema);
        assert_eq!(error.category(), Category::Corrupt);
        assert!(error.to_string().contains(text), "{schema}: {error}");
        // The same text given to a writer.
        let error = WriterBuilder::new().schema(schema).build(Vec::new()).map(drop).unwrap_err();
        assert!(error.to_string().contains(text), "{schema}: {error}");
    }
}

/// Each column the child of the one before.
fn chain(length: usize) -> RawFile {
    let block = RawBlock::plain(1, [2]);
    let name = |i: usize| format!("c{i}");
    let column = |i: usize| {
        let column = RawColumn::new(&name(i), "null", [block.clone()]).array();
        if i == 0 { column } else { column.child_of(&name(i - 1)) }
    };
    RawFile::new(1, (0..length).map(column))
}

#[test]
fn parents_that_nest_too_deep_are_refused() {
    let _alone = alone();
    let deep = chain(10_000);
    let bytes = deep.bytes();
    let error = within(32 * MIB, || Reader::from_slice(&bytes).map(drop)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::TooDeep { .. }), "{error}");
    // Beside a schema the columns may be what they like, until they are read.
    let schema = r#"{"type":"record","name":"R","fields":[]}"#;
    let bytes = deep.with("avro.schema", schema).bytes();
    within(64 * MIB, || {
        let reader = Reader::from_slice(&bytes).unwrap();
        assert_eq!(reader.rows::<Value>().unwrap().count(), 1);
        assert!(reader.untyped().is_err());
        for column in [100, 1000, 9_999] {
            let error = reader.raw_column(column).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::TooDeep { .. }), "{error}");
        }
    });
    let bytes = chain(MAX_DEPTH / 2 - 1).bytes();
    let reader = Reader::from_slice(&bytes).unwrap();
    let rows: Vec<Value> = reader.rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 1);
    reader.raw_column(MAX_DEPTH / 2 - 2).unwrap();
}
