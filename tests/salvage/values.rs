//! Blocks that can be decoded, and whose values cannot be: numbers of symbols, lengths that contradict each other.

use crate::raw::{RawBlock, RawColumn, RawFile, ints};
use serde_json::Value;
use trevni::{Reader, Result, RowSelection};

fn salvaged(bytes: &[u8]) -> (Vec<Value>, RowSelection, Vec<String>) {
    let reader = Reader::builder().salvage().source(bytes).unwrap();
    let rows = reader.rows().unwrap().collect::<Result<_>>().unwrap();
    let lost = reader.lost().unwrap();
    let errors = lost.damage().map(|damage| damage.error().to_string()).collect();
    (rows, lost.rows().clone(), errors)
}

#[test]
fn symbols_that_are_not_there_cost_the_block() {
    let schema = r#"{"type":"record","name":"R","fields":[
        {"name":"a","type":{"type":"enum","name":"E","symbols":["x","y"]}}]}"#;
    let blocks = [[0, 1], [1, 7], [1, 0]].map(|numbers| RawBlock::plain(2, ints(numbers)));
    let file = RawFile::new(6, [RawColumn::new("a", "int", blocks)]).with("avro.schema", schema);
    let (rows, lost, errors) = salvaged(&file.bytes());
    assert_eq!(rows.len(), 4, "{errors:?}");
    assert_eq!(lost, RowSelection::from(2..4), "{errors:?}");
    assert!(errors.len() == 1 && errors[0].contains('a'), "{errors:?}");
}

#[test]
fn lengths_that_do_not_fit_cost_the_block_below() {
    let parent = [[2, 1], [0, 3], [1, 1]].map(|lengths| RawBlock::plain(2, ints(lengths)));
    let child = [3, 2, 2].map(|count| RawBlock::plain(2, ints(vec![7; count])));
    let columns =
        [RawColumn::new("p", "null", parent).array(), RawColumn::new("c", "int", child).child_of("p")];
    let (rows, lost, errors) = salvaged(&RawFile::new(6, columns).bytes());
    assert_eq!((rows.len(), lost), (4, RowSelection::from(2..4)), "{errors:?}");
    assert!(errors.len() == 1 && errors[0].contains("column \"c\", block 1"), "{errors:?}");
}

#[test]
fn a_column_without_blocks_costs_all_rows_or_is_left_out() {
    let column = |name: &str, rows: u32| {
        RawColumn::new(name, "int", [RawBlock::plain(rows, ints(vec![5; rows as usize]))])
    };
    let bytes = RawFile::new(3, [column("a", 3), column("b", 2)]).bytes();
    let (rows, lost, errors) = salvaged(&bytes);
    assert_eq!((rows.len(), lost), (0, RowSelection::from(0..3)), "{errors:?}");
    let reader = Reader::builder().salvage().source(&*bytes).unwrap();
    let part = reader.without_lost_columns().unwrap();
    let rows: Vec<Value> = part.rows().unwrap().collect::<Result<_>>().unwrap();
    assert_eq!(rows, vec![serde_json::json!({"a": 5}); 3]);
}
