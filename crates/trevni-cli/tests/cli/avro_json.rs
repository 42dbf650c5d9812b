//! Avro's JSON encoding of what Avro has no words for.

use super::Folder;
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Serialize)]
enum Kind {
    Unit,
    New(i32),
    Fields { a: u8 },
}

#[derive(Serialize)]
struct Row {
    nested: Option<Option<i32>>,
    unit: Option<()>,
    large: u64,
    huge: i128,
    counts: BTreeMap<u8, bool>,
    kinds: Vec<Kind>,
    #[serde(skip_serializing_if = "Option::is_none")]
    absent: Option<&'static str>,
    #[serde(rename = "a dash-ed name")]
    named: f32,
}

#[test]
fn names_are_those_of_the_schema() {
    let row = |some: bool| Row {
        nested: some.then_some(Some(1)),
        unit: some.then_some(()),
        large: if some { u64::MAX } else { 1 },
        huge: 1 + (255 << 8),
        counts: BTreeMap::from([(7, some)]),
        kinds: vec![Kind::Unit, Kind::New(1), Kind::Fields { a: 3 }],
        absent: some.then_some("text"),
        named: 1e7,
    };
    let folder = Folder::new();
    folder.write("rows.trv", [row(true), row(false)]);
    let text = folder.prints(&["cat", "-f", "avro-json", "rows.trv"]);
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds = json!([{"Kind": "Unit"}, {"Kind.New": {"_0": 1}}, {"Kind.Fields": {"a": 3}}]);
    let huge = format!("{}\u{ff}\u{1}", "\0".repeat(14));
    let expected = json!({
        "nested": {"serde.Some": {"value": {"int": 1}}},
        "unit": {"serde.Unit": {}},
        "large": -1,
        "huge": huge,
        "counts": [{"key": 7, "value": true}],
        "kinds": kinds,
        "a_dash_ed_name": 1e7,
        "absent": {"string": "text"},
    });
    assert_eq!(rows[0], expected, "{text}");
    assert_eq!(
        (&rows[1]["nested"], &rows[1]["unit"], &rows[1]["absent"]),
        (&Value::Null, &Value::Null, &Value::Null)
    );
    assert!(text.contains("\"a_dash_ed_name\":1.0E7"), "{text}");
    // Fields that are left out are not there, as in the schema of what is left.
    let text = folder.prints(&["head", "-n", "1", "-f", "avro-json", "-c", "large", "rows.trv"]);
    assert_eq!(text, "{\"large\":-1}\n");
}

#[test]
fn files_of_other_shapes_follow_each_other() {
    let folder = Folder::new();
    folder.write("one.trv", [json!({"a": 1}), json!({"a": null})]);
    folder.write("two.trv", [json!({"a": "x", "b": f64::MAX})]);
    let text = folder.prints(&["cat", "-f", "avro-json", "one.trv", "two.trv"]);
    assert_eq!(text, "{\"a\":{\"long\":1}}\n{\"a\":null}\n{\"a\":\"x\",\"b\":1.7976931348623157E308}\n");
}
