//! The rows as a whole: the schema against columns and values, and columns against each other.

use super::column::Checked;
use super::report::Findings;
use super::window::Window;
use super::{Tier, tier_of};
use crate::dialect::{File, Schema};
use crate::error::{Category, Error, ErrorKind, Result};
use crate::storage::budget::Pass;

/// The rows as the schema describes them; `None` where they cannot be told. Compares it with the columns, first as a reader
/// does that opens the file.
pub(super) fn schema(files: &Checked<'_, '_>, findings: &mut Findings) -> Result<Option<Schema>> {
    let (file, before) = (files.loose, findings.count());
    if let Some(Err(error)) = files.strict.map(|file| file.schema()) {
        findings.add(Tier::Schema, error, None)?;
    }
    let schema = match file.schema() {
        Ok(schema) => schema,
        Err(_) if findings.count() > before => return Ok(None),
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
    let shape = schema.whole.shape.clone();
    let pass = Pass::default();
    let (mut window, mut left) = (Window::new(file, schema, &pass), 0..rows);
    while !left.is_empty() {
        let own = left.clone();
        match window.next(&mut left) {
            Ok(vector) => {
                if let Err(error) = vector.check(&shape) {
                    findings.add(Tier::Schema, misfit(&error), Some(own.start..left.start))?;
                }
            }
            Err(error) => {
                let (failed, is_limit) = (window.of(&left), error.category() == Category::Limit);
                left.start = failed.end;
                if !is_known(&error) {
                    let tier = match error.kind() {
                        ErrorKind::TrailingBytes { .. } | ErrorKind::Truncated { .. } => Tier::Lengths,
                        _ => tier_of(&error, Tier::Schema),
                    };
                    let end = if is_limit { rows } else { failed.end };
                    findings.add(tier, error, Some(failed.start..end))?;
                }
                // Columns that do not fit the schema fit it nowhere, and what is too large here is so with the rows after it.
                if is_limit || !window.fits {
                    return Ok(());
                }
            }
        }
    }
    Ok(())
}

/// Values that are not among those of their schema: entries are counted from the first of the rows.
fn misfit(error: &Error) -> Error {
    let (misfit, path) = (Error::value(error.kind().to_string()), &error.location().path);
    if path.is_empty() { misfit } else { misfit.in_field(path) }
}
