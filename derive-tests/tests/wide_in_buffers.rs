//! Integers of 128 bits where serde keeps values in its own buffers: right by `trevni::with::wide_integer`, an error that says so without it,
//! and never another value.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt::Debug;
use trevni::{from_slice, to_vec};

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(untagged)]
enum Id {
    Number(u128),
    Text(String),
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
#[serde(tag = "t")]
enum Event {
    A { id: i128 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Inner {
    id: u128,
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Outer {
    #[serde(flatten)]
    inner: Inner,
}

fn assert_advised<T: Serialize + DeserializeOwned + Debug>(rows: &[T]) {
    let error = from_slice::<Vec<T>>(&to_vec(rows).unwrap()).unwrap_err().to_string();
    assert!(error.contains("trevni::with::wide_integer"), "{error}");
}

#[test]
fn integers_that_buffers_do_not_keep_are_errors_that_say_what_to_write() {
    for number in [0, 1, u128::from(u64::MAX), 1 << 64, u128::MAX] {
        assert_advised(&vec![Id::Number(number); 3]);
        assert_advised(&[Id::Text("a".to_owned()), Id::Number(number)]);
        assert_advised(&vec![Outer { inner: Inner { id: number } }; 3]);
        assert_advised(&vec![Event::A { id: number.cast_signed() }; 3]);
    }
    let rows = vec![Inner { id: u128::MAX }; 3];
    assert_eq!(from_slice::<Vec<Inner>>(&to_vec(&rows).unwrap()).unwrap(), rows);
}

mod advised {
    use serde::{Deserialize, Serialize};

    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    #[serde(untagged)]
    pub(crate) enum Id {
        Number(#[serde(with = "trevni::with::wide_integer")] u128),
        Text(String),
    }

    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    #[serde(tag = "t")]
    pub(crate) enum Event {
        A {
            #[serde(with = "trevni::with::wide_integer")]
            id: i128,
        },
        B {
            #[serde(with = "trevni::with::wide_integer", default)]
            id: Option<i128>,
        },
    }

    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    pub(crate) struct Inner {
        #[serde(with = "trevni::with::wide_integer")]
        pub(crate) id: u128,
    }

    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    pub(crate) struct Outer {
        #[serde(flatten)]
        pub(crate) inner: Inner,
    }
}

#[test]
fn integers_come_back_as_the_advice_says() {
    use advised::{Event, Id, Inner, Outer};
    fn assert_same<T: Serialize + DeserializeOwned + Debug + PartialEq>(rows: &[T]) {
        assert_eq!(from_slice::<Vec<T>>(&to_vec(rows).unwrap()).unwrap(), rows);
    }
    let numbers = [0, 1, u128::from(u64::MAX), 1 << 64, u128::MAX];
    for number in numbers {
        assert_same(&vec![Id::Number(number); 3]);
        assert_same(&vec![Inner { id: number }; 3]);
    }
    assert_same(&numbers.map(|id| Outer { inner: Inner { id } }));
    assert_same(&numbers.map(|id| Event::A { id: id.cast_signed() }));
    assert_same(&[Event::B { id: None }, Event::B { id: Some(i128::MIN) }, Event::A { id: 5 }]);
    let digits = u128::MAX.to_string();
    assert_same(&[Id::Number(u128::MAX), Id::Text(digits), Id::Text("1".to_owned()), Id::Number(1)]);
    assert_same(&[Some(Id::Number(u128::MAX)), None]);
    // The columns are the same with and without it.
    let [with, without] = [to_vec([Inner { id: 5 }]), to_vec([plain_inner()])];
    assert_eq!(with.unwrap(), without.unwrap());
}

fn plain_inner() -> Inner {
    Inner { id: 5 }
}

#[test]
fn integers_are_of_their_type() {
    let file = to_vec([advised::Inner { id: u128::MAX }]).unwrap();
    #[derive(Deserialize, Debug)]
    struct Signed {
        #[serde(with = "trevni::with::wide_integer")]
        #[expect(dead_code, reason = "it is not read")]
        id: i128,
    }
    assert!(from_slice::<Vec<Signed>>(&file).unwrap_err().to_string().contains("no integer of this type"));
}

/// Narrow integers are shown as they are, whatever the column.
#[test]
fn integers_that_fit_64_bits_are_read_as_such() {
    #[derive(Deserialize, PartialEq, Debug)]
    #[serde(untagged)]
    enum Read {
        Small(i64),
        Text(String),
    }
    let rows: Vec<Read> = from_slice(&to_vec([Id::Number(7), Id::Text("a".to_owned())]).unwrap()).unwrap();
    assert_eq!(rows, [Read::Small(7), Read::Text("a".to_owned())]);
    assert!(from_slice::<Vec<Read>>(&to_vec([Id::Number(u128::MAX)]).unwrap()).is_err());
}

#[test]
fn containers_of_integers_come_back_as_the_advice_says() {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    #[serde(untagged)]
    enum Ids {
        Map(#[serde(with = "trevni::with::wide_integer")] BTreeMap<String, Option<u128>>),
        Pair {
            #[serde(with = "trevni::with::wide_integer")]
            pair: (Arc<u128>, [u128; 2]),
            name: String,
        },
        List(#[serde(with = "trevni::with::wide_integer")] Vec<i128>),
    }
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    struct Outer {
        #[serde(flatten)]
        ids: Ids,
    }

    let map = Ids::Map(BTreeMap::from([("a".to_owned(), Some(u128::MAX)), ("b".to_owned(), Some(5))]));
    let pair = Ids::Pair { pair: (Arc::new(u128::MAX), [1, 1 << 70]), name: "p".to_owned() };
    let list = Ids::List(vec![i128::MIN, 0, i128::MAX]);
    for rows in
        [vec![map.clone()], vec![pair.clone()], vec![list.clone()], vec![map.clone(), pair.clone(), list]]
    {
        assert_eq!(from_slice::<Vec<Ids>>(&to_vec(&rows).unwrap()).unwrap(), rows);
    }
    for ids in [map, pair] {
        let rows = [Outer { ids }];
        assert_eq!(from_slice::<Vec<Outer>>(&to_vec(&rows).unwrap()).unwrap(), rows);
    }
}
