//! with, from, into, try_from, transparent, remote: a field is stored as another type.

use derive_tests::{assert_contains, assert_round_trip, read_error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::json;

use super::as_json;

mod text {
    use std::fmt::Display;
    use std::str::FromStr;

    use serde::{Deserialize, Deserializer, Serializer};

    pub fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(value)
    }

    pub fn deserialize<'de, T: FromStr<Err: Display>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<T, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[test]
fn with_decides_how_a_field_is_stored() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(with = "text")]
        number: i128,
        #[serde(with = "text")]
        small: u8,
    }
    let rows = [Row { number: -170_000_000_000_000_000_000, small: 1 }, Row { number: 0, small: 255 }];
    assert_eq!(as_json(&rows)[0], json!({"number": "-170000000000000000000", "small": "1"}));
    assert_round_trip(&rows);
}

#[test]
fn an_error_from_deserialize_with_names_the_path_and_row() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Row {
        #[serde(with = "text")]
        number: u8,
    }
    let rows = [json!({"number": "1"}), json!({"number": "x"})];
    assert_contains(&read_error::<Row>(&rows), &["invalid digit", "row 1", "number"]);
}

#[test]
fn serialize_with_and_deserialize_with() {
    fn halve<S: Serializer>(value: &i32, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(f64::from(*value) / 2.0)
    }
    fn double<'de, D: Deserializer<'de>>(deserializer: D) -> Result<i32, D::Error> {
        f64::deserialize(deserializer).map(|half| (half * 2.0) as i32)
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(serialize_with = "halve", deserialize_with = "double")]
        a: i32,
    }
    assert_eq!(as_json(&[Row { a: 3 }]), json!([{"a": 1.5}]));
    assert_round_trip(&[Row { a: 3 }, Row { a: -5 }]);
}

#[test]
fn with_on_a_variant() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Number {
        #[serde(with = "text")]
        Text(i64),
        Plain(i64),
    }
    assert_round_trip(&[Number::Text(5), Number::Plain(6)]);
    assert_eq!(as_json(&[Number::Text(5)]), json!([{"Text": "5"}]));
}

#[test]
fn an_error_from_serialize_with_reaches_the_caller() {
    fn refuse<S: Serializer>(value: &i32, serializer: S) -> Result<S::Ok, S::Error> {
        match value {
            0 => Err(serde::ser::Error::custom("zero is refused")),
            n => serializer.serialize_i32(*n),
        }
    }
    #[derive(Serialize)]
    struct Row {
        #[serde(serialize_with = "refuse")]
        a: i32,
    }
    let error = trevni::to_vec([Row { a: 1 }, Row { a: 0 }]).unwrap_err();
    assert_contains(&error.to_string(), &["zero is refused"]);
}

#[test]
fn from_and_into() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(from = "(i32, i32)", into = "(i32, i32)")]
    struct Point {
        x: i32,
        y: i32,
    }
    impl From<(i32, i32)> for Point {
        fn from((x, y): (i32, i32)) -> Self {
            Point { x, y }
        }
    }
    impl From<Point> for (i32, i32) {
        fn from(point: Point) -> Self {
            (point.x, point.y)
        }
    }
    assert_eq!(as_json(&[Point { x: 1, y: 2 }]), json!([[1, 2]]));
    assert_round_trip(&[vec![Point { x: 1, y: 2 }], vec![]]);
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "i32")]
struct Even(i32);

impl TryFrom<i32> for Even {
    type Error = String;

    fn try_from(n: i32) -> Result<Self, String> {
        if n % 2 == 0 { Ok(Even(n)) } else { Err(format!("{n} is odd")) }
    }
}

#[test]
fn try_from_accepts() {
    assert_round_trip(&[Even(2), Even(-4)]);
}

#[test]
fn try_from_refuses_with_the_row() {
    assert_contains(&read_error::<Even>(&[2, 4, 5]), &["5 is odd", "row 2"]);
}

#[test]
fn transparent_is_as_its_field() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(transparent)]
    struct Id {
        number: u64,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        id: Id,
        others: Vec<Id>,
    }
    let rows = [Row { id: Id { number: u64::MAX }, others: vec![Id { number: 1 }] }];
    assert_eq!(as_json(&rows), json!([{"id": u64::MAX, "others": [1]}]));
    assert_round_trip(&rows);
}

mod foreign {
    #[derive(Debug, PartialEq)]
    pub struct Span {
        pub start: u32,
        pub end: Option<u32>,
    }

    #[derive(Debug, PartialEq)]
    pub struct Secret {
        number: i32,
    }

    impl Secret {
        pub fn new(number: i32) -> Self {
            Secret { number }
        }

        pub fn number(&self) -> i32 {
            self.number
        }
    }
}

#[test]
fn remote_types() {
    #[derive(Serialize, Deserialize)]
    #[serde(remote = "foreign::Span")]
    struct SpanDef {
        start: u32,
        end: Option<u32>,
    }
    #[derive(Serialize, Deserialize)]
    #[serde(remote = "foreign::Secret")]
    struct SecretDef {
        #[serde(getter = "foreign::Secret::number")]
        number: i32,
    }
    impl From<SecretDef> for foreign::Secret {
        fn from(def: SecretDef) -> Self {
            foreign::Secret::new(def.number)
        }
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(with = "SpanDef")]
        span: foreign::Span,
        #[serde(with = "SecretDef")]
        secret: foreign::Secret,
    }
    assert_round_trip(&[
        Row { span: foreign::Span { start: 1, end: None }, secret: foreign::Secret::new(5) },
        Row { span: foreign::Span { start: 2, end: Some(3) }, secret: foreign::Secret::new(6) },
    ]);
}
