//! Files with little in them: no rows, no columns, nulls, no schema.

use crate::{merged, read};
use serde::{Deserialize, Serialize};
use trevni::formats::Trevni;
use trevni::merge::Merge;
use trevni::{Codec, Reader, WriterBuilder};

fn doubled<T: Serialize>(rows: &[T], builder: WriterBuilder) -> Vec<u8> {
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    let bytes = writer.finish().unwrap();
    let reader = Reader::from_slice(&bytes).unwrap();
    merged(Merge::new(), &[reader.clone(), reader]).0
}

#[test]
fn nulls() {
    for (rows, version) in [(10, trevni::formats::Version::V1), (5000, trevni::formats::Version::V2)] {
        let bytes = doubled(&vec![(); rows], WriterBuilder::new().format(Trevni::new().version(version)));
        let reader = Reader::from_slice(&bytes).unwrap();
        assert_eq!(read::<()>(&reader).len(), 2 * rows);
        let part = reader.select([1..3, 7..8]).unwrap();
        let (bytes, report) = merged(Merge::new(), &[part]);
        assert_eq!((report.rows, report.blocks_rewritten), (3, 1));
        assert_eq!(read::<()>(&Reader::from_slice(&bytes).unwrap()).len(), 3);
    }
    let rows: Vec<Option<Vec<()>>> = vec![None, Some(vec![(); 3]), Some(vec![])];
    let bytes = doubled(&rows, WriterBuilder::new());
    let reader = Reader::from_slice(&bytes).unwrap().select(1..5).unwrap();
    let (bytes, _) = merged(Merge::new(), &[reader]);
    let expected = [&rows[1..], &rows[..2]].concat();
    assert_eq!(read::<Option<Vec<()>>>(&Reader::from_slice(&bytes).unwrap()), expected);
}

#[test]
fn no_rows_and_no_columns() {
    #[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
    struct Empty {}
    let bytes = doubled(&vec![Empty {}; 7], WriterBuilder::new());
    let reader = Reader::from_slice(&bytes).unwrap();
    assert_eq!((reader.columns().len(), reader.row_count()), (0, 14));
    let (bytes, _) = merged(Merge::new(), &[reader.select(3..5).unwrap(), reader.clone()]);
    assert_eq!(read::<Empty>(&Reader::from_slice(&bytes).unwrap()), vec![Empty {}; 16]);

    let schema = r#"{"type":"record","name":"R","fields":[{"name":"a","type":"int"},{"name":"b","type":{"type":"array","items":"string"}}]}"#;
    let none = doubled::<()>(&[], WriterBuilder::new().schema(schema));
    let mut writer = WriterBuilder::new().schema(schema).codec(Codec::Deflate).build(Vec::new()).unwrap();
    writer.write(&serde_json::json!({"a": 2, "b": ["z"]})).unwrap();
    let some = writer.finish().unwrap();
    let (none, some) = (Reader::from_slice(&none).unwrap(), Reader::from_slice(&some).unwrap());
    let rows = read::<serde_json::Value>(&some);
    let (bytes, report) = merged(Merge::new(), &[none.clone(), some.clone(), none.clone()]);
    assert_eq!(report.blocks_recoded, 2);
    assert_eq!(read::<serde_json::Value>(&Reader::from_slice(&bytes).unwrap()), rows);
    let (bytes, report) = merged(Merge::new(), &[some.select(0..0).unwrap(), none]);
    assert_eq!((report.rows, Reader::from_slice(&bytes).unwrap().row_count()), (0, 0));
}

#[test]
fn an_array_column_with_first_values_is_copied_but_not_cut() {
    // No writer here makes such a file.
    let mut bytes = b"Trv\x02".to_vec();
    bytes.extend(2u64.to_le_bytes());
    bytes.extend(1u32.to_le_bytes());
    bytes.push(0);
    bytes.push(8);
    for (key, value) in
        [("trevni.name", "a"), ("trevni.type", "int"), ("trevni.array", ""), ("trevni.values", "")]
    {
        for text in [key, value] {
            bytes.push(2 * text.len() as u8);
            bytes.extend(text.as_bytes());
        }
    }
    bytes.extend((bytes.len() as u64 + 8).to_le_bytes());
    bytes.extend([1u32, 2, 4, 4].map(u32::to_le_bytes).concat());
    // The first value is 3; the rows are [3] and [4].
    bytes.push(6);
    bytes.extend([2, 6, 2, 8]);
    let reader = Reader::from_slice(&bytes).unwrap();
    let (copy, _) = merged(Merge::new(), &[reader.clone(), reader.clone()]);
    let items = Reader::from_slice(&copy).unwrap().column::<trevni::reader::Nested<i32>>("a").unwrap();
    assert_eq!(items.values, [3, 4, 3, 4]);
    let error = Merge::new().write(&[reader.select(1..2).unwrap()], Vec::new()).unwrap_err();
    assert!(error.to_string().contains("cannot be cut"), "{error}");
}
