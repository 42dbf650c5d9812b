//! Values of a logical type were nothing to a RedElm message: it had an optional boolean for them, and the file could
//! not be read.

use serde_json::{Value, json};
use trevni::{Dialect, Reader, Shape, Writer};

const SCHEMA: &str = r#"{"type":"record","name":"Row","fields":[
    {"name":"at","type":{"type":"long","logicalType":"timestamp-millis"}},
    {"name":"day","type":["null",{"type":"int","logicalType":"date"}]},
    {"name":"ids","type":{"type":"array","items":{"type":"string","logicalType":"uuid"}}}
]}"#;

#[test]
fn logical_types_are_stored_as_what_is_below_them() {
    let expected = "message Row {\n  required int64 at;\n  optional int32 day;\n  repeated string ids;\n}\n";
    assert_eq!(Shape::from_avro(SCHEMA).unwrap().to_message(), expected);
    let rows = [json!({"at": 7, "day": 3, "ids": ["x"]}), json!({"at": 8, "day": null, "ids": []})];
    for dialect in [Dialect::RedElm, Dialect::Levels, Dialect::Trevni] {
        let mut writer = Writer::builder().dialect(dialect).schema(SCHEMA).build(Vec::new()).unwrap();
        writer.write_all(&rows).unwrap();
        let file = writer.finish().unwrap();
        let reader = Reader::from_slice(&file).unwrap();
        let found: Vec<Value> = reader.rows().unwrap().map(Result::unwrap).collect();
        assert_eq!(found, rows, "{dialect:?}");
        assert_eq!(*reader.shape(), Shape::from_avro(SCHEMA).unwrap());
        assert!(reader.columns().iter().enumerate().all(|(number, _)| reader.raw_column(number).is_ok()));
    }
}
