//! Typed rows read as `serde_json::to_value` would write them.

use std::collections::BTreeMap;

use derive_tests::assert_reads_as_json;
use serde::Serialize;
use serde_json::{Value, json};

#[derive(Serialize)]
enum External {
    Unit,
    New(i32),
    Tuple(i32, String),
    Struct { a: Option<i32> },
}

#[derive(Serialize)]
#[serde(tag = "tag")]
enum Internal {
    Unit,
    Struct { a: i32 },
}

#[derive(Serialize)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    New(Vec<i32>),
    Tuple(i32, bool),
    Struct { a: i32 },
}

#[derive(Serialize)]
#[serde(untagged)]
enum Untagged {
    Unit,
    New(String),
    Tuple(i32, bool),
    Struct { a: i32 },
}

#[test]
fn externally_tagged_enum() {
    assert_reads_as_json(&[
        External::Unit,
        External::New(1),
        External::Tuple(2, "t".into()),
        External::Struct { a: None },
        External::Struct { a: Some(1) },
    ]);
}

#[test]
fn internally_tagged_enum() {
    assert_reads_as_json(&[Internal::Struct { a: 1 }, Internal::Unit]);
}

#[test]
fn adjacently_tagged_enum() {
    assert_reads_as_json(&[
        Adjacent::Unit,
        Adjacent::New(vec![1]),
        Adjacent::Tuple(2, true),
        Adjacent::Struct { a: 3 },
    ]);
}

#[test]
fn untagged_enum() {
    assert_reads_as_json(&[
        Untagged::New("n".into()),
        Untagged::Unit,
        Untagged::Tuple(1, false),
        Untagged::Struct { a: 2 },
    ]);
}

#[test]
fn tuples_and_arrays_are_json_arrays() {
    assert_reads_as_json(&[
        ((1, "a"), [true, false], ((),), [[1_u8; 2]; 2]),
        ((2, "b"), [true, true], ((),), [[2; 2]; 2]),
    ]);
}

#[test]
fn unit_like_values_are_null() {
    #[derive(Serialize)]
    struct Unit;
    #[derive(Serialize)]
    struct Row {
        unit: (),
        unit_struct: Unit,
        some_unit: Option<()>,
        none: Option<i32>,
        some_none: Option<Option<i32>>,
    }
    assert_reads_as_json(&[Row {
        unit: (),
        unit_struct: Unit,
        some_unit: Some(()),
        none: None,
        some_none: Some(None),
    }]);
}

#[test]
fn maps_with_integer_keys_are_objects() {
    assert_reads_as_json(&[BTreeMap::from([(-1, "a"), (2, "b")]), BTreeMap::new()]);
    assert_reads_as_json(&[BTreeMap::from([(u64::MAX, vec![1])])]);
}

#[test]
fn maps_with_enum_char_and_bool_keys_are_objects() {
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
    enum Key {
        A,
        B,
    }
    assert_reads_as_json(&[BTreeMap::from([(Key::B, 1), (Key::A, 2)])]);
    assert_reads_as_json(&[BTreeMap::from([('x', 1), ('é', 2)])]);
    assert_reads_as_json(&[BTreeMap::from([(true, 1), (false, 2)])]);
}

#[test]
fn maps_with_newtype_keys_are_objects() {
    #[derive(PartialEq, Eq, PartialOrd, Ord, Serialize)]
    struct Id(u16);
    assert_reads_as_json(&[BTreeMap::from([(Id(1), "one")])]);
}

#[test]
fn bytes_are_arrays_of_numbers() {
    #[derive(Serialize)]
    struct Row {
        #[serde(with = "serde_bytes")]
        bytes: Vec<u8>,
    }
    assert_reads_as_json(&[Row { bytes: vec![0, 1, 255] }, Row { bytes: vec![] }]);
}

#[test]
fn floats_that_json_lacks_are_null() {
    assert_reads_as_json(&[(f32::NAN, f64::INFINITY), (0.1, 0.1)]);
}

#[test]
fn small_128_bit_integers_are_numbers() {
    assert_reads_as_json(&[(1_i128, u128::from(u64::MAX)), (i128::from(i64::MIN), 0)]);
}

#[test]
fn chars_are_strings() {
    assert_reads_as_json(&['a', '🦀']);
}

#[test]
fn a_struct_of_everything() {
    #[derive(Serialize)]
    struct Item {
        #[serde(rename = "kind")]
        external: External,
        internal: Option<Internal>,
        #[serde(skip_serializing_if = "Option::is_none")]
        skipped: Option<u64>,
    }
    #[derive(Serialize)]
    struct Row {
        items: Vec<Item>,
        by_name: BTreeMap<String, Adjacent>,
        #[serde(flatten)]
        rest: BTreeMap<String, Value>,
    }
    let item = |external, internal, skipped| Item { external, internal, skipped };
    assert_reads_as_json(&[
        Row {
            items: vec![],
            by_name: BTreeMap::new(),
            rest: BTreeMap::from([("extra".into(), json!([1, {"a": null}]))]),
        },
        Row {
            items: vec![
                item(External::Unit, None, Some(u64::MAX)),
                item(External::New(1), Some(Internal::Unit), None),
            ],
            by_name: BTreeMap::from([("k".into(), Adjacent::New(vec![])), ("l".into(), Adjacent::Unit)]),
            rest: BTreeMap::new(),
        },
    ]);
}
