//! What a filter costs: blocks that cannot hold a row are not read, and none is read twice.

use super::rows::{Row, rows, written};
use super::sources::Counting;
use serde::Deserialize;
use trevni::reader::Explain;
use trevni::{Codec, Predicate, Reader, WriterBuilder, col, item};

#[derive(Debug, Deserialize, PartialEq)]
struct Flat {
    id: u64,
    size: i32,
    delay: Option<f32>,
    carrier: String,
    good: bool,
}

const PATHS: [&str; 5] = ["id", "size", "delay", "carrier", "good"];

fn builder() -> WriterBuilder {
    WriterBuilder::new().codec(Codec::Null).block_size(200)
}

/// Filters and reads flat fields; returns the rows, what `explain` says, and the bytes asked for beside
/// header and tables.
fn cost(builder: WriterBuilder, predicate: Predicate) -> (Vec<Flat>, Explain, u64) {
    let source = Counting::new(written(&rows(3000), builder));
    let reader = Reader::new(&source).unwrap().project(PATHS).unwrap();
    for column in 0..reader.columns().len() {
        reader.blocks(column).unwrap();
    }
    let filtered = reader.filter(predicate).unwrap();
    source.take();
    let rows = filtered.rows().unwrap().collect::<Result<_, _>>().unwrap();
    let bytes = source.take();
    (rows, filtered.explain().unwrap(), bytes)
}

#[test]
fn zone_maps_leave_one_block_of_each_column() {
    let (rows, explain, bytes) = cost(builder(), col("id").eq(2500));
    assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), [2500]);
    assert_eq!((explain.rows, explain.matching, explain.columns.len()), (3000, 1, 5));
    assert!(explain.candidates <= 150, "{explain}");
    assert!(explain.columns.iter().all(|column| column.blocks_read == 1), "{explain}");
    assert_eq!(bytes, explain.bytes_read(), "{explain}");
    assert!(bytes * 20 < explain.bytes_skipped(), "{explain}");
}

#[test]
fn without_zone_maps_the_predicate_is_read_and_then_little_else() {
    let (rows, explain, bytes) = cost(builder().without_zone_maps(), col("id").eq(2500));
    assert_eq!(rows.len(), 1);
    assert_eq!(explain.candidates, 3000);
    for column in &explain.columns {
        let all = column.name == "id";
        assert_eq!(column.predicate, all);
        assert_eq!(column.blocks_read, if all { column.blocks } else { 1 }, "{explain}");
    }
    // Blocks that follow each other are read ahead of need.
    assert!(bytes <= explain.bytes_read() * 11 / 10, "{bytes} bytes; {explain}");
}

#[test]
fn a_value_that_is_nowhere_costs_nothing() {
    for predicate in [
        col("id").lt(1000),
        col("carrier").eq("ZZ"),
        col("delay").gt(10.0) & col("good").eq(true),
        col("hops").any(col("host").starts_with("nohost")),
        col("tags").any(item().eq("tag99")),
        col("size").is_in([-501, 510, 100_000]),
    ] {
        let (rows, explain, bytes) = cost(builder(), predicate.clone());
        assert!(rows.is_empty());
        assert_eq!((explain.candidates, explain.bytes_read(), bytes), (0, 0, 0), "{predicate}: {explain}");
    }
}

#[test]
fn what_zone_maps_prove_is_not_evaluated() {
    let (rows, explain, bytes) = cost(builder(), col("big").ge(0u64) & col("hops").is_not_null());
    assert_eq!(rows.len(), 3000);
    // A list that is no option is never null, so only the other comparison has a column.
    let compared: Vec<_> = explain.columns.iter().filter(|column| column.predicate).collect();
    assert!(matches!(compared[..], [big] if big.name == "big"), "{explain}");
    // Bounds of both signs say nothing of unsigned numbers; those of all other blocks do.
    assert!((1..compared[0].blocks).contains(&compared[0].blocks_read), "{explain}");
    assert!(bytes <= explain.bytes_read() * 11 / 10, "{bytes} bytes; {explain}");
}

#[test]
fn a_column_that_is_compared_and_read_is_read_once() {
    // Half of the rows match, in all blocks.
    let (rows, explain, bytes) = cost(builder(), col("size").lt(0));
    assert!((1000..2000).contains(&rows.len()));
    assert!(explain.columns.iter().all(|column| column.blocks_read == column.blocks), "{explain}");
    let size = explain.columns.iter().find(|column| column.name == "size").unwrap();
    assert!(bytes >= explain.bytes_read(), "{bytes} bytes; {explain}");
    assert!(bytes < explain.bytes_read() + size.bytes, "{bytes} bytes; {explain}");
}

#[test]
fn few_rows_of_nested_columns_cost_few_blocks() {
    let all = rows(3000);
    let source = Counting::new(written(&all, builder()));
    let reader = Reader::new(&source).unwrap();
    for column in 0..reader.columns().len() {
        reader.blocks(column).unwrap();
    }
    let filtered = reader.filter(col("id").is_in([1003, 2222])).unwrap();
    source.take();
    let read: Vec<Row> = filtered.rows().unwrap().collect::<Result<_, _>>().unwrap();
    let bytes = source.take();
    assert_eq!(format!("{read:?}"), format!("{:?}", [&all[3], &all[1222]]));
    let explain = filtered.explain().unwrap();
    // Children are found through the lengths above them.
    assert!(bytes <= explain.bytes_read() * 2, "{bytes} bytes; {explain}");
    assert!(bytes * 10 < explain.bytes_skipped(), "{bytes} bytes; {explain}");
}

#[test]
fn explain_is_a_table() {
    let reader = Reader::new(written(&rows(3000), builder())).unwrap();
    let reader = reader.project(["id", "carrier"]).unwrap().filter(col("id").between(2000, 2003)).unwrap();
    let text = reader.explain().unwrap().to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("rows: 3000, "), "{text}");
    assert!(lines[0].ends_with(" may match, 4 match"), "{text}");
    assert!(lines[1].starts_with("column "), "{text}");
    assert!(
        lines[2].starts_with("id ") && lines[2].contains("predicate") && lines[2].contains("1 of "),
        "{text}"
    );
    assert!(lines[3].starts_with("carrier ") && lines[3].contains("rows"), "{text}");
    assert!(lines[4].starts_with("read: "), "{text}");
}

#[test]
fn conditions_that_are_joined_by_and_are_decoded_one_after_the_other() {
    let builder = || builder().without_zone_maps();
    let (rows, explain, bytes) =
        cost(builder(), col("carrier").eq("B6") & col("size").lt(0) & col("id").gt(0));
    assert!((100..500).contains(&rows.len()));
    let read = |name: &str| {
        let column = explain.columns.iter().find(|column| column.name == name).unwrap();
        assert_eq!(column.predicate, ["carrier", "size", "id"].contains(&name));
        (column.blocks_read, column.blocks)
    };
    assert_eq!(read("carrier").0, read("carrier").1);
    let (size, id, delay) = (read("size"), read("id"), read("delay/float"));
    assert!(size.0 < size.1 * 2 / 3 && id.0 <= size.0 + 1 && delay.0 < delay.1 * 2 / 3, "{explain}");
    // Blocks are read ahead of need, some for nothing where the rows leap.
    assert!(bytes <= explain.bytes_read() * 13 / 10, "{bytes} bytes; {explain}");
    // One column twice is one part.
    let (rows, explain, _) = cost(builder(), col("size").gt(-5) & col("good").eq(true) & col("size").lt(5));
    assert!(rows.iter().all(|row| row.good && (-4..5).contains(&row.size)) && !rows.is_empty());
    assert!(
        explain.columns.iter().all(|column| column.predicate == ["size", "good"].contains(&&*column.name))
    );
}
