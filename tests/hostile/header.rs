//! Headers that promise more than the file has.

use super::memory::{MIB, alone, within};
use super::raw::{RawBlock, RawColumn, RawFile, int, pair};
use serde_json::{Value, json};
use trevni::{Category, Error, ErrorKind, Reader};

/// The error of reading all rows.
#[track_caller]
fn fails(file: &[u8], category: Category, text: &str) -> Error {
    let error = within(MIB + 64 * file.len(), || trevni::from_slice::<Vec<Value>>(file)).unwrap_err();
    assert_eq!(error.category(), category, "{error}");
    assert!(error.to_string().contains(text), "{error}");
    error
}

fn ids(rows: u32, stored: &[u8]) -> RawColumn {
    RawColumn::new("id", "int", [RawBlock::plain(rows, stored)])
}

#[test]
fn a_file_built_by_hand_is_read() {
    let _alone = alone();
    let file = RawFile::new(2, [ids(2, &[2, 4])]).bytes();
    assert_eq!(trevni::from_slice::<Vec<Value>>(&file).unwrap(), [json!({"id": 1}), json!({"id": 2})]);
}

#[test]
fn rows_without_columns_are_limited() {
    let _alone = alone();
    let file = RawFile::new(1 << 60, []).bytes();
    fails(&file, Category::Limit, "the number of rows in a file of this size is 1152921504606846976");
    assert_eq!(Reader::from_slice(&file).unwrap().row_count(), 1 << 60);
    assert!(Reader::from_slice(&file).unwrap().batches().is_err());
    let some = RawFile::new(100_000, []).bytes();
    assert_eq!(Reader::from_slice(&some).unwrap().rows::<Value>().unwrap().count(), 100_000);
}

#[test]
fn null_rows_are_limited() {
    let _alone = alone();
    let nulls = |rows: u32| {
        RawFile::new(u64::from(rows), [RawColumn::new("n", "null", [RawBlock::plain(rows, [])])]).bytes()
    };
    let most = nulls(i32::MAX as u32);
    let error = within(1500 * MIB, || trevni::from_slice::<Vec<Value>>(&most)).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Limit { option: "memory", .. }), "{error}");
    // What takes no memory has no limit.
    let column = within(MIB, || Reader::from_slice(&most).unwrap().raw_column(0)).unwrap();
    assert_eq!(column.len(), i32::MAX as usize);
    let error = within(MIB, || Reader::from_slice(&nulls(u32::MAX)).unwrap().blocks(0)).unwrap_err();
    assert_eq!(error.category(), Category::Corrupt, "{error}");
    assert!(error.to_string().contains("is -1, which is impossible"), "{error}");
    let file = nulls(1_000_000);
    let rows = within(MIB, || Reader::from_slice(&file).unwrap().rows::<Value>().unwrap().count());
    assert_eq!(rows, 1_000_000);
}

#[test]
fn counts_above_the_bytes_at_hand_are_refused() {
    let _alone = alone();
    let good = RawFile::new(1, [ids(1, &[2])]);
    let mut file = good.bytes();
    file[12..16].copy_from_slice(&[0xff; 4]);
    let error = fails(&file, Category::Corrupt, "the header is truncated: 38654705655 bytes needed");
    assert_eq!(error.location().offset, Some(12));
    for count in [i64::MAX, 1 << 31, 1000] {
        let file = [good.head(), int(count), good.bytes()].concat();
        fails(&file, Category::Corrupt, "the file's metadata");
    }
    for length in [i64::MAX, i64::MIN, -1, 1 << 31] {
        let file = [good.head(), int(1), int(length), good.bytes()].concat();
        fails(&file, Category::Corrupt, "the file's metadata");
    }
    // As Java has it.
    let negative = [good.head(), int(-5), good.bytes()[17..].to_vec()].concat();
    assert_eq!(trevni::from_slice::<Vec<Value>>(&negative).unwrap(), [json!({"id": 1})]);
}

#[test]
fn columns_that_begin_elsewhere_are_refused() {
    let _alone = alone();
    let start = |start: u64| RawFile::new(1, [RawColumn { start: Some(start), ..ids(1, &[2]) }]).bytes();
    let length = start(0).len() as u64;
    for beyond in [length, length + 1, 1 << 40, u64::MAX - 2, u64::MAX] {
        let error = fails(&start(beyond), Category::Corrupt, "the block table is truncated");
        assert_eq!((error.location().column.as_deref(), error.location().offset), (Some("id"), Some(beyond)));
    }
    for inside in 0..length {
        let file = start(inside);
        let _ = within(MIB, || trevni::from_slice::<Vec<Value>>(&file));
    }
}

#[test]
fn columns_that_share_their_bytes_are_refused() {
    let _alone = alone();
    let values: Vec<u8> = (0..200u8).map(|i| 2 * (i % 60)).collect();
    let mut file = RawFile::new(200, [ids(200, &values), RawColumn::new("again", "int", [])]);
    let end = file.bytes().len() as u64;
    file.columns[1].start = Some(end - 4 - 200 - 16);
    let bytes = file.bytes();
    let error = fails(&bytes, Category::Corrupt, "the columns overlap");
    assert_eq!(error.location().column.as_deref(), Some("again"), "{error}");
    // Each by itself has room in the file.
    for column in ["id", "again"] {
        let reader = Reader::from_slice(&bytes).unwrap();
        assert_eq!(reader.column::<i32>(column).unwrap().len(), 200);
        assert!(reader.rows::<Value>().unwrap().next().unwrap().is_err());
        assert_eq!(reader.column::<i32>(column).unwrap().len(), 200);
    }
}

#[test]
fn contradictions_between_columns_are_refused() {
    let _alone = alone();
    let file = |columns: &[RawColumn]| RawFile::new(0, columns.to_vec()).bytes();
    let column = |name: &str| RawColumn::new(name, "null", []);
    let cases = [
        (vec![column("a").child_of("a")], "no column before it has the name of its parent, \"a\""),
        (vec![column("a").child_of("b"), column("b").array()], "no column before it"),
        (vec![column("a"), column("b").child_of("a")], "the parent \"a\" has no lengths"),
        (vec![column("a").array(), column("b").child_of("a").with("trevni.values", "")], "first values"),
        (vec![RawColumn::new("a", "decimal", [])], "unknown type \"decimal\""),
        (vec![RawColumn { metadata: vec![pair("trevni.name", "a")], ..RawColumn::default() }], "no type"),
    ];
    for (columns, text) in cases {
        let error = fails(&file(&columns), Category::Corrupt, text);
        assert!(error.location().column.is_some(), "{error}");
    }
}

#[test]
fn what_columns_inherit_is_kept_once() {
    let _alone = alone();
    let columns = (0..4000).map(|i| RawColumn::new(&i.to_string(), "null", []));
    let codec = "x".repeat(300_000);
    let file = RawFile::new(0, columns).with("trevni.codec", &codec).bytes();
    let reader = within(20 * MIB, || Reader::from_slice(&file)).unwrap();
    assert_eq!(reader.columns()[3999].codec_name(), codec);
}

#[test]
fn many_columns_of_one_name_are_told_apart_quickly() {
    let _alone = alone();
    let columns = (0..20_000).map(|_| RawColumn::new("same", "null", []));
    let file = RawFile::new(0, columns).bytes();
    let start = std::time::Instant::now();
    let reader = within(64 * MIB, || Reader::from_slice(&file)).unwrap();
    assert!(reader.project(["same_20000"]).is_ok());
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn much_metadata_of_the_file_is_looked_up_quickly() {
    let _alone = alone();
    let columns = (0..5000).map(|i| RawColumn::new(&i.to_string(), "null", []));
    let mut file = RawFile::new(0, columns);
    file.metadata.extend((0..50_000).map(|i| pair(&i.to_string(), "")));
    let bytes = file.bytes();
    let start = std::time::Instant::now();
    let reader = within(64 * MIB, || Reader::from_slice(&bytes)).unwrap();
    assert_eq!((reader.columns().len(), reader.metadata().len()), (5000, 50_000));
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
}

#[test]
fn columns_of_a_file_with_much_metadata_are_read_without_looking_through_it_each_time() {
    let _alone = alone();
    let columns = (0..10_000).map(|i| RawColumn::new(&i.to_string(), "int", [RawBlock::plain(1, int(i))]));
    let mut file = RawFile::new(1, columns);
    file.metadata.extend((0..100_000).map(|i| pair(&i.to_string(), "")));
    let bytes = file.bytes();
    // Ten thousand looks at each of a hundred thousand entries would take a minute in a release build.
    let row: serde_json::Value = Reader::from_slice(&bytes).unwrap().row(0).unwrap();
    assert_eq!((row.as_object().unwrap().len(), &row["9999"]), (10_000, &serde_json::json!(9999)));
}
