//! The schema of an optional enum of which one variant was seen has no union, and a file with options for some of
//! its columns was refused.

use serde::{Deserialize, Serialize};
use trevni::{Codec, Reader, Writer};

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
enum Shape {
    Circle { radius: f64 },
    Square { side: f64, name: String },
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Row {
    shape: Option<Shape>,
    more: Vec<Option<Shape>>,
    last: i32,
}

#[test]
fn options_of_columns_reach_the_columns_of_their_paths() {
    let circle = |radius| Some(Shape::Circle { radius });
    let square = || Some(Shape::Square { side: 2.0, name: "s".repeat(300) });
    let rows = [
        Row { shape: circle(1.0), more: vec![square(), None], last: 1 },
        Row { shape: None, more: vec![square()], last: 2 },
    ];
    let builder = Writer::builder().codec(Codec::Null).column_codec("shape", Codec::Deflate);
    let builder = builder.column_codec("last", Codec::Snappy).column_metadata("last", "unit", "none");
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all(&rows).unwrap();
    let file = writer.finish().unwrap();
    assert_eq!(trevni::from_slice::<Vec<Row>>(&file).unwrap(), rows);
    let reader = Reader::from_slice(&file).unwrap();
    for column in reader.columns() {
        let path = column.path().unwrap();
        // An optional of one variant has its path; the variant's fields are below it.
        let codec = match path {
            "last" => "snappy",
            _ if path.starts_with("shape") => "deflate",
            _ => "null",
        };
        assert_eq!(column.codec_name(), codec, "{path}");
        assert_eq!(column.metadata().get_str("unit").is_some(), path == "last", "{path}");
    }
}
