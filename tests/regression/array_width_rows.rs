//! Trevni with levels: rows of a matrix could not be read as rows of an array width above 1, only as batches, because the
//! values of a list that came late were counted as its lists.

use serde::Deserialize;
use trevni::formats::Levels;
use trevni::{Reader, Writer};

#[derive(Deserialize, Debug, PartialEq)]
struct Row {
    point: Vec<i32>,
    many: Vec<[String; 2]>,
    maybe: Option<[bool; 3]>,
}

#[test]
fn rows_of_a_matrix_are_lists() {
    let options = Writer::builder().format(Levels::new().array_width("point", 3)).batch_rows(2);
    let mut writer = options.build(Vec::new()).unwrap();
    let rows: Vec<_> = (0..9)
        .map(|n| {
            let many: Vec<[String; 2]> = (0..n % 3).map(|item| [format!("{item}"), format!("{n}")]).collect();
            let maybe = (n % 2 == 0).then_some(vec![true, false, n > 4]);
            serde_json::json!({"point": [n, n + 1, n + 2], "many": many, "maybe": maybe})
        })
        .collect();
    writer.write_all(&rows).unwrap();
    let bytes = writer.finish().unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    let point = reader.columns().iter().find(|column| column.name() == "point").unwrap();
    assert_eq!(point.array_width(), Some(3));
    let found: Vec<serde_json::Value> = reader.rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(found, rows);
    let typed: Vec<Row> = reader.rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(typed[7].point, [7, 8, 9]);
    assert_eq!(typed[8].maybe, Some([true, false, true]));
    assert_eq!(reader.row::<Row>(5).unwrap(), typed[5]);
    let some: Vec<Row> = reader.select(4..6).unwrap().rows().unwrap().map(Result::unwrap).collect();
    assert_eq!(some, typed[4..6]);
}
