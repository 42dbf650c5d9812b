//! Types of rows, and any rows of them.

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::{Just, Strategy, any, prop_oneof};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum External {
    Unit,
    Other,
    New(Option<i64>),
    Tuple(u8, Vec<String>),
    Struct { a: i32, b: Option<Box<External>> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub(super) enum Internal {
    Unit,
    Number { v: i32 },
    Text { v: String, w: Option<bool> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "t", content = "c")]
pub(super) enum Adjacent {
    Unit,
    New(Vec<Option<u32>>),
    Pair(i8, char),
    Struct { a: u64 },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Untagged {
    Int(i64),
    Text(String),
    List(Vec<i64>),
    Struct { a: bool },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Inner {
    pub(super) n: i32,
    pub(super) name: String,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Plain {
    pub(super) id: u64,
    pub(super) small: i32,
    pub(super) wide: i128,
    pub(super) flag: bool,
    pub(super) single: f32,
    pub(super) double: f64,
    pub(super) letter: char,
    pub(super) text: String,
    pub(super) bytes: ByteBuf,
    pub(super) unit: (),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Nested {
    pub(super) maybe: Option<i32>,
    pub(super) twice: Option<Option<String>>,
    pub(super) lists: Vec<Vec<Option<i16>>>,
    pub(super) pair: (u8, String),
    pub(super) inner: Inner,
    pub(super) others: Vec<Inner>,
    pub(super) rare: Option<Inner>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) skipped: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Keyed {
    pub(super) by_text: BTreeMap<String, Vec<i32>>,
    pub(super) by_number: BTreeMap<i32, Option<f64>>,
    pub(super) by_flag: BTreeMap<bool, u8>,
    pub(super) by_letter: BTreeMap<char, Inner>,
    pub(super) by_wide: BTreeMap<u128, ()>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Enums {
    pub(super) external: External,
    pub(super) externals: Vec<External>,
    pub(super) internal: Option<Internal>,
    pub(super) adjacent: Adjacent,
    pub(super) untagged: BTreeMap<String, Untagged>,
}

pub(super) fn text() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[a-c]{1,3}", "\\PC{0,8}", "[0-9]{1,3}"]
}

pub(super) fn plain() -> impl Strategy<Value = Plain> {
    let numbers = (any::<u64>(), -300..300, any::<i128>(), any::<bool>(), -9..9, -9..9);
    (numbers, any::<char>(), text(), vec(any::<u8>(), 0..9)).prop_map(|(numbers, letter, text, bytes)| {
        let (id, small, wide, flag, single, double) = numbers;
        let (single, double) = (single as f32 / 2.0, f64::from(double));
        Plain { id, small, wide, flag, single, double, letter, text, bytes: ByteBuf::from(bytes), unit: () }
    })
}

pub(super) fn inner() -> impl Strategy<Value = Inner> {
    (-9..9, text()).prop_map(|(n, name)| Inner { n, name })
}

pub(super) fn nested() -> impl Strategy<Value = Nested> {
    let options = (any::<Option<i32>>(), option::of(option::of(text())), option::weighted(0.03, inner()));
    let lists = (vec(vec(any::<Option<i16>>(), 0..3), 0..3), vec(inner(), 0..3));
    (options, lists, any::<u8>(), text(), inner(), option::of(text())).prop_map(
        |((maybe, twice, rare), (lists, others), byte, text, inner, skipped)| Nested {
            maybe,
            twice,
            lists,
            pair: (byte, text),
            inner,
            others,
            rare,
            skipped,
        },
    )
}

pub(super) fn keyed() -> impl Strategy<Value = Keyed> {
    let numbers = btree_map(any::<i32>(), any::<Option<i8>>(), 0..3);
    let by_wide = btree_map(any::<u128>(), Just(()), 0..3);
    let by_text = btree_map(text(), vec(any::<i32>(), 0..3), 0..3);
    let others = (btree_map(any::<bool>(), any::<u8>(), 0..3), btree_map(any::<char>(), inner(), 0..3));
    (by_text, numbers, others, by_wide).prop_map(|(by_text, numbers, (by_flag, by_letter), by_wide)| Keyed {
        by_text,
        by_number: numbers.into_iter().map(|(key, value)| (key, value.map(f64::from))).collect(),
        by_flag,
        by_letter,
        by_wide,
    })
}

pub(super) fn external() -> impl Strategy<Value = External> {
    let leaf = prop_oneof![
        3 => Just(External::Unit),
        3 => Just(External::Other),
        2 => any::<Option<i64>>().prop_map(External::New),
        1 => (any::<u8>(), vec(text(), 0..3)).prop_map(|(a, b)| External::Tuple(a, b)),
    ];
    leaf.prop_recursive(2, 3, 1, |inner| {
        (any::<i32>(), option::of(inner.prop_map(Box::new))).prop_map(|(a, b)| External::Struct { a, b })
    })
}

pub(super) fn enums() -> impl Strategy<Value = Enums> {
    let internal = prop_oneof![
        Just(Internal::Unit),
        any::<i32>().prop_map(|v| Internal::Number { v }),
        (text(), any::<Option<bool>>()).prop_map(|(v, w)| Internal::Text { v, w }),
    ];
    let adjacent = prop_oneof![
        Just(Adjacent::Unit),
        vec(any::<Option<u32>>(), 0..3).prop_map(Adjacent::New),
        any::<(i8, char)>().prop_map(|(a, b)| Adjacent::Pair(a, b)),
        any::<u64>().prop_map(|a| Adjacent::Struct { a }),
    ];
    let untagged = prop_oneof![
        any::<i64>().prop_map(Untagged::Int),
        text().prop_map(Untagged::Text),
        vec(any::<i64>(), 0..3).prop_map(Untagged::List),
        any::<bool>().prop_map(|a| Untagged::Struct { a }),
    ];
    let maps = btree_map(text(), untagged, 0..3);
    (external(), vec(external(), 0..3), option::of(internal), adjacent, maps).prop_map(
        |(external, externals, internal, adjacent, untagged)| Enums {
            external,
            externals,
            internal,
            adjacent,
            untagged,
        },
    )
}
