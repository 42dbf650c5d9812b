//! Files that do not go together: which two, and where they differ.

use crate::raw::{RawBlock, RawColumn, RawFile};
use crate::{Folder, merged, read};
use serde::Serialize;
use trevni::{Category, ErrorKind, Merge, Reader, WriterBuilder};

#[derive(Serialize)]
struct Flight<D> {
    carrier: &'static str,
    dep_delay: D,
}

fn flight<D: Serialize>(dep_delay: D) -> Vec<u8> {
    trevni::to_vec([Flight { carrier: "AA", dep_delay }]).unwrap()
}

/// The message for two files.
fn message(one: &[u8], two: &[u8]) -> String {
    let readers = [one, one, two].map(|bytes| Reader::from_slice(bytes).unwrap());
    let error = Merge::new().write(&readers, Vec::new()).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::PartMismatch { .. }), "{error}");
    assert_eq!(error.category(), Category::Shape);
    error.to_string()
}

#[test]
fn the_first_difference_is_named() {
    let float = flight(1f32);
    assert_eq!(
        message(&float, &flight(1f64)),
        "file 2: column \"dep_delay\" is double here, float in file 0"
    );
    let message_of = message(&flight(Some(1f32)), &flight(Some(1f64)));
    assert_eq!(
        message_of,
        "file 2: column \"dep_delay/float\" is missing here, float with lengths in file 0"
    );
    #[derive(Serialize)]
    struct Fewer {
        carrier: &'static str,
    }
    let fewer = trevni::to_vec([Fewer { carrier: "AA" }]).unwrap();
    assert_eq!(message(&float, &fewer), "file 2: column \"dep_delay\" is missing here, float in file 0");
    assert_eq!(message(&fewer, &float), "file 2: column \"dep_delay\" is float here, missing in file 0");
    #[derive(Serialize)]
    struct Turned {
        dep_delay: f32,
        carrier: &'static str,
    }
    let turned = trevni::to_vec([Turned { dep_delay: 1.0, carrier: "AA" }]).unwrap();
    assert_eq!(message(&float, &turned), "file 2: column 0 is \"dep_delay\" here, \"carrier\" in file 0");
}

#[test]
fn schemas_may_differ_where_columns_do_not() {
    let text = |name: &str, symbols: &str| {
        format!(
            r#"{{"type":"record","name":"{name}","fields":[{{"name":"a","type":{{"type":"enum","name":"E","symbols":[{symbols}]}}}}]}}"#
        )
    };
    let file = |text: &str| {
        let mut writer = WriterBuilder::new().schema(text).build(Vec::new()).unwrap();
        writer.write(&serde_json::json!({"a": "X"})).unwrap();
        writer.finish().unwrap()
    };
    let one = file(&text("R", r#""X","Y""#));
    let other = file(&text("R", r#""Y","X""#));
    assert_eq!(message(&one, &other), "file 2: field a is enum E (Y, X) here, enum E (X, Y) in file 0");
    assert!(
        message(&one, &file(&text("S", r#""X","Y""#)))
            .starts_with("file 2: the row is record S here, record R in file 0")
    );
    // Another text for the same schema.
    let spaced = file(&text("R", r#""X" , "Y""#).replace(":[", ": ["));
    let readers = [&one, &spaced].map(|bytes| Reader::from_slice(bytes).unwrap());
    assert_eq!(
        read::<serde_json::Value>(&Reader::from_slice(&merged(Merge::new(), &readers).0).unwrap()).len(),
        2
    );
}

#[test]
fn a_schema_and_none_are_different() {
    let columns = || [RawColumn::new("a", "int", [RawBlock::plain(1, [2])])];
    let none = RawFile::new(1, columns()).bytes();
    let schema = r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}"#;
    let one = RawFile::new(1, columns()).with("avro.schema", schema).bytes();
    assert_eq!(message(&one, &none), "file 2: the schema is missing here, present in file 0");
    assert_eq!(message(&none, &one), "file 2: the schema is present here, missing in file 0");
    let other = RawFile::new(1, [RawColumn::new("a", "int", [RawBlock::plain(1, [0])]).array()]).bytes();
    assert_eq!(message(&none, &other), "file 2: column \"a\" is int with lengths here, int in file 0");
    let child = |parent: &str| {
        let array = |name: &str| RawColumn::new(name, "null", [RawBlock::plain(1, [0])]).array();
        let child = RawColumn::new("c", "int", [RawBlock::plain(1, [])]).child_of(parent);
        RawFile::new(1, [array("a"), array("b"), child]).bytes()
    };
    let text = message(&child("a"), &child("b"));
    assert_eq!(text, "file 2: column \"c\" is int below \"b\" here, int below \"a\" in file 0");
    let readers = [&none, &none].map(|bytes| Reader::from_slice(bytes).unwrap());
    let (bytes, _) = merged(Merge::new(), &readers);
    assert_eq!(Reader::from_slice(&bytes).unwrap().column::<i32>("a").unwrap(), [1, 1]);
}

#[test]
fn files_are_named_where_they_have_names() {
    let folder = Folder::new("differing");
    let [one, two] = ["one.trv", "two.trv"].map(|name| folder.0.join(name));
    std::fs::write(&one, flight(1f32)).unwrap();
    std::fs::write(&two, flight(1f64)).unwrap();
    let error = trevni::merge([&one, &two], folder.0.join("all.trv")).unwrap_err().to_string();
    let (one, two) = (one.display(), two.display());
    assert_eq!(error, format!("{two}: column \"dep_delay\" is double here, float in {one}"));
    assert_eq!(folder.names(), ["one.trv", "two.trv"]);
}

#[test]
fn some_calls_make_no_sense() {
    let bytes = flight(1f32);
    let reader = Reader::from_slice(&bytes).unwrap();
    let refused = |merge: Merge, readers: &[Reader<'_>], text: &str| {
        let error = merge.write(readers, Vec::new()).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Option { .. }), "{error}");
        assert!(error.to_string().contains(text), "{error}");
    };
    refused(Merge::new(), &[], "no files");
    refused(Merge::new(), &[reader.project(["carrier"]).unwrap()], "whole rows");
    refused(Merge::new(), &[reader.clone(), reader.project([""; 0]).unwrap()], "whole rows");
    refused(
        Merge::new().codec(trevni::Codec::Deflate).level(77),
        std::slice::from_ref(&reader),
        "no level 77",
    );
    // All fields are whole rows, and so are columns without a schema.
    let all = [reader.project(["carrier", "dep_delay"]).unwrap(), reader.untyped().unwrap()];
    assert_eq!(merged(Merge::new(), &all).1.rows, 2);
}

#[test]
fn first_values_and_lengths_must_agree() {
    let file = |builder: WriterBuilder| {
        let mut writer = builder.build(Vec::new()).unwrap();
        writer.write(&Flight { carrier: "AA", dep_delay: 1 }).unwrap();
        writer.finish().unwrap()
    };
    let (without, with) =
        (file(WriterBuilder::new()), file(WriterBuilder::new().first_values(["dep_delay"])));
    assert_eq!(
        message(&without, &with),
        "file 2: column \"dep_delay\" is int with first values here, int in file 0"
    );
    assert_eq!(
        message(&with, &without),
        "file 2: column \"dep_delay\" is int here, int with first values in file 0"
    );
}
