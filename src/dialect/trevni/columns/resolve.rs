//! A schema and the columns of a file: which column holds what.

use super::{ColumnSpec, NamedColumns, named_columns};
use crate::dialect::schema::Slots;
use crate::error::{Error, Result};
use crate::schema::avro::Named;
use std::collections::HashMap;

/// Bytes that the name of a column may take beyond what it takes in the file, on average.
const NAME: usize = 1024;

/// Which columns of a file hold each node of the shape of its schema, where these are not simply the columns of the
/// shape, one after the other.
///
/// Columns are looked up by name. Only where that fails for a file with as many columns of the same
/// kinds, they are taken by position, as Java does; files with a checksum of the header have the names of their schema.
///
/// # Errors
///
/// A column that the file does not have.
pub(super) fn slots(
    schema: &Named<'_>,
    file: &[ColumnSpec<&str>],
    may_rename: impl FnOnce() -> bool,
) -> Result<Slots> {
    let (slots, specs) = named_within(schema, file)?;
    let numbers = numbers(&specs, file, may_rename)?;
    Ok(slots.renumbered(&numbers))
}

/// The columns that have other names than the schema gives them, with these names.
///
/// # Errors
///
/// A column that the file does not have.
pub(super) fn renamed(schema: &Named<'_>, file: &[ColumnSpec<&str>]) -> Result<Vec<(usize, String)>> {
    let (_, specs) = named_within(schema, file)?;
    let numbers = numbers(&specs, file, || true)?;
    let is_other =
        |number: usize, spec: &ColumnSpec| file.get(number).is_some_and(|own| own.name != spec.name);
    let both = numbers.into_iter().zip(specs);
    Ok(both
        .filter(|(number, spec)| is_other(*number, spec))
        .map(|(number, spec)| (number, spec.name))
        .collect())
}

/// The columns of a schema, and the way to them, where the names are not much longer than those of the file.
fn named_within(schema: &Named<'_>, file: &[ColumnSpec<&str>]) -> Result<(Slots, Vec<ColumnSpec>)> {
    let room = file.iter().map(|column| column.name.len() + NAME).sum::<usize>() + NAME;
    let NamedColumns { slots, columns, .. } = named_columns(schema, usize::MAX, room);
    let slots =
        slots.ok_or_else(|| Error::metadata("the schema has more or longer columns than the file"))?;
    Ok((slots, columns))
}

/// The numbers that the columns of a schema have in the file.
fn numbers(
    specs: &[ColumnSpec],
    file: &[ColumnSpec<&str>],
    may_rename: impl FnOnce() -> bool,
) -> Result<Vec<usize>> {
    let by_name: HashMap<&str, usize> =
        file.iter().enumerate().rev().map(|(number, column)| (column.name, number)).collect();
    let found: Vec<Option<usize>> = specs.iter().map(|spec| by_name.get(&*spec.name).copied()).collect();
    match found.iter().copied().collect::<Option<Vec<usize>>>() {
        Some(numbers) => Ok(numbers),
        None if same_kinds(specs, file) && may_rename() => Ok((0..specs.len()).collect()),
        None => {
            let missing = specs.iter().zip(&found).find(|(_, found)| found.is_none());
            let name = missing.map(|(spec, _)| spec.name.as_str()).unwrap_or_default();
            Err(Error::metadata(format!("the schema has a column {name:?}, which the file lacks")))
        }
    }
}

fn same_kinds(specs: &[ColumnSpec], file: &[ColumnSpec<&str>]) -> bool {
    specs.len() == file.len()
        && specs.iter().zip(file).all(|(one, two)| {
            two.value_type.fits(one.value_type) && (one.array, one.parent) == (two.array, two.parent)
        })
}
