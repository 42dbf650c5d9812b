//! A field that a schema marks as unseen was null, though it has a type and values.

use serde_json::{Value, json};
use trevni::verify::Verify;
use trevni::{Checksum, Dialect, Reader, Shape, Writer, from_slice};

/// Schemas of two fields, marked where there are values.
const SCHEMAS: [&str; 4] = [
    r#"{"type":"record","name":"R","fields":[{"name":"id","type":{"type":"long","serde":"unseen"}},{"name":"x","type":["null","long"]}]}"#,
    r#"{"type":"record","name":"R","fields":[{"name":"id","type":"long"},{"name":"x","type":["null","long"],"serde":"unseen"}]}"#,
    r#"{"type":"record","name":"R","fields":[{"name":"id","type":"long"},{"name":"x","type":["long","null","string"],"serde":"unseen"}]}"#,
    r#"{"type":"record","name":"R","serde":"unseen","fields":[{"name":"id","type":"long","serde":"unseen"},{"name":"x","type":["null",{"type":"long","serde":"unseen"}],"serde":"unseen"}]}"#,
];

#[test]
fn values_are_there() {
    let rows: Vec<Value> = (0..10).map(|id| json!({"id": id, "x": (id % 2 == 0).then_some(id)})).collect();
    for schema in SCHEMAS {
        for dialect in [Dialect::Trevni, Dialect::Levels, Dialect::RedElm] {
            let options = Writer::builder().schema(schema).dialect(dialect).checksum(Checksum::Null);
            let mut writer = options.build(Vec::new()).unwrap();
            writer.write_all(&rows).unwrap();
            let file = writer.finish().unwrap();
            assert_eq!(from_slice::<Vec<Value>>(&file).unwrap(), rows, "{dialect:?}: {schema}");
            assert!(Verify::new().source(&*file).unwrap().is_ok(), "{dialect:?}: {schema}");
        }
        // What is said of another file's shape holds here too.
        let plain = Shape::from_avro(&schema.replace(r#","serde":"unseen""#, "")).unwrap();
        assert_eq!(Shape::from_avro(schema).unwrap(), plain);
    }
}

#[test]
fn fields_that_no_row_has_are_still_unseen() {
    let file = trevni::to_vec([json!({"a": [], "b": 1}), json!({"b": 2})]).unwrap();
    let text = Reader::from_slice(&file).unwrap().metadata().get_str("avro.schema").unwrap().to_owned();
    assert!(text.contains("unseen"), "{text}");
    assert_eq!(from_slice::<Vec<Value>>(&file).unwrap(), [json!({"a": [], "b": 1}), json!({"b": 2})]);
}
