//! Values of logical types: numbers and bytes in files, texts and numbers to those who ask.

mod containers;
mod crates;
mod datasets;
mod detect;
mod detect_growth;
mod detect_options;
mod detector;
mod filtering;
mod ip;
mod marked;
mod reading;
mod styles;
mod untyped;
mod writing;

use serde::Serialize;
use trevni::{Writer, WriterBuilder};

/// A file of these rows.
fn file<T: Serialize>(builder: WriterBuilder, rows: &[T]) -> Vec<u8> {
    let mut writer = builder.build(Vec::new()).unwrap();
    writer.write_all(rows).unwrap();
    writer.finish().unwrap()
}

/// A writer of rows of one field `v` of a schema, which counts as derived from rows.
fn of_schema(field: &str) -> WriterBuilder {
    let schema =
        format!(r#"{{"type": "record", "name": "R", "fields": [{{"name": "v", "type": {field}}}]}}"#);
    Writer::builder().schema(schema).derived()
}

/// A row of one field.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
struct Row<T> {
    v: T,
}

fn rows<T: Clone>(values: &[T]) -> Vec<Row<T>> {
    values.iter().map(|v| Row { v: v.clone() }).collect()
}
