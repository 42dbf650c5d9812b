//! Fields with the levels of the Dremel paper.

use super::{Trouble, misplaced};
use crate::columns::Column;
use crate::rows::Json;
use crate::shown::shown;
use std::io::Write;
use trevni::levels::{Leaf, LeafColumn, leaves};
use trevni::{Reader, Shape, ValueRef};

/// Bytes of lines that are written together, about.
const TOGETHER: usize = 1 << 13;

/// For each field that has values a line that says what it is, and a line `value N: R:r D:d V:value` for each
/// value and each place where one is missing.
pub(super) fn dump(reader: &Reader<'_>, columns: &[Column<'_>], out: &mut impl Write) -> Result<(), Trouble> {
    for leaf in leaves(reader.shape()) {
        let path = columns.iter().find_map(|column| path(column, &leaf));
        if let Some(path) = path.filter(|_| has_values(&leaf)) {
            dump_leaf(reader, &leaf, path, out)?;
        }
    }
    Ok(())
}

/// The path of a leaf, where the column belongs to it.
fn path<'c>(column: &Column<'c>, leaf: &Leaf<'_>) -> Option<&'c str> {
    let names = column.info.path_names()?;
    (leaf.path == names).then_some(column.info.path()?)
}

/// Not a record without fields, nor a union without variants.
fn has_values(leaf: &Leaf<'_>) -> bool {
    !matches!(leaf.shape, Shape::Record(_) | Shape::Union(_))
}

fn dump_leaf(reader: &Reader<'_>, leaf: &Leaf<'_>, path: &str, out: &mut impl Write) -> Result<(), Trouble> {
    let name = if path.is_empty() { "value" } else { path };
    let (definition, repetition) = (leaf.max_definition, leaf.max_repetition);
    writeln!(out, "# column {} type={} D={definition} R={repetition}", shown(name), leaf.shape.kind())?;
    let mut number = 0u64;
    for batch in projected(reader, leaf)?.batches()? {
        let batch = batch?;
        for column in batch.levels()?.into_iter().filter(|column| column.leaf == *leaf) {
            lines(&column, &mut number, out)?;
        }
    }
    Ok(())
}

/// A reader of few leaves, this one among them. A union comes whole: without its other variants it is not the same.
fn projected<'s>(reader: &Reader<'s>, leaf: &Leaf<'_>) -> Result<Reader<'s>, Trouble> {
    let mut path = Vec::new();
    let mut shape = reader.shape();
    loop {
        shape = match (shape.storage(), leaf.path.get(path.len())) {
            (Shape::Optional(optional), _) => &optional.item,
            (Shape::List(item), _) => item,
            (Shape::Record(record), Some(name)) => {
                path.push(name);
                let field = record.fields.iter().find(|field| field.name == **name);
                &field.ok_or_else(misplaced)?.shape
            }
            (Shape::Map(map), Some(name)) => {
                path.push(name);
                if name == "key" { &map.key } else { &map.value }
            }
            _ => return Ok(reader.project_paths([path])?),
        };
    }
}

/// Prints the entries of a leaf after the first `number`.
fn lines(column: &LeafColumn<'_>, number: &mut u64, out: &mut impl Write) -> Result<(), Trouble> {
    let (mut lines, mut values) = (Vec::new(), 0..column.values.len());
    for (repetition, definition) in column.levels.repetition.iter().zip(&column.levels.definition) {
        *number += 1;
        let (number, repetition, definition) = (*number, *repetition, *definition);
        write!(lines, "value {number}: R:{repetition} D:{definition} V:")?;
        if definition < column.leaf.max_definition {
            lines.extend_from_slice(b"<null>\n");
        } else {
            let at = values.next().ok_or_else(misplaced)?;
            let value = ValueRef::new(column.leaf.shape, column.values, at).ok_or_else(misplaced)?;
            serde_json::to_writer(&mut lines, &Json(&value)).map_err(std::io::Error::from)?;
            lines.push(b'\n');
        }
        if lines.len() > TOGETHER {
            out.write_all(&lines)?;
            lines.clear();
        }
    }
    Ok(out.write_all(&lines)?)
}
