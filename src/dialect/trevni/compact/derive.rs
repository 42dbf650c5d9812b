//! The columns that a schema gives, and what their metadata say by that alone.

use crate::dialect::trevni::columns::{self, ColumnSpec, NamedColumns};
use crate::error::{Error, ErrorKind, Result};
use crate::metadata::{self, Metadata};
use crate::schema::avro;

/// Nodes of a schema for each column: mentions of types make many of a short text.
const NODES_PER_COLUMN: usize = 16;

/// The part of the memory that the names of the columns may take.
const NAMES_PART: u64 = 8;

/// The columns of a schema, of a known number; their names may take a part of `memory`.
///
/// # Errors
///
/// A schema that cannot be read or gives another number of columns, names that take more memory.
pub(super) fn columns(schema: Option<&[u8]>, count: usize, memory: u64) -> Result<Vec<ColumnSpec>> {
    let text = schema.ok_or_else(|| Error::metadata("a compact file has no schema"))?;
    let text = std::str::from_utf8(text).map_err(|_| Error::schema("not UTF-8"))?;
    let nodes = text.len().max(1024).saturating_add(count.saturating_mul(NODES_PER_COLUMN));
    let room = usize::try_from(memory / NAMES_PART).unwrap_or(usize::MAX);
    let NamedColumns { columns: specs, bytes, .. } =
        avro::parse_names(text, nodes, |schema| Ok(columns::named_columns(schema, count, room)))?;
    if bytes > room {
        let (what, value) = ("the memory for the names of the columns", bytes as u64);
        return Err(ErrorKind::Limit { what, value, limit: room as u64, option: "memory" }.into());
    }
    match specs.len() == count {
        true => Ok(specs),
        false => Err(Error::metadata(format!("the schema does not have {count} columns"))),
    }
}

/// The metadata of a column by its schema alone.
pub(super) fn metadata(spec: &ColumnSpec, specs: &[ColumnSpec]) -> Metadata {
    let mut entries = Metadata::default();
    entries.insert(metadata::NAME, spec.name.as_bytes());
    entries.insert(metadata::TYPE, spec.value_type.name().as_bytes());
    if let Some(parent) = spec.parent.and_then(|parent| specs.get(parent)) {
        entries.insert(metadata::PARENT, parent.name.as_bytes());
    }
    if spec.array {
        entries.insert(metadata::ARRAY, *b"");
    }
    entries
}

/// What the metadata of a column say beyond those by its schema; `None` where they lack some of these.
pub(super) fn beyond(own: &Metadata, derived: &Metadata) -> Option<Metadata> {
    let mut more = Metadata::default();
    for (key, value) in own.iter().filter(|(key, value)| derived.get(key) != Some(value)) {
        more.insert(key, value);
    }
    let lacks = |(key, _): (&str, &[u8])| !own.contains(key);
    (!derived.iter().any(lacks)).then_some(more)
}
