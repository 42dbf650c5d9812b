//! Columns by themselves, without the schema.

use super::{Trouble, misplaced};
use crate::columns::Column;
use std::io::Write;
use trevni::{Reader, Shape, Vector};

/// A line `rows R columns C`, and for each column a line that says what it is, and one for each row.
pub(super) fn dump(reader: &Reader<'_>, columns: &[Column<'_>], out: &mut impl Write) -> Result<(), Trouble> {
    writeln!(out, "rows {} columns {}", reader.row_count(), reader.columns().len())?;
    for Column { number, info, .. } in columns {
        write!(out, "column {number} ")?;
        quoted(info.name(), out)?;
        write!(out, " {}", info.value_type())?;
        if info.is_array() {
            out.write_all(b" array")?;
        }
        if info.has_first_values() {
            out.write_all(b" values")?;
        }
        if let Some(parent) = info.parent() {
            out.write_all(b" parent ")?;
            quoted(parent, out)?;
        }
        let (repetition, definition) = (info.max_repetition(), info.max_definition());
        if definition > 0 {
            write!(out, " repetition {repetition} definition {definition}")?;
        }
        if let Some(width) = info.array_width() {
            write!(out, " width {width}")?;
        }
        out.write_all(b"\n")?;
        let batch = reader.raw_column(*number)?;
        for index in 0..batch.len() {
            value(batch.shape(), batch.vector(), index, out)?;
            out.write_all(b"\n")?;
        }
    }
    Ok(())
}

fn value(shape: &Shape, vector: &Vector, index: usize, out: &mut impl Write) -> Result<(), Trouble> {
    macro_rules! at {
        ($values:expr) => {
            $values.get(index).ok_or_else(misplaced)?
        };
    }
    let within = match shape {
        Shape::Optional(optional) => Some(&optional.item),
        Shape::List(item) => Some(&**item),
        _ => None,
    };
    match (within, vector) {
        (Some(item), Vector::List(list) | Vector::Optional(list)) => {
            out.write_all(b"[")?;
            for (number, index) in list.offsets.range(index).ok_or_else(misplaced)?.enumerate() {
                if number > 0 {
                    out.write_all(b",")?;
                }
                value(item, &list.item, index, out)?;
            }
            out.write_all(b"]")?;
        }
        (_, Vector::Null(_)) => out.write_all(b"null")?,
        (_, Vector::Boolean(values)) => write!(out, "{}", at!(values))?,
        (_, Vector::Int(values)) => write!(out, "{}", at!(values))?,
        (_, Vector::Long(values)) => write!(out, "{}", at!(values))?,
        (_, Vector::Float(values)) => write!(out, "\"0x{:08x}\"", at!(values).to_bits())?,
        (_, Vector::Double(values)) => write!(out, "\"0x{:016x}\"", at!(values).to_bits())?,
        (_, Vector::String(values)) => quoted(at!(values), out)?,
        (_, Vector::Bytes(values)) => {
            out.write_all(b"\"")?;
            at!(values).iter().try_for_each(|byte| write!(out, "{byte:02x}"))?;
            out.write_all(b"\"")?;
        }
        _ => return Err(misplaced()),
    }
    Ok(())
}

/// A text in quotes; only these, backslashes and what is below U+0020 are escaped.
fn quoted(text: &str, out: &mut impl Write) -> std::io::Result<()> {
    out.write_all(b"\"")?;
    let mut rest = text;
    while let Some(at) = rest.find(|c| c == '"' || c == '\\' || c < ' ') {
        let (plain, special) = rest.split_at(at);
        out.write_all(plain.as_bytes())?;
        let mut after = special.chars();
        match after.next() {
            Some(escaped @ ('"' | '\\')) => write!(out, "\\{escaped}")?,
            Some(control) => write!(out, "\\u{:04x}", u32::from(control))?,
            None => {}
        }
        rest = after.as_str();
    }
    out.write_all(rest.as_bytes())?;
    out.write_all(b"\"")
}
