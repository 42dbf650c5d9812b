//! Rows and levels as the texts beside the golden files have them.

use serde_json::{Map, Value, json};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use trevni::{Batch, Reader, Shape, Vector};

/// A folder of golden files.
pub(crate) fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data/redelm").join(name)
}

/// The files of a folder, by name.
pub(crate) fn files(name: &str) -> Vec<PathBuf> {
    let files = std::fs::read_dir(folder(name)).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|end| end == "redelm")).collect();
    files.sort();
    files
}

/// The files with rows.
pub(crate) fn golden() -> Vec<PathBuf> {
    let files = [files("public"), files("extra")].concat();
    assert_eq!(files.len(), 17);
    files
}

/// The rows of a file, one JSON object each, without what is missing or empty.
pub(crate) fn rows(reader: &Reader<'_>) -> Vec<Value> {
    let mut rows = Vec::new();
    for batch in reader.batches().unwrap() {
        let batch = batch.unwrap();
        rows.extend((0..batch.len()).map(|row| value(batch.shape(), batch.vector(), row).unwrap()));
    }
    rows
}

/// A value; none where it is missing or empty.
fn value(shape: &Shape, vector: &Vector, at: usize) -> Option<Value> {
    Some(match (shape, vector) {
        (Shape::Record(shape), Vector::Record(record)) => {
            let fields = shape.fields.iter().zip(&record.fields);
            let fields = fields.filter_map(|(field, vector)| {
                Some((field.name.to_string(), value(&field.shape, vector, at)?))
            });
            Value::Object(fields.collect::<Map<_, _>>())
        }
        (Shape::Optional(optional), Vector::Optional(list)) => {
            let range = list.offsets.range(at).unwrap();
            value(&optional.item, &list.item, range.into_iter().next()?)?
        }
        (Shape::List(item), Vector::List(list)) => {
            let range = list.offsets.range(at).filter(|range| !range.is_empty())?;
            range.map(|at| value(item, &list.item, at).unwrap()).collect()
        }
        (_, Vector::Boolean(values)) => json!(values[at]),
        (_, Vector::Int(values)) => json!(values[at]),
        (_, Vector::Long(values)) => json!(values[at]),
        (_, Vector::Float(values)) => number(f64::from(values[at])),
        (_, Vector::Double(values)) => number(values[at]),
        (_, Vector::String(values)) => json!(values.get(at).unwrap()),
        (_, Vector::Bytes(values)) => json!(hex(values.get(at).unwrap())),
        other => panic!("{other:?}"),
    })
}

fn number(value: f64) -> Value {
    match value {
        value if value.is_nan() => json!("NaN"),
        value if value.is_infinite() => json!(if value > 0.0 { "Infinity" } else { "-Infinity" }),
        value => json!(value),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The levels of all columns of each row group, in the order of the file.
pub(crate) fn levels(reader: &Reader<'_>) -> String {
    let mut text = String::new();
    for (number, group) in reader.blocks(0).unwrap().iter().enumerate() {
        let first = group.first_row;
        let rows = reader.select(first..first + u64::from(group.rows)).unwrap();
        let batches: Vec<Batch> = rows.batches().unwrap().map(Result::unwrap).collect();
        let mut order: Vec<usize> = (0..reader.columns().len()).collect();
        let names = |column: usize| trevni::levels::leaves(reader.shape())[column].path.clone();
        order.sort_by_key(|column| {
            names(*column).iter().map(|name| name.encode_utf16().collect::<Vec<_>>()).collect::<Vec<_>>()
        });
        writeln!(text, "rowgroup {number} records={} columns={}", group.rows, order.len()).unwrap();
        for (place, column) in order.iter().enumerate() {
            write_column(reader, &batches, place, *column, &mut text);
        }
    }
    text
}

fn write_column(reader: &Reader<'_>, batches: &[Batch], place: usize, column: usize, text: &mut String) {
    let leaves = trevni::levels::leaves(reader.shape());
    let leaf = &leaves[column];
    let mut lines = Vec::new();
    for batch in batches {
        let columns = batch.levels().unwrap();
        let own = &columns[column];
        let mut values = 0;
        for (repetition, definition) in own.levels.repetition.iter().zip(&own.levels.definition) {
            let shown = match *definition == leaf.max_definition {
                true => shown(own.values, values),
                false => "null".to_owned(),
            };
            values += usize::from(*definition == leaf.max_definition);
            lines.push(format!("{repetition} {definition} {shown}"));
        }
    }
    let path: Vec<String> = leaf.path.iter().map(|name| quoted(name)).collect();
    let (max_r, max_d, kind) = (leaf.max_repetition, leaf.max_definition, kind(leaf.shape));
    let path = path.join(",");
    writeln!(
        text,
        "column {place} path=[{path}] type={kind} max_r={max_r} max_d={max_d} values={}",
        lines.len()
    )
    .unwrap();
    for same in lines.chunk_by(|one, two| one == two) {
        match same.len() {
            1..4 => same.iter().for_each(|line| writeln!(text, "{line}").unwrap()),
            count => writeln!(text, "{} *{count}", same[0]).unwrap(),
        }
    }
}

fn kind(shape: &Shape) -> &'static str {
    match shape {
        Shape::Boolean => "BOOLEAN",
        Shape::Int => "INT32",
        Shape::Long => "INT64",
        Shape::Float => "FLOAT",
        Shape::Double => "DOUBLE",
        Shape::String => "STRING",
        Shape::Bytes => "BINARY",
        other => panic!("{other:?}"),
    }
}

fn shown(values: &Vector, at: usize) -> String {
    match values {
        Vector::Boolean(values) => values[at].to_string(),
        Vector::Int(values) => values[at].to_string(),
        Vector::Long(values) => values[at].to_string(),
        Vector::Float(values) => format!("0x{:08x}", values[at].to_bits()),
        Vector::Double(values) => format!("0x{:016x}", values[at].to_bits()),
        Vector::String(values) => quoted(values.get(at).unwrap()),
        Vector::Bytes(values) if values.get(at).unwrap().is_empty() => "\"\"".to_owned(),
        Vector::Bytes(values) => hex(values.get(at).unwrap()),
        other => panic!("{other:?}"),
    }
}

/// A text as JSON in ASCII.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for unit in text.encode_utf16() {
        match unit {
            0x22 => out.push_str("\\\""),
            0x5c => out.push_str("\\\\"),
            0x20..0x7f => out.push(char::from(unit as u8)),
            other => write!(out, "\\u{other:04x}").unwrap(),
        }
    }
    out.push('"');
    out
}
