//! Files of Rust types: their columns are those that Java computes from the schema in the file.
//!
//! Java reads columns by position, so a column too many or in another order would be misread.
//! It knows nothing of the properties (`serde`, `serde.name`, `logicalType`) that this crate adds to a
//! schema, and neither does `columns`.

use crate::columns::{of_file, of_schema};
use crate::schema::Schema;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use trevni::{Checksum, Codec, Reader, Writer};

/// Writes rows, a few at a time so that the shape grows between batches too, and compares columns
/// with schema. Returns the schema.
fn check<T: Serialize>(rows: &[T]) -> Schema {
    let mut schemas = Vec::new();
    for batch_rows in [1, 2, 4096] {
        let builder = Writer::builder().codec(Codec::Null).checksum(Checksum::Null).batch_rows(batch_rows);
        let mut writer = builder.build(Vec::new()).unwrap();
        writer.write_all(rows).unwrap();
        let bytes = writer.finish().unwrap();
        let reader = Reader::from_slice(&bytes).unwrap();
        let text = reader.metadata().get_str("avro.schema").unwrap();
        let schema = Schema::parse(text);
        assert_eq!(of_file(&reader), of_schema(&schema), "{text}");
        for number in 0..reader.columns().len() {
            let column = reader.raw_column(number).unwrap();
            assert_eq!(column.len(), rows.len(), "{text}, column {number}");
        }
        schemas.push(schema);
    }
    schemas.pop().unwrap()
}

/// Names of the columns that a schema has.
fn names(schema: &Schema) -> Vec<String> {
    of_schema(schema).iter().map(|column| column.name().to_owned()).collect()
}

#[derive(Clone, Serialize)]
enum Event {
    Idle,
    Moved { x: i32, y: i32 },
    Said(String),
    Both(u8, Option<f64>),
    Nested(Box<Event>),
}

#[test]
fn enums_with_data() {
    let events = [
        Event::Idle,
        Event::Moved { x: 1, y: 2 },
        Event::Said("a".to_owned()),
        Event::Both(1, None),
        Event::Both(2, Some(0.5)),
        Event::Nested(Box::new(Event::Said("b".to_owned()))),
        Event::Nested(Box::new(Event::Nested(Box::new(Event::Moved { x: 3, y: 4 })))),
    ];
    check(&events);
    check(&events.map(|event| (event.clone(), vec![event.clone(), event.clone()], Some(event))));
}

#[test]
fn enums_of_symbols_and_an_enum_of_the_same_name() {
    mod other {
        #[derive(serde::Serialize)]
        pub(super) enum Color {
            Cyan,
        }
    }
    #[derive(Serialize)]
    enum Color {
        Red,
        #[serde(rename = "light blue")]
        Blue,
    }
    #[derive(Serialize)]
    struct Pair {
        one: Color,
        two: other::Color,
        list: Vec<Color>,
    }
    let pair = |one| Pair { one, two: other::Color::Cyan, list: vec![Color::Blue] };
    check(&[pair(Color::Red), pair(Color::Blue)]);
}

#[test]
fn options_of_options_and_of_units() {
    #[derive(Serialize)]
    struct Row {
        deep: Option<Option<Option<i32>>>,
        unit: Option<()>,
        list: Vec<Option<Option<String>>>,
        never: Option<u8>,
        record: Option<Inner>,
    }
    #[derive(Clone, Serialize)]
    struct Inner {
        value: Option<f32>,
    }
    let text = || Some(Some("x".to_owned()));
    let row =
        |deep, unit, record| Row { deep, unit, list: vec![None, Some(None), text()], never: None, record };
    check(&[
        row(None, None, None),
        row(Some(None), Some(()), Some(Inner { value: None })),
        row(Some(Some(None)), None, Some(Inner { value: Some(1.0) })),
        row(Some(Some(Some(7))), Some(()), None),
    ]);
}

#[test]
fn maps_with_all_kinds_of_keys() {
    #[derive(Serialize)]
    struct Row {
        text: BTreeMap<String, Vec<i32>>,
        numbers: BTreeMap<u32, String>,
        tuples: BTreeMap<(i8, bool), BTreeMap<char, ()>>,
        nested: BTreeMap<String, BTreeMap<i64, Option<bool>>>,
    }
    let schema = check(&[Row {
        text: BTreeMap::from([("a".to_owned(), vec![1, 2])]),
        numbers: BTreeMap::from([(7, "seven".to_owned())]),
        tuples: BTreeMap::from([((1, true), BTreeMap::from([('x', ())]))]),
        nested: BTreeMap::from([("b".to_owned(), BTreeMap::from([(1, None), (2, Some(true))]))]),
    }]);
    assert_eq!(names(&schema)[..3], ["text>", "text>key", "text>value[]"]);
}

#[test]
fn tuples_and_arrays() {
    #[derive(Serialize)]
    struct Point(f32, f32);
    #[derive(Serialize)]
    struct Unit;
    #[derive(Serialize)]
    struct Wrapped(Vec<Point>);
    check(&[(
        (1, "a", (true, Unit)),
        Point(0.0, 1.0),
        Wrapped(vec![Point(2.0, 3.0)]),
        [1u8; 3],
        [1.5f64; 32],
    )]);
    check(&[[[1i64, 2], [3, 4]], [[5, 6], [7, 8]]]);
}

#[test]
fn lists_in_lists() {
    let rows: [Vec<Vec<Vec<Option<u16>>>>; 3] =
        [vec![], vec![vec![], vec![vec![]]], vec![vec![vec![Some(1), None], vec![]]]];
    check(&rows);
    check(&[vec![vec![(1, vec!["a"])]], vec![]]);
    check::<Vec<Vec<String>>>(&[vec![], vec![]]);
}

#[test]
fn fields_that_come_late_or_not_always() {
    #[derive(Serialize)]
    struct Row {
        id: u32,
        #[serde(skip_serializing_if = "Vec::is_empty")]
        tags: Vec<String>,
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
        last: f64,
    }
    let row = |id, tags: &[&str], note: Option<&str>| Row {
        id,
        tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
        note: note.map(str::to_owned),
        last: 1.0,
    };
    check(&[row(1, &[], None), row(2, &["a"], None), row(3, &[], Some("b"))]);
}

#[test]
fn wide_integers() {
    #[derive(Serialize)]
    struct Row {
        small: u8,
        grows: u64,
        signed: i128,
        unsigned: u128,
        some: Option<u64>,
        list: Vec<u64>,
    }
    let row = |grows, signed, some| Row {
        small: 1,
        grows,
        signed,
        unsigned: u128::MAX,
        some,
        list: vec![1, u64::MAX],
    };
    check(&[row(0, -1, None), row(u64::MAX, i128::MIN, Some(3)), row(7, 5, Some(u64::MAX))]);
    // A negative number and one above i64::MAX need more than 64 bits.
    check(&[json!({"n": -1}), json!({"n": u64::MAX}), json!({"n": [2.5, "x"]})]);
}

#[test]
fn values_of_different_form() {
    check(&[
        json!({"a": 1, "b": [1, 2.5, "x", null]}),
        json!({"b": {"c": [true]}, "a-b": 1, "1": 2}),
        json!({"a": null, "b": {"c": "d", "e": {"f": [{"g": 1}, {"h": {}}, []]}}}),
        json!([1, {"a": {}}]),
        json!(7),
    ]);
}

#[test]
fn names_that_avro_does_not_allow() {
    #[derive(Serialize)]
    #[serde(rename = "my-type")]
    struct Row {
        #[serde(rename = "a b")]
        one: i32,
        #[serde(rename = "a_b")]
        two: i32,
        #[serde(rename = "type")]
        three: Kind,
        #[serde(rename = "größe")]
        four: Kind,
    }
    #[derive(Serialize)]
    enum Kind {
        #[serde(rename = "x/y")]
        Data(i32),
        #[serde(rename = "x#y")]
        Other { z: bool },
    }
    check(&[
        Row { one: 1, two: 2, three: Kind::Data(1), four: Kind::Other { z: true } },
        Row { one: 1, two: 2, three: Kind::Other { z: true }, four: Kind::Data(1) },
    ]);
}

#[test]
fn types_of_the_same_name() {
    mod one {
        #[derive(serde::Serialize)]
        pub(super) struct Item {
            pub(super) a: i32,
        }
    }
    mod two {
        #[derive(serde::Serialize)]
        pub(super) struct Item {
            pub(super) b: String,
        }
    }
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Either {
        One(one::Item),
        Two(two::Item),
        Number(i64),
    }
    let (one, two) = (|| one::Item { a: 1 }, || two::Item { b: "b".to_owned() });
    check(&[(one(), two(), vec![one()])]);
    check(&[vec![Either::One(one()), Either::Two(two())], vec![Either::Number(1)]]);
}

#[test]
fn recursive_types() {
    #[derive(Serialize)]
    struct Node {
        name: String,
        children: Vec<Node>,
    }
    let leaf = |name: &str| Node { name: name.to_owned(), children: Vec::new() };
    let node = |name: &str, children| Node { name: name.to_owned(), children };
    check(&[leaf("a"), node("b", vec![leaf("c"), node("d", vec![leaf("e")])])]);
}

#[test]
fn rows_that_are_no_structs() {
    check(&[1u8, 2]);
    check(&[Some("a"), None]);
    check(&[(), ()]);
    check(&[Some(()), None]);
    check::<[u8; 0]>(&[[], []]);
    check::<u8>(&[]);
    check(&[BTreeMap::from([(1, 'a')])]);
    check(&[serde_bytes::ByteBuf::from(vec![1, 2])]);
}
