//! Some rows of all parts.

use super::{Folder, all, assert_contains, in_memory};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use trevni::reader::Nested;
use trevni::{Category, DatasetWriter, Predicate, Reader, RowSelection, Writer, WriterBuilder, col, item};

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Row {
    id: u64,
    site: String,
    celsius: Option<f32>,
    tags: Vec<u8>,
}

fn rows(count: u64) -> Vec<Row> {
    let row = |id: u64| Row {
        id,
        site: ["north", "south", "west"][(id / 100) as usize % 3].to_owned(),
        celsius: (!id.is_multiple_of(5)).then_some((id % 60) as f32 / 2.0),
        tags: (0..id % 3).map(|tag| (tag + id / 200) as u8).collect(),
    };
    (0..count).map(row).collect()
}

fn file(rows: &[Row]) -> Vec<u8> {
    let mut writer = WriterBuilder::new().block_size(500).build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}

type Holds = fn(&Row) -> bool;

fn predicates() -> Vec<(Predicate, Holds)> {
    vec![
        (col("id").between(150, 420), |row| (150..=420).contains(&row.id)),
        (col("site").eq("south") & col("celsius").gt(20), |row| {
            row.site == "south" && row.celsius.is_some_and(|celsius| celsius > 20.0)
        }),
        (col("celsius").is_null() | col("id").lt(3), |row| row.celsius.is_none() || row.id < 3),
        (col("tags").any(item().eq(4)), |row| row.tags.contains(&4)),
        (!col("site").starts_with("n"), |row| !row.site.starts_with('n')),
        (col("id").gt(5000), |_| false),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn parts_are_filtered_and_selected_as_one(
        cuts in prop::collection::vec(0usize..1000, 0..5),
        ranges in prop::collection::vec((0u64..1000, 1u64..400), 1..4),
    ) {
        let rows = rows(1000);
        let mut cuts = cuts;
        cuts.extend([0, 1000]);
        cuts.sort_unstable();
        let files: Vec<Vec<u8>> = cuts.windows(2).map(|pair| file(&rows[pair[0]..pair[1]])).collect();
        let dataset = in_memory(&files).unwrap();
        let selection: RowSelection =
            ranges.iter().map(|(start, len)| *start..(start + len).min(1000)).collect();
        for (predicate, holds) in predicates() {
            let filtered = dataset.filter(predicate).unwrap();
            let expected: Vec<Row> = rows.iter().filter(|row| holds(row)).cloned().collect();
            prop_assert_eq!(all::<Row>(&filtered).unwrap(), expected.clone());
            let numbers: RowSelection = expected.iter().map(|row| row.id).collect();
            prop_assert_eq!(filtered.matching().unwrap(), numbers.clone());
            prop_assert_eq!(filtered.explain().unwrap().matching, numbers.row_count());
            let selected = filtered.select(selection.clone()).unwrap();
            let both = numbers.intersection(&selection);
            let ids: Vec<u64> = both.ranges().iter().cloned().flatten().collect();
            prop_assert_eq!(selected.column::<u64>("id").unwrap(), ids);
            prop_assert_eq!(selected.matching().unwrap(), both);
            let tags = filtered.column::<Nested<u8>>("tags").unwrap();
            prop_assert_eq!(tags.values, expected.iter().flat_map(|row| row.tags.clone()).collect::<Vec<_>>());
        }
    }
}

#[test]
fn parts_that_cannot_match_are_not_read() {
    let folder = Folder::new("filter-parts");
    let mut writer = DatasetWriter::builder().part_rows(100).create(&folder.0).unwrap();
    writer.write_all(rows(1000)).unwrap();
    assert_eq!(writer.finish().unwrap().len(), 10);
    let dataset = folder.open().filter(col("id").is_in([250, 770])).unwrap();
    let explain = dataset.explain().unwrap();
    assert_eq!((explain.files, explain.files_read, explain.matching), (10, 2, 2));
    assert!(
        explain.to_string().starts_with("files: 10, 2 may have rows that match\nrows: 1000, "),
        "{explain}"
    );
    assert_eq!(all::<Row>(&dataset).unwrap().iter().map(|row| row.id).collect::<Vec<_>>(), [250, 770]);
}

/// Files of rows that are not alike.
fn unlike(parts: &[&[Value]]) -> Vec<Vec<u8>> {
    parts.iter().map(|rows| trevni::to_vec(*rows).unwrap()).collect()
}

#[test]
fn a_field_that_a_part_lacks_is_missing_there() {
    let files = unlike(&[
        &[json!({"id": 1}), json!({"id": 2})],
        &[json!({"id": 3, "wind": 4.5}), json!({"id": 4, "wind": 9.0})],
    ]);
    let dataset = in_memory(&files).unwrap().optional(["wind"]).unwrap();
    let ids = |predicate: Predicate| -> Vec<u64> {
        dataset.filter(predicate).unwrap().column::<u64>("id").unwrap()
    };
    assert_eq!(ids(col("wind").gt(5)), [4]);
    assert_eq!(ids(!col("wind").gt(5)), [3]);
    assert_eq!(ids(col("wind").is_null()), [1, 2]);
    assert_eq!(ids(col("wind").is_null() | col("wind").lt(5)), [1, 2, 3]);
    let winds = dataset.filter(col("id").gt(1)).unwrap().column::<Option<f64>>("wind").unwrap();
    assert_eq!(winds, [None, Some(4.5), Some(9.0)]);
    let error = dataset.filter(col("wing").gt(5)).unwrap_err();
    assert_contains(&error, &["wing", "did you mean \"wind\"?"]);
    // Of fields that are not read, too.
    let rows: Vec<Value> = all(&dataset.project(["id"]).unwrap().filter(col("wind").gt(5)).unwrap()).unwrap();
    assert_eq!(rows, [json!({"id": 4})]);
}

#[test]
fn numbers_of_different_types_are_compared_in_each_part() {
    let files = unlike(&[&[json!({"x": 1}), json!({"x": 7})], &[json!({"x": 2.5}), json!({"x": 7.5})]]);
    let dataset = in_memory(&files).unwrap().filter(col("x").between(2, 7)).unwrap();
    assert_eq!(dataset.column::<f64>("x").unwrap(), [7.0, 2.5]);
}

#[test]
fn what_cannot_be_is_said_at_once() {
    let rows = rows(300);
    let files = [file(&rows[..200]), file(&rows[200..])];
    let dataset = in_memory(&files).unwrap();
    let error = dataset.filter(col("site").gt(5)).unwrap_err();
    assert_eq!(error.category(), Category::Misuse);
    assert_contains(&error, &["site is string, which cannot be compared with 5"]);
    let error = dataset.select(299..301).unwrap_err();
    assert_contains(&error, &["no row 300"]);
    // A long in one part is a variant of a union in the other.
    let files = unlike(&[&[json!({"x": 1})], &[json!({"x": 2}), json!({"x": "two"})]]);
    let found = |predicate| all::<Value>(&in_memory(&files).unwrap().filter(predicate).unwrap()).unwrap();
    assert_eq!(found(col("x.string").eq("two")), [json!({"x": "two"})]);
    assert_eq!(found(col("x.long").ge(1)), [json!({"x": 1}), json!({"x": 2})]);
    let error = in_memory(&files).unwrap().filter(col("x").eq(1)).unwrap_err();
    assert_contains(&error, &["x is union", "name one of its variants (long, string)"]);
}

#[test]
fn parts_of_one_size_do_not_depend_on_threads() {
    let rows = rows(60_000);
    let sizes = |threads: usize| -> Vec<u64> {
        let folder = Folder::new(&format!("threads-{threads}"));
        let options = Writer::builder().threads(threads).block_size(2000);
        let mut writer =
            DatasetWriter::builder().part_bytes(60_000).writer(options).create(&folder.0).unwrap();
        writer.write_all(&rows).unwrap();
        writer.finish().unwrap().iter().map(|path| Reader::open(path).unwrap().row_count()).collect()
    };
    let alone = sizes(1);
    assert!(alone.len() > 2, "{alone:?}");
    assert_eq!(sizes(3), alone);
}
