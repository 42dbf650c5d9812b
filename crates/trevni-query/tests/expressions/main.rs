//! Expressions on rows of all kinds of values, by the public face of the library.

mod errors;
mod logical;
mod paths;
mod places;
mod texts;
mod truth;
mod unions;

use serde::Serialize;
use std::collections::BTreeMap;
use trevni::{Reader, RowSelection};
use trevni_query::{Binder, Condition, Expression, Residual, Scope, between_commas};

#[derive(Serialize)]
enum Kind {
    Short,
    Long,
}

#[derive(Serialize)]
enum Any {
    Number(i64),
    Word(String),
}

#[derive(Serialize)]
struct Hop {
    host: String,
    date: Option<i32>,
}

#[derive(Serialize)]
struct Row {
    id: u32,
    large: i64,
    largest: u64,
    wide: i128,
    delay: Option<i32>,
    ratio: Option<f64>,
    single: f32,
    name: Option<String>,
    kind: Kind,
    flag: Option<bool>,
    #[serde(serialize_with = "bytes")]
    raw: Vec<u8>,
    tags: Option<Vec<String>>,
    hops: Vec<Hop>,
    props: BTreeMap<String, i32>,
    from: Option<Hop>,
    any: Any,
    #[serde(rename = "odd name.x")]
    odd: i32,
}

fn bytes<S: serde::Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

const ROWS: u32 = 300;

fn row(n: u32) -> Row {
    let hop =
        |n: u32| Hop { host: format!("h{}", n % 4), date: (!n.is_multiple_of(3)).then_some(n as i32 % 7) };
    Row {
        id: n,
        large: i64::MAX - i64::from(n % 5),
        largest: u64::MAX - u64::from(n % 5),
        wide: i128::MAX - i128::from(n % 3),
        delay: (!n.is_multiple_of(7)).then_some(n as i32 % 50 - 20),
        ratio: match n % 9 {
            0 => None,
            1 => Some(f64::NAN),
            _ => Some(f64::from(n) / 10.0 - 3.0),
        },
        single: n as f32 / 10.0,
        name: (!n.is_multiple_of(5))
            .then(|| format!("N{}é_{}", n % 12, if n.is_multiple_of(2) { "Even" } else { "odd" })),
        kind: if n.is_multiple_of(3) { Kind::Short } else { Kind::Long },
        flag: (!n.is_multiple_of(4)).then_some(n % 4 == 1),
        raw: vec![n as u8 % 3; n as usize % 4],
        tags: (!n.is_multiple_of(6)).then(|| (0..n % 4).map(|tag| format!("t{}", (tag + n) % 5)).collect()),
        hops: (0..n % 3).map(|k| hop(n + k)).collect(),
        props: (0..n % 3).map(|k| (format!("k{k}"), (n + k) as i32 % 5)).collect(),
        from: (!n.is_multiple_of(8)).then(|| hop(n)),
        any: if n.is_multiple_of(2) { Any::Number(n.into()) } else { Any::Word(format!("w{}", n % 6)) },
        odd: n as i32 % 10,
    }
}

fn file() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = trevni::Writer::builder().block_size(256).build(&mut bytes).unwrap();
    writer.write_all((0..ROWS).map(row)).unwrap();
    writer.finish().unwrap();
    bytes
}

/// The rows for which a condition is true, all of it evaluated here.
fn evaluated(reader: &Reader<'_>, text: &str) -> Vec<u64> {
    let expression = Expression::parse(text).unwrap();
    let bound =
        expression.bind(&Binder::new(reader.shape())).unwrap_or_else(|error| panic!("{text}: {}", error));
    let mut out = Vec::new();
    for batch in reader.batches().unwrap() {
        let batch = batch.unwrap();
        let rows = Residual::rows(&bound, &Scope::of(&batch)).unwrap();
        out.extend(rows.into_iter().map(|row| batch.first_row() + u64::from(row)));
    }
    out
}

fn numbers(rows: &RowSelection) -> Vec<u64> {
    rows.ranges().iter().cloned().flatten().collect()
}

/// The rows that a condition finds: by the file as far as it can, the rest by evaluation.
fn selected(reader: &Reader<'_>, text: &str) -> Vec<u64> {
    let rows = Condition::parse(text).unwrap().filter(reader);
    let rows = rows.unwrap_or_else(|error| panic!("{text}: {}", error));
    numbers(&rows.matching().unwrap())
}

/// The rows for which a condition is true that the file decides alone.
fn pushed(reader: &Reader<'_>, text: &str) -> Vec<u64> {
    let condition = Condition::parse(text).unwrap();
    let (rows, residual) = condition.push_down(reader, &Binder::new(reader.shape())).unwrap();
    assert!(residual.is_none(), "{text} is not pushed down");
    numbers(&rows.matching().unwrap())
}
