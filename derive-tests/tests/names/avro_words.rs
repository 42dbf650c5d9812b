//! Keys, types, variants and fields that are named like Avro's types.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::assert_any_order;

const PRIMITIVES: [&str; 8] = ["null", "boolean", "int", "long", "float", "double", "bytes", "string"];
const COMPLEX: [&str; 7] = ["record", "enum", "array", "map", "fixed", "union", "error"];

#[test]
fn json_with_a_list_of_text_and_an_object_below_a_word() {
    assert_any_order(&[json!({"string": ["s", {}]})]);
}

#[test]
fn json_with_one_word_at_two_depths() {
    assert_any_order(&[json!({"a": {"int": {}}}), json!({"int": {}})]);
}

#[test]
fn json_with_an_object_below_a_word() {
    assert_any_order(&[json!({"string": {"a": 1}})]);
}

#[test]
fn json_with_some_as_a_key_and_nulls() {
    assert_any_order(&[json!({"Some": {"a": 1}, "x": {"Some": null}})]);
    assert_any_order(&[json!({"Some": null}), json!({"Some": {"Some": 1}}), json!({"Some": [null, 1]})]);
}

#[test]
fn json_with_each_word_as_a_key_of_objects_lists_and_scalars() {
    for word in PRIMITIVES.into_iter().chain(COMPLEX) {
        let object = |value: Value| Value::Object([(word.to_owned(), value)].into_iter().collect());
        assert_any_order(&[
            object(json!(1)),
            object(json!("s")),
            object(object(json!(null))),
            object(json!([object(json!(1.5)), "s", [object(json!({}))]])),
        ]);
    }
}

#[test]
fn a_struct_named_int() {
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "int")]
    struct Int {
        x: i32,
    }
    assert_any_order(&[Int { x: 1 }]);
    assert_any_order(&[(Int { x: 1 }, Some(Int { x: 2 }), 3), (Int { x: 4 }, None, 5)]);
}

/// A struct, an enum and a variant of the name, where they stand alone, beside others and again.
macro_rules! named {
    ($($test:ident $name:literal;)*) => {
        $(#[test]
        fn $test() {
            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
            #[serde(rename = $name)]
            struct Struct {
                #[serde(rename = $name)]
                field: i32,
            }
            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
            #[serde(rename = $name)]
            enum Unit {
                #[serde(rename = $name)]
                Same,
                Other,
            }
            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
            #[serde(rename = $name)]
            enum Enum {
                #[serde(rename = $name)]
                Same(Struct),
                Other(Struct, Unit),
                Unit,
                Number(i32),
            }
            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
            struct Row {
                #[serde(rename = $name)]
                a: Struct,
                b: Enum,
                c: Option<Unit>,
            }
            let a = Struct { field: 1 };
            assert_any_order(&[a.clone(), Struct { field: 2 }]);
            assert_any_order(&[Unit::Same, Unit::Other]);
            assert_any_order(&[Some(a.clone()), None]);
            let enums = [
                Enum::Same(a.clone()),
                Enum::Unit,
                Enum::Other(a.clone(), Unit::Same),
                Enum::Number(1),
            ];
            assert_any_order(&enums);
            let units = [Some(Unit::Other), None, Some(Unit::Same), None];
            let rows: Vec<Row> =
                enums.into_iter().zip(units).map(|(b, c)| Row { a: a.clone(), b, c }).collect();
            assert_any_order(&rows);
        })*
    };
}

named! {
    types_named_null "null";
    types_named_boolean "boolean";
    types_named_int "int";
    types_named_long "long";
    types_named_float "float";
    types_named_double "double";
    types_named_bytes "bytes";
    types_named_string "string";
    types_named_record "record";
    types_named_enum "enum";
    types_named_array "array";
    types_named_map "map";
    types_named_fixed "fixed";
    types_named_union "union";
    types_named_error "error";
    types_named_serde "serde";
    types_named_some "Some";
    types_named_entry "Entry";
    types_named_i128 "i128";
    types_named_row "Row";
    types_named_with_a_dot "a.b";
    types_named_in_japanese "日本";
}
