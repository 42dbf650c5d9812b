//! Whether a file has the columns of its shape: looked at before any is read, so that errors do not depend on what rows ask for.

use super::file::File;
use crate::dialect::schema::Schema;
use crate::error::{Error, Result};
use crate::storage::value_type::ValueType;
use crate::tree::{Kind, NodeId, Projection, Slot};

/// Checks the columns of a part of the rows: their types, and whether they store lengths.
///
/// # Errors
///
/// A column that is not what the shape says.
pub(super) fn columns(file: &File<'_>, schema: &Schema, part: &Projection) -> Result<()> {
    (0..).take(part.tree.len()).filter_map(|id| part.in_whole(id)).try_for_each(|id| node(file, schema, id))
}

fn node(file: &File<'_>, schema: &Schema, id: NodeId) -> Result<()> {
    let tree = &schema.whole.tree;
    let presence = schema.column(Slot::Presence(id));
    if let Some(column) = presence {
        check(file, column, None, true)?;
    }
    let Some(column) = schema.column(Slot::Own(id)) else {
        return Ok(());
    };
    let Kind::Leaf(leaf) = tree.kind(id) else {
        return check(file, column, None, true);
    };
    let shares = |id| schema.column(Slot::Own(id)) == Some(column);
    let above = tree.parent(id);
    let is_item = presence == Some(column) || above.is_some_and(shares);
    if !is_item && above.and_then(|id| tree.parent(id)).is_some_and(shares) {
        // The values of a parent, which have no type but their own.
        return Ok(());
    }
    check(file, column, Some(leaf.value_type()), is_item)
}

/// Whether a column has a type, and lengths.
fn check(file: &File<'_>, number: usize, wanted: Option<ValueType>, array: bool) -> Result<()> {
    match file.header.kind(number) {
        Some((found, has_lengths))
            if array == has_lengths && wanted.is_none_or(|wanted| found.fits(wanted)) =>
        {
            Ok(())
        }
        _ => Err(misfit(file, number, wanted)),
    }
}

#[cold]
fn misfit(file: &File<'_>, number: usize, wanted: Option<ValueType>) -> Error {
    let spec = match file.column(number) {
        Ok(header) => header.spec,
        Err(error) => return error,
    };
    let found = spec.value_type;
    let error = match wanted {
        Some(wanted) if !found.fits(wanted) => {
            Error::metadata(format!("the column is of type {found}, the schema says {wanted}"))
        }
        _ => Error::metadata("the schema and the column differ on whether it has lengths"),
    };
    error.in_column(spec.name)
}
