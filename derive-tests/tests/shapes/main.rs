//! The shape grows while rows are written: whatever comes late, earlier rows stay what they were.

#![allow(unreachable_pub, reason = "what modules of a test share is `pub`")]

mod depth;
mod enums;
mod fields;
mod lists;
mod names;
mod recursion;
mod typed_options;
mod visitors;
mod widening;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Loose {
    Int(i64),
    Float(f64),
    Text(String),
    Flag(bool),
    Null(()),
    List(Vec<Loose>),
    Map(BTreeMap<String, Loose>),
}

fn text(s: &str) -> Loose {
    Loose::Text(s.into())
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Sparse {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    a: Option<i32>,
    b: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    c: Vec<i64>,
}

fn sparse(a: Option<i32>, b: Option<&str>, c: &[i64]) -> Sparse {
    Sparse { a, b: b.map(Into::into), c: c.to_vec() }
}
