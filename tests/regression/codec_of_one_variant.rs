//! Options for a variant were refused where an optional enum had shown only that one, because the schema has no union.

use serde::{Deserialize, Serialize};
use trevni::{Codec, ErrorKind, Reader, Writer};

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
enum Shape {
    Circle { radius: f64 },
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Row {
    shape: Option<Shape>,
    id: i32,
}

fn write(path: &str) -> trevni::Result<Vec<u8>> {
    let mut writer =
        Writer::builder().codec(Codec::Null).column_codec(path, Codec::Deflate).build(Vec::new())?;
    writer.write_all(rows())?;
    writer.finish()
}

fn rows() -> [Row; 2] {
    [Row { shape: Some(Shape::Circle { radius: 1.5 }), id: 1 }, Row { shape: None, id: 2 }]
}

#[test]
fn options_of_the_only_variant_reach_its_columns() {
    for path in ["shape.Circle", "shape.Circle.radius"] {
        let file = write(path).unwrap();
        assert_eq!(trevni::from_slice::<Vec<Row>>(&file).unwrap(), rows());
        let reader = Reader::from_slice(&file).unwrap();
        let codecs: Vec<&str> = reader.columns().iter().map(|column| column.codec_name()).collect();
        let lengths = if path == "shape.Circle" { "deflate" } else { "null" };
        assert_eq!(codecs, [lengths, "deflate", "null"], "{path}");
    }
}

#[test]
fn a_variant_that_no_row_has_is_still_refused() {
    let error = write("shape.Square").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NoSuchPath { .. }), "{error}");
}
