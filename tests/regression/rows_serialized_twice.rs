//! Rows that can be serialized only once lost what the first attempt had taken, where they did not look like the rows before.

use proptest::collection::vec;
use proptest::prelude::{Just, ProptestConfig, Strategy, any, prop_oneof, proptest};
use serde::ser::{Error as _, SerializeMap as _};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};
use std::cell::RefCell;
use trevni::{Category, Writer, from_slice};

/// A list that is consumed when it is serialized.
struct Items<I>(RefCell<I>);

impl<I: Iterator<Item = u64>> Serialize for Items<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&mut *self.0.borrow_mut())
    }
}

#[test]
fn iterators_are_whole() {
    let mut writer = Writer::new(Vec::new()).unwrap();
    for n in 0..5 {
        writer.write(&Items(RefCell::new(0..n))).unwrap();
    }
    let rows: Vec<Vec<u64>> = from_slice(&writer.finish().unwrap()).unwrap();
    assert_eq!(rows, [0, 1, 2, 3, 4].map(|n| (0..n).collect::<Vec<_>>()));
}

/// A value all of whose parts are consumed when they are serialized.
struct Once(RefCell<Option<Value>>);

impl Once {
    fn new(value: &Value) -> Self {
        Self(RefCell::new(Some(value.clone())))
    }
}

impl Serialize for Once {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.take().ok_or_else(|| S::Error::custom("serialized twice"))? {
            Value::Array(items) => serializer.collect_seq(items.iter().map(Self::new)),
            Value::Object(entries) => {
                serializer.collect_map(entries.iter().map(|(key, value)| (key, Self::new(value))))
            }
            value => value.serialize(serializer),
        }
    }
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => (0..3).prop_map(Value::from),
        1 => Just(Value::Null),
        1 => Just(json!("a string")),
        1 => Just(json!(0.5)),
        1 => Just(json!(u64::MAX)),
        1 => any::<bool>().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let names = proptest::sample::subsequence(vec!["a", "b", "c"], 0..=3);
        let object = (names, vec(inner.clone(), 3)).prop_map(|(names, values)| {
            names.into_iter().map(str::to_owned).zip(values).collect::<serde_json::Map<_, _>>().into()
        });
        prop_oneof![vec(inner, 0..3).prop_map(Value::from), object]
    })
}

/// What is written of rows of a type that the first one shows.
fn file<T: Serialize>(rows: impl Iterator<Item = T>) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new()).unwrap();
    rows.for_each(|row| writer.write(&row).unwrap());
    writer.finish().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn rows_that_can_be_serialized_once_are_as_others(
        rows in vec((value(), value()), 1..20),
        times in 1..4_usize,
    ) {
        let rows: Vec<_> = rows.into_iter().flat_map(|row| std::iter::repeat_n(row, times)).collect();
        let once = file(rows.iter().map(|(first, second)| (Once::new(first), Once::new(second))));
        assert_eq!(once, file(rows.iter()));
        let read: Vec<(Value, Value)> = from_slice(&once).unwrap();
        assert_eq!(read, rows);
    }
}

/// A map with keys of two types, which is consumed unless it may be serialized again.
struct Keys(RefCell<Vec<(Value, u64)>>, bool);

impl Serialize for Keys {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let mut position = 0;
        loop {
            let Some((key, value)) = self.0.borrow().get(position).cloned() else { break };
            if self.1 {
                self.0.borrow_mut().remove(0);
            } else {
                position += 1;
            }
            map.serialize_entry(&key, &value)?;
        }
        map.end()
    }
}

/// The first key says that such a map is a record; a later one, that it is not, and the row has been recorded or must be
/// serialized again.
#[test]
fn a_row_that_is_another_map_the_second_time_is_refused() {
    let entries = || vec![(json!("a"), 1), (json!("b"), 2), (json!(3), 3)];
    let write =
        |writer: &mut Writer<Vec<u8>>, entries, once| writer.write(&Keys(RefCell::new(entries), once));
    for before in 0..6 {
        let (mut writer, mut expected) = (Writer::new(Vec::new()).unwrap(), Vec::new());
        for row in 0..before {
            expected.push(vec![(json!("a"), row)]);
            write(&mut writer, expected[expected.len() - 1].clone(), true).unwrap();
        }
        match write(&mut writer, entries(), true) {
            Ok(()) => expected.push(entries()),
            Err(error) => {
                assert_eq!(error.category(), Category::Misuse, "{error}");
                assert!(error.to_string().contains("only once"), "{error}");
            }
        }
        assert_eq!(before == 0, expected.is_empty(), "the first row is not recorded");
        for once in [true, false, true] {
            let row = if once && expected.len() as u64 == before { vec![(json!("a"), 0)] } else { entries() };
            write(&mut writer, row.clone(), once).unwrap();
            expected.push(row);
        }
        let rows: Vec<Pairs> = from_slice(&writer.finish().unwrap()).unwrap();
        assert_eq!(rows.into_iter().map(|pairs| pairs.0).collect::<Vec<_>>(), expected);
    }
}

/// The entries of a map in their order.
struct Pairs(Vec<(Value, u64)>);

impl<'de> serde::Deserialize<'de> for Pairs {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;
        impl<'de> serde::de::Visitor<'de> for Visitor {
            type Value = Pairs;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Visitor)
    }
}

/// A parser that fails says why, though it cannot say so again.
#[test]
fn a_row_that_fails_once_says_why() {
    struct Failing(RefCell<Option<&'static str>>);

    impl Serialize for Failing {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self.0.take() {
                Some(message) => Err(S::Error::custom(message)),
                None => serializer.serialize_i32(1),
            }
        }
    }
    let mut writer = Writer::new(Vec::new()).unwrap();
    for _ in 0..3 {
        writer.write(&Failing(RefCell::new(None))).unwrap();
    }
    let error = writer.write(&Failing(RefCell::new(Some("a line is no number")))).unwrap_err();
    assert!(error.to_string().contains("a line is no number"), "{error}");
    writer.write(&Failing(RefCell::new(None))).unwrap();
    assert_eq!(from_slice::<Vec<i32>>(&writer.finish().unwrap()).unwrap(), [1; 4]);
}
