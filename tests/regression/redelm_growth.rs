//! RedElm: rows of a row group that grew after they were encoded lost what is absent and what is `None`, and maps that
//! changed the type of their keys were refused; options that were nothing but `None` for whole batches ended the writer.

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::collections::BTreeMap;
use std::fmt::Debug;
use trevni::formats::{RedElm, RedElmFooter};
use trevni::{Dialect, Writer};

/// Rows come back, whatever has been encoded when a later one shows a new shape.
#[track_caller]
fn assert_grows<T: Serialize + DeserializeOwned + PartialEq + Debug>(rows: &[T]) {
    for batch_rows in [1, 2, 3, 4096] {
        for footer in [RedElmFooter::Json, RedElmFooter::Java] {
            let options = Writer::builder().format(RedElm::new().footer(footer));
            let mut writer = options.batch_rows(batch_rows).build(Vec::new()).unwrap();
            writer.write_all(rows).unwrap();
            let found: Vec<T> = trevni::from_slice(&writer.finish().unwrap()).unwrap();
            assert_eq!(found, rows, "{batch_rows}");
        }
    }
}

#[test]
fn absent_is_not_none() {
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Row {
        #[serde(flatten)]
        rest: BTreeMap<String, Option<i32>>,
    }
    let row = |rest: &[(&str, Option<i32>)]| Row {
        rest: rest.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect(),
    };
    assert_grows(&[
        row(&[("a", None)]),
        row(&[]),
        row(&[("a", Some(1)), ("b", None)]),
        row(&[("b", Some(2))]),
    ]);
    let map = |rest: &[(&str, Option<()>)]| -> BTreeMap<String, Option<()>> {
        rest.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect()
    };
    assert_grows(&[map(&[("a", None)]), map(&[("a", Some(())), ("b", None)]), map(&[("a", None)]), map(&[])]);
}

#[test]
fn keys_become_those_of_a_union() {
    #[derive(Serialize, Deserialize, Debug, PartialEq, Eq, PartialOrd, Ord)]
    #[serde(untagged)]
    enum Key {
        Number(i64),
        Text(String),
    }
    #[derive(Serialize, Deserialize, Debug, PartialEq)]
    struct Row {
        map: BTreeMap<Key, i32>,
    }
    let row = |keys: Vec<Key>| Row { map: keys.into_iter().zip(1..).collect() };
    assert_grows(&[
        row(vec![]),
        row(vec![Key::Text("a".into())]),
        row(vec![Key::Number(7)]),
        row(vec![Key::Number(8), Key::Text("b".into())]),
    ]);
}

#[test]
fn options_show_up_one_by_one() {
    let rows: Vec<Option<Option<Option<bool>>>> =
        vec![None, None, Some(None), Some(Some(None)), Some(Some(Some(true))), None, Some(None)];
    assert_grows(&rows);
    // Each row is a row group; all of these shapes have one message.
    let late: Vec<Option<Option<Option<bool>>>> = vec![Some(Some(None)), Some(Some(Some(true))), None];
    let options = Writer::builder().dialect(Dialect::RedElm).memory_limit(1).batch_rows(1);
    let mut writer = options.build(Vec::new()).unwrap();
    writer.write_all(&late).unwrap();
    let found: Vec<Option<Option<Option<bool>>>> = trevni::from_slice(&writer.finish().unwrap()).unwrap();
    assert_eq!(found, late);
}
