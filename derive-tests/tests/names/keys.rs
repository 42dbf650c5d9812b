//! Maps whose keys are no text: beside their own types, beside other kinds of values, read from text.

use std::collections::BTreeMap;

use derive_tests::{assert_reads, assert_reads_as_json};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{assert_any_order, assert_any_order_reads};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Price {
    cents: i64,
}

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
struct Key {
    id: u32,
}

#[test]
fn the_value_of_a_map_with_numbers_as_keys_comes_again() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Row {
        m: BTreeMap<u32, Price>,
        last: Price,
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Reversed {
        last: Price,
        m: BTreeMap<u32, Price>,
    }
    let price = |cents| Price { cents };
    let m = BTreeMap::from([(1, price(10)), (u32::MAX, price(-1))]);
    assert_any_order(&[Row { m: m.clone(), last: price(1) }, Row { m: BTreeMap::new(), last: price(2) }]);
    assert_any_order(&[Reversed { last: price(1), m }]);
}

#[test]
fn the_key_of_a_map_comes_again() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Row {
        m: BTreeMap<Key, i32>,
        last: Key,
        others: Vec<BTreeMap<Key, Key>>,
    }
    let key = |id| Key { id };
    assert_any_order(&[
        Row {
            m: BTreeMap::from([(key(1), 10), (key(2), 20)]),
            last: key(3),
            others: vec![BTreeMap::from([(key(4), key(5))])],
        },
        Row { m: BTreeMap::new(), last: key(6), others: vec![] },
    ]);
}

#[test]
fn a_struct_named_entry_beside_and_in_a_map_with_numbers_as_keys() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Entry {
        key: i32,
        value: String,
    }
    let entry = |key: i32| Entry { key, value: key.to_string() };
    assert_any_order(&[
        (BTreeMap::from([(1, entry(1)), (2, entry(2))]), entry(3)),
        (BTreeMap::new(), entry(4)),
    ]);
}

#[test]
fn a_scalar_a_struct_and_a_map_with_numbers_as_keys_in_one_place() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Loose {
        Number(i32),
        Place { x: String },
        Keys(BTreeMap<u32, String>),
    }
    let keys = Loose::Keys(BTreeMap::from([(7, "seven".to_string())]));
    assert_any_order(&[Loose::Number(1), Loose::Place { x: "a".into() }, keys.clone()]);
    assert_any_order(&[vec![Loose::Number(1), keys], vec![Loose::Place { x: "a".into() }]]);
}

#[test]
fn keys_that_are_numbers_are_read_from_text() {
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    struct Id(i32);
    let text = |keys: [&str; 2]| BTreeMap::from(keys.map(|key| (key.to_owned(), key.len())));
    assert_reads(&[text(["-1", "20"])], &[BTreeMap::from([(-1, 2_usize), (20, 2)])]);
    assert_reads(&[text(["-1", "20"])], &[BTreeMap::from([(Id(-1), 2_usize), (Id(20), 2)])]);
    assert_reads(&[text(["true", "false"])], &[BTreeMap::from([(true, 4_usize), (false, 5)])]);
    assert_reads(&[text(["0", "9"])], &[BTreeMap::from([(0_u64, 1_usize), (9, 1)])]);
    assert_reads(&[text(["0", "9"])], &[BTreeMap::from([(0_i128, 1_usize), (9, 1)])]);
}

#[test]
fn keys_that_are_numbers_are_read_from_json() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Row {
        m: BTreeMap<i32, String>,
        n: Vec<BTreeMap<u8, bool>>,
    }
    let rows = [
        Row { m: BTreeMap::from([(-1, "a".into()), (2, "b".into())]), n: vec![BTreeMap::from([(1, true)])] },
        Row { m: BTreeMap::new(), n: vec![] },
        Row { m: BTreeMap::from([(2, "c".into())]), n: vec![BTreeMap::new()] },
    ];
    let json = rows.clone().map(|row| serde_json::to_value(row).unwrap());
    assert_any_order_reads(&json, &rows);
    assert_any_order(&rows);
}

#[test]
fn a_map_with_numbers_as_keys_is_flattened_beside_fields() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Row {
        name: String,
        #[serde(flatten)]
        rest: BTreeMap<i32, String>,
    }
    let row = |name: &str, keys: &[i32]| Row {
        name: name.into(),
        rest: keys.iter().map(|key| (*key, key.to_string())).collect(),
    };
    assert_reads_as_json(&[row("a", &[1, 2]), row("b", &[])]);
    assert_any_order(&[row("a", &[1, -2]), row("b", &[]), row("c", &[2, 3])]);
}

#[test]
fn a_map_has_keys_of_text_and_of_numbers() {
    #[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Mixed {
        Number(i64),
        Text(String),
    }
    let text = |text: &str| Mixed::Text(text.into());
    assert_any_order(&[
        BTreeMap::from([(text("a"), 1), (Mixed::Number(1), 2)]),
        BTreeMap::from([(Mixed::Number(-1), 3)]),
        BTreeMap::from([(text("b"), 4)]),
        BTreeMap::new(),
    ]);
    assert_any_order(&[(1, BTreeMap::from([(text("a"), text("b")), (Mixed::Number(1), Mixed::Number(2))]))]);
}

#[test]
fn keys_that_are_floats_are_shown_as_json_has_them() {
    /// A key in the order of its bits.
    #[derive(Debug, Clone, Copy, Serialize)]
    struct Float(f64);
    struct Row(Vec<(Float, i32)>);
    impl Serialize for Row {
        fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
        }
    }
    let rows = [
        Row(vec![(Float(1.0), 1), (Float(-0.5), 2), (Float(1e300), 3)]),
        Row(vec![(Float(0.1), 4), (Float(1e-7), 5), (Float(123_456_789.0), 6)]),
    ];
    assert_reads_as_json(&rows);
}

#[test]
fn raw_json_comes_back() {
    #[derive(Debug, Serialize, Deserialize)]
    struct Row {
        id: i32,
        raw: Box<RawValue>,
    }
    let texts = [r#"{"a": [1, 2.50, null]}"#, "null", r#""text""#, "[]"];
    let rows = texts.map(|text| Row { id: 1, raw: RawValue::from_string(text.into()).unwrap() });
    let read: Vec<Row> = trevni::from_slice(&derive_tests::write(&rows)).unwrap();
    let read: Vec<&str> = read.iter().map(|row| row.raw.get()).collect();
    assert_eq!(read, texts);
}
