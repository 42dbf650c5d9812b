//! Types that ask in ways of their own.

use super::check;
use crate::Shape;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Aliased {
    #[serde(alias = "a", alias = "zz")]
    middle: i32,
    #[serde(alias = "before")]
    other: String,
    last: Option<bool>,
}

#[test]
fn aliases_are_no_fields() {
    let shape = check(&[Aliased { middle: 1, other: "o".into(), last: None }]);
    assert_eq!(shape.to_string(), "record Aliased\n  middle: int\n  other: string\n  last: optional boolean");
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
struct Lenient {
    must: i32,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    list: Vec<Inside>,
    #[serde(default)]
    number: u8,
    option: Option<bool>,
    other: String,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Default)]
#[serde(default)]
struct Inside {
    #[serde(skip_serializing_if = "String::is_empty")]
    text: String,
    #[serde(alias = "c")]
    b: bool,
}

#[test]
fn fields_with_defaults_may_be_absent() {
    let inside = |text: &str| Inside { text: text.into(), b: true };
    let full = Lenient { must: 1, list: vec![inside(""), inside("t")], number: 2, ..Lenient::default() };
    let shape = check(&[Lenient::default(), full]);
    let expected = "record Lenient\n  must: int\n  list: absent or list of record Inside\n    \
                    text: absent or string\n    b: absent or boolean\n  number: absent or int\n  \
                    option: optional boolean\n  other: string";
    assert_eq!(shape.to_string(), expected);
}

#[derive(Deserialize)]
#[allow(dead_code)]
struct Borrowed<'a> {
    text: &'a str,
    #[serde(borrow)]
    cow: Cow<'a, str>,
    bytes: &'a [u8],
    list: Vec<&'a str>,
}

#[test]
fn borrowed_texts() {
    let shape = Shape::from_type::<Borrowed<'_>>().unwrap();
    let expected = "record Borrowed\n  text: string\n  cow: string\n  bytes: bytes\n  list: list of string";
    assert_eq!(shape.to_string(), expected);
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Checked {
    address: std::net::IpAddr,
    socket: std::net::SocketAddrV6,
    count: std::num::NonZeroU32,
    letter: Option<Vowel>,
    numbers: (std::num::NonZeroI8, std::net::Ipv4Addr, u8),
    path: std::path::PathBuf,
    last: i32,
}

/// A text that none of the made-up ones is.
#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(try_from = "String", into = "String")]
struct Vowel(char);

impl TryFrom<String> for Vowel {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        match text.chars().next() {
            Some(vowel @ ('e' | 'o')) => Ok(Self(vowel)),
            _ => Err(format!("{text} is no vowel")),
        }
    }
}

impl From<Vowel> for String {
    fn from(vowel: Vowel) -> Self {
        vowel.0.to_string()
    }
}

#[test]
fn types_that_want_certain_values() {
    let row = Checked {
        address: "::1".parse().unwrap(),
        socket: "[::1]:80".parse().unwrap(),
        count: 7.try_into().unwrap(),
        letter: Some(Vowel('o')),
        numbers: ((-1).try_into().unwrap(), [127, 0, 0, 1].into(), 3),
        path: "a/b".into(),
        last: 5,
    };
    check(&[row]);
    check(&[vec![Vowel('e')]]);
    check(&[(1, Vowel('e'))]);
}

#[test]
fn other_rows() {
    check(&[(1, "a".to_owned())]);
    check(&[Some(1), None]);
    check(&[vec![1.5], vec![]]);
    check(&["text".to_owned()]);
    check(&[()]);
    check(&[[(); 0]]);
    let shape = Shape::from_type::<BTreeMap<String, i32>>().unwrap();
    assert_eq!(shape, Shape::map(Shape::String, Shape::Int));
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Wrapper<T> {
    inner: T,
}

#[test]
fn a_generic_type_within_itself_is_not_recursive() {
    check(&[Wrapper { inner: Wrapper { inner: Some(Wrapper { inner: 1 }) } }]);
}
