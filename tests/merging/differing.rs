//! Files whose columns or schemas differ become one file of the shape that one writer would have made.

use crate::raw::{RawBlock, RawColumn, RawFile};
use crate::{Folder, merged, read};
use serde::Serialize;
use serde_json::{Value, json};
use trevni::merge::{Merge, Merged};
use trevni::{ErrorKind, Reader, WriterBuilder};

#[derive(Serialize, Clone, Copy)]
struct Flight<D> {
    carrier: &'static str,
    dep_delay: D,
}

fn flight<D: Serialize>(dep_delay: D) -> Vec<u8> {
    trevni::to_vec([Flight { carrier: "AA", dep_delay }]).unwrap()
}

/// The rows of files merged, in the order of the files; no shape is another than that of one file with all rows.
#[track_caller]
fn joined(files: &[&[u8]]) -> (Vec<u8>, Merged) {
    let readers: Vec<Reader<'_>> = files.iter().map(|bytes| Reader::from_slice(bytes).unwrap()).collect();
    let (bytes, report) = merged(Merge::new(), &readers);
    let rows: Vec<Value> = readers.iter().flat_map(read::<Value>).collect();
    assert_eq!(read::<Value>(&Reader::from_slice(&bytes).unwrap()), rows);
    assert_eq!(report.rows, rows.len() as u64);
    (bytes, report)
}

fn shape(bytes: &[u8]) -> String {
    Reader::from_slice(bytes).unwrap().shape().to_string()
}

#[test]
fn columns_that_agree_are_copied_and_others_made_anew() {
    let counts = |report: Merged| (report.blocks_copied, report.blocks_recoded, report.blocks_rewritten);
    let float = flight(1f32);
    let (bytes, report) = joined(&[&float, &flight(2f64)]);
    assert_eq!(shape(&bytes), "record Flight\n  carrier: string\n  dep_delay: double");
    assert_eq!(counts(report), (3, 0, 1));
    let (bytes, report) = joined(&[&flight(Some(1)), &flight(Some(1i64 << 40))]);
    assert_eq!(shape(&bytes), "record Flight\n  carrier: string\n  dep_delay: optional long");
    assert_eq!(counts(report), (3, 0, 1));
    #[derive(Serialize)]
    struct Fewer {
        carrier: &'static str,
    }
    let fewer = trevni::to_vec([Fewer { carrier: "BB" }]).unwrap();
    for files in [[&float[..], &fewer], [&fewer, &float]] {
        let (bytes, report) = joined(&files);
        assert_eq!(
            shape(&bytes),
            "record F\n  carrier: string\n  dep_delay: absent or float"
                .replace("F\n", if files[0] == float { "Flight\n" } else { "Fewer\n" })
        );
        assert_eq!(counts(report), (2, 0, 2));
    }
    #[derive(Serialize)]
    struct Turned {
        dep_delay: f32,
        carrier: &'static str,
    }
    let turned = trevni::to_vec([Turned { dep_delay: 1.0, carrier: "AA" }]).unwrap();
    assert_eq!(counts(joined(&[&float, &turned]).1), (4, 0, 0));
}

#[test]
fn what_is_in_lists_is_copied_where_it_agrees() {
    let one =
        json!({"id": 1, "hops": [{"at": "EWR", "wait": 3}, {"at": "JFK", "wait": 4}], "tags": {"a": 1}});
    let two = json!({"id": 2, "hops": [{"at": "LGA", "gate": "7"}], "tags": {}});
    let three = json!({"id": "three", "hops": [], "more": [[null, 1.5]]});
    let files = [&one, &two, &three].map(|row| trevni::to_vec([row]).unwrap());
    let (bytes, report) = joined(&files.each_ref().map(Vec::as_slice));
    let reader = Reader::from_slice(&bytes).unwrap();
    assert_eq!(
        reader.column::<trevni::reader::Nested<String>>("hops.at").unwrap().values,
        ["EWR", "JFK", "LGA"]
    );
    // The lengths of `hops`, and `at`, of two files.
    assert!(report.blocks_copied >= 4, "{report:?}");
    let lengths = |column: &trevni::column::ColumnInfo| column.name() == "hops[]";
    let hops = reader.columns().iter().position(lengths).unwrap();
    assert_eq!(reader.blocks(hops).unwrap().len(), 3);
}

#[test]
fn many_blocks_are_copied_beside_a_column_that_is_made_anew() {
    let rows = |from: i64, more: bool| -> Vec<Value> {
        let row = |n: i64| json!({"id": n, "name": format!("row {n}"), "half": n as f64 / 2.0});
        let mut rows: Vec<Value> = (from..from + 20_000).map(row).collect();
        more.then(|| rows[7].as_object_mut().unwrap().insert("note".into(), json!("x")));
        rows
    };
    let files = [rows(0, false), rows(20_000, true)];
    let bytes = files.each_ref().map(|rows| trevni::to_vec(rows).unwrap());
    let (merged, report) = joined(&bytes.each_ref().map(Vec::as_slice));
    let blocks = |bytes: &[u8]| {
        let reader = Reader::from_slice(bytes).unwrap();
        (0..reader.columns().len()).map(|column| reader.blocks(column).unwrap().len() as u64).sum::<u64>()
    };
    assert_eq!(report.blocks_copied, blocks(&bytes[0]) + blocks(&bytes[1]));
    assert_eq!(blocks(&merged), report.blocks_copied + report.blocks_rewritten);
    let reader = Reader::from_slice(&merged).unwrap();
    // Zones come along, and there are some of what was made.
    for column in 0..reader.columns().len() {
        assert!(reader.zone_map(column).unwrap().is_some(), "{}", reader.columns()[column].name());
    }
    let found = reader.filter(trevni::col("note").eq("x")).unwrap();
    assert_eq!(found.matching().unwrap().ranges(), std::slice::from_ref(&(20_007..20_008)));
}

#[test]
fn selected_rows_of_files_that_differ() {
    let one: Vec<Value> = (0..100).map(|n| json!({"n": n, "a": n % 3})).collect();
    let two: Vec<Value> = (100..200).map(|n| json!({"n": n, "b": [n, n]})).collect();
    let bytes = [&one, &two].map(|rows| trevni::to_vec(rows).unwrap());
    let readers = [
        Reader::from_slice(&bytes[0]).unwrap().select([3..5, 99..100]).unwrap(),
        Reader::from_slice(&bytes[1]).unwrap().filter(trevni::col("n").ge(197)).unwrap(),
    ];
    let (bytes, report) = merged(Merge::new(), &readers);
    let expected = [&one[3], &one[4], &one[99], &two[97], &two[98], &two[99]];
    assert_eq!(read::<Value>(&Reader::from_slice(&bytes).unwrap()).iter().collect::<Vec<_>>(), expected);
    assert_eq!(report.rows, 6);
}

#[test]
fn symbols_go_by_name() {
    let text = |name: &str, symbols: &str| {
        format!(
            r#"{{"type":"record","name":"{name}","fields":[{{"name":"a","type":{{"type":"enum","name":"E","symbols":[{symbols}]}}}}]}}"#
        )
    };
    let file = |text: &str| {
        let mut writer = WriterBuilder::new().schema(text).build(Vec::new()).unwrap();
        writer.write(&json!({"a": "X"})).unwrap();
        writer.finish().unwrap()
    };
    let one = file(&text("R", r#""X","Y""#));
    for other in
        [text("R", r#""Y","X""#), text("S", r#""Z","X""#), text("R", r#""X" , "Y""#).replace(":[", ": [")]
    {
        joined(&[&one, &file(&other)]);
    }
    // Another text for the same schema: that of the first file stays.
    let spaced = file(&text("R", r#""X" , "Y""#));
    let (bytes, report) = joined(&[&one, &spaced]);
    assert_eq!((report.blocks_copied, report.blocks_rewritten), (2, 0));
    assert_eq!(
        Reader::from_slice(&bytes).unwrap().metadata().get_str("avro.schema"),
        Reader::from_slice(&one).unwrap().metadata().get_str("avro.schema")
    );
}

#[test]
fn files_without_schemas_and_with_one() {
    let columns = || [RawColumn::new("a", "int", [RawBlock::plain(1, [2])])];
    let none = RawFile::new(1, columns()).bytes();
    let schema = r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}"#;
    let one = RawFile::new(1, columns()).with("avro.schema", schema).bytes();
    let has_schema = |bytes: &[u8]| Reader::from_slice(bytes).unwrap().metadata().contains("avro.schema");
    assert!(has_schema(&joined(&[&one, &none]).0) && has_schema(&joined(&[&none, &one]).0));
    assert!(!has_schema(&joined(&[&none, &none]).0));
    let other = RawFile::new(1, [RawColumn::new("a", "int", [RawBlock::plain(1, [0])]).array()]).bytes();
    let (bytes, _) = joined(&[&none, &other]);
    assert!(shape(&bytes).contains("a: union"), "{}", shape(&bytes));
    let child = |parent: &str| {
        let array = |name: &str| RawColumn::new(name, "null", [RawBlock::plain(1, [0])]).array();
        let child = RawColumn::new("c", "int", [RawBlock::plain(1, [])]).child_of(parent);
        RawFile::new(1, [array("a"), array("b"), child]).bytes()
    };
    joined(&[&child("a"), &child("b")]);
}

#[test]
fn numbers_are_promoted_where_that_is_asked_for() {
    let folder = Folder::new("promoted");
    let months = [json!({"d": "jan", "v": 1}), json!({"d": "feb", "v": 1.5}), json!({"d": "mar", "v": null})];
    let files: Vec<_> =
        months.iter().map(|row| folder.0.join(format!("{}.trv", row["d"].as_str().unwrap()))).collect();
    for (row, file) in months.iter().zip(&files) {
        std::fs::write(file, trevni::to_vec([row]).unwrap()).unwrap();
    }
    let all = folder.0.join("all.trv");
    Merge::new().promote().files(&files, &all).unwrap();
    let reader = Reader::open(&all).unwrap();
    assert!(reader.shape().to_string().ends_with("v: optional double"), "{}", reader.shape());
    assert_eq!(reader.column::<Option<f64>>("v").unwrap(), [Some(1.0), Some(1.5), None]);
    // An integer that is no double is not another number.
    let large = trevni::to_vec([json!({"d": "apr", "v": (1i64 << 53) + 1})]).unwrap();
    std::fs::write(&files[0], large).unwrap();
    let error = Merge::new().promote().files(&files, &all).unwrap_err().to_string();
    assert!(error.contains("jan.trv") && error.contains("v: 9007199254740993 does not fit"), "{error}");
}

#[test]
fn rows_that_do_not_fit_one_file_name_both() {
    let folder = Folder::new("differing");
    let [one, two] = ["one.trv", "two.trv"].map(|name| folder.0.join(name));
    let deep = |kind: fn(Value) -> Value| {
        let row = (0..46).fold(json!(1), |row, _| kind(row));
        trevni::to_vec([json!({ "v": row })]).unwrap()
    };
    std::fs::write(&one, deep(|row| json!([row]))).unwrap();
    std::fs::write(&two, deep(|row| json!({ "r": row }))).unwrap();
    let merge = || trevni::merge([&one, &two], folder.0.join("all.trv"));
    merge().unwrap();
    std::fs::remove_file(folder.0.join("all.trv")).unwrap();
    // Both at once: lists in records in lists.
    let zigzag = |first: bool| {
        let row = (0..90)
            .fold(json!(1), |row, n| if (n % 2 == 0) == first { json!([row]) } else { json!({ "r": row }) });
        trevni::to_vec([json!({ "v": row })])
    };
    std::fs::write(&one, zigzag(true).unwrap()).unwrap();
    std::fs::write(&two, zigzag(false).unwrap()).unwrap();
    if let Err(error) = merge() {
        let (text, one) = (error.to_string(), one.display().to_string());
        assert!(matches!(error.kind(), ErrorKind::PartMismatch { .. }), "{error}");
        assert!(text.starts_with(&two.display().to_string()) && text.contains(&one), "{text}");
        assert_eq!(folder.names(), ["one.trv", "two.trv"]);
    }
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
fn first_values_are_as_in_the_first_file() {
    let file = |builder: WriterBuilder, from: i32| {
        let mut writer = builder.without_zone_maps().build(Vec::new()).unwrap();
        writer.write_all((from..from + 3).map(|dep_delay| Flight { carrier: "AA", dep_delay })).unwrap();
        writer.finish().unwrap()
    };
    let without = file(WriterBuilder::new(), 1);
    let with = file(WriterBuilder::new().first_values(["dep_delay"]), 4);
    for (files, first) in
        [([&without, &with], None), ([&with, &without], Some(trevni::column::FirstValue::Int(4)))]
    {
        let (bytes, _) = joined(&files.map(Vec::as_slice));
        let blocks = Reader::from_slice(&bytes).unwrap().blocks(1).unwrap();
        assert_eq!(blocks[0].first_value, first);
        assert_eq!(blocks.iter().all(|block| block.first_value.is_some()), first.is_some());
    }
}
