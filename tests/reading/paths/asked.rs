//! Types that rows are read as, other than those they were written as.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct Shuffled {
    text: String,
    #[serde(alias = "small")]
    number: i64,
    #[serde(default)]
    nothing: Option<u8>,
    id: u64,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct Converted {
    id: f64,
    small: f32,
    single: f64,
    double: f32,
    bytes: Vec<u8>,
    letter: String,
    wide: Value,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct Narrow {
    flag: bool,
    small: u8,
    double: f64,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "only compared")]
pub(super) struct Strict {
    id: u64,
    small: i32,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct Flat {
    id: u64,
    #[serde(flatten)]
    rest: BTreeMap<String, Value>,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct Lacking {
    inner: Named,
    others: Vec<Named>,
    rare: Option<Named>,
    skipped: Option<Cow<'static, str>>,
    maybe: Option<Option<i64>>,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct Named {
    name: String,
    #[serde(default)]
    more: i32,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct ShortList {
    lists: Vec<[Option<i16>; 1]>,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct OtherKeys {
    by_number: BTreeMap<String, Option<f64>>,
    by_flag: Vec<(bool, u8)>,
    by_letter: Value,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct TextAsNumbers {
    by_text: BTreeMap<i32, Value>,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct OtherEnums {
    external: Value,
    internal: Option<BTreeMap<String, Value>>,
    externals: Vec<Two>,
}

/// Not all variants of [`External`], and other forms of them.
#[derive(Debug, PartialEq, Deserialize)]
pub(super) enum Two {
    Unit,
    Other,
    New(Value),
    Tuple(Vec<Value>),
    Struct(BTreeMap<String, Value>),
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct OnlyUnits {
    external: Units,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) enum Units {
    Unit,
    Other,
}

/// What rows borrow from a batch.
#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct Borrowing<'a> {
    pub(super) text: &'a str,
    #[serde(with = "serde_bytes")]
    pub(super) bytes: &'a [u8],
    #[serde(borrow)]
    pub(super) letter: Cow<'a, str>,
    pub(super) id: u64,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct BorrowingNested<'a> {
    #[serde(borrow)]
    pub(super) inner: BorrowingInner<'a>,
    #[serde(borrow)]
    pub(super) others: Vec<BorrowingInner<'a>>,
    #[serde(borrow)]
    pub(super) pair: (u8, &'a str),
    #[serde(borrow)]
    pub(super) skipped: Option<&'a str>,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct BorrowingInner<'a> {
    pub(super) name: &'a str,
    pub(super) n: i32,
}

#[derive(Debug, PartialEq, Deserialize)]
pub(super) struct BorrowingKeys<'a> {
    #[serde(borrow)]
    pub(super) by_text: BTreeMap<&'a str, Vec<i32>>,
}

/// A row that nothing is read of.
#[derive(Debug)]
pub(super) struct IgnoredAnyRow;

impl PartialEq for IgnoredAnyRow {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl<'de> Deserialize<'de> for IgnoredAnyRow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        IgnoredAny::deserialize(deserializer).map(|_| Self)
    }
}
