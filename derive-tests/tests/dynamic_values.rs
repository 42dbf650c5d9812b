//! Values of any kind of other crates: one test for each line of the table "Values of any kind" in docs/types.md.

use ciborium::Value as Cbor;
use ciborium::tag::Captured;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::fmt::Debug;
use toml_datetime::Datetime;
use trevni::{from_slice, to_vec};

fn read<T: Serialize, R: DeserializeOwned>(rows: &[T]) -> Vec<R> {
    from_slice(&to_vec(rows).unwrap()).unwrap()
}

#[track_caller]
fn assert_same<T: Serialize + DeserializeOwned + PartialEq + Debug>(rows: &[T]) {
    assert_eq!(read::<T, T>(rows), rows);
}

fn row(value: impl Into<Cbor>) -> Cbor {
    Cbor::Map(vec![("n".into(), 1.into()), ("v".into(), value.into())])
}

#[test]
fn kinds_that_json_has_come_back() {
    let map = Cbor::Map(vec![("a".into(), 1.into()), ("b".into(), Cbor::Null)]);
    let list = Cbor::Array(vec![1.into(), "two".into(), Cbor::Bool(true), 0.5.into(), Cbor::Null]);
    for value in [1.into(), (-1).into(), u64::MAX.into(), "text".into(), 1.5.into(), 0.1.into(), list, map] {
        assert_same(&vec![row(value); 3]);
    }
}

#[test]
fn bytes_come_back_as_a_list_of_numbers() {
    let rows = vec![row(Cbor::Bytes(vec![1, 255])); 3];
    assert_eq!(read::<_, Cbor>(&rows), vec![row(Cbor::Array(vec![1.into(), 255.into()])); 3]);
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    struct Typed {
        n: u8,
        v: ByteBuf,
    }
    let typed = vec![Typed { n: 1, v: ByteBuf::from([1, 255]) }; 3];
    assert_eq!(read::<_, Typed>(&rows), typed);
    assert_same(&typed);
}

#[test]
fn tags_come_back_as_a_map() {
    let rows = vec![row(Cbor::Tag(1, Box::new(1_370_062_800.into()))); 3];
    let content = Cbor::Array(vec![1.into(), 1_370_062_800.into()]);
    let map = Cbor::Map(vec![("@@TAGGED@@".into(), content)]);
    assert_eq!(read::<_, Cbor>(&rows), vec![row(map); 3]);
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    struct Typed {
        n: u8,
        v: Captured<u64>,
    }
    let typed = vec![Typed { n: 1, v: Captured(Some(1), 1_370_062_800) }; 3];
    assert_eq!(read::<_, Typed>(&rows), typed);
    assert_same(&typed);
}

#[test]
fn integers_of_more_than_64_bits_come_back_as_strings() {
    let wide = -1 - i128::from(u64::MAX);
    let rows = vec![row(Cbor::Integer(wide.try_into().unwrap())); 3];
    assert_eq!(read::<_, Cbor>(&rows), vec![row(wide.to_string()); 3]);
    #[derive(Deserialize, PartialEq, Debug, Clone)]
    struct Typed {
        v: i128,
    }
    assert_eq!(read::<_, Typed>(&rows), vec![Typed { v: wide }; 3]);
}

#[test]
fn dates_of_toml_come_back_where_they_are_asked_for() {
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    struct Typed {
        at: Datetime,
    }
    let rows = ["1979-05-27T07:32:00Z", "1979-05-27", "07:32:00"].map(|at| Typed { at: at.parse().unwrap() });
    assert_same(&rows);
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    struct Text {
        at: String,
    }
    let texts = rows.clone().map(|row| Text { at: row.at.to_string() });
    assert_eq!(read::<_, Text>(&rows), texts);
    assert_eq!(read::<_, Typed>(&texts), rows);
    let file = to_vec(&rows).unwrap();
    let shape = trevni::Shape::from_type::<Typed>().unwrap().to_string().replace("record $", "record _");
    assert_eq!(trevni::Reader::from_slice(&file).unwrap().shape().to_string(), shape);
    let values: Vec<serde_json::Value> = read(&rows);
    assert_eq!(values[1], serde_json::json!({"at": {"$__toml_private_datetime": "1979-05-27"}}));
    let error = from_slice::<Vec<Typed>>(&to_vec([Text { at: "soon".to_owned() }]).unwrap()).unwrap_err();
    assert!(error.to_string().contains("row 0"), "{error}");
}

#[test]
fn dates_of_toml_come_back_within_other_values() {
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    struct Nested {
        maybe: Option<Datetime>,
        list: Vec<Datetime>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        skipped: Option<Datetime>,
        either: Either,
        #[serde(flatten)]
        more: More,
        untagged: Untagged,
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    #[serde(untagged)]
    enum Untagged {
        At(Datetime),
        Text(String),
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    enum Either {
        At(Datetime),
        Text(String),
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    struct More {
        last: String,
        at: Datetime,
    }
    let at = |day: u64| -> Datetime { format!("1979-05-{:02}", day % 31 + 1).parse().unwrap() };
    let row = |n: u64| Nested {
        maybe: (n % 7 > 2).then(|| at(n)),
        list: (0..n % 4).map(at).collect(),
        skipped: (n > 2000).then(|| at(n)),
        either: if n < 1000 { Either::At(at(n)) } else { Either::Text(n.to_string()) },
        more: More { last: n.to_string(), at: at(n) },
        untagged: if n < 2000 { Untagged::At(at(n)) } else { Untagged::Text(at(n).to_string()) },
    };
    assert_same(&(0..3000).map(row).collect::<Vec<_>>());
}

/// On the fast path, and in rows that mix dates and strings.
#[test]
fn raw_json_is_a_string_of_it() {
    use serde_json::value::RawValue;
    #[derive(Serialize, Deserialize, Debug)]
    struct Raw<T> {
        n: u32,
        raw: T,
    }
    let json = |n: u32| format!("{{\"b\": {n}.50, \"a\":  [{n}, null]}}");
    let rows: Vec<_> = (0..3000).map(|n| Raw { n, raw: RawValue::from_string(json(n)).unwrap() }).collect();
    let file = to_vec(&rows).unwrap();
    let shape = trevni::Shape::from_type::<Raw<Box<RawValue>>>().unwrap();
    assert_eq!(shape.to_string(), "record Raw\n  n: long\n  raw: string");
    assert_eq!(trevni::Reader::from_slice(&file).unwrap().shape(), &shape);
    let read: Vec<Raw<Box<RawValue>>> = from_slice(&file).unwrap();
    let texts: Vec<Raw<String>> = from_slice(&file).unwrap();
    for (n, (raw, text)) in (0..).zip(read.iter().zip(&texts)) {
        assert_eq!((raw.n, raw.raw.get(), &text.raw), (n, &*json(n), &json(n)));
    }
    for batch in trevni::Reader::from_slice(&file).unwrap().batches().unwrap() {
        for row in batch.unwrap().rows::<Raw<&RawValue>>() {
            let row = row.unwrap();
            assert_eq!(row.raw.get(), json(row.n));
        }
    }
    // A string that is no JSON is refused.
    let file = to_vec([Raw { n: 0, raw: "[1]" }, Raw { n: 1, raw: "[1" }]).unwrap();
    let error = from_slice::<Vec<Raw<Box<RawValue>>>>(&file).unwrap_err().to_string();
    assert!(error.contains("row 1") && error.contains("expected JSON"), "{error}");
    let optional: Vec<Raw<Option<Box<RawValue>>>> = [None, Some("null"), Some("1.50")]
        .map(|raw| Raw { n: 0, raw: raw.map(|raw| RawValue::from_string(raw.to_owned()).unwrap()) })
        .into();
    let read: Vec<Raw<Option<Box<RawValue>>>> = from_slice(&to_vec(&optional).unwrap()).unwrap();
    let read: Vec<_> = read.iter().map(|row| row.raw.as_ref().map(|raw| raw.get())).collect();
    assert_eq!(read, [None, Some("null"), Some("1.50")]);
}
