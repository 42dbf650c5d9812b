//! Types that do not tell their shape are refused, with the path.

use crate::{Category, Shape};
use serde::{Deserialize, Deserializer};
use std::collections::BTreeMap;

#[track_caller]
fn refused<'de, T: Deserialize<'de>>(start: &str) {
    let error = Shape::from_type::<T>().unwrap_err();
    assert!(error.to_string().starts_with(start), "{error}");
    assert_eq!(error.category(), Category::Shape);
}

macro_rules! row {
    ($name:ident { $($field:ident: $type:ty),* }) => {
        #[derive(Deserialize)]
        #[allow(dead_code)]
        struct $name { $($field: $type),* }
    };
}

#[derive(Deserialize)]
#[serde(untagged)]
#[allow(dead_code)]
enum Untagged {
    Number(i32),
    Text(String),
}

#[derive(Deserialize)]
#[serde(tag = "kind")]
#[allow(dead_code)]
enum Internal {
    One { a: i32 },
    Two,
}

#[derive(Deserialize)]
#[serde(tag = "kind", content = "data")]
#[allow(dead_code)]
enum Adjacent {
    Unit,
    Named { a: i32 },
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Flat {
    own: i32,
    #[serde(flatten)]
    rest: BTreeMap<String, i32>,
}

#[test]
fn types_of_any_kind() {
    row!(One { first: i32, value: Vec<Option<Untagged>> });
    refused::<One>("value: the type takes a value of any kind");
    row!(Two { a: Inner });
    row!(Inner { b: Internal });
    refused::<Two>("a.b: the type takes a value of any kind");
    refused::<serde_json::Value>("the type takes a value of any kind");
    refused::<BTreeMap<String, serde_json::Value>>("value: the type takes a value of any kind");
    refused::<(i32, serde_json::Value)>("_1: the type takes a value of any kind");
    row!(Three { a: Adjacent });
    refused::<Three>("a.Named: the type takes a value of any kind");
}

#[test]
fn flattened_fields() {
    row!(One { list: Vec<Flat> });
    refused::<One>("list.key: a struct with flattened fields");
}

#[test]
fn recursive_types() {
    row!(List { value: i32, next: Option<Box<List>> });
    refused::<List>("next: type List holds itself");
    row!(Tree { children: Vec<Tree> });
    refused::<Tree>("children: type Tree holds itself");

    #[derive(Deserialize)]
    #[allow(dead_code)]
    enum Expression {
        Number(f64),
        Sum(Box<Expression>, Box<Expression>),
        Call { arguments: Vec<Expression> },
    }
    refused::<Expression>("Sum._0: type Expression holds itself");
    row!(Deep { list: Endless });
    refused::<Deep>("list: nested deeper than 96 levels");
}

/// A list of itself, without a name.
struct Endless;

impl<'de> Deserialize<'de> for Endless {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Vec::<Endless>::deserialize(deserializer).map(|_| Self)
    }
}

/// Takes no text.
#[derive(Debug)]
struct Never;

impl<'de> Deserialize<'de> for Never {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Err(serde::de::Error::custom(format!("{text:?} is not enough")))
    }
}

#[test]
fn types_that_take_nothing() {
    // All fields have been asked for, so no value is needed.
    row!(One { never: Never, last: i32 });
    let expected = Shape::record("One", [("never", Shape::String), ("last", Shape::Int)]);
    assert_eq!(Shape::from_type::<One>().unwrap(), expected);
    row!(Two { a: (Never, i32) });
    refused::<Two>("a._0: the type takes no made-up value: ");
}

#[test]
fn enums_without_variants() {
    #[derive(Deserialize)]
    enum None {}
    row!(One { a: Option<None> });
    refused::<One>("a: enum None has no variants");
}
