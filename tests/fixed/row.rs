//! Rows with integers in every place.

use crate::hash;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) number: u32,
    pub(crate) small: i32,
    pub(crate) rank: i32,
    pub(crate) time: i64,
    pub(crate) hash: u64,
    pub(crate) maybe: Option<i64>,
    pub(crate) list: Vec<i32>,
    pub(crate) parts: Vec<Part>,
    pub(crate) choice: Choice,
    pub(crate) map: BTreeMap<String, u64>,
    pub(crate) kind: Kind,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Part {
    pub(crate) id: u64,
    pub(crate) size: Option<i32>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Choice {
    Nothing,
    Hash(i64),
    Pair { one: i32, two: u64 },
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Kind {
    Odd,
    Even,
}

/// A row whose numbers come from this function of numbers.
pub(crate) fn row(number: u32, mut next: impl FnMut() -> u64) -> Row {
    let part = |at: u64, id: u64| Part { id, size: (!at.is_multiple_of(3)).then_some(id as i32) };
    Row {
        number,
        small: number as i32 % 100,
        rank: next() as i32,
        time: next() as i64,
        hash: next(),
        maybe: (!number.is_multiple_of(3)).then(|| next() as i64),
        list: (0..number % 4).map(|_| next() as i32).collect(),
        parts: (0..u64::from(number + 1) % 3).map(|at| part(at, next())).collect(),
        choice: match number % 3 {
            0 => Choice::Nothing,
            1 => Choice::Hash(next() as i64),
            _ => Choice::Pair { one: next() as i32, two: next() },
        },
        map: (0..number % 3).map(|at| (format!("key {at}"), next())).collect(),
        kind: if number.is_multiple_of(2) { Kind::Even } else { Kind::Odd },
    }
}

/// Rows of hashes; times ascend.
pub(crate) fn rows(count: u32) -> Vec<Row> {
    let mut state = 0;
    let mut next = || {
        state += 1;
        hash(state)
    };
    let row = |number| Row {
        time: 1_700_000_000_000_000_000 + i64::from(number) * 1_000_003,
        ..row(number, &mut next)
    };
    (0..count).map(row).collect()
}
