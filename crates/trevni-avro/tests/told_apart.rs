//! Rows are found equal to themselves and to no other.

use serde_json::{Value as Json, json};
use trevni_avro::{Compression, Reader, Writer, schema_of};

#[track_caller]
fn assert_told_apart(rows: &[Json]) {
    let bytes = trevni::to_vec(rows).unwrap();
    let reader = trevni::Reader::from_slice(&bytes).unwrap();
    let schema = schema_of(&reader, reader.shape());
    let batch = reader.batches().unwrap().next().unwrap().unwrap();
    for one in 0..rows.len() {
        let mut writer = Writer::new(&schema, Compression::Null, &[], Vec::new()).unwrap();
        writer.write_row(&batch, one).unwrap();
        let file = writer.finish().unwrap();
        for other in 0..rows.len() + 1 {
            let (mut found, mut rows) = (None, Reader::new(&*file).unwrap());
            // Where the row is found, all its bytes are taken.
            let done = rows.each(|row| {
                found = Some(row.equals(&batch, other).map_err(std::io::Error::other)?);
                Ok::<_, std::io::Error>(found == Some(true))
            });
            done.unwrap();
            assert_eq!(found, Some(one == other), "{one} {other}");
        }
    }
}

#[test]
fn rows_are_told_apart() {
    let value = |value: Json| json!({"x": value, "y": "same"});
    assert_told_apart(&[json!(1), json!(2), json!(null)].map(value));
    assert_told_apart(&[json!(0.0), json!(-0.0), json!(1)].map(value));
    assert_told_apart(&[json!([]), json!([1]), json!([1, 2]), json!([2, 1]), json!(null)].map(value));
    assert_told_apart(&[json!("a"), json!("b"), json!(true), json!(["a"]), json!(7), json!(null)].map(value));
    assert_told_apart(&[json!({"a": 1}), json!({"a": null}), json!({"b": [null]}), json!({})].map(value));
    assert_told_apart(&[json!({}), json!({"x": null})]);
}
