//! tag, content, untagged, other: every way to tell variants apart.

use std::collections::BTreeMap;

use derive_tests::{assert_contains, assert_reads, assert_round_trip, read_error};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::as_json;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Body {
    x: i32,
}

#[test]
fn a_tag_stands_among_the_fields() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Event {
        Unit,
        Fields { n: u64, list: Vec<i32> },
        Newtype(Body),
    }
    let rows = [Event::Newtype(Body { x: 1 }), Event::Unit, Event::Fields { n: u64::MAX, list: vec![1, 2] }];
    assert_eq!(
        as_json(&rows),
        json!([{"type": "Newtype", "x": 1}, {"type": "Unit"}, {"type": "Fields", "n": u64::MAX, "list": [1, 2]}])
    );
    assert_round_trip(&rows);
}

#[test]
fn one_field_name_may_have_another_type_in_each_variant() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Event {
        Number { value: i32 },
        Text { value: String },
        List { value: Vec<bool> },
        Inner { value: Body },
        Maybe { value: Option<f64> },
    }
    assert_round_trip(&[
        Event::Number { value: 1 },
        Event::Text { value: "t".into() },
        Event::Inner { value: Body { x: 2 } },
        Event::List { value: vec![true, false] },
        Event::Maybe { value: None },
        Event::Maybe { value: Some(0.5) },
    ]);
}

#[test]
fn a_tagged_struct_writes_its_own_name() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "type")]
    struct Row {
        a: i32,
    }
    assert_eq!(as_json(&[Row { a: 1 }]), json!([{"type": "Row", "a": 1}]));
    assert_round_trip(&[Row { a: 1 }]);
}

#[test]
fn internally_tagged_enums_nest() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "inner")]
    enum Inner {
        P { p: i32 },
        Q,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "outer")]
    enum Outer {
        Nested(Inner),
        Held { inner: Option<Inner> },
    }
    assert_round_trip(&[
        Outer::Nested(Inner::P { p: 1 }),
        Outer::Held { inner: Some(Inner::Q) },
        Outer::Nested(Inner::Q),
        Outer::Held { inner: None },
    ]);
}

#[test]
fn adjacent_content_may_be_anything() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Event {
        Unit,
        Text(String),
        Optional(Option<i32>),
        Tuple(i32, bool),
        List(Vec<Body>),
        Fields { a: i32, b: Option<String> },
    }
    assert_round_trip(&[
        Event::Unit,
        Event::Text("x".into()),
        Event::Optional(None),
        Event::Optional(Some(1)),
        Event::Tuple(2, true),
        Event::List(vec![Body { x: 3 }]),
        Event::List(vec![]),
        Event::Fields { a: 4, b: None },
    ]);
}

#[test]
fn untagged_tries_variants_in_order() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Loose {
        Flag(bool),
        Small(u8),
        Int(i64),
        Float(f64),
        Text(String),
        Pair(i32, i32),
        List(Vec<String>),
        Body(Body),
        Map(BTreeMap<String, i32>),
        Null,
    }
    assert_round_trip(&[
        Loose::Int(300),
        Loose::Small(3),
        Loose::Float(0.5),
        Loose::Flag(true),
        Loose::Null,
        Loose::Text("3".into()),
        Loose::Pair(1, 2),
        Loose::List(vec!["a".into()]),
        Loose::Body(Body { x: 1 }),
        Loose::Map(BTreeMap::from([("k".into(), 1)])),
    ]);
}

#[test]
fn untagged_that_fits_nothing_gives_serdes_error() {
    #[derive(Debug, Deserialize)]
    #[serde(untagged, expecting = "a flag or a text")]
    #[allow(dead_code)]
    enum Loose {
        Flag(bool),
        Text(String),
    }
    assert_contains(&read_error::<Loose>(&[1, 2]), &["a flag or a text", "row 0"]);
}

#[test]
fn one_untagged_variant_beside_tagged_ones() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Level {
        Low,
        High(u8),
        #[serde(untagged)]
        Other(String),
    }
    assert_round_trip(&[Level::Low, Level::Other("odd".into()), Level::High(3), Level::Other("Odd".into())]);
}

#[test]
fn other_takes_unknown_units_of_an_external_enum() {
    #[derive(Serialize)]
    enum Written {
        A,
        B,
        C,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    enum Read {
        A,
        #[serde(other)]
        Unknown,
    }
    assert_reads(
        &[Written::A, Written::B, Written::C, Written::A],
        &[Read::A, Read::Unknown, Read::Unknown, Read::A],
    );
}

#[test]
fn other_takes_unknown_tags_with_data() {
    #[derive(Serialize)]
    #[serde(tag = "type")]
    enum Written {
        A { x: i32 },
        B { y: Vec<String> },
        C,
    }
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(tag = "type")]
    enum Read {
        A {
            x: i32,
        },
        #[serde(other)]
        Unknown,
    }
    assert_reads(
        &[Written::B { y: vec!["b".into()] }, Written::A { x: 1 }, Written::C],
        &[Read::Unknown, Read::A { x: 1 }, Read::Unknown],
    );
}

#[test]
fn a_unit_variant_may_be_skipped() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Event {
        #[serde(skip)]
        #[allow(dead_code)]
        Hidden,
        A,
        B(i32),
    }
    assert_round_trip(&[Event::B(1), Event::A]);
    assert!(trevni::to_vec([Event::Hidden]).is_err());
}
