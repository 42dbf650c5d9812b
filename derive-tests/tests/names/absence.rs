//! What is not there, what is `None` and what is `Some(None)`, in one file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::assert_any_order;

#[test]
fn a_skipped_option_of_an_option() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        a: Option<Option<i32>>,
    }
    assert_any_order(&[None, Some(None), Some(Some(1))].map(|a| Row { a }));
    assert_any_order(&[None, Some(None)].map(|a| Row { a }));
}

#[test]
fn a_skipped_option_of_an_option_of_an_option() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        a: Option<Option<Option<String>>>,
        b: i32,
    }
    assert_any_order(
        &[None, Some(None), Some(Some(None)), Some(Some(Some("a".into())))].map(|a| Row { a, b: 1 }),
    );
}

#[test]
fn a_skipped_option_of_unit() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        a: Option<()>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        b: Option<Option<()>>,
    }
    assert_any_order(&[
        Row { a: None, b: None },
        Row { a: Some(()), b: Some(None) },
        Row { a: None, b: Some(Some(())) },
    ]);
}

#[test]
fn a_field_that_is_always_written_beside_one_that_is_skipped() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Row {
        always: Option<Option<u8>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        skipped: Option<Option<u8>>,
    }
    assert_any_order(&[None, Some(None), Some(Some(1))].map(|one| Row { always: one, skipped: one }));
}

#[test]
fn rows_that_are_maps_of_optional_units() {
    let map = |entries: &[(&str, Option<()>)]| -> BTreeMap<String, Option<()>> {
        entries.iter().map(|(key, value)| ((*key).to_owned(), *value)).collect()
    };
    assert_any_order(&[
        map(&[]),
        map(&[("a", None)]),
        map(&[("a", Some(()))]),
        map(&[("b", None), ("a", Some(()))]),
    ]);
}

#[test]
fn fields_that_are_maps_of_optional_units() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Row {
        map: BTreeMap<String, Option<()>>,
    }
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Flat {
        id: i32,
        #[serde(flatten)]
        map: BTreeMap<String, Option<()>>,
    }
    let maps = [
        BTreeMap::new(),
        BTreeMap::from([("a".to_string(), None)]),
        BTreeMap::from([("a".to_string(), Some(())), ("b".to_string(), None)]),
    ];
    assert_any_order(&maps.clone().map(|map| Row { map }));
    assert_any_order(&maps.map(|map| Flat { id: 1, map }));
}

#[test]
fn flattened_maps_of_options_of_options() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    struct Flat {
        id: i32,
        #[serde(flatten)]
        map: BTreeMap<String, Option<Option<i32>>>,
    }
    let maps = [
        BTreeMap::new(),
        BTreeMap::from([("a".to_string(), None)]),
        BTreeMap::from([("a".to_string(), Some(None)), ("b".to_string(), None)]),
        BTreeMap::from([("a".to_string(), Some(Some(1))), ("b".to_string(), Some(None))]),
    ];
    assert_any_order(&maps.map(|map| Flat { id: 1, map }));
}

/// `Some` is a matter of the value: another variant's option of a unit does not show one around a number.
#[test]
fn a_number_where_another_variant_has_an_option_of_a_unit() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "kind", content = "parts")]
    enum Adjacent {
        Number((), i32),
        Option((), Option<()>),
    }
    assert_any_order(&[
        Adjacent::Number((), 5),
        Adjacent::Option((), Some(())),
        Adjacent::Option((), None),
        Adjacent::Number((), -1),
    ]);
}
