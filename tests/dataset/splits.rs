//! However rows are split into parts, they read as if they were in one file.

use super::in_memory;
use proptest::prelude::{any, proptest};
use proptest::{collection, option};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use trevni::Reader;
use trevni::reader::Nested;

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Row {
    id: i64,
    text: Option<String>,
    lists: Vec<Vec<u32>>,
    event: Event,
}

#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
enum Event {
    None,
    Start,
    Move { x: i32, y: Option<f32> },
    Text(String),
}

type Parts = (i64, Option<String>, Vec<Vec<u32>>, u8);

fn row((id, text, lists, event): Parts) -> Row {
    let event = match event % 4 {
        0 => Event::None,
        1 => Event::Start,
        2 => Event::Move { x: id as i32, y: (event > 100).then_some(f32::from(event)) },
        _ => Event::Text(format!("t{event}")),
    };
    Row { id, text, lists, event }
}

proptest! {
    #[test]
    fn parts_read_as_their_concatenation(
        rows in collection::vec((any::<i64>(), option::of("[a-z]{0,3}"), collection::vec(collection::vec(any::<u32>(), 0..3), 0..3), any::<u8>()), 1..40),
        cuts in collection::vec(0usize..40, 0..6),
    ) {
        let rows: Vec<Row> = rows.into_iter().map(row).collect();
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(rows.len())).chain([0, rows.len()]).collect();
        cuts.sort_unstable();
        let files: Vec<Vec<u8>> = cuts.windows(2).map(|cut| trevni::to_vec(&rows[cut[0]..cut[1]]).unwrap()).collect();
        let dataset = in_memory(&files).unwrap();
        let whole = trevni::to_vec(&rows).unwrap();
        let reader = Reader::from_slice(&whole).unwrap();

        assert_eq!(super::all::<Row>(&dataset).unwrap(), rows);
        let values: Vec<Value> = rows.iter().map(|row| serde_json::to_value(row).unwrap()).collect();
        assert_eq!(super::all::<Value>(&dataset).unwrap(), values);
        for (number, row) in rows.iter().enumerate() {
            assert_eq!(dataset.row::<Row>(number as u64).unwrap(), *row);
        }
        assert_eq!(dataset.column::<i64>("id").unwrap(), reader.column::<i64>("id").unwrap());
        assert_eq!(
            dataset.column::<Option<String>>("text").unwrap(),
            rows.iter().map(|row| row.text.clone()).collect::<Vec<_>>()
        );
        let lists = dataset.column::<Nested<u32>>("lists");
        let expected = reader.column::<Nested<u32>>("lists").unwrap();
        assert_eq!(lists.unwrap(), expected);

        #[derive(Deserialize, PartialEq, Debug)]
        struct Head {
            lists: Vec<Vec<u32>>,
            text: Option<String>,
        }
        let head = |row: &Row| Head { lists: row.lists.clone(), text: row.text.clone() };
        let projected = dataset.project(["text", "lists"]).unwrap();
        assert_eq!(super::all::<Head>(&projected).unwrap(), rows.iter().map(head).collect::<Vec<_>>());
        assert_eq!(projected.column::<Option<String>>("text").unwrap().len(), rows.len());
        // The other variants have no value, also in parts that hold one of them alone.
        if rows.iter().any(|row| matches!(row.event, Event::Move { .. })) && dataset.project(["event.Move"]).is_ok() {
            let moves: Vec<Value> = super::all(&dataset.project(["event.Move"]).unwrap()).unwrap();
            for (row, value) in rows.iter().zip(&moves) {
                match row.event {
                    Event::Move { x, .. } => assert_eq!(value["event"]["Move"]["x"], x),
                    _ => assert!(value["event"].is_null(), "{value}"),
                }
            }
        }
    }
}
