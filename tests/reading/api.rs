//! A reader's other promises: threads, names, shapes, single columns, rows that do not fit.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::Cursor;
use trevni::column::ValueType;
use trevni::formats::{TrevniInfo, Version};
use trevni::reader::Nested;
use trevni::{Category, Codec, Dataset, Dialect, ErrorKind, Reader, Seekable, WriterBuilder};

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Row {
    carrier: String,
    distance: Option<f32>,
    stops: Vec<Stop>,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Stop {
    port: String,
    delay: Option<i32>,
}

fn rows() -> Vec<Row> {
    let stop = |i: i32| Stop { port: format!("P{i}"), delay: (i % 2 == 0).then_some(i) };
    let row = |i: i32| Row {
        carrier: ["AA", "B6", "UA"][i as usize % 3].to_owned(),
        distance: (i % 4 != 0).then_some(i as f32),
        stops: (0..i % 3).map(stop).collect(),
    };
    (0..200).map(row).collect()
}

fn file() -> Vec<u8> {
    let builder = WriterBuilder::new().codec(Codec::Deflate).block_size(100).metadata("origin", "nyc");
    let mut writer = builder.column_metadata("distance", "unit", "mile").build(Vec::new()).unwrap();
    writer.write_all(rows()).unwrap();
    writer.finish().unwrap()
}

#[test]
fn threads_share_a_reader() {
    fn shared<T: Send + Sync>(value: T) -> T {
        value
    }
    let bytes = file();
    let reader = shared(Reader::from_slice(&bytes).unwrap());
    let seekable = shared(Reader::new(Seekable::new(Cursor::new(file()))).unwrap());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            for reader in [&reader, &seekable] {
                scope.spawn(move || {
                    for _ in 0..5 {
                        let read: Vec<Row> = reader.rows().unwrap().map(Result::unwrap).collect();
                        assert_eq!(read, rows());
                    }
                });
            }
        }
    });
    assert_eq!(trevni::from_reader::<_, Vec<Row>>(Cursor::new(file())).unwrap(), rows());
}

#[test]
fn columns_tell_whose_they_are() {
    #[derive(Serialize)]
    enum Kind {
        Plain,
        Code(i32),
        At { x: f32 },
    }
    #[derive(Serialize)]
    struct Thing {
        id: i32,
        lists: Vec<Vec<bool>>,
        note: Option<Stop>,
        sizes: std::collections::BTreeMap<String, Option<i64>>,
        kind: Vec<Kind>,
    }
    let note = Some(Stop { port: "P".to_owned(), delay: None });
    let kind = vec![Kind::Plain, Kind::Code(1), Kind::At { x: 0.5 }];
    let sizes = [("a".to_owned(), Some(1))].into();
    let bytes = trevni::to_vec([Thing { id: 1, lists: vec![vec![true]], note, sizes, kind }]).unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    let found: Vec<(&str, bool, bool)> = reader
        .columns()
        .iter()
        .map(|column| (column.path().unwrap(), column.is_array(), column.is_optional()))
        .collect();
    let expected = [
        ("id", false, false),
        ("lists", true, false),
        ("lists", true, false),
        ("note", true, true),
        ("note.port", false, false),
        ("note.delay", false, false),
        ("sizes", true, false),
        ("sizes.key", false, false),
        ("sizes.value", true, true),
        ("kind", true, false),
        ("kind.Kind", true, true),
        ("kind.Code", true, true),
        ("kind.Code._0", false, false),
        ("kind.At", true, true),
        ("kind.At.x", false, false),
    ];
    assert_eq!(found, expected);
    for column in reader.columns() {
        reader.project([column.path().unwrap()]).unwrap();
    }
    let untyped = reader.untyped().unwrap();
    let paths: Vec<Option<&str>> = untyped.columns().iter().map(|column| column.path()).collect();
    assert_eq!(paths[..3], [Some("id"), Some("`lists[]`"), Some("`lists[]`.`[]`")]);
    assert!(untyped.columns().iter().all(|column| !column.is_optional()));
}

#[test]
fn a_file_tells_what_it_is() {
    let bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap();
    assert_eq!(
        (reader.row_count(), reader.info::<TrevniInfo>().unwrap().version, reader.dialect()),
        (200, Version::V2, Dialect::Trevni)
    );
    assert_eq!(reader.metadata().get_str("origin"), Some("nyc"));
    assert!(reader.metadata().contains("avro.schema"));
    let columns: Vec<_> =
        reader.columns().iter().map(|c| (c.name(), c.value_type(), c.is_array(), c.parent())).collect();
    assert_eq!(
        columns,
        [
            ("carrier", ValueType::String, false, None),
            ("distance/float", ValueType::Float, true, None),
            ("stops[]", ValueType::Null, true, None),
            ("stops[]#port", ValueType::String, false, Some("stops[]")),
            ("stops[]#delay/int", ValueType::Int, true, Some("stops[]")),
        ]
    );
    let distance = &reader.columns()[1];
    assert_eq!((distance.codec_name(), distance.checksum_name()), ("deflate", "crc32"));
    assert_eq!(distance.metadata().get_str("unit"), Some("mile"));
    let text = reader.shape().to_string();
    for part in ["carrier", "distance", "stops", "port", "delay"] {
        assert!(text.contains(part), "{text}");
    }
    let projected = reader.project(["stops.port"]).unwrap();
    assert!(!projected.shape().to_string().contains("carrier"));
    assert_eq!((projected.columns().len(), projected.row_count()), (5, 200));
}

#[test]
fn columns_are_vectors() {
    let bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap();
    let rows = rows();
    let carriers: Vec<String> = rows.iter().map(|row| row.carrier.clone()).collect();
    assert_eq!(reader.column::<String>("carrier").unwrap(), carriers);
    let distances: Vec<Option<f32>> = rows.iter().map(|row| row.distance).collect();
    assert_eq!(reader.column::<Option<f32>>("distance").unwrap(), distances);
    let delays = reader.column::<Nested<Option<i32>>>("stops.delay").unwrap();
    assert_eq!(delays.lengths, [rows.iter().map(|row| row.stops.len() as u32).collect::<Vec<_>>()]);
    let all: Vec<_> = rows.iter().flat_map(|row| row.stops.iter().map(|stop| stop.delay)).collect();
    assert_eq!(delays.values, all);
    for (error, text) in [
        (reader.column::<f32>("distance").unwrap_err(), "use Option"),
        (reader.column::<i32>("carrier").unwrap_err(), "\"carrier\" is string, not i32"),
        (reader.column::<String>("stops.port").unwrap_err(), "use Nested"),
        (reader.column::<String>("stops").unwrap_err(), "record"),
    ] {
        assert_eq!(error.category(), Category::Misuse);
        assert!(error.to_string().contains(text), "{error}");
    }
}

#[test]
fn a_wrong_path_gets_a_hint() {
    let bytes = file();
    let reader = Reader::from_slice(&bytes).unwrap();
    for (path, text) in [
        ("carier", "no field \"carier\"; did you mean \"carrier\"?"),
        ("stops.prt", "no field \"stops.prt\"; did you mean \"stops.port\"?"),
        ("temperature", "there are carrier, distance, stops"),
        ("carrier.name", "no field \"carrier.name\""),
        ("stops[]", "no field \"`stops[]`\"; did you mean \"stops\"?"),
    ] {
        let error = reader.project([path]).map(drop).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::NoSuchPath { .. }), "{error}");
        assert_eq!(error.category(), Category::Misuse);
        assert!(error.to_string().contains(text), "{error}");
        assert!(reader.column::<String>(path).is_err());
    }
}

#[test]
fn rows_go_on_after_one_that_does_not_fit() {
    #[derive(Serialize)]
    struct Wide {
        n: i64,
        inner: Vec<i32>,
    }
    #[derive(Deserialize, Debug, PartialEq)]
    struct Narrow {
        n: u8,
        inner: Vec<i8>,
    }
    let wide = |n: i64, inner: &[i32]| Wide { n, inner: inner.to_vec() };
    let bytes =
        trevni::to_vec([wide(1, &[1]), wide(-1, &[]), wide(300, &[]), wide(4, &[1, 1000]), wide(5, &[])])
            .unwrap();
    let results: Vec<_> = Reader::from_slice(&bytes).unwrap().rows::<Narrow>().unwrap().collect();
    assert_eq!(results.len(), 5);
    assert_eq!(*results[0].as_ref().unwrap(), Narrow { n: 1, inner: vec![1] });
    assert_eq!(*results[4].as_ref().unwrap(), Narrow { n: 5, inner: vec![] });
    for (row, path) in [(1, "n"), (2, "n"), (3, "inner[1]")] {
        let error = results[row].as_ref().unwrap_err();
        assert_eq!(error.category(), Category::Shape);
        assert_eq!(
            (error.location().row, error.location().path.as_str()),
            (Some(row as u64), path),
            "{error}"
        );
    }
    assert!(trevni::from_slice::<Vec<Narrow>>(&bytes).is_err());
}

#[test]
fn rows_end_once() {
    let bytes = file();
    let mut rows = Reader::from_slice(&bytes).unwrap().rows::<Value>().unwrap();
    assert_eq!(rows.by_ref().count(), 200);
    assert!(rows.next().is_none() && rows.next().is_none());
}

#[test]
fn what_is_being_read_and_written_has_a_short_debug_form() {
    let file = trevni::to_vec([1, 2, 3]).unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    let mut rows = reader.rows::<i32>().unwrap();
    rows.next();
    assert_eq!(format!("{rows:?}"), "Rows { rows_left: Some(2), .. }");
    let mut batches = reader.batches().unwrap();
    assert_eq!(format!("{batches:?}"), "Batches { rows_left: 3, .. }");
    let batch = batches.next().unwrap().unwrap();
    assert_eq!(format!("{:?}", batch.rows::<i32>()), "BatchRows { rows_left: 3, .. }");
    assert_eq!(format!("{:?}", reader.vectors().unwrap()), "Vectors { rows_left: 3, .. }");
    let dataset = Dataset::from_readers(vec![reader]).unwrap();
    assert_eq!(format!("{:?}", dataset.rows::<i32>().unwrap()), "DatasetRows { part: 0, .. }");
    assert_eq!(format!("{:?}", dataset.batches().unwrap()), "DatasetBatches { part: 0, .. }");
    let writer = WriterBuilder::new().without_drop_notice().build(Vec::new()).unwrap();
    assert_eq!(format!("{writer:?}"), "Writer { rows: 0, .. }");
}
