//! Columns whose type is not what the schema says.

use crate::raw::{RawBlock, RawColumn, RawFile};
use trevni::{Category, Reader};

/// A file of two rows and one column of this type.
fn file(schema: &str, kind: &str, block: &[u8]) -> Vec<u8> {
    let column = RawColumn::new("a", kind, [RawBlock::plain(2, block)]);
    let schema = format!(r#"{{"type":"record","name":"R","fields":[{{"name":"a","type":{schema}}}]}}"#);
    RawFile::new(2, [column]).with("avro.schema", &schema).bytes()
}

#[test]
fn bits_are_little_endian() {
    #[rustfmt::skip]
    let block = [0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 0, 0, 0, 0, 0, 0, 0x80];
    let long = file(r#""long""#, "fixed64", &block);
    assert_eq!(Reader::from_slice(&long).unwrap().column::<i64>("a").unwrap(), [-2, i64::MIN + 1]);
    let int = file(r#""int""#, "Fixed32", &[0xfe, 0xff, 0xff, 0xff, 1, 0, 0, 0x80]);
    assert_eq!(Reader::from_slice(&int).unwrap().column::<i32>("a").unwrap(), [-2, i32::MIN + 1]);
}

#[test]
fn other_widths_and_other_values_are_refused() {
    for (schema, kind) in [
        ("int", "fixed64"),
        ("int", "long"),
        ("long", "fixed32"),
        ("long", "int"),
        ("float", "fixed32"),
        ("double", "fixed64"),
        ("boolean", "fixed32"),
        ("string", "fixed64"),
        ("null", "fixed32"),
    ] {
        let bytes = file(&format!("{schema:?}"), kind, &[0; 16]);
        let error = trevni::from_slice::<Vec<serde_json::Value>>(&bytes).unwrap_err();
        assert_eq!(error.category(), Category::Corrupt, "{schema} as {kind}: {error}");
        assert!(error.to_string().contains(&format!("of type {kind}, the schema says {schema}")), "{error}");
    }
}

#[test]
fn too_few_bytes_are_an_error() {
    for (schema, kind, width) in [("int", "fixed32", 4), ("long", "fixed64", 8)] {
        for length in 0..2 * width {
            let bytes = file(&format!("{schema:?}"), kind, &vec![1; length]);
            let error = Reader::from_slice(&bytes).unwrap().column::<i64>("a").unwrap_err();
            assert_eq!(error.category(), Category::Corrupt, "{error}");
        }
    }
}
