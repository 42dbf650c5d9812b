//! A value that did not fit a given union left its mark on the union.

use serde_json::Value;
use trevni::WriterBuilder;

#[test]
fn a_misfit_in_a_given_union_leaves_the_union_as_it_was() {
    let schema = r#"{"type":"record","name":"R","fields":[{"name":"u","type":["null","int","string"]}]}"#;
    let mut writer = WriterBuilder::new().schema(schema).build(Vec::new()).unwrap();
    let rows = [serde_json::json!({"u": 1}), serde_json::json!({"u": "x"}), serde_json::json!({"u": null})];
    for row in &rows {
        let error = writer.write(&serde_json::json!({"u": true})).unwrap_err();
        assert!(error.to_string().contains("a boolean does not fit the given shape union"), "{error}");
        writer.write(row).unwrap();
    }
    let bytes = writer.finish().unwrap();
    assert_eq!(trevni::from_slice::<Vec<Value>>(&bytes).unwrap(), rows);
}
