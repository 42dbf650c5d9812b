//! Objects whose keys keep coming become maps without being told.

use crate::folder::Folder;
use crate::maps::{columns, written};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use trevni::formats::Trevni;
use trevni::merge::Merge;
use trevni::{Dataset, DatasetWriter, Dialect, Reader, Shape, Writer, WriterBuilder, col, from_slice};

/// Two keys of its own in each row.
fn row(n: u64) -> Value {
    json!({"counts": {(format!("user {n}")): n, (format!("user {}", n + 1)): 2}, "id": n})
}

fn map_of(file: &[u8]) -> String {
    Reader::from_slice(file).unwrap().shape().to_string()
}

fn check(builder: WriterBuilder, rows: &[Value]) -> Vec<u8> {
    let file = written(builder, rows).unwrap();
    assert_eq!(from_slice::<Vec<Value>>(&file).unwrap(), rows);
    file
}

#[test]
fn keys_that_keep_coming_are_one_column() {
    let rows: Vec<Value> = (0..5000).map(row).collect();
    for batch_rows in [100, 700, 100_000] {
        let file = check(Writer::builder().batch_rows(batch_rows), &rows);
        assert_eq!(columns(&file), ["counts>", "counts>key", "counts>value", "id"]);
        assert!(file.len() < serde_json::to_vec(&rows).unwrap().len());
    }
    // Few keys stay fields, which have columns.
    let file = check(Writer::builder(), &rows[..900]);
    assert_eq!(columns(&file).len(), 902);
}

#[test]
fn every_format_and_option_takes_them() {
    let rows: Vec<Value> = (0..1200).map(row).collect();
    for batch_rows in [250, 100_000] {
        let builder = || Writer::builder().batch_rows(batch_rows);
        for builder in [builder(), builder().dialect(Dialect::Levels)] {
            let file = check(builder, &rows);
            assert!(map_of(&file).contains("counts: map of"), "{}", map_of(&file));
        }
        check(builder().detect_logical(), &rows);
        check(builder().logical("day", trevni::shape::Logical::Date), &with_days(&rows));
    }
    let file = check(Writer::builder().dialect(Dialect::RedElm).batch_rows(500), &rows[..1010]);
    assert!(map_of(&file).contains("counts: map of"), "{}", map_of(&file));
    check(Writer::builder().format(Trevni::new().compact()).batch_rows(250), &rows);
    check(Writer::builder().memory_limit(1).batch_rows(250), &rows);
    check(Writer::builder().column_codec("id", trevni::Codec::Deflate).batch_rows(250), &rows);
    // What is asked of a key is a reason to keep its column.
    let file = check(Writer::builder().column_codec("counts.`user 5`", trevni::Codec::Deflate), &rows);
    assert!(columns(&file).len() > 1200);
    // Keys that no row has shown are none of them.
    let builder = Writer::builder().column_codec("counts.`nobody`", trevni::Codec::Deflate);
    assert!(written(builder, &rows).unwrap_err().to_string().contains("nobody"));
}

fn with_days(rows: &[Value]) -> Vec<Value> {
    let mut rows = rows.to_vec();
    rows.iter_mut().for_each(|row| row["day"] = json!("2024-02-29"));
    rows
}

#[test]
fn types_of_strings_are_detected_before_and_after() {
    let row = |n: u64| {
        let day = format!("2024-01-{:02}", n % 31 + 1);
        let name = if n < 1100 { day.clone() } else { "no day".to_owned() };
        json!({"day": day, "names": {(n.to_string()): name}, "list": [{"keys": {(format!("k{n}")): day}}]})
    };
    let rows: Vec<Value> = (0..1200).map(row).collect();
    for dialect in [Dialect::Trevni, Dialect::Levels] {
        for batch_rows in [100, 999, 100_000] {
            let builder = Writer::builder().dialect(dialect).detect_logical().batch_rows(batch_rows);
            let file = check(builder, &rows);
            assert_eq!(map_of(&file).matches("map of").count(), 2);
            assert!(map_of(&file).contains("day: date"), "{}", map_of(&file));
        }
    }
}

#[test]
fn they_are_anywhere() {
    let keys = |n: u64| json!({(format!("k{n}")): {"x": n, "y": [n]}, (format!("l{n}")): {"x": 1.5}});
    let places: [fn(Value, u64) -> Value; 6] = [
        |keys, _| keys,
        |keys, n| if n.is_multiple_of(3) { json!({"a": {"b": 1}}) } else { json!({"a": {"b": keys}}) },
        |keys, n| json!([n, [keys, null]]),
        |keys, n| if n.is_multiple_of(2) { json!({"u": n}) } else { json!({"u": keys, "v": "w"}) },
        |keys, n| if n.is_multiple_of(2) { json!("s") } else { json!({"in": {"x": {"y": keys}, "z": []}}) },
        |keys, n| json!({"one": keys.clone(), "two": [{"deep": keys}], "n": n}),
    ];
    for (place, make) in places.into_iter().enumerate() {
        let rows: Vec<Value> = (0..2100).map(|n| make(keys(n), n)).collect();
        for batch_rows in [64, 100_000] {
            let file = check(Writer::builder().batch_rows(batch_rows), &rows);
            assert!(map_of(&file).contains("map of"), "{place}: {}", map_of(&file));
        }
    }
}

#[test]
fn values_of_all_kinds_are_maps_where_fields_end() {
    let value = |n: u64| match n % 5 {
        0 => json!(n),
        1 => json!("text"),
        2 => json!(null),
        3 => json!([n]),
        _ => json!({"x": n}),
    };
    let rows: Vec<Value> = (0..10_500).map(|n| json!({"a": {(n.to_string()): value(n)}})).collect();
    let file = check(Writer::builder().batch_rows(5000), &rows);
    assert!(map_of(&file).contains("map of"), "{}", map_of(&file));
    // Different kinds of values are rather the fields of something.
    let file = check(Writer::builder(), &rows[..3000]);
    assert!(columns(&file).len() > 3000);
}

#[test]
fn one_row_has_more_keys_than_a_record() {
    let open = |from: u64| -> Value { (from..from + 10_001).map(|n| (n.to_string(), json!(n))).collect() };
    for rows in [
        vec![open(0)],
        vec![json!({}), open(0)],
        vec![json!({"a": 1}), open(0), json!({"b": null}), open(20_000)],
        vec![json!({"list": [7, {"users": open(0), "others": open(5)}]}), json!({"list": [{"users": {}}]})],
    ] {
        check(Writer::builder(), &rows);
        check(Writer::builder().batch_rows(1), &rows);
    }
}

/// The row is refused, but what it had made of its keys stays.
#[test]
fn rows_come_after_one_that_was_refused() {
    let keys: Value = (0..10_001).map(|n| (n.to_string(), json!(n))).collect();
    let day = |day: &str, keys: Value| json!({"counts": keys, "day": day});
    for dialect in [Dialect::Trevni, Dialect::Levels] {
        let builder = Writer::builder().dialect(dialect).without_drop_notice().batch_rows(1);
        let mut writer = builder.logical("day", trevni::shape::Logical::Date).build(Vec::new()).unwrap();
        writer.write(&day("2024-02-27", json!({"a": 1}))).unwrap();
        writer.write(&day("tomorrow", keys.clone())).unwrap_err();
        assert!(writer.shape().to_string().contains("map of"));
        writer.write(&day("2024-02-29", json!({"c": 3}))).unwrap();
        let rows = [day("2024-02-27", json!({"a": 1})), day("2024-02-29", json!({"c": 3}))];
        assert_eq!(from_slice::<Vec<Value>>(&writer.finish().unwrap()).unwrap(), rows);
    }
}

#[test]
fn structs_with_flattened_keys() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Row {
        id: u32,
        name: String,
        #[serde(flatten)]
        more: BTreeMap<String, u32>,
    }
    let row = |id: u32| {
        let more = (0..3).map(|key| (format!("{id} {key}"), id)).collect();
        Row { id, name: format!("row {id}"), more }
    };
    let rows: Vec<Row> = (0..4000).map(row).collect();
    let mut writer = Writer::builder().batch_rows(300).build(Vec::new()).unwrap();
    writer.write_all(&rows).unwrap();
    let file = writer.finish().unwrap();
    assert_eq!(from_slice::<Vec<Row>>(&file).unwrap(), rows);
    #[derive(Deserialize)]
    struct Id {
        id: u32,
    }
    let ids = from_slice::<Vec<Id>>(&file).unwrap();
    assert!(ids.iter().map(|row| row.id).eq(0..4000));
}

/// Files of few keys, of many keys, and of many keys in another format.
fn files() -> [Vec<u8>; 3] {
    let rows: Vec<Value> = (0..1500).map(row).collect();
    [
        check(Writer::builder(), &rows[..10]),
        check(Writer::builder().batch_rows(800), &rows[10..1300]),
        check(Writer::builder().dialect(Dialect::Levels), &rows[1300..]),
    ]
}

#[test]
fn files_of_few_keys_and_of_many_are_one() {
    let files = files();
    for order in [&[0, 1, 2][..], &[1, 0, 2], &[2, 0, 1], &[0, 1], &[1, 0], &[2, 0]] {
        let readers: Vec<_> = order.iter().map(|at| Reader::from_slice(&files[*at]).unwrap()).collect();
        let expected: Vec<Value> =
            readers.iter().flat_map(|reader| reader.rows().unwrap()).map(Result::unwrap).collect();
        for dialect in [Dialect::Trevni, Dialect::Levels, Dialect::RedElm] {
            let mut merged = Vec::new();
            Merge::new().dialect(dialect).write(&readers, &mut merged).unwrap();
            assert_eq!(from_slice::<Vec<Value>>(&merged).unwrap(), expected);
            assert!(!map_of(&merged).contains("union"), "{}", map_of(&merged));
        }
    }
}

#[test]
fn a_dataset_of_fields_and_maps_is_one_of_maps() {
    #[derive(Deserialize, PartialEq, Debug)]
    struct Counts {
        counts: BTreeMap<String, u64>,
    }
    let files = files();
    let readers = || -> Vec<_> { files.iter().map(|file| Reader::from_slice(file).unwrap()).collect() };
    let mut merged = Vec::new();
    Merge::new().write(&readers(), &mut merged).unwrap();
    let merged = Reader::from_slice(&merged).unwrap();
    let dataset = Dataset::from_readers(readers()).unwrap();
    assert_eq!(dataset.shape().to_string(), merged.shape().to_string());

    let values = |values: trevni::Result<Vec<Value>>| values.unwrap();
    for paths in [&["counts"][..], &["counts.key"], &["counts.value"], &["id"], &["id", "counts"]] {
        let expected = values(merged.project(paths).unwrap().rows().unwrap().collect());
        let found = values(dataset.project(paths).unwrap().rows().unwrap().collect());
        assert_eq!(found, expected, "{paths:?}");
    }
    let expected: Vec<Counts> = merged.rows().unwrap().map(Result::unwrap).collect();
    let found: Vec<Counts> = dataset.rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(found, expected);
    assert_eq!(dataset.column::<u64>("id").unwrap().len(), 1500);

    let counts = || col("counts");
    for predicate in [
        counts().any(col("value").ge(5)),
        counts().any(col("value").lt(5)),
        counts().any(col("key").eq("user 7")),
        counts().any(col("key").eq("user 7").and(col("value").eq(2))),
        counts().any(col("key").ne("user 7").and(col("value").ne(2))),
        !counts().any(col("value").eq(7)),
        counts().any(col("value").is_null()),
        counts().is_null(),
        counts().any(col("key").starts_with("user 3")).and(col("id").lt(40)),
    ] {
        let expected = merged.filter(predicate.clone()).unwrap().matching().unwrap();
        let found = dataset.filter(predicate.clone()).unwrap().matching().unwrap();
        assert_eq!(found, expected, "{predicate}");
    }
    let error = dataset.filter(col("counts.value").ge(5)).unwrap_err().to_string();
    assert!(error.contains("goes into any"), "{error}");
}

/// Each has fewer keys than make a map, all have more fields than a record.
#[test]
fn files_whose_fields_are_too_many_together_have_maps() {
    let row = |n: u64| json!({"counts": {(format!("user {n}")): n}, "id": n});
    let rows: Vec<Value> = (0..10_800).map(row).collect();
    let files: Vec<Vec<u8>> = rows.chunks(900).map(|rows| trevni::to_vec(rows).unwrap()).collect();
    let readers: Vec<_> = files.iter().map(|file| Reader::from_slice(file).unwrap()).collect();
    let mut merged = Vec::new();
    Merge::new().write(&readers, &mut merged).unwrap();
    assert_eq!(columns(&merged), ["counts>", "counts>key", "counts>value", "id"]);
    assert_eq!(from_slice::<Vec<Value>>(&merged).unwrap(), rows);
    let dataset = Dataset::from_readers(readers).unwrap();
    let found = dataset.filter(col("counts").any(col("key").eq("user 1000"))).unwrap();
    assert_eq!(found.matching().unwrap().row_count(), 1);
}

#[test]
fn keys_have_any_names() {
    let odd = ["", "key", "value", "a.b", "`", "map", "counts", "open", "\0"];
    let row = |n: u64| {
        let own = format!("user {n}");
        json!({"id": n, "counts": {(odd[n as usize % odd.len()]): n, own: 1}})
    };
    let rows: Vec<Value> = (0..1200).map(row).collect();
    let few = check(Writer::builder(), &rows[..20]);
    for builder in [Writer::builder(), Writer::builder().threads(2).batch_rows(64)] {
        let many = check(builder, &rows[20..]);
        assert!(map_of(&many).contains("map of") && !map_of(&few).contains("map of"));
        let readers = || [&few, &many].map(|file| Reader::from_slice(file).unwrap());
        let mut merged = Vec::new();
        Merge::new().write(&readers(), &mut merged).unwrap();
        assert_eq!(from_slice::<Vec<Value>>(&merged).unwrap(), rows);
        let dataset = Dataset::from_readers(readers().to_vec()).unwrap();
        for (at, name) in odd.iter().enumerate() {
            let found = dataset.filter(col("counts").any(col("key").eq(*name))).unwrap().matching().unwrap();
            let expected = (0..1200).filter(|n| n % odd.len() == at).count() as u64;
            assert_eq!(found.row_count(), expected, "{name:?}");
        }
    }
}

#[test]
fn rows_are_appended_to_few_keys() {
    let folder = Folder::new("open-keys");
    for part_rows in [300, 3000] {
        let path = folder.0.join(part_rows.to_string());
        let builder = || DatasetWriter::builder().part_rows(part_rows);
        let rows: Vec<Value> = (0..6000).map(row).collect();
        for (writer, rows) in [(builder().create(&path), &rows[..10]), (builder().append(&path), &rows[10..])]
        {
            let mut writer = writer.unwrap();
            rows.iter().for_each(|row| writer.write(row).unwrap());
            writer.finish().unwrap();
        }
        let dataset = Dataset::open(&path).unwrap();
        let found: Vec<Value> = dataset.rows().unwrap().map(Result::unwrap).collect();
        assert_eq!(found, rows);
    }
}

#[test]
fn a_schema_keeps_what_such_a_map_is() {
    let file = check(Writer::builder(), &(0..1500).map(row).collect::<Vec<_>>());
    let reader = Reader::from_slice(&file).unwrap();
    let text = reader.shape().to_avro();
    assert!(text.contains(r#"{"type":"map","values":"long","serde":"open"}"#), "{text}");
    assert_eq!(Shape::from_avro(&text).unwrap(), *reader.shape());
}
