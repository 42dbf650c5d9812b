//! Types, and rows of them.

use super::check;
use crate::Shape;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap, HashSet};

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone, Default)]
struct Numbers {
    a: i8,
    b: i16,
    c: i32,
    d: i64,
    e: i128,
    f: u8,
    g: u16,
    h: u32,
    i: u64,
    j: u128,
    k: f32,
    l: f64,
    m: bool,
    n: char,
}

#[test]
fn numbers() {
    let large =
        Numbers { d: i64::MIN, e: i128::MIN, h: u32::MAX, i: u64::MAX, j: u128::MAX, ..Numbers::default() };
    let shape = check(&[Numbers::default(), large]);
    let Shape::Record(record) = &shape else { panic!() };
    let kinds: Vec<&str> = record.fields.iter().map(|field| field.shape.kind()).collect();
    assert_eq!(
        kinds,
        [
            "int", "int", "int", "long", "i128", "int", "int", "long", "u64", "u128", "float", "double",
            "boolean", "string"
        ]
    );
    assert_eq!(check(&[5u64, u64::MAX]), Shape::U64);
    assert_eq!(check(&[7i32]), Shape::Int);
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Nested {
    option: Option<Option<i32>>,
    unit: Option<()>,
    list: Vec<Vec<Option<String>>>,
    map: HashMap<String, Vec<u8>>,
    keys: BTreeMap<(u8, bool), char>,
    numbers: BTreeMap<i64, String>,
    tuple: (i32, String, Option<bool>),
    array: [u16; 3],
    long: [u8; 20],
    empty: (),
    boxed: Box<Inner>,
    set: HashSet<u8>,
    pair: Pair,
    new: New,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    range: std::ops::Range<u32>,
    duration: std::time::Duration,
    result: Result<i32, String>,
    nothing: std::marker::PhantomData<Numbers>,
    #[serde(skip)]
    skipped: i32,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Inner {
    #[serde(rename = "other name", default)]
    value: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    maybe: Option<i32>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Pair(i32, Option<String>);

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct New(Inner);

fn nested(option: Option<Option<i32>>, maybe: Option<i32>) -> Nested {
    let inner = Inner { value: 1, maybe };
    Nested {
        option,
        unit: maybe.map(|_| ()),
        list: vec![vec![], vec![None, Some("a".into())]],
        map: [("k".to_owned(), vec![1, 2])].into(),
        keys: [((1, true), 'x')].into(),
        numbers: [(-5, "n".into())].into(),
        tuple: (1, "t".into(), None),
        array: [1, 2, 3],
        long: [7; 20],
        empty: (),
        boxed: Box::new(inner.clone()),
        set: [9].into(),
        pair: Pair(4, None),
        new: New(inner),
        bytes: vec![0, 255],
        range: 1..9,
        duration: std::time::Duration::from_millis(1500),
        result: if maybe.is_some() { Ok(1) } else { Err("e".into()) },
        nothing: std::marker::PhantomData,
        skipped: 0,
    }
}

#[test]
fn everything_within_everything() {
    check(&[nested(None, None), nested(Some(None), Some(3)), nested(Some(Some(1)), None)]);
    // Rows that show little.
    check(&[nested(None, None)]);
    check::<Nested>(&[]);
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Event {
    Start,
    Stop,
    Code(u32),
    Text(Option<String>),
    Move(i32, f64),
    Resize { width: u32, inner: Level },
    Nested(Box<Other>),
    Empty {},
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Other {
    Level(Level),
    Levels(Vec<Level>),
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Level {
    Low,
    High,
}

#[test]
fn enums() {
    let rows = [
        Event::Start,
        Event::Code(3),
        Event::Text(None),
        Event::Text(Some("t".into())),
        Event::Move(-1, 2.5),
        Event::Resize { width: 1, inner: Level::High },
        Event::Nested(Box::new(Other::Levels(vec![Level::Low, Level::High]))),
        Event::Nested(Box::new(Other::Level(Level::Low))),
        Event::Empty {},
        Event::Stop,
    ];
    let shape = check(&rows);
    let Shape::Union(variants) = &shape else { panic!() };
    assert_eq!(variants.len(), 7);
    rows.iter().for_each(|row| {
        check(std::slice::from_ref(row));
    });
    check(&[Some(Event::Start), None]);
    check(&[Level::Low]);
    assert_eq!(Shape::from_type::<Level>().unwrap().to_string(), "enum Level (Low, High)");
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(tag = "kind", content = "data", rename = "adjacent")]
enum Adjacent {
    Unit,
    New(i32),
    Text(String),
    Long(i64),
    Record(Inner),
    Other(New),
    Maybe(Option<bool>),
    Pair(i32, Level),
}

#[test]
fn adjacently_tagged_enums() {
    let inner = Inner { value: 1, maybe: Some(2) };
    let rows = [
        Adjacent::Unit,
        Adjacent::New(1),
        Adjacent::Text("t".into()),
        Adjacent::Long(1 << 40),
        Adjacent::Record(inner.clone()),
        Adjacent::Other(New(inner)),
        Adjacent::Pair(1, Level::High),
        Adjacent::Maybe(Some(true)),
    ];
    check(&rows);
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "t", content = "c")]
    enum Same {
        One(u8),
        Two(u16),
    }
    let shape = check(&[Same::One(1), Same::Two(2)]);
    assert_eq!(shape.to_string(), "record Same\n  t: enum Same (One, Two)\n  c: int");
    #[derive(Serialize, Deserialize, PartialEq, Debug)]
    #[serde(tag = "t", content = "c")]
    enum Units {
        One,
        Two,
    }
    let shape = check(&[Units::One, Units::Two]);
    assert_eq!(shape.to_string(), "record Units\n  t: enum Units (One, Two)");
    check(&[(vec![Units::One], Some(Same::One(3)))]);
}
