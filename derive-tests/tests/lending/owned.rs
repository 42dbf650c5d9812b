//! Types that own what they keep may borrow strings and bytes while they are made, as many `Deserialize` that are written by
//! hand do.

use derive_tests::{every_encoding, write};
use serde::de::{DeserializeOwned, DeserializeSeed, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use trevni::{Reader, Writer};

/// Takes a string that is lent, and no other.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
struct Name(String);

impl<'de> Deserialize<'de> for Name {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&str>::deserialize(deserializer).map(|name| Self(name.to_owned()))
    }
}

/// Takes bytes that are lent, and no others.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Body(#[serde(with = "serde_bytes")] Vec<u8>);

impl<'de> Deserialize<'de> for Body {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&[u8]>::deserialize(deserializer).map(|body| Self(body.to_owned()))
    }
}

fn name(name: &str) -> Name {
    Name(name.to_owned())
}

/// Asserts that rows come back in each way in which rows are read that own what they keep.
#[track_caller]
fn assert_lends<T: Serialize + DeserializeOwned + PartialEq + fmt::Debug>(rows: &[T]) {
    // Many of each, so that most take the fast path.
    let rows: Vec<&T> = (0..5).flat_map(|_| rows).collect();
    for file in every_encoding(&rows) {
        assert_reads::<T>(&file.bytes, &file.name, &rows);
    }
}

#[track_caller]
fn assert_reads<T: DeserializeOwned + PartialEq + fmt::Debug>(file: &[u8], name: &str, rows: &[&T]) {
    let reader = Reader::from_slice(file).unwrap();
    let one_by_one: Vec<T> = reader.rows().unwrap().map(|row| row.expect(name)).collect();
    assert!(one_by_one.iter().eq(rows.iter().copied()), "rows, {name}: {one_by_one:?}");
    let all: Vec<T> = trevni::from_slice(file).expect(name);
    assert!(all.iter().eq(rows.iter().copied()), "from_slice, {name}: {all:?}");
    for (number, row) in rows.iter().enumerate().rev().chain(rows.iter().enumerate()) {
        assert_eq!(reader.row::<T>(number as u64).expect(name), **row, "row {number}, {name}");
    }
}

#[test]
fn fields_items_options_keys_and_values() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        id: u8,
        name: Name,
        body: Body,
        maybe: Option<Name>,
        list: Vec<Name>,
        pairs: BTreeMap<Name, Name>,
        tuple: (Name, Body),
        newtype: Box<Name>,
    }
    let row = |id: u8, text: &str| Row {
        id,
        name: name(text),
        body: Body(vec![0xff, id]),
        maybe: id.is_multiple_of(2).then(|| name("some")),
        list: (0..id).map(|n| name(&format!("{text}{n}"))).collect(),
        pairs: (0..id).map(|n| (name(&format!("key{n}")), name(text))).collect(),
        tuple: (name(""), Body(Vec::new())),
        newtype: Box::new(name("boxed")),
    };
    assert_lends(&[row(1, "ada"), row(2, ""), row(3, "漢字"), row(0, "é")]);
}

#[test]
fn a_string_or_bytes_as_the_row() {
    assert_lends(&["a", "", "漢字"].map(name));
    assert_lends(&[Body(vec![1]), Body(Vec::new()), Body(vec![0xff, 0])]);
}

#[test]
fn enums_of_every_tagging() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum External {
        Text(Name),
        Fields { text: Name },
        Tuple(Name, Body),
        Unit,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "type")]
    enum Internal {
        Fields { text: Name },
        Unit,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        Text(Name),
        Unit,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Untagged {
        Number(i32),
        Text(Name),
    }
    use External as E;
    assert_lends(&[
        E::Text(name("a")),
        E::Unit,
        E::Fields { text: name("b") },
        E::Tuple(name("c"), Body(vec![7])),
    ]);
    assert_lends(&[Internal::Unit, Internal::Fields { text: name("a") }]);
    assert_lends(&[Adjacent::Text(name("a")), Adjacent::Unit]);
    assert_lends(&[Untagged::Text(name("a")), Untagged::Number(1), Untagged::Text(name(""))]);
}

#[test]
fn flattened_fields_and_maps() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Text {
        text: Name,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        id: i32,
        #[serde(flatten)]
        text: Text,
        #[serde(flatten)]
        rest: BTreeMap<Name, Name>,
    }
    let row = |id, text: &str, keys: &[&str]| Row {
        id,
        text: Text { text: name(text) },
        rest: keys.iter().map(|key| (name(key), name(text))).collect(),
    };
    assert_lends(&[row(1, "a", &["x", "y"]), row(2, "", &["y"]), row(3, "c", &[])]);
}

#[test]
fn keys_of_rows_that_are_maps() {
    let map = |keys: &[&str]| keys.iter().map(|key| (name(key), name("value"))).collect::<BTreeMap<_, _>>();
    assert_lends(&[map(&["a", "b"]), map(&["b"]), map(&[]), map(&["c", "漢字", ""])]);
}

#[test]
fn keys_that_are_numbers_are_lent_as_their_texts() {
    let rows = [BTreeMap::from([(7, name("seven")), (-1, name("minus one"))]), BTreeMap::new()];
    let read =
        [BTreeMap::from([(name("7"), name("seven")), (name("-1"), name("minus one"))]), BTreeMap::new()];
    for file in every_encoding(&rows) {
        assert_reads(&file.bytes, &file.name, &read.iter().collect::<Vec<_>>());
    }
}

#[test]
fn names_of_variants() {
    #[derive(Serialize)]
    enum Colour {
        Red,
        Green,
    }
    #[derive(Serialize)]
    enum Sized {
        Wide(u8),
        High { by: u8 },
    }
    let rows = [Colour::Red, Colour::Green, Colour::Red, Colour::Red];
    for file in every_encoding(&rows) {
        let read = ["Red", "Green", "Red", "Red"].map(name);
        assert_reads(&file.bytes, &file.name, &read.iter().collect::<Vec<_>>());
    }
    let rows = [Sized::Wide(1), Sized::High { by: 2 }, Sized::Wide(3)];
    let read = [("Wide", 1.into()), ("High", serde_json::json!({"by": 2})), ("Wide", 3.into())];
    let read = read.map(|(variant, value)| BTreeMap::from([(name(variant), value)]));
    for file in every_encoding(&rows) {
        assert_reads(&file.bytes, &file.name, &read.iter().collect::<Vec<_>>());
    }
}

/// A struct that looks at the names of its fields itself.
#[derive(Debug, PartialEq)]
struct ByHand {
    names: Vec<String>,
    sum: i64,
}

impl<'de> Deserialize<'de> for ByHand {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;
        impl<'de> Visitor<'de> for Fields {
            type Value = ByHand;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("fields")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ByHand, A::Error> {
                let (mut names, mut sum) = (Vec::new(), 0);
                while let Some(name) = map.next_key::<&str>()? {
                    names.push(name.to_owned());
                    sum += map.next_value::<i64>()?;
                }
                Ok(ByHand { names, sum })
            }
        }
        deserializer.deserialize_struct("ByHand", &["a", "b"], Fields)
    }
}

#[test]
fn names_of_fields_that_a_struct_looks_at_itself() {
    #[derive(Serialize)]
    struct Row {
        a: i64,
        b: i64,
    }
    let rows = [1, 2, 3, 4].map(|n| Row { a: n, b: 10 * n });
    for file in every_encoding(&rows) {
        let read = [11, 22, 33, 44].map(|sum| ByHand { names: vec!["a".to_owned(), "b".to_owned()], sum });
        assert_reads(&file.bytes, &file.name, &read.iter().collect::<Vec<_>>());
    }
}

#[test]
fn texts_that_columns_store_as_another_type() {
    let days = ["2024-02-29", "1970-01-01", "1999-12-31"];
    let mut writer = Writer::builder().detect_logical().build(Vec::new()).unwrap();
    writer.write_all(days).unwrap();
    let file = writer.finish().unwrap();
    assert_eq!(Reader::from_slice(&file).unwrap().shape().to_string(), "date (int)");
    let read = days.map(name);
    assert_reads(&file, "dates", &read.iter().collect::<Vec<_>>());
}

#[test]
fn strings_of_some_rows_only() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Row {
        Number(u32),
        Text(Name),
    }
    let rows: Vec<Row> = (0..10_000)
        .map(|n| if n % 1000 == 999 { Row::Text(name(&format!("row {n}"))) } else { Row::Number(n) })
        .collect();
    assert_reads(&write(&rows), "texts among numbers", &rows.iter().collect::<Vec<_>>());
}

/// A sequence that asks for its items by a seed.
#[derive(Debug, PartialEq)]
struct Seeded(Vec<Name>);

impl<'de> Deserialize<'de> for Seeded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Items;
        struct Seed;
        impl<'de> DeserializeSeed<'de> for Seed {
            type Value = Name;

            fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Name, D::Error> {
                Name::deserialize(deserializer)
            }
        }
        impl<'de> Visitor<'de> for Items {
            type Value = Seeded;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("names")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Seeded, A::Error> {
                let mut names = Vec::new();
                while let Some(name) = seq.next_element_seed(Seed)? {
                    names.push(name);
                }
                Ok(Seeded(names))
            }
        }
        deserializer.deserialize_seq(Items)
    }
}

#[test]
fn all_rows_by_a_seed_and_in_other_containers() {
    let names = ["a", "b", "c"].map(name);
    let file = write(&names);
    assert_eq!(trevni::from_slice::<Seeded>(&file).unwrap(), Seeded(names.to_vec()));
    assert_eq!(trevni::from_slice::<[Name; 3]>(&file).unwrap(), names);
    assert_eq!(trevni::from_slice::<std::collections::BTreeSet<Name>>(&file).unwrap(), names.clone().into());
    #[derive(Debug, PartialEq, Deserialize)]
    #[serde(untagged)]
    enum Either {
        Numbers(Vec<u32>),
        Names(Vec<Name>),
    }
    assert_eq!(trevni::from_slice::<Either>(&file).unwrap(), Either::Names(names.to_vec()));
    assert_eq!(trevni::from_reader::<_, Vec<Name>>(std::io::Cursor::new(&file)).unwrap(), names);
}

#[test]
fn what_is_no_string_is_an_error_of_its_row() {
    let file = write(&[serde_json::json!({"name": "a"}), serde_json::json!({"name": 1})]);
    #[derive(Debug, Deserialize)]
    struct Row {
        #[allow(dead_code, reason = "it is read")]
        name: Name,
    }
    let expected = "row 1, name: invalid type: integer `1`, expected a borrowed string";
    assert_eq!(trevni::from_slice::<Vec<Row>>(&file).unwrap_err().to_string(), expected);
    let reader = Reader::from_slice(&file).unwrap();
    let rows: Vec<_> = reader.rows::<Row>().unwrap().collect();
    assert!(rows[0].is_ok());
    assert_eq!(rows[1].as_ref().unwrap_err().to_string(), expected);
    assert_eq!(reader.row::<Row>(1).unwrap_err().to_string(), expected);
}
