//! Rows and sinks that fail.

use serde::ser::Error as _;
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;
use trevni::{Category, Writer, WriterBuilder};

/// A number, or what cannot be written.
#[derive(Clone, Copy)]
enum Cell {
    Good(i32),
    Bad,
}

impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Good(value) => serializer.serialize_i32(*value),
            Self::Bad => Err(S::Error::custom("a bad cell")),
        }
    }
}

#[derive(Serialize, Clone)]
struct Row {
    id: u32,
    text: String,
    lists: Vec<Vec<Cell>>,
    map: BTreeMap<String, Option<Cell>>,
    choice: Choice,
    last: (bool, Cell),
}

#[derive(Serialize, Clone)]
enum Choice {
    One(Cell),
    Two { list: Vec<Cell>, text: &'static str },
}

fn row(id: u32) -> Row {
    let cell = Cell::Good(id as i32);
    Row {
        id,
        text: "x".repeat(id as usize % 4),
        lists: vec![vec![cell; id as usize % 3], vec![cell]],
        map: (0..id % 3).map(|key| (format!("k{key}"), (key > 0).then_some(cell))).collect(),
        choice: if id.is_multiple_of(2) {
            Choice::One(cell)
        } else {
            Choice::Two { list: vec![cell; 2], text: "t" }
        },
        last: (true, cell),
    }
}

/// A row with something bad in one of its places.
fn bad(id: u32) -> Row {
    let mut row = row(id);
    match id % 6 {
        0 => row.lists[1][0] = Cell::Bad,
        1 => row.lists.push(vec![Cell::Good(1), Cell::Good(2), Cell::Bad]),
        2 => drop(row.map.insert("z".to_owned(), Some(Cell::Bad))),
        3 => row.choice = Choice::One(Cell::Bad),
        4 => row.choice = Choice::Two { list: vec![Cell::Good(1), Cell::Bad], text: "t" },
        _ => row.last.1 = Cell::Bad,
    }
    row
}

fn values(bytes: &[u8]) -> Vec<Value> {
    trevni::from_slice(bytes).unwrap()
}

#[test]
fn a_row_that_fails_is_left_out() {
    for batch_rows in [1, 7, 4096] {
        for is_bad in [|id: u32| id % 5 == 3, |id: u32| !id.is_multiple_of(3), |id: u32| id > 0] {
            let builder = WriterBuilder::new().batch_rows(batch_rows).block_size(60);
            let mut writer = builder.build(Vec::new()).unwrap();
            let mut expected = Vec::new();
            for id in 0..100 {
                if is_bad(id) {
                    let error = writer.write(&bad(id)).unwrap_err();
                    assert_eq!(error.category(), Category::Shape);
                    assert!(error.to_string().contains("a bad cell"), "{error}");
                    assert_eq!(error.location().row, Some(expected.len() as u64));
                    assert!(!error.location().path.is_empty(), "{error}");
                } else {
                    writer.write(&row(id)).unwrap();
                    expected.push(serde_json::to_value(row(id)).unwrap());
                }
                assert_eq!(writer.row_count(), expected.len() as u64);
            }
            assert_eq!(values(&writer.finish().unwrap()), expected);
        }
    }
}

#[test]
fn rows_that_fail_before_the_first_good_one_leave_no_trace() {
    for id in 0..6 {
        let mut writer = Writer::new(Vec::new()).unwrap();
        writer.write(&bad(id)).unwrap_err();
        writer.write(&row(1)).unwrap();
        assert_eq!(values(&writer.finish().unwrap()), [serde_json::to_value(row(1)).unwrap()]);
    }
    let mut writer = Writer::new(Vec::new()).unwrap();
    writer.write(&bad(0)).unwrap_err();
    assert_eq!(values(&writer.finish().unwrap()), [] as [Value; 0]);
}

#[test]
fn write_all_keeps_the_rows_before_the_one_that_fails() {
    let mut writer = Writer::new(Vec::new()).unwrap();
    writer.write_all([row(0), row(1), bad(2), row(3)]).unwrap_err();
    assert_eq!(values(&writer.finish().unwrap()).len(), 2);
}

/// Takes some bytes, then no more.
struct Full(usize);

impl io::Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 == 0 {
            return Err(io::Error::new(io::ErrorKind::StorageFull, "the disk is full"));
        }
        let taken = bytes.len().min(self.0);
        self.0 -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_sink_that_fails_is_an_io_error() {
    let rows: Vec<Row> = (0..50).map(row).collect();
    let length = trevni::to_vec(&rows).unwrap().len();
    for room in (0..length).step_by(7).chain([length - 1]) {
        let error = trevni::to_writer(Full(room), &rows).unwrap_err();
        assert_eq!(error.category(), Category::Io);
        assert_eq!(error.to_string(), "the disk is full");
    }
    trevni::to_writer(Full(length), &rows).unwrap();
}

const SCHEMA: &str = r#"{"type":"record","name":"R","fields":[{"name":"id","type":"int"},
    {"name":"tags","type":{"type":"array","items":"string"}},{"name":"o","type":["null","long"]}]}"#;

#[test]
fn rows_that_do_not_fit_a_given_schema_are_refused() {
    use serde_json::json;
    let mut writer = WriterBuilder::new().schema(SCHEMA).build(Vec::new()).unwrap();
    let good = json!({"id": 1, "tags": ["a"], "o": null});
    writer.write(&good).unwrap();
    for (bad, path) in [
        (json!({"id": "one", "tags": [], "o": 1}), "id"),
        (json!({"id": 5_000_000_000i64, "tags": [], "o": 1}), "id"),
        (json!({"id": 1, "tags": ["a", 2], "o": 1}), "tags[1]"),
        (json!({"id": 1, "tags": [], "o": "x"}), "o"),
        (json!({"id": 1, "tags": [], "o": 1, "more": 1}), "more"),
        (json!({"id": null, "tags": [], "o": 1}), "id"),
        (json!({"tags": [], "o": 1}), "id"),
        (json!([1, 2]), ""),
        (json!(7), ""),
    ] {
        let error = writer.write(&bad).unwrap_err();
        assert_eq!(error.category(), Category::Shape, "{bad}: {error}");
        assert_eq!(error.location().row, Some(1), "{bad}: {error}");
        assert!(error.location().path == path || error.to_string().contains(path), "{bad}: {error}");
    }
    writer.write(&good).unwrap();
    let bytes = writer.finish().unwrap();
    assert_eq!(values(&bytes), [good.clone(), good]);
    let reader = trevni::Reader::from_slice(&bytes).unwrap();
    assert_eq!(reader.metadata().get_str("avro.schema"), Some(SCHEMA));
}

#[test]
fn rows_of_a_given_schema_may_come_in_another_order() {
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    struct Own {
        tags: Vec<String>,
        o: Option<i64>,
        id: i32,
    }
    let rows = [Own { tags: vec!["a".to_owned()], o: Some(1), id: 2 }, Own { tags: vec![], o: None, id: 3 }];
    let mut writer = WriterBuilder::new().schema(SCHEMA).build(Vec::new()).unwrap();
    writer.write_all(&rows).unwrap();
    assert_eq!(trevni::from_slice::<Vec<Own>>(&writer.finish().unwrap()).unwrap(), rows);
}
