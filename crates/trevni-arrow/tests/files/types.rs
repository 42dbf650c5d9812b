//! Rows of derived types, through Arrow: all that serde can say.

use super::assert_carried;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use trevni::Reader;

/// Writes rows, reads them through Arrow, and compares.
#[track_caller]
fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(rows: Vec<T>) {
    let file = trevni::to_vec(&rows).unwrap();
    let reader = Reader::from_slice(&file).unwrap();
    assert_carried(&reader);
    let mut again: Vec<T> = Vec::new();
    for batch in trevni_arrow::ArrowReader::builder(&reader).batch_size(2).build().unwrap() {
        let batch = trevni_arrow::batch_of_record_batch(&batch.unwrap()).unwrap();
        let mut writer = trevni::Writer::new(Vec::new()).unwrap();
        writer.write_batch(&batch).unwrap();
        let part: Vec<T> = trevni::from_slice(&writer.finish().unwrap()).unwrap();
        again.extend(part);
    }
    assert_eq!(again, rows);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Numbers {
    small: i8,
    byte: u8,
    int: i32,
    wide: u32,
    long: i64,
    huge: u64,
    signed: i128,
    unsigned: u128,
    float: f32,
    double: f64,
    letter: char,
    yes: bool,
    unit: (),
}

#[test]
fn numbers_are_carried() {
    let one = Numbers {
        small: -1,
        byte: 255,
        int: i32::MIN,
        wide: u32::MAX,
        long: i64::MIN,
        huge: u64::MAX,
        signed: i128::MIN,
        unsigned: u128::MAX,
        float: f32::MIN_POSITIVE,
        double: -0.0,
        letter: '日',
        yes: true,
        unit: (),
    };
    let two = Numbers { signed: i128::MAX, unsigned: 0, huge: 0, ..one.clone() };
    check(vec![one, two]);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Nested {
    list: Vec<Option<Vec<String>>>,
    #[serde(with = "serde_bytes")]
    bytes: Vec<u8>,
    map: BTreeMap<String, Option<i32>>,
    numbered: BTreeMap<i64, Vec<bool>>,
    pair: (i32, Option<String>),
    inner: Option<Box<Nested>>,
}

#[test]
fn empty_lists_and_nulls_are_told_apart() {
    let empty = Nested {
        list: Vec::new(),
        bytes: Vec::new(),
        map: BTreeMap::new(),
        numbered: BTreeMap::new(),
        pair: (0, None),
        inner: None,
    };
    let full = Nested {
        list: vec![None, Some(Vec::new()), Some(vec![String::new(), "a".to_owned()])],
        bytes: vec![0, 255],
        map: BTreeMap::from([(String::new(), None), ("a".to_owned(), Some(1))]),
        numbered: BTreeMap::from([(-1, Vec::new()), (1, vec![true])]),
        pair: (1, Some(String::new())),
        inner: Some(Box::new(Nested { inner: Some(Box::new(empty.clone())), ..empty.clone() })),
    };
    check(vec![empty.clone(), full.clone(), empty, full]);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Choice {
    None,
    Nothing,
    Number(i32),
    Text(String),
    Pair(i32, Option<String>),
    Named { a: Option<bool>, b: Vec<i32> },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Choices {
    one: Choice,
    maybe: Option<Choice>,
    several: Vec<Choice>,
    several_maybe: Vec<Option<Choice>>,
    within: Option<Holder>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Holder {
    choice: Choice,
    after: i32,
}

#[test]
fn enums_are_carried() {
    let all = [
        Choice::None,
        Choice::Number(1),
        Choice::Text("a".to_owned()),
        Choice::Nothing,
        Choice::Pair(1, None),
        Choice::Named { a: Some(true), b: vec![1] },
    ];
    let row = |index: usize| Choices {
        one: all[index % 6].clone(),
        maybe: (!index.is_multiple_of(3)).then(|| all[(index + 1) % 6].clone()),
        several: all[..index % 6].to_vec(),
        several_maybe: all[..index % 6]
            .iter()
            .map(|choice| index.is_multiple_of(2).then(|| choice.clone()))
            .collect(),
        within: (index % 2 == 1).then(|| Holder { choice: all[index % 6].clone(), after: 7 }),
    };
    check((0..12).map(row).collect());
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
enum Colour {
    Red,
    Green,
}

#[test]
fn symbols_are_carried() {
    check(vec![Some(Colour::Green), None, Some(Colour::Red)]);
    check(vec![Colour::Green; 3]);
    check(vec![vec![Colour::Red], vec![], vec![Colour::Green, Colour::Red]]);
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
struct Sparse {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    skipped: Option<i32>,
    #[serde(default)]
    twice: Option<Option<i32>>,
    #[serde(default, with = "absent")]
    absent: Option<Option<String>>,
}

/// A field that is left out, or null, or a value.
mod absent {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(value: &Option<Option<String>>, to: S) -> Result<S::Ok, S::Error> {
        value.serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Option<String>>, D::Error> {
        Option::deserialize(from)
    }
}

#[test]
fn null_within_null_is_carried() {
    let row = |skipped, twice, absent: Option<Option<&str>>| Sparse {
        skipped,
        twice,
        absent: absent.map(|text| text.map(str::to_owned)),
    };
    check(vec![
        row(None, None, None),
        row(Some(1), Some(None), Some(None)),
        row(None, Some(Some(3)), Some(Some("a"))),
    ]);
    check(vec![Some(Some(Some(1))), Some(Some(None)), Some(None), None]);
}

#[test]
fn absent_and_null_are_told_apart() {
    let rows = [r#"{"a":1}"#, r#"{"a":null}"#, "{}", r#"{"a":"text","b":[{"c":null},{}]}"#];
    let rows: Vec<serde_json::Value> = rows.iter().map(|row| serde_json::from_str(row).unwrap()).collect();
    check(rows);
}

#[test]
fn rows_that_are_no_structs_are_carried() {
    check(vec![1, 2, 3]);
    check(vec!["a".to_owned(), String::new()]);
    check(vec![vec![1.5], vec![], vec![2.5, f64::INFINITY]]);
    check(vec![(); 3]);
    check(Vec::<i32>::new());
    check(vec![Some((1, "a".to_owned())), None]);
    check(vec![BTreeMap::from([(1, 2)]), BTreeMap::new()]);
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Empty {}

#[test]
fn structs_without_fields_are_carried() {
    check(vec![Empty {}, Empty {}]);
    check(vec![Some(Empty {}), None]);
}
