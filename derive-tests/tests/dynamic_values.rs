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
    let values: Vec<serde_json::Value> = read(&rows);
    assert_eq!(values[1], serde_json::json!({"at": {"$__toml_private_datetime": "1979-05-27"}}));
}
