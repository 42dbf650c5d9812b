//! All ways to read give the rows of a Trevni file.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use trevni::formats::{Layout, Levels};
use trevni::{Codec, Dialect, Reader, Result, Seekable, Writer, WriterBuilder, col};

fn row(number: u32) -> Value {
    json!({
        "id": number,
        "name": if number.is_multiple_of(5) { Value::Null } else { json!(format!("name {}", number / 7)) },
        "list": (0..number % 4).map(|n| json!({"key": n, "values": vec![number; (n + number % 2) as usize]})).collect::<Vec<_>>(),
        "inner": {"flag": number.is_multiple_of(2), "half": f64::from(number) / 2.0},
        "tags": (0..number % 3).map(|n| format!("tag {n}")).collect::<Vec<_>>(),
    })
}

fn write(options: WriterBuilder) -> Vec<u8> {
    let mut writer = options.block_size(300).build(Vec::new()).unwrap();
    writer.write_all((0..3000).map(row)).unwrap();
    writer.finish().unwrap()
}

fn files() -> Vec<Vec<u8>> {
    let levels = || Writer::builder().dialect(Dialect::Levels);
    vec![
        write(levels()),
        write(levels().format(Levels::new().layout(Layout::ValuesFirst)).codec(Codec::Null)),
        write(levels().without_zone_maps().codec(Codec::Gzip)),
        write(levels().threads(2)),
    ]
}

#[test]
fn rows_batches_columns_and_single_rows_are_the_same() {
    let trevni = write(Writer::builder());
    let trevni = Reader::from_slice(&trevni).unwrap();
    for file in files() {
        let reader = Reader::from_slice(&file).unwrap();
        let expected: Vec<Value> = (0..3000).map(row).collect();
        assert_eq!(reader.rows::<Value>().unwrap().collect::<Result<Vec<_>>>().unwrap(), expected);
        assert_eq!(reader.shape(), trevni.shape());
        let vectors = |reader: &Reader<'_>| -> Vec<_> {
            reader.batches().unwrap().map(|batch| batch.unwrap().into_parts().1).collect()
        };
        assert_eq!(vectors(&reader), vectors(&trevni));
        for number in [2999, 0, 1500, 1501, 7, 2998] {
            assert_eq!(reader.row::<Value>(number).unwrap(), row(number as u32));
        }
        assert_eq!(reader.column::<f64>("inner.half").unwrap(), trevni.column::<f64>("inner.half").unwrap());
        assert_eq!(
            reader.column::<Option<String>>("name").unwrap(),
            trevni.column::<Option<String>>("name").unwrap()
        );
    }
}

#[test]
fn other_sources_and_threads_give_the_same_rows() {
    for file in files() {
        let expected: Vec<Value> = (0..3000).map(row).collect();
        let source = Seekable::new(std::io::Cursor::new(file.clone()));
        let reader = Reader::new(source).unwrap();
        assert_eq!(reader.rows::<Value>().unwrap().collect::<Result<Vec<_>>>().unwrap(), expected);
        let reader = Reader::builder().threads(3).shared(file).unwrap();
        assert_eq!(reader.rows::<Value>().unwrap().collect::<Result<Vec<_>>>().unwrap(), expected);
    }
}

/// Asks for the second field of rows that have it late.
#[derive(Deserialize, Serialize, PartialEq, Debug)]
struct Few {
    inner: Inner,
    list: Vec<Key>,
}

#[derive(Deserialize, Serialize, PartialEq, Debug)]
struct Inner {
    flag: bool,
}

#[derive(Deserialize, Serialize, PartialEq, Debug)]
struct Key {
    key: u32,
}

#[test]
fn fewer_fields_of_some_rows_are_the_same() {
    let trevni = write(Writer::builder());
    let trevni = Reader::from_slice(&trevni).unwrap();
    for file in files() {
        let reader = Reader::from_slice(&file).unwrap();
        let few = |reader: &Reader<'_>| reader.rows::<Few>().unwrap().collect::<Result<Vec<_>>>().unwrap();
        assert_eq!(few(&reader), few(&trevni));
        let selected = [0..3, 100..101, 900..1700, 2999..3000];
        let some = |reader: &Reader<'_>| few(&reader.select(selected.clone()).unwrap());
        assert_eq!(some(&reader), some(&trevni));
        let part = |reader: &Reader<'_>| {
            let reader = reader.project(["list.values", "inner.half", "tags"]).unwrap();
            reader.rows::<Value>().unwrap().collect::<Result<Vec<_>>>().unwrap()
        };
        assert_eq!(part(&reader), part(&trevni));
    }
}

#[test]
fn filters_give_the_same_rows_and_skip_blocks() {
    let trevni = write(Writer::builder());
    let trevni = Reader::from_slice(&trevni).unwrap();
    for file in files() {
        let reader = Reader::from_slice(&file).unwrap();
        for filter in [
            col("id").lt(100),
            col("id").ge(2900).and(col("name").eq("name 420")),
            col("name").is_null(),
            col("inner.half").gt(1400.0).or(col("id").eq(5)),
            col("inner.flag").eq(true).and(col("tags").any(col("").eq("tag 1"))),
            col("list").any(col("key").eq(2)),
        ] {
            let rows = |reader: &Reader<'_>| {
                let reader = reader.filter(filter.clone()).unwrap();
                reader.rows::<Value>().unwrap().collect::<Result<Vec<_>>>().unwrap()
            };
            let found = rows(&reader);
            assert_eq!(found, rows(&trevni), "{filter}");
            assert!(!found.is_empty());
        }
        // What the filter itself reads; without a zone map that is all of its column.
        let explained = reader.filter(col("id").lt(100)).unwrap().explain().unwrap();
        let own = explained.columns.iter().find(|column| column.predicate).unwrap();
        let id = reader.columns().iter().position(|column| column.name() == "id").unwrap();
        assert_eq!(own.blocks_read < own.blocks, reader.zone_map(id).unwrap().is_some(), "{explained}");
    }
}
