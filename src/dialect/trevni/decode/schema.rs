//! The rows that the columns of a file hold: by its schema, or by the columns alone; and whether the file has the columns of its schema,
//! which is looked at before any is read, so that errors do not depend on what rows ask for.

use super::file::File;
use crate::dialect::FileSchema;
use crate::dialect::schema::Schema;
use crate::dialect::trevni::columns::{self, untyped};
use crate::error::{Error, Result};
use crate::metadata;
use crate::schema::avro;
use crate::shape::branch::Branches;
use crate::storage::value_type::ValueType;
use crate::tree::{Kind, NodeId, Projection, Slot};

impl FileSchema for File<'_> {
    fn schema(&self) -> Result<Schema> {
        let header = &self.header;
        let Some(text) = self.schema_text()? else {
            return self.untyped_schema();
        };
        let may_rename = || !header.has_sum();
        let (avro::Parsed { shape, unseen }, slots) =
            columns::resolve(text, header.names(), || header.specs(), may_rename)?;
        Ok(Schema::new(shape, slots, self.branches()).with_unseen(unseen))
    }

    fn renamed_columns(&self) -> Result<Vec<(usize, String)>> {
        let text = self.schema_text()?;
        text.map_or(Ok(Vec::new()), |text| columns::renamed(text, &self.header.specs()))
    }

    fn untyped_schema(&self) -> Result<Schema> {
        let (shape, slots) = untyped::shape(&self.header.specs())?;
        Ok(Schema::new(shape, slots, self.branches()))
    }

    fn column_schema(&self, number: usize) -> Result<Schema> {
        let (shape, slots) = untyped::single(number, |number| Ok(self.column(number)?.spec))?;
        Ok(Schema::new(shape, slots, self.branches()))
    }
}

impl File<'_> {
    fn schema_text(&self) -> Result<Option<&str>> {
        let text = self.header.entries().get(metadata::SCHEMA).map(std::str::from_utf8).transpose();
        text.map_err(|_| Error::schema("not UTF-8"))
    }

    /// What an enum makes of the branches of unions: a schema that was derived from rows says so.
    fn branches(&self) -> Branches {
        match self.header.inherited().is_derived {
            true => Branches::Kinds,
            false => Branches::Variants,
        }
    }
}

/// Checks the columns of a part of the rows: their types, and whether they store lengths.
///
/// # Errors
///
/// A column that is not what the shape says.
pub(super) fn check_columns(file: &File<'_>, schema: &Schema, part: &Projection) -> Result<()> {
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
