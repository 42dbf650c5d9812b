//! rename, rename_all, alias: a field is known by the name serde gives it.

use derive_tests::{assert_contains, assert_reads, assert_round_trip, read_error};
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::as_json;

#[test]
fn rename_is_the_name_in_the_file() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(rename = "type")]
        kind: i32,
    }
    assert_round_trip(&[Row { kind: 1 }, Row { kind: 2 }]);
    assert_eq!(as_json(&[Row { kind: 1 }]), json!([{"type": 1}]));
}

#[test]
fn rename_may_differ_for_writing_and_reading() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(rename(serialize = "out", deserialize = "in"))]
        a: i32,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Swapped {
        #[serde(rename(serialize = "in", deserialize = "out"))]
        a: i32,
    }
    assert_reads(&[Row { a: 1 }], &[Swapped { a: 1 }]);
    assert_reads(&[Swapped { a: 2 }], &[Row { a: 2 }]);
}

#[test]
fn rename_takes_names_that_avro_forbids() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        #[serde(rename = "")]
        empty: i32,
        #[serde(rename = "a.b")]
        dot: i32,
        #[serde(rename = "a>b")]
        angle: i32,
        #[serde(rename = "a#")]
        hash: i32,
        #[serde(rename = "two words")]
        space: i32,
        #[serde(rename = "漢字")]
        unicode: i32,
        #[serde(rename = "1st")]
        digit: i32,
        #[serde(rename = "\"quoted\"\n")]
        quoted: i32,
    }
    assert_round_trip(&[Row {
        empty: 1,
        dot: 2,
        angle: 3,
        hash: 4,
        space: 5,
        unicode: 6,
        digit: 7,
        quoted: 8,
    }]);
}

#[test]
fn rename_may_look_like_the_path_of_another_field() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Inner {
        b: i32,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Row {
        a: Inner,
        #[serde(rename = "a.b")]
        dotted: String,
        #[serde(rename = "a>b")]
        angled: bool,
        list: Vec<Inner>,
        #[serde(rename = "list>b")]
        list_b: i64,
    }
    assert_round_trip(&[
        Row { a: Inner { b: 1 }, dotted: "x".into(), angled: true, list: vec![Inner { b: 2 }], list_b: 3 },
        Row { a: Inner { b: 4 }, dotted: "y".into(), angled: false, list: vec![], list_b: 5 },
    ]);
}

#[test]
fn rename_takes_variant_names_that_avro_forbids() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Sign {
        #[serde(rename = "+")]
        Plus,
        #[serde(rename = "-")]
        Minus,
        #[serde(rename = "")]
        Empty,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    enum Operand {
        #[serde(rename = "a b")]
        Words(i32),
        #[serde(rename = "a.b")]
        Dotted { x: i32 },
        #[serde(rename = "#")]
        Hash,
    }
    assert_round_trip(&[Sign::Plus, Sign::Empty, Sign::Minus]);
    assert_round_trip(&[Operand::Words(1), Operand::Hash, Operand::Dotted { x: 2 }]);
}

#[test]
fn rename_all_on_a_struct() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Row {
        first_name: String,
        #[serde(rename = "SURNAME")]
        last_name: String,
    }
    let row = Row { first_name: "Ada".into(), last_name: "Lovelace".into() };
    assert_eq!(as_json(&[&row]), json!([{"firstName": "Ada", "SURNAME": "Lovelace"}]));
    assert_round_trip(&[row]);
}

#[test]
fn rename_all_and_rename_all_fields_on_an_enum() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE", rename_all_fields = "kebab-case")]
    enum Event {
        LoggedIn { user_name: String },
        LoggedOut,
    }
    let rows = [Event::LoggedIn { user_name: "ada".into() }, Event::LoggedOut];
    assert_eq!(as_json(&rows), json!([{"LOGGED_IN": {"user-name": "ada"}}, "LOGGED_OUT"]));
    assert_round_trip(&rows);
}

#[test]
fn alias_reads_a_field_of_any_of_its_names() {
    #[derive(Serialize)]
    struct Old {
        colour: String,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct New {
        #[serde(alias = "colour", alias = "farbe")]
        color: String,
    }
    assert_reads(&[Old { colour: "red".into() }], &[New { color: "red".into() }]);
    assert_round_trip(&[New { color: "blue".into() }]);
}

#[test]
fn alias_of_a_variant() {
    #[derive(Serialize)]
    enum Old {
        Gray,
        Mixed(u8),
    }
    #[derive(Debug, PartialEq, Deserialize)]
    enum New {
        #[serde(alias = "Gray")]
        Grey,
        #[serde(alias = "Mixed")]
        Blend(u8),
    }
    assert_reads(&[Old::Gray, Old::Mixed(3)], &[New::Grey, New::Blend(3)]);
}

#[test]
fn a_field_given_under_its_name_and_its_alias_is_a_duplicate() {
    #[derive(Serialize)]
    struct Both {
        a: i32,
        b: i32,
        c: i32,
    }
    #[derive(Debug, Deserialize)]
    #[allow(dead_code)]
    struct Row {
        #[serde(alias = "b")]
        a: i32,
        c: i32,
    }
    assert_contains(&read_error::<Row>(&[Both { a: 1, b: 2, c: 3 }]), &["duplicate field `a`"]);
}

#[test]
fn container_rename_changes_no_field() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(rename = "some other/name")]
    struct Row {
        a: i32,
    }
    assert_round_trip(&[Row { a: 1 }]);
}
