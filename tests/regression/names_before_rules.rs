//! New rules for names changed the meaning of existing files.

use serde::{Deserialize, Serialize};
use serde_json::json;
use trevni::Reader;

#[derive(Serialize, Deserialize, PartialEq, Debug)]
#[serde(rename_all = "lowercase")]
enum Scalar {
    Null,
    Int(i32),
    String(String),
    Bytes { bytes: u8 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Point {
    x: i32,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
enum Shape {
    Dot(Point),
    Line(Point, Point),
    Empty,
}

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Row {
    at: Point,
    scalar: Scalar,
    shape: Shape,
    maybe: Option<Shape>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

#[test]
fn names_from_before_there_were_rules() {
    let expected = json!([
        {"at": {"x": 1}, "scalar": "null", "shape": "Empty", "maybe": null},
        {"at": {"x": 2}, "scalar": {"int": 7}, "shape": {"Dot": {"x": 3}}, "maybe": "Empty", "note": "n"},
        {"at": {"x": 4}, "scalar": {"string": "s"}, "shape": {"Line": [{"x": 5}, {"x": 6}]},
            "maybe": {"Dot": {"x": 7}}},
        {"at": {"x": 8}, "scalar": {"bytes": {"bytes": 9}}, "shape": {"Dot": {"x": 10}}, "maybe": null, "note": ""},
    ]);
    let bytes = include_bytes!("../data/own/names_before_rules.trv");
    let rows: Vec<Row> = trevni::from_slice(bytes).unwrap();
    assert_eq!(serde_json::to_value(&rows).unwrap(), expected);
    let untyped: Vec<serde_json::Value> = trevni::from_slice(bytes).unwrap();
    assert_eq!(serde_json::Value::Array(untyped), expected);

    let reader = Reader::from_slice(bytes).unwrap();
    let ints = reader.project(["scalar.int"]).unwrap().rows::<serde_json::Value>().unwrap();
    assert_eq!(ints.map(Result::unwrap).nth(1), Some(json!({"scalar": {"int": 7}})));
    assert_eq!(reader.column::<Option<i32>>("maybe.Dot._0.x").unwrap(), [None, None, Some(7), None]);
    // Written again, they follow the rules.
    let again = trevni::to_vec(&rows).unwrap();
    assert_eq!(trevni::from_slice::<Vec<Row>>(&again).unwrap(), rows);
    let schema = Reader::from_slice(&again).unwrap().metadata().get_str("avro.schema").unwrap().to_owned();
    assert!(schema.contains(r#""name":"int_","namespace":"Scalar""#), "{schema}");
    assert!(schema.contains(r#""name":"Point","namespace":"types""#), "{schema}");
}
