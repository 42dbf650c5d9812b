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

#[test]
fn branches_have_their_names_in_the_schema() {
    #[derive(Serialize)]
    #[serde(rename_all = "lowercase")]
    enum Type {
        Int(i32),
        String(String),
        Long { int: i64 },
    }
    let folder = Folder::new();
    let row = |at: i32| match at {
        0 => json!(0),
        _ => json!({"x": 1}),
    };
    folder.write(
        "typed.trv",
        [(Type::Int(1), Some(2)), (Type::String("s".to_owned()), None), (Type::Long { int: 3 }, Some(4))],
    );
    folder.write("plain.trv", [row(0), row(1)]);
    let schema: Value = serde_json::from_str(&folder.prints(&["schema", "-f", "avro", "typed.trv"])).unwrap();
    let branches = schema["fields"][0]["type"].as_array().unwrap();
    let names = branches.iter().map(|branch| {
        let (space, name) = (branch["namespace"].as_str(), branch["name"].as_str().unwrap());
        space.map_or(name.to_owned(), |space| format!("{space}.{name}"))
    });
    let names: Vec<String> = names.collect();
    let text = folder.prints(&["cat", "-f", "avro-json", "typed.trv"]);
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [int, string, long] = names.as_slice() else { panic!("{names:?}") };
    let expected = [
        json!({"_0": {int: {"_0": 1}}, "_1": {"int": 2}}),
        json!({"_0": {string: {"_0": "s"}}, "_1": null}),
        json!({"_0": {long: {"int": 3}}, "_1": {"int": 4}}),
    ];
    assert_eq!(rows, expected, "{schema}");
    assert_eq!(folder.prints(&["head", "-n", "1", "-f", "avro-json", "plain.trv"]), "{\"long\":0}\n");
}

#[test]
fn branches_have_their_names_at_any_depth() {
    let folder = Folder::new();
    let mut value = json!([1, "a", null]);
    for _ in 0..45 {
        value = json!({"a": [value]});
    }
    folder.write("deep.trv", [value]);
    let text = folder.prints(&["cat", "-f", "avro-json", "deep.trv"]);
    assert!(text.contains("[{\"long\":1},{\"string\":\"a\"},null]"), "{text}");
}
