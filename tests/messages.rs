//! What the first mistakes are told: what is wrong, and what to do.

use serde::Deserialize;
use serde_json::json;
use std::fmt::Debug;
use std::path::PathBuf;
use trevni::{Category, Codec, Reader, Shape, Writer, from_slice, to_vec};

#[derive(Deserialize, Debug)]
#[allow(dead_code, reason = "only its errors are looked at")]
struct Row {
    id: u32,
    delay: f32,
}

fn told<T: Debug>(result: trevni::Result<T>) -> (Category, String) {
    let error = result.unwrap_err();
    (error.category(), error.to_string())
}

fn temporary(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("trevni-messages-{}-{name}", std::process::id()))
}

#[test]
fn a_file_is_a_sequence() {
    let file = to_vec([json!({"id": 1, "delay": 0.5})]).unwrap();
    let expected = "a file is a sequence of rows: read it as Vec<Row>";
    assert_eq!(told(from_slice::<Row>(&file)), (Category::Shape, expected.to_owned()));
    assert_eq!(from_slice::<Vec<Row>>(&file).unwrap().len(), 1);
}

#[test]
fn null_wants_an_option() {
    let file = to_vec([json!({"id": 1, "delay": 0.5}), json!({"id": 2, "delay": null})]).unwrap();
    let (category, text) = told(from_slice::<Vec<Row>>(&file));
    assert_eq!(category, Category::Shape);
    assert_eq!(text, "row 1, delay: invalid type: null, expected f32; use Option where values may be null");
    let (_, text) =
        told(from_slice::<Vec<Row>>(&to_vec([Some(json!({"id": 1, "delay": 1})), None]).unwrap()));
    assert!(text.contains("null, expected struct Row; use Option"), "{text}");
}

#[test]
fn wide_integers_are_told() {
    let (_, text) = told(from_slice::<Vec<i128>>(&to_vec([u128::MAX]).unwrap()));
    assert_eq!(text, format!("row 0: invalid value: integer `{}`, expected i128", u128::MAX));
}

#[test]
fn files_of_other_formats_are_told() {
    let formats: [(&[u8], &str); 9] = [
        (b"PAR1....PAR1", "it looks like Parquet, which crate trevni-parquet reads"),
        (b"ARROW1\0\0", "it looks like an Arrow file"),
        (b"Obj\x01....", "it looks like Avro, which crate trevni-avro reads"),
        (b"ORC.....", "it looks like ORC"),
        (b"\x1f\x8b\x08......", "it looks like gzip"),
        (b"PK\x03\x04.....", "it looks like a zip archive"),
        (b"{\"a\": 1}", "it looks like JSON"),
        (b"day,flight", "it looks like text, such as CSV"),
        (b"\x01\x02\x03\x04", "it starts with bytes [01, 02, 03, 04]"),
    ];
    for (bytes, expected) in formats {
        let (category, text) = told(Reader::from_slice(bytes));
        assert_eq!(category, Category::Corrupt);
        assert!(text.ends_with(&format!("not a Trevni file: {expected}")), "{text}");
    }
}

#[test]
fn a_schema_that_the_caller_gives_is_misuse() {
    let schema = r#"{"type":"record","name":"R","fields":[{"name":"id","type":"integer"}]}"#;
    let expected = (Category::Misuse, "Avro schema: type \"integer\" is not known".to_owned());
    assert_eq!(told(Writer::builder().schema(schema).build(Vec::new()).map(|_| ())), expected);
    assert_eq!(told(Shape::from_avro(schema)), expected);
}

#[test]
fn a_level_needs_a_codec_that_has_levels() {
    let build = |builder: trevni::WriterBuilder| builder.without_drop_notice().build(Vec::new()).map(|_| ());
    let expected = (Category::Misuse, "codec snappy has no levels, and level 9 is set".to_owned());
    assert_eq!(told(build(Writer::builder().codec(Codec::Snappy).level(9))), expected);
    build(Writer::builder().codec(Codec::Deflate).level(9)).unwrap();
    build(Writer::builder().codec(Codec::Snappy).level(9).column_codec("a", Codec::Deflate)).unwrap();
}

#[test]
fn paths_are_told() {
    let missing = temporary("no-folder").join("a.trv");
    let (category, text) = told(Writer::create(&missing).map(|_| ()));
    assert_eq!(category, Category::Io);
    assert!(text.starts_with(&missing.display().to_string()), "{text}");

    let folder = temporary("folder");
    std::fs::create_dir_all(&folder).unwrap();
    let (category, text) = told(Reader::open(&folder).map(|_| ()));
    std::fs::remove_dir_all(&folder).unwrap();
    assert_eq!(category, Category::Misuse);
    let expected = "this is a folder, not a file: Dataset::open reads the files of a folder";
    assert_eq!(text, format!("{}: {expected}", folder.display()));

    let file = temporary("file.trv");
    std::fs::write(&file, to_vec([1]).unwrap()).unwrap();
    let (category, text) = told(trevni::Dataset::open(&file).map(|_| ()));
    std::fs::remove_file(&file).unwrap();
    assert_eq!(category, Category::Misuse);
    let expected = "this is a file, not a folder: Reader::open reads one file, Dataset::from_paths several";
    assert_eq!(text, format!("{}: {expected}", file.display()));
}

#[test]
fn errors_of_a_file_with_a_path_name_it() {
    let path = temporary("named.trv");
    let rows: Vec<_> = (0..5000)
        .map(|n| json!({"id": n, "delay": if n == 4000 { json!(null) } else { json!(0.5) }}))
        .collect();
    let file = to_vec(&rows).unwrap();
    std::fs::write(&path, &file).unwrap();
    let reader = Reader::open(&path).unwrap();
    let named = |what: &str, error: Option<trevni::Error>| {
        let error = error.unwrap_or_else(|| panic!("{what} is no error"));
        assert_eq!(error.location().file.as_deref(), Some(&*path), "{what}: {error}");
    };
    named("rows", reader.rows::<Row>().unwrap().find_map(Result::err));
    named("row", reader.row::<Row>(4000).err());
    named("no row", reader.row::<Row>(5000).err());
    named("column", reader.column::<String>("id").err());
    named("no column", reader.column::<i32>("none").err());
    named("projection", reader.project(["none"]).err());
    named("bad path", reader.project(["`a"]).err());
    named("filter", reader.filter(trevni::col("none").is_null()).err());
    named("literal", reader.filter(trevni::col("id").eq("a")).err());
    named("selection", reader.select(4999..5001).err());
    named("block table", reader.blocks(9).err());
    named("zones", reader.zone_map(9).err());
    named("raw", reader.raw_column(9).err());
    named("not salvaged", reader.lost().err());

    std::fs::write(&path, &file[..file.len() - 10]).unwrap();
    let reader = Reader::open(&path).unwrap();
    named("cut rows", reader.rows::<serde_json::Value>().unwrap().find_map(Result::err));
    named("cut batches", reader.batches().unwrap().find_map(Result::err));
    named("cut vectors", reader.vectors().unwrap().find_map(Result::err));
    // Either column is the last.
    let both = trevni::col("id").ne(7) & trevni::col("delay").ne(0.25);
    named("cut matching", reader.filter(both).unwrap().matching().err());
    let threads = Reader::builder().threads(2).open(&path).unwrap();
    named("cut, read ahead", threads.batches().unwrap().find_map(Result::err));
    std::fs::remove_file(path).unwrap();
}
