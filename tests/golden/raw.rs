//! Columns by themselves: `raw_column` against Java's dumps, byte for byte.

use crate::data::{self, Golden};
use std::fmt::Write;
use trevni::{Reader, Shape, Vector};

/// The first line of a dump: `rows R columns C`.
fn head(reader: &Reader<'_>) -> String {
    format!("rows {} columns {}\n", reader.row_count(), reader.columns().len())
}

/// The part of a dump about one column: what it is, and a line for each row.
fn dump(reader: &Reader<'_>, number: usize, out: &mut String) -> trevni::Result<()> {
    let column = &reader.columns()[number];
    let batch = reader.raw_column(number)?;
    write!(out, "column {number} {} {}", quoted(column.name()), column.value_type()).unwrap();
    if column.is_array() {
        out.push_str(" array");
    }
    if column.has_first_values() {
        out.push_str(" values");
    }
    if let Some(parent) = column.parent() {
        write!(out, " parent {}", quoted(parent)).unwrap();
    }
    out.push('\n');
    assert_eq!((batch.first_row(), batch.len() as u64), (0, reader.row_count()));
    for index in 0..batch.len() {
        value(batch.shape(), batch.vector(), index, out);
        out.push('\n');
    }
    Ok(())
}

fn value(shape: &Shape, vector: &Vector, index: usize, out: &mut String) {
    match (shape.storage(), vector) {
        (Shape::Null, Vector::Null(len)) => {
            assert!(index < *len);
            out.push_str("null");
        }
        (Shape::Boolean, Vector::Boolean(values)) => write!(out, "{}", values[index]).unwrap(),
        (Shape::Int, Vector::Int(values)) => write!(out, "{}", values[index]).unwrap(),
        (Shape::Long, Vector::Long(values)) => write!(out, "{}", values[index]).unwrap(),
        (Shape::Float, Vector::Float(values)) => {
            write!(out, "\"0x{:08x}\"", values[index].to_bits()).unwrap()
        }
        (Shape::Double, Vector::Double(values)) => {
            write!(out, "\"0x{:016x}\"", values[index].to_bits()).unwrap()
        }
        (Shape::String, Vector::String(values)) => out.push_str(&quoted(values.get(index).unwrap())),
        (Shape::Bytes, Vector::Bytes(values)) => {
            let digits: String =
                values.get(index).unwrap().iter().map(|byte| format!("{byte:02x}")).collect();
            write!(out, "\"{digits}\"").unwrap();
        }
        (Shape::List(item), Vector::List(list)) => {
            out.push('[');
            for (number, index) in list.offsets.range(index).unwrap().enumerate() {
                if number > 0 {
                    out.push(',');
                }
                value(item, &list.item, index, out);
            }
            out.push(']');
        }
        (shape, vector) => panic!("{vector:?} for {shape:?}"),
    }
}

/// A text as dumps have it: only quotes, backslashes and control characters are escaped.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            control if control < ' ' => write!(out, "\\u{:04x}", u32::from(control)).unwrap(),
            other => out.push(other),
        }
    }
    out.push('"');
    out
}

/// The dump of a column as Java made it, taken out of that of the file.
pub(crate) fn expected(golden: &Golden, number: usize) -> String {
    let dump = golden.columns_dump().unwrap();
    let is_head = |line: &str, number: usize| line.starts_with(&format!("column {number} \""));
    let lines = dump.split_inclusive('\n').skip_while(|line| !is_head(line, number));
    lines.take_while(|line| !is_head(line, number + 1)).collect()
}

/// Compares one column with its dump.
pub(crate) fn compare(golden: &Golden, reader: &Reader<'_>, number: usize) {
    let mut found = String::new();
    dump(reader, number, &mut found).unwrap_or_else(|error| panic!("{}: {error}", golden.name));
    data::assert_same_text(&golden.name, &found, &expected(golden, number));
}

#[test]
fn columns_are_as_java_dumps_them() {
    let mut dumps = 0;
    for golden in data::all() {
        let Some(expected) = golden.columns_dump() else {
            assert!(["multiblock", "quirk_nullcodec_crc32"].contains(&&*golden.name), "{}", golden.name);
            continue;
        };
        let bytes = golden.bytes();
        let reader = Reader::from_slice(&bytes).unwrap();
        let mut found = head(&reader);
        for number in 0..reader.columns().len() {
            dump(&reader, number, &mut found).unwrap_or_else(|error| panic!("{}: {error}", golden.name));
        }
        data::assert_same_text(&golden.name, &found, &expected);
        dumps += 1;
    }
    assert_eq!(dumps, 53);
}

#[test]
fn a_column_that_is_not_there_is_an_error() {
    let bytes = data::named("raw_nested").bytes();
    let reader = Reader::from_slice(&bytes).unwrap();
    assert_eq!(reader.columns().len(), 11);
    assert!(reader.raw_column(10).is_ok() && reader.raw_column(11).is_err());
}
