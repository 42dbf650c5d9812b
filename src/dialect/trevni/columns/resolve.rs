//! A schema and the columns of a file: which column holds what.

use super::{ColumnSpec, columns_within};
use crate::dialect::schema::Slots;
use crate::error::{Error, Result};
use crate::shape::Shape;
use std::collections::HashMap;

/// Bytes that the name of a column may take beyond what it takes in the file, on average.
const NAME: usize = 1024;

/// Which columns of a file hold each node of the shape of its schema, where these are not simply the columns of the
/// shape.
///
/// Columns are looked up by name. Only where that fails for a file with as many columns of the same
/// kinds, they are taken by position, as Java does; files with a checksum of the header have the names of their schema.
///
/// # Errors
///
/// A column that the file does not have.
pub(super) fn slots(
    shape: &Shape,
    file: &[ColumnSpec<&str>],
    may_rename: impl FnOnce() -> bool,
) -> Result<Slots> {
    let room = file.iter().map(|column| column.name.len() + NAME).sum::<usize>() + NAME;
    let (slots, specs) = columns_within(shape, room)
        .ok_or_else(|| Error::metadata("the schema has more or longer columns than the file"))?;
    let by_name: HashMap<&str, usize> =
        file.iter().enumerate().rev().map(|(number, column)| (column.name, number)).collect();
    let found: Vec<Option<usize>> = specs.iter().map(|spec| by_name.get(&*spec.name).copied()).collect();
    let numbers = match found.iter().copied().collect::<Option<Vec<usize>>>() {
        Some(numbers) => numbers,
        None if same_kinds(&specs, file) && may_rename() => (0..specs.len()).collect(),
        None => {
            let missing = specs.iter().zip(&found).find(|(_, found)| found.is_none());
            let name = missing.map(|(spec, _)| spec.name.as_str()).unwrap_or_default();
            return Err(Error::metadata(format!(
                "the schema has a column {name:?}, the file has none of that name"
            )));
        }
    };
    Ok(slots.renumbered(&numbers))
}

fn same_kinds(specs: &[ColumnSpec], file: &[ColumnSpec<&str>]) -> bool {
    specs.len() == file.len()
        && specs.iter().zip(file).all(|(one, two)| {
            (one.value_type, one.array, one.parent) == (two.value_type, two.array, two.parent)
        })
}
