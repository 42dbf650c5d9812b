//! Options that are none for many rows before they are some.

use std::collections::BTreeMap;

use derive_tests::assert_round_trip;
use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Inner {
    x: i32,
    y: Option<Vec<Option<f64>>>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Row {
    inner: Option<Inner>,
    boxed: Option<Box<Inner>>,
    map: Option<BTreeMap<String, Option<i32>>>,
}

const NOTHING: Row = Row { inner: None, boxed: None, map: None };

fn full() -> Row {
    let inner = Inner { x: 1, y: Some(vec![None, Some(0.5)]) };
    Row {
        inner: Some(inner.clone()),
        boxed: Some(Box::new(Inner { x: 2, y: None })),
        map: Some(BTreeMap::from([("k".into(), None), ("l".into(), Some(3))])),
    }
}

#[test]
fn an_option_first_none_for_whole_batches() {
    let mut rows = vec![NOTHING; 7];
    rows.push(full());
    rows.push(NOTHING);
    assert_round_trip(&rows);
}

#[test]
fn an_option_none_only_at_the_end() {
    let mut rows = vec![full(); 4];
    rows.push(NOTHING);
    assert_round_trip(&rows);
}

#[test]
fn an_option_never_some_reads_as_its_own_type() {
    assert_round_trip(&vec![NOTHING; 5]);
}

#[test]
fn option_layers_that_show_up_one_by_one() {
    let rows: Vec<Option<Option<Option<bool>>>> =
        vec![None, None, Some(None), Some(Some(None)), Some(Some(Some(true))), None, Some(None)];
    assert_round_trip(&rows);
}

#[test]
fn options_in_list_items_that_begin_with_none() {
    assert_round_trip(&[vec![None, None], vec![], vec![None, Some("late".to_string())]]);
}

#[test]
fn options_in_map_values_that_begin_with_none() {
    assert_round_trip(&[
        BTreeMap::from([("a".to_string(), None)]),
        BTreeMap::from([("a".to_string(), Some(vec![1])), ("b".to_string(), None)]),
    ]);
}
