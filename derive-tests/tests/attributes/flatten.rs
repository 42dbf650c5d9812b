//! flatten: fields of an inner struct, map or enum stand among the outer ones.

use std::collections::BTreeMap;

use derive_tests::{assert_reads, assert_round_trip};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::as_json;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Page {
    limit: u32,
    offset: u32,
}

#[test]
fn struct_fields_stand_beside_the_others() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        users: Vec<String>,
        #[serde(flatten)]
        page: Page,
    }
    let rows = [Row { users: vec!["ada".into()], page: Page { limit: 10, offset: 20 } }];
    assert_eq!(as_json(&rows), json!([{"users": ["ada"], "limit": 10, "offset": 20}]));
    assert_round_trip(&rows);
}

#[test]
fn nested_in_a_flattened_struct() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Middle {
        m: bool,
        #[serde(flatten)]
        page: Page,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(flatten)]
        middle: Middle,
        last: String,
    }
    assert_round_trip(&[
        Row { middle: Middle { m: true, page: Page { limit: 1, offset: 2 } }, last: "a".into() },
        Row { middle: Middle { m: false, page: Page { limit: 3, offset: 4 } }, last: "b".into() },
    ]);
}

#[test]
fn two_structs_side_by_side() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Other {
        x: f64,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(flatten)]
        page: Page,
        #[serde(flatten)]
        other: Other,
    }
    assert_round_trip(&[Row { page: Page { limit: 1, offset: 2 }, other: Other { x: 0.5 } }]);
}

#[test]
fn optional_struct_is_present_only_where_it_was_written() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        id: i32,
        #[serde(flatten)]
        page: Option<Page>,
    }
    let some = |id| Row { id, page: Some(Page { limit: 1, offset: 2 }) };
    let none = |id| Row { id, page: None };
    assert_round_trip(&[none(1), some(2), none(3), some(4)]);
    assert_round_trip(&[none(1), none(2)]);
}

#[test]
fn map_of_strings_takes_only_the_fields_of_its_row() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        id: String,
        #[serde(flatten)]
        rest: BTreeMap<String, String>,
    }
    let row = |id: &str, rest: &[&str]| Row {
        id: id.into(),
        rest: rest.iter().map(|key| (key.to_string(), format!("{key}!"))).collect(),
    };
    assert_round_trip(&[row("1", &["a"]), row("2", &["b", "c"]), row("3", &[]), row("4", &["a", "c"])]);
}

#[test]
fn map_of_json_values_beside_typed_fields() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        id: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }
    let row = |id, rest: Value| Row { id, rest: serde_json::from_value(rest).unwrap() };
    assert_round_trip(&[
        row(1, json!({"a": 1, "b": null})),
        row(2, json!({"a": "text"})),
        row(3, json!({"b": [1, {"c": true}]})),
        row(4, json!({})),
    ]);
}

#[test]
fn map_of_options_keeps_null_apart_from_absent() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(flatten)]
        rest: BTreeMap<String, Option<i32>>,
    }
    let row =
        |rest: &[(&str, Option<i32>)]| Row { rest: rest.iter().map(|(k, v)| (k.to_string(), *v)).collect() };
    assert_round_trip(&[
        row(&[("a", None)]),
        row(&[]),
        row(&[("a", Some(1)), ("b", None)]),
        row(&[("b", Some(2))]),
    ]);
}

#[test]
fn options_of_options_keep_their_layers() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Layers {
        twice: Option<Option<i32>>,
        unit: Option<()>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        id: i32,
        #[serde(flatten)]
        layers: Layers,
    }
    assert_round_trip(&[
        Row { id: 1, layers: Layers { twice: Some(None), unit: Some(()) } },
        Row { id: 2, layers: Layers { twice: None, unit: None } },
        Row { id: 3, layers: Layers { twice: Some(Some(3)), unit: Some(()) } },
    ]);
}

#[test]
fn enum_of_every_tagging() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum External {
        A { a: i32 },
        B(i32),
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "kind")]
    enum Internal {
        C { c: i32 },
        D,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "t", content = "c")]
    enum Adjacent {
        E(String),
        F { f: bool },
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(untagged)]
    enum Untagged {
        G { g: i32 },
        H { h: String },
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        id: i32,
        #[serde(flatten)]
        external: External,
        #[serde(flatten)]
        internal: Internal,
        #[serde(flatten)]
        untagged: Untagged,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct AdjacentRow {
        id: i32,
        #[serde(flatten)]
        adjacent: Adjacent,
    }
    assert_round_trip(&[
        Row {
            id: 1,
            external: External::A { a: 1 },
            internal: Internal::D,
            untagged: Untagged::H { h: "h".into() },
        },
        Row {
            id: 2,
            external: External::B(2),
            internal: Internal::C { c: 2 },
            untagged: Untagged::G { g: 2 },
        },
    ]);
    assert_round_trip(&[
        AdjacentRow { id: 1, adjacent: Adjacent::E("e".into()) },
        AdjacentRow { id: 2, adjacent: Adjacent::F { f: true } },
    ]);
}

#[test]
fn flattened_struct_inside_lists_and_maps() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Item {
        name: String,
        #[serde(flatten)]
        page: Page,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        list: Vec<Item>,
        map: BTreeMap<String, Item>,
    }
    let item = |name: &str| Item { name: name.into(), page: Page { limit: 1, offset: 2 } };
    assert_round_trip(&[
        Row { list: vec![], map: BTreeMap::from([("k".into(), item("a"))]) },
        Row { list: vec![item("b"), item("c")], map: BTreeMap::new() },
    ]);
}

#[test]
fn a_flattening_struct_reads_a_file_of_the_flat_struct_and_back() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Flat {
        id: i32,
        limit: u32,
        offset: u32,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        id: i32,
        #[serde(flatten)]
        page: Page,
    }
    let flat = [Flat { id: 1, limit: 2, offset: 3 }];
    let row = [Row { id: 1, page: Page { limit: 2, offset: 3 } }];
    assert_reads(&flat, &row);
    assert_reads(&row, &flat);
}
