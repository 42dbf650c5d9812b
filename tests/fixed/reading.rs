//! All ways to read rows of fixed integers.

use crate::check::check;
use crate::row::{Part, Row, rows};
use crate::{fixed, plain, write};
use serde::Deserialize;
use serde_json::Value;
use trevni::formats::{Trevni, Version};
use trevni::reader::Nested;
use trevni::{Reader, Result, WriterBuilder};

/// Ways to write.
fn builders() -> Vec<WriterBuilder> {
    let small = || fixed().block_size(200).batch_rows(50);
    vec![
        fixed(),
        small(),
        small().format(Trevni::new().version(Version::V1)),
        fixed().codec(trevni::Codec::Deflate).threads(3),
        small().memory_limit(1000),
    ]
}

#[test]
fn rows_are_the_same() {
    let rows = rows(2500);
    let json: Vec<Value> = trevni::from_slice(&write(plain(), &rows)).unwrap();
    for builder in builders() {
        let bytes = write(builder, &rows);
        assert_eq!(trevni::from_slice::<Vec<Row>>(&bytes).unwrap(), rows);
        assert_eq!(trevni::from_slice::<Vec<Value>>(&bytes).unwrap(), json);
        let reader = Reader::from_slice(&bytes).unwrap();
        assert_eq!(reader.rows::<Row>().unwrap().collect::<Result<Vec<_>>>().unwrap(), rows);
        let batches = reader.batches().unwrap().map(Result::unwrap);
        let read = batches.flat_map(|batch| batch.rows::<Row>().map(Result::unwrap).collect::<Vec<_>>());
        assert_eq!(read.collect::<Vec<_>>(), rows);
        let threads = Reader::builder().threads(2).source(&bytes[..]).unwrap();
        assert_eq!(threads.rows::<Row>().unwrap().collect::<Result<Vec<_>>>().unwrap(), rows);
        for number in [0, 1, 700, 2499] {
            assert_eq!(reader.row::<Row>(number).unwrap(), rows[number as usize]);
        }
        let some = reader.select([3..5, 800..1200, 2499..2500]).unwrap();
        let picked = [&rows[3..5], &rows[800..1200], &rows[2499..]].concat();
        assert_eq!(some.rows::<Row>().unwrap().collect::<Result<Vec<_>>>().unwrap(), picked);
        assert_eq!(some.rows::<Value>().unwrap().count(), picked.len());
    }
}

#[test]
fn columns_are_the_same() {
    let rows = rows(2500);
    for builder in builders() {
        let bytes = write(builder, &rows);
        check(&bytes);
        let reader = Reader::from_slice(&bytes).unwrap();
        let each = |field: fn(&Row) -> i64| rows.iter().map(field).collect::<Vec<_>>();
        assert_eq!(reader.column::<i64>("time").unwrap(), each(|row| row.time));
        assert_eq!(reader.column::<i64>("rank").unwrap(), each(|row| row.rank.into()));
        assert_eq!(
            reader.column::<u64>("hash").unwrap(),
            rows.iter().map(|row| row.hash).collect::<Vec<_>>()
        );
        assert_eq!(
            reader.column::<i32>("rank").unwrap(),
            rows.iter().map(|row| row.rank).collect::<Vec<_>>()
        );
        let maybe: Vec<Option<i64>> = rows.iter().map(|row| row.maybe).collect();
        assert_eq!(reader.column::<Option<i64>>("maybe").unwrap(), maybe);
        let list = reader.column::<Nested<i32>>("list").unwrap();
        assert_eq!(list.values, rows.iter().flat_map(|row| row.list.clone()).collect::<Vec<_>>());
        assert_eq!(list.lengths, [rows.iter().map(|row| row.list.len() as u32).collect::<Vec<_>>()]);
        let parts = || rows.iter().flat_map(|row| &row.parts);
        let ids = reader.column::<Nested<u64>>("parts.id").unwrap();
        assert_eq!(ids.values, parts().map(|part| part.id).collect::<Vec<_>>());
        let sizes = reader.column::<Nested<Option<i32>>>("parts.size").unwrap();
        assert_eq!(sizes.values, parts().map(|part| part.size).collect::<Vec<_>>());
        // Integers that do not fit.
        assert!(reader.column::<i32>("time").is_err() && reader.column::<i64>("hash").is_err());
    }
}

#[test]
fn some_fields_are_the_same() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Some {
        parts: Vec<Part>,
        rank: i64,
    }
    let rows = rows(1000);
    let some: Vec<Some> =
        rows.iter().map(|row| Some { parts: row.parts.clone(), rank: row.rank.into() }).collect();
    for builder in builders() {
        assert_eq!(trevni::from_slice::<Vec<Some>>(&write(builder, &rows)).unwrap(), some);
    }
}

#[test]
fn without_a_schema_the_columns_say_what_they_are() {
    let rows = rows(100);
    let read = |builder: WriterBuilder| {
        let bytes = write(builder.block_size(40), &rows);
        let untyped = Reader::from_slice(&bytes).unwrap().untyped().unwrap();
        untyped.rows::<Value>().unwrap().collect::<Result<Vec<_>>>().unwrap()
    };
    assert_eq!(read(fixed()), read(plain()));
}
