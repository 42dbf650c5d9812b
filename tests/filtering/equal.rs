//! The rows of a filter are those of a full read that the predicate holds for.

use super::rows::{Kind, Row, rows, written};
use super::threes::predicates;
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value;
use std::sync::LazyLock;
use trevni::reader::Nested;
use trevni::{Codec, Reader, RowSelection, WriterBuilder, col, item};

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| rows(3000));

/// Files whose blocks are of some bytes, of some hundred, and larger than the columns.
static FILES: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let builder = |codec, size| WriterBuilder::new().codec(codec).block_size(size);
    vec![
        written(&ROWS, builder(Codec::Null, 100)),
        written(&ROWS, builder(Codec::Snappy, 1200)),
        written(&ROWS, builder(Codec::Deflate, 50_000)),
        written(&ROWS, builder(Codec::Typed, 900)),
        written(&ROWS, builder(Codec::TypedZstandard, 50_000)),
    ]
});

/// Rows as text: NaN is equal to nothing.
fn shown(row: &Row) -> String {
    format!("{row:?}")
}

#[derive(Debug, Deserialize, PartialEq)]
struct Part {
    tags: Vec<String>,
    id: u64,
    kind: Kind,
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn a_filter_is_a_full_read_and_a_filter(
        both in predicates(),
        file in 0usize..5,
        select in prop::option::of((0u64..3000, 1u64..2000)),
    ) {
        let mut reader = Reader::from_slice(&FILES[file]).unwrap().filter(both.predicate.clone()).unwrap();
        let range = select.map_or(0..3000, |(start, len)| start..(start + len).min(3000));
        if select.is_some() {
            reader = reader.select(range.clone()).unwrap();
        }
        let holds = |number: &u64| (both.meaning)(&ROWS[*number as usize]) == Some(true);
        let numbers: Vec<u64> = range.filter(holds).collect();
        let expected: Vec<&Row> = numbers.iter().map(|number| &ROWS[*number as usize]).collect();

        let read: Vec<Row> = reader.rows().unwrap().collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(
            read.iter().map(shown).collect::<Vec<_>>(),
            expected.iter().map(|row| shown(row)).collect::<Vec<_>>()
        );
        let parts: Vec<Part> = reader.rows().unwrap().collect::<Result<_, _>>().unwrap();
        let part = |row: &&Row| Part { tags: row.tags.clone(), id: row.id, kind: row.kind };
        prop_assert_eq!(parts, expected.iter().map(part).collect::<Vec<_>>());
        prop_assert_eq!(reader.matching_count().unwrap(), numbers.len() as u64);
        prop_assert_eq!(reader.matching().unwrap(), RowSelection::from_iter(numbers.clone()));
        let ids: Vec<u64> = expected.iter().map(|row| row.id).collect();
        prop_assert_eq!(reader.column::<u64>("id").unwrap(), ids);
        let dates = reader.column::<Nested<i64>>("hops.date").unwrap();
        let expected_dates: Vec<i64> =
            expected.iter().flat_map(|row| row.hops.iter().map(|hop| hop.date)).collect();
        prop_assert_eq!(dates.values, expected_dates);
        let batches = reader.batches().unwrap().map(Result::unwrap);
        let of_batches: Vec<u64> =
            batches.flat_map(|batch| batch.selection().ranges().to_vec()).flatten().collect();
        prop_assert_eq!(of_batches, numbers);
    }
}

#[test]
fn filters_follow_each_other() {
    let reader = Reader::from_slice(&FILES[1]).unwrap();
    let reader = reader.filter(col("good").eq(true)).unwrap().filter(col("kind").eq("News")).unwrap();
    let expected = ROWS.iter().filter(|row| row.good && row.kind == Kind::News).count();
    assert!(expected > 0);
    assert_eq!(reader.rows::<Row>().unwrap().count(), expected);
}

#[test]
fn a_filter_may_name_fields_that_are_not_read() {
    let reader = Reader::from_slice(&FILES[1]).unwrap().project(["carrier"]).unwrap();
    let reader = reader.filter(col("tags").any(item().eq("tag3"))).unwrap();
    let rows: Vec<Value> = reader.rows().unwrap().map(Result::unwrap).collect();
    let tagged = ROWS.iter().filter(|row| row.tags.iter().any(|tag| tag == "tag3"));
    let expected: Vec<Value> = tagged.map(|row| serde_json::json!({"carrier": row.carrier})).collect();
    assert_eq!(rows, expected);
}

#[test]
fn from_the_middle_on_rows_of_all_kinds_of_types() {
    let reader = Reader::from_slice(&FILES[0]).unwrap().filter(col("id").is_in([1005, 2500, 3999])).unwrap();
    let ids = |row: Result<Value, trevni::Error>| row.unwrap()["id"].as_u64().unwrap();
    assert_eq!(reader.rows::<Value>().unwrap().map(ids).collect::<Vec<_>>(), [1005, 2500, 3999]);
    assert_eq!(
        reader.untyped().unwrap().rows::<Value>().unwrap().map(ids).collect::<Vec<_>>(),
        [1005, 2500, 3999]
    );
    let (least, most) = reader.rows::<Row>().unwrap().size_hint();
    assert!(least == 0 && (3..1000).contains(&most.unwrap()), "{most:?}");
}
