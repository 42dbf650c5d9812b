//! The rows as a whole: the schema against columns and values, and columns against each other.

use super::column::ROWS;
use super::report::Findings;
use super::{Tier, tier_of};
use crate::dialect::{File, Schema};
use crate::error::{Error, ErrorKind, Result};
use crate::reader::decode_rows;
use std::sync::Arc;

/// The rows as the schema describes them; none where they cannot be told. Compares it with the columns.
pub(super) fn schema(file: &File<'_>, findings: &mut Findings) -> Result<Option<Schema>> {
    let schema = match file.schema() {
        Ok(schema) => schema,
        Err(error) => {
            findings.add(Tier::Schema, error, None)?;
            return Ok(None);
        }
    };
    match file.renamed_columns() {
        Err(error) => findings.add(Tier::Schema, error, None)?,
        Ok(renamed) => {
            for (number, name) in renamed {
                let note = Error::metadata(format!("the schema calls it {name:?}"));
                findings.note(note.in_column(file.column_name(number)?));
            }
        }
    }
    let known = schema.columns_of(&schema.whole);
    for number in (0..file.column_count()).filter(|number| known.binary_search(number).is_err()) {
        if !file.holds_nothing(number) {
            let error = Error::metadata("the schema does not have the column");
            findings.add(Tier::Schema, error.in_column(file.column_name(number)?), None)?;
        }
    }
    Ok(Some(schema))
}

/// Decodes all rows; what is wrong with single columns, some of which are known to be damaged, has been found.
pub(super) fn check(
    file: &File<'_>,
    schema: Schema,
    damaged: &[bool],
    findings: &mut Findings,
) -> Result<()> {
    let names: Vec<&str> =
        (0..damaged.len()).map(|number| file.column_name(number)).collect::<Result<_>>()?;
    let is_known = |error: &Error| {
        let column = error.location().column.as_deref();
        let number = column.and_then(|column| names.iter().position(|name| *name == column));
        number.is_some_and(|number| damaged.get(number) == Some(&true))
    };
    let rows = match crate::reader::checked_rows(file) {
        Ok(rows) => rows,
        Err(error) if is_known(&error) || damaged.contains(&true) => return Ok(()),
        Err(error) => return findings.add(Tier::Structure, error, None),
    };
    let (schema, mut decoder, mut row) = (Arc::new(schema), None, 0);
    while row < rows {
        let count = (rows - row).min(ROWS);
        match decode_rows(file, &schema, &mut decoder, row, count as usize) {
            Ok(vector) => {
                if let Err(error) = vector.check(&schema.whole.shape) {
                    findings.add(Tier::Schema, misfit(&error), Some(row..row + count))?;
                }
            }
            Err(error) => {
                // Columns that do not fit the schema fit it nowhere.
                let fits = decoder.take().is_some();
                if !is_known(&error) {
                    let tier = match error.kind() {
                        ErrorKind::TrailingBytes { .. } | ErrorKind::Truncated { .. } => Tier::Lengths,
                        _ => tier_of(&error, Tier::Schema),
                    };
                    findings.add(tier, error, Some(row..row + count))?;
                }
                if !fits {
                    return Ok(());
                }
            }
        }
        row += count;
    }
    Ok(())
}

/// Values that are not among those of their schema: entries are counted from the first of the rows.
fn misfit(error: &Error) -> Error {
    let (misfit, path) = (Error::value(error.kind().to_string()), &error.location().path);
    if path.is_empty() { misfit } else { misfit.in_field(path) }
}
