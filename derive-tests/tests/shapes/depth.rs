//! Rows are taken as deep as a reader takes them, and no deeper.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;
use trevni::{ErrorKind, Writer};

/// Writes values, each one deeper than the one before, until one is too deep; the deepest are read back.
/// Returns how many were taken.
fn deepest<T>(first: T, deeper: impl Fn(T) -> T) -> usize
where
    T: Serialize + DeserializeOwned + PartialEq + Debug + Clone,
{
    let read_back = |value: &T| {
        let bytes = trevni::to_vec(std::slice::from_ref(value)).unwrap();
        assert!(trevni::from_slice::<Vec<T>>(&bytes).unwrap() == std::slice::from_ref(value));
    };
    let (mut value, mut last) = (first.clone(), first);
    for depth in 0.. {
        if let Err(error) = Writer::new(Vec::new()).unwrap().write(&value) {
            assert!(matches!(error.kind(), ErrorKind::TooDeep { .. }), "{error}");
            assert_eq!(error.location().row, Some(0));
            read_back(&last);
            return depth;
        }
        if depth % 16 == 0 {
            read_back(&value);
        }
        last = value.clone();
        value = deeper(value);
    }
    unreachable!()
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct List(Vec<List>);

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Field {
    next: Option<Box<Field>>,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Options(Option<Box<Options>>);

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Map(BTreeMap<u8, Map>);

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Variants {
    Unit,
    Newtype(Box<Variants>),
    List(Vec<Variants>),
    Option(Option<Box<Variants>>),
    Map(BTreeMap<u8, Variants>),
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(untagged)]
enum Untagged {
    Number(i32),
    Map(BTreeMap<i32, Untagged>),
}

#[test]
fn lists_fields_options_and_maps() {
    assert!(deepest(List(vec![]), |list| List(vec![list])) > 90);
    assert!(deepest(Field { next: None }, |next| Field { next: Some(Box::new(next)) }) > 45);
    assert!(deepest(Options(None), |option| Options(Some(Box::new(option)))) > 45);
    assert!(deepest(Map(BTreeMap::new()), |map| Map(BTreeMap::from([(1, map)]))) > 45);
}

#[test]
fn variants_of_all_that() {
    assert!(deepest(Variants::Unit, |value| Variants::Newtype(Box::new(value))) > 45);
    assert!(deepest(Variants::Unit, |value| Variants::List(vec![value])) > 30);
    assert!(deepest(Variants::Unit, |value| Variants::Option(Some(Box::new(value)))) > 30);
    assert!(deepest(Variants::Unit, |value| Variants::Map(BTreeMap::from([(1, value)]))) > 20);
}

/// The number comes after the map, and makes a union around what is deep already.
#[test]
fn unions_around_what_was_there() {
    let beside = |value| Untagged::Map(BTreeMap::from([(1, value), (2, Untagged::Number(2))]));
    assert!(deepest(Untagged::Number(1), |value| Untagged::Map(BTreeMap::from([(1, value)]))) > 45);
    assert!(deepest(Untagged::Number(1), beside) > 20);
}

/// Later rows make options and unions around all levels of the first one, as far as there is room.
#[test]
fn later_rows_that_wrap_each_level() {
    let nested =
        |depth: usize| (0..depth).fold(serde_json::json!([1]), |inner, _| serde_json::json!([inner]));
    for depth in [10, 60, 85] {
        let mut rows = vec![nested(depth)];
        for level in (0..depth).rev() {
            rows.push((0..level).fold(serde_json::json!(["text"]), |inner, _| serde_json::json!([inner])));
            rows.push((0..level).fold(serde_json::json!([null]), |inner, _| serde_json::json!([inner])));
        }
        let mut writer = Writer::new(Vec::new()).unwrap();
        rows.retain(|row| match writer.write(row) {
            Ok(()) => true,
            Err(error) => {
                assert!(matches!(error.kind(), ErrorKind::TooDeep { .. }), "{error}");
                false
            }
        });
        let bytes = writer.finish().unwrap();
        assert!(rows.len() > 2);
        assert!(trevni::from_slice::<Vec<serde_json::Value>>(&bytes).unwrap() == rows);
    }
}
