//! What is written is read back, and hostile schemas are refused.

use super::{parse, write};
use crate::schema::names::resolve;
use crate::shape::Shape;

fn back(text: &str) -> String {
    write(&resolve(parse(text).unwrap()))
}

#[test]
fn avro_types_come_back_as_they_were() {
    for text in [
        r#""int""#,
        r#"{"type":"array","items":"string"}"#,
        r#"{"type":"map","values":["null","double"]}"#,
        r#"["null","int",{"type":"array","items":"long"}]"#,
        r#"["string"]"#,
        r#"["null"]"#,
        r#"{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"fixed","name":"F","size":3}},{"name":"b","type":"F"}]}"#,
        r#"{"type":"enum","name":"E","symbols":["A","B"]}"#,
    ] {
        assert_eq!(back(text), text);
    }
}

#[test]
fn logical_types_come_back_where_their_type_can_store_them() {
    for text in [
        r#"{"type":"int","logicalType":"date"}"#,
        r#"{"type":"long","logicalType":"timestamp-nanos"}"#,
        r#"{"type":"long","logicalType":"timestamp-nanos","serde":"time"}"#,
        r#"{"type":"int","logicalType":"time-millis","serde":"time"}"#,
        r#"{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}"#,
        r#"{"type":"fixed","name":"D","size":4,"logicalType":"decimal","precision":9,"scale":0}"#,
        r#"["null",{"type":"string","logicalType":"uuid"},{"type":"double","logicalType":"degrees"}]"#,
        r#"{"type":"long","serde":"u64","logicalType":"a \"key\""}"#,
        // One name, two types: the second is not the first.
        r#"{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"fixed","name":"F","size":12,"logicalType":"duration"}},{"name":"b","type":{"type":"fixed","name":"F_2","size":12}},{"name":"c","type":"F"}]}"#,
    ] {
        assert_eq!(back(text), text);
    }
    for (text, storage) in [
        (r#"{"type":"string","logicalType":"date"}"#, Shape::String),
        (r#"{"type":"bytes","logicalType":"decimal"}"#, Shape::Bytes),
        (r#"{"type":"bytes","logicalType":"decimal","precision":2,"scale":3}"#, Shape::Bytes),
        (r#"{"type":"bytes","logicalType":"decimal","precision":-2}"#, Shape::Bytes),
        (r#"{"type":"bytes","logicalType":"decimal","precision":2,"scale":"0"}"#, Shape::Bytes),
        (r#"{"type":"int","logicalType":"map"}"#, Shape::Int),
        (r#"{"type":"null","logicalType":"nothing"}"#, Shape::Null),
        (r#"{"type":"int","logicalType":7}"#, Shape::Int),
    ] {
        assert_eq!(parse(text).unwrap(), storage, "{text}");
    }
    // Marks that say no style of the type.
    for (text, logical) in [
        (r#"{"type":"int","logicalType":"date","serde":"time"}"#, r#"{"type":"int","logicalType":"date"}"#),
        (
            r#"{"type":"int","logicalType":"time-millis","serde":"?"}"#,
            r#"{"type":"int","logicalType":"time-millis"}"#,
        ),
        (
            r#"{"type":"int","logicalType":"time-millis","serde":7}"#,
            r#"{"type":"int","logicalType":"time-millis"}"#,
        ),
        (r#"{"type":"long","serde":"time"}"#, r#""long""#),
    ] {
        assert_eq!(parse(text).unwrap(), parse(logical).unwrap(), "{text}");
    }
    let small = r#"{"type":"fixed","name":"D","size":4,"logicalType":"decimal","precision":10}"#;
    assert!(matches!(parse(small).unwrap(), Shape::Fixed(_)), "4 bytes hold 9 digits");
    let same = r#"{"type":"record","name":"R","fields":[{"name":"a","type":{"type":"fixed","name":"F","size":12,"logicalType":"duration"}},{"name":"b","type":"F"}]}"#;
    let Shape::Record(record) = parse(same).unwrap() else { unreachable!() };
    assert_eq!(record.fields[0].shape, record.fields[1].shape);
}

#[test]
fn marks_come_back() {
    for text in [
        r#"{"type":"long","serde":"u64"}"#,
        r#"["null",{"type":"record","name":"Unit","namespace":"serde","serde":"unit","fields":[]}]"#,
        r#"["null",{"type":"record","name":"Some","namespace":"serde","serde":"some","fields":[{"name":"value","type":["null","int"]}]}]"#,
        r#"{"type":"array","items":{"type":"record","name":"Entry","namespace":"serde","fields":[{"name":"key","type":"int"},{"name":"value","type":"string"}]},"logicalType":"map"}"#,
        r#"{"type":"record","name":"T","serde":"tuple","fields":[{"name":"_0","type":["null","int"],"serde":"absent"}]}"#,
        r#"{"type":"record","name":"R","fields":[{"name":"a_b","type":"int","serde.name":"a-b"}]}"#,
        r#"{"type":"enum","name":"E","symbols":["_1"],"serde.name":["1"]}"#,
        r#"[{"type":"record","name":"V","namespace":"E","serde":"newtype variant","fields":[{"name":"_0","type":"int"}]}]"#,
    ] {
        assert_eq!(back(text), text);
        let shape = parse(text).unwrap();
        assert_eq!(parse(&back(text)).unwrap(), shape);
    }
}

#[test]
fn a_map_with_other_keys_in_a_union_stands_in_a_record() {
    let entries = |name: &str| {
        format!(
            r#"{{"type":"array","items":{{"type":"record","name":"{name}","namespace":"serde","fields":[{{"name":"key","type":"int"}},{{"name":"value","type":"string"}}]}},"logicalType":"map"}}"#
        )
    };
    let wrapped = format!(
        r#"["int",{{"type":"record","name":"Some","namespace":"serde","serde":"some","fields":[{{"name":"value","type":{}}}]}}]"#,
        entries("Entry")
    );
    assert_eq!(back(&wrapped), wrapped);
    let Shape::Union(variants) = parse(&wrapped).unwrap() else { panic!("no union") };
    assert!(matches!(&variants[1], Shape::Map(_)));
    // Elsewhere it is the array that the schema says.
    let Shape::Union(variants) = parse(&format!(r#"["int",{}]"#, entries("E"))).unwrap() else {
        panic!("no union")
    };
    assert!(matches!(&variants[1], Shape::List(_)));
}

#[test]
fn the_same_name_for_two_types_is_told_apart() {
    let text = |field: &str| {
        format!(r#"{{"type":"record","name":"P","fields":[{{"name":"{field}","type":"int"}}]}}"#)
    };
    let (one, two) = (parse(&text("a")).unwrap(), parse(&text("b")).unwrap());
    let written = write(&resolve(Shape::Union(vec![one.clone(), two, one])));
    assert!(written.contains(r#""name":"P_2""#), "{written}");
    assert!(written.ends_with(r#","P"]"#), "{written}");
}

#[test]
fn names_are_looked_up_in_the_namespace_around_and_without_one() {
    let text = r#"{"type":"record","name":"n.R","fields":[{"name":"a","type":{"type":"fixed","name":"F","size":1}},{"name":"b","type":"F"},{"name":"c","type":"n.F"}]}"#;
    assert!(parse(text).is_ok());
}

#[test]
fn hostile_schemas_are_refused() {
    for text in [
        "",
        "[",
        "7",
        r#""what""#,
        r#"{"type":"array"}"#,
        r#"{"type":"record","name":"R","fields":[{"name":"r","type":["null","R"]}]}"#,
        r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"},{"name":"a","type":"int"}]}"#,
        r#"[["null","int"],"int"]"#,
    ] {
        assert!(parse(text).is_err(), "{text}");
    }
    assert!(parse(&"[".repeat(100_000)).is_err());
    let deep = format!("{}\"int\"{}", r#"{"type":"array","items":"#.repeat(200), "}".repeat(200));
    assert!(parse(&deep).is_err());
}

#[test]
fn a_union_within_a_union_is_refused_however_it_is_written() {
    for inner in
        [r#"["int","string"]"#, r#"{"type":["null","int"]}"#, r#"{"type":{"type":["int","string"]}}"#]
    {
        let error = parse(&format!(r#"["double",{inner}]"#)).unwrap_err().to_string();
        assert!(error.contains("a union directly within a union"), "{error}");
    }
    assert!(parse(r#"["double",{"type":"array","items":["int","string"]}]"#).is_ok());
}

#[test]
fn types_that_double_at_each_step_are_refused() {
    let record = |level: usize, one: &str, two: &str| {
        let fields = format!(r#"{{"name":"a","type":{one}}},{{"name":"b","type":{two}}}"#);
        format!(r#"{{"type":"record","name":"R{level}","fields":[{fields}]}}"#)
    };
    let mut inner = record(0, r#""int""#, r#""int""#);
    for level in 1..40 {
        inner = record(level, &inner, &format!(r#""R{}""#, level - 1));
    }
    let error = parse(&inner).unwrap_err().to_string();
    assert!(error.contains("repeated too often") || error.contains("nested"), "{error}");
}
