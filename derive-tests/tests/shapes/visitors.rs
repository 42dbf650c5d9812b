//! Visitors written by hand, and values that a visitor leaves unread.

use derive_tests::{assert_reads, write};
use serde::de::{self, DeserializeOwned, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

#[test]
fn a_visitor_that_takes_only_maps() {
    #[derive(Debug, PartialEq)]
    struct ByHand {
        a: i32,
        b: String,
    }
    impl<'de> Deserialize<'de> for ByHand {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Fields;
            impl<'de> Visitor<'de> for Fields {
                type Value = ByHand;
                fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                    f.write_str("a map")
                }
                fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ByHand, A::Error> {
                    let (mut a, mut b) = (None, None);
                    while let Some(key) = map.next_key::<String>()? {
                        match key.as_str() {
                            "a" => a = Some(map.next_value()?),
                            "b" => b = Some(map.next_value()?),
                            _ => drop(map.next_value::<IgnoredAny>()?),
                        }
                    }
                    Ok(ByHand {
                        a: a.ok_or_else(|| de::Error::missing_field("a"))?,
                        b: b.ok_or_else(|| de::Error::missing_field("b"))?,
                    })
                }
            }
            deserializer.deserialize_struct("ByHand", &["a", "b"], Fields)
        }
    }
    #[derive(Serialize)]
    struct Row {
        a: i32,
        b: String,
    }
    assert_reads(
        &[Row { a: 1, b: "x".into() }, Row { a: 2, b: "y".into() }],
        &[ByHand { a: 1, b: "x".into() }, ByHand { a: 2, b: "y".into() }],
    );
}

/// Whatever a visitor leaves unread, the next row must not begin in the middle of it.
fn assert_error_or_reads<R: DeserializeOwned + PartialEq + std::fmt::Debug>(
    written: &[impl Serialize],
    expected: &[R],
) {
    if let Ok(rows) = trevni::from_slice::<Vec<R>>(&write(written)) {
        assert_eq!(rows, expected);
    }
}

#[test]
fn a_list_left_half_read_does_not_shift_the_next_row() {
    #[derive(Debug, PartialEq)]
    struct First(Option<i32>);
    impl<'de> Deserialize<'de> for First {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            struct Head;
            impl<'de> Visitor<'de> for Head {
                type Value = First;
                fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                    f.write_str("a list")
                }
                fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<First, A::Error> {
                    seq.next_element().map(First)
                }
            }
            deserializer.deserialize_seq(Head)
        }
    }
    assert_error_or_reads(
        &[vec![1, 2, 3], vec![], vec![4, 5]],
        &[First(Some(1)), First(None), First(Some(4))],
    );
    assert_error_or_reads(
        &[(vec![1, 2], "a"), (vec![3], "b"), (vec![4, 5], "c")],
        &[
            (First(Some(1)), "a".to_string()),
            (First(Some(3)), "b".to_string()),
            (First(Some(4)), "c".to_string()),
        ],
    );
}

fn or_none<'de, T: Deserialize<'de>, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
    Ok(T::deserialize(deserializer).ok())
}

#[test]
fn a_swallowed_error_of_a_number_does_not_shift_the_next_row() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Lenient {
        #[serde(deserialize_with = "or_none")]
        n: Option<u8>,
    }
    let rows = [json!({"n": 1}), json!({"n": 300}), json!({"n": 3})];
    assert_reads(&rows, &[Some(1), None, Some(3)].map(|n| Lenient { n }));
}

#[test]
fn a_swallowed_error_of_a_struct_does_not_shift_the_next_row() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Inner {
        n: u8,
        list: Vec<String>,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    struct Lenient {
        #[serde(deserialize_with = "or_none")]
        inner: Option<Inner>,
        last: i32,
    }
    let row = |n: i32, item: &str| json!({"inner": {"n": n, "list": [item]}, "last": n});
    let read =
        |n: u8, item: &str| Lenient { inner: Some(Inner { n, list: vec![item.into()] }), last: n.into() };
    assert_error_or_reads(
        &[row(1, "a"), row(300, "b"), row(3, "c")],
        &[read(1, "a"), Lenient { inner: None, last: 300 }, read(3, "c")],
    );
}

#[test]
fn ignored_values_of_every_kind_are_stepped_over() {
    #[derive(Debug, PartialEq, Deserialize)]
    struct Ends {
        first: i32,
        last: i32,
    }
    let row = |n: i32, middle: Value| json!({"first": n, "middle": middle, "last": -n});
    let rows = [
        row(1, json!([1, "two", null, [{"a": 1}]])),
        row(2, json!({"b": {"c": [true]}})),
        row(3, json!(null)),
        row(4, json!("text")),
    ];
    assert_reads(&rows, &[1, 2, 3, 4].map(|n| Ends { first: n, last: -n }));
}

#[test]
fn ignoring_whole_rows_counts_them() {
    let bytes = write(&[json!({"a": [1]}), json!(2), json!(null)]);
    assert_eq!(trevni::from_slice::<Vec<IgnoredAny>>(&bytes).unwrap().len(), 3);
}

#[test]
fn a_map_of_mixed_values_as_json_object() {
    let rows = [json!({"a": 1}), json!({"b": "x"})];
    let objects: Vec<Map<String, Value>> = trevni::from_slice(&write(&rows)).unwrap();
    assert_eq!(objects[1].keys().collect::<Vec<_>>(), ["b"]);
}
