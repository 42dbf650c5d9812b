//! Reading is by name: a reader's type may differ from the writer's, and what cannot be read is told with its path and row.

mod kinds;
mod missing;
mod names;
mod numbers;
mod projection;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Inner {
    width: i32,
    label: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Row {
    id: i32,
    inner: Inner,
    maybe: Option<Inner>,
    items: Vec<Inner>,
    map: BTreeMap<String, Inner>,
    pair: (i32, Inner),
}

fn inner(width: i32) -> Inner {
    Inner { width, label: format!("label{width}") }
}

fn rows() -> Vec<Row> {
    let row = |id: i32, maybe, items: &[i32]| Row {
        id,
        inner: inner(id * 10),
        maybe,
        items: items.iter().copied().map(inner).collect(),
        map: items.iter().map(|width| (format!("k{width}"), inner(*width))).collect(),
        pair: (id, inner(-id)),
    };
    vec![
        row(1, None, &[1, 2]),
        row(2, Some(inner(5)), &[]),
        row(3, None, &[3]),
        row(4, Some(inner(6)), &[4, 5, 6]),
    ]
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Field<T> {
    width: T,
}

fn field<T>(width: T) -> Field<T> {
    Field { width }
}
