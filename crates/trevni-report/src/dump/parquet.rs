//! The columns of a Parquet file with their levels, in the form of Parquet's own tools.

use super::{Dump, DumpFormat};
use crate::failure::Failure;
use crate::input::ParquetInput;
use crate::output::Output;
use crate::parquet;
use crate::shown::shown;
use std::fmt::Write as _;
use std::io::Write;
use trevni_parquet::{Entry, Error, Stored};

/// Bytes of lines that are written together, about.
const TOGETHER: usize = 1 << 13;

/// What may go wrong: reading, or writing.
enum Wrong {
    File(Error),
    Output(std::io::Error),
}

impl From<Error> for Wrong {
    fn from(error: Error) -> Self {
        Self::File(error)
    }
}

/// For each column its type and name, and for each row group a line `*** row group 1 of 1, values 1 to 4 ***` and a line
/// `value 1: R:0 D:0 V:value` for each value and each place where one is missing.
pub(super) fn dump(args: &Dump, file: &ParquetInput, out: &mut Output) -> Result<(), Failure> {
    if matches!(args.format, Some(DumpFormat::Columns)) {
        let failure = Failure::usage(format!("{}: the columns of Parquet have levels", file.name));
        return Err(failure.hint("To see these: trevni dump --format levels"));
    }
    let (columns, groups) = (file.file.columns(), file.file.row_group_count());
    for (place, column) in parquet::chosen(&file.file, &args.columns)?.into_iter().enumerate() {
        let gap = if place > 0 { "\n" } else { "" };
        let path = columns.get(column).map(|path| path.join(".")).unwrap_or_default();
        let kind = file.file.physical_type(column).unwrap_or_default();
        let title = format!("{gap}{kind} {}\n{}\n", shown(&path), "-".repeat(80));
        out.write_all(title.as_bytes()).map_err(|error| out.failed(&error))?;
        let mut number = 0u64;
        for (group, chunk) in file.file.row_groups().enumerate() {
            let values = chunk.chunks.get(column).map_or(0, |chunk| chunk.values);
            let (first, last) = (number.saturating_add(1), number.saturating_add(values));
            let mut lines =
                format!("*** row group {} of {groups}, values {first} to {last} ***\n", group + 1);
            let done = file.file.entries(group, column, |entry| {
                number += 1;
                line(number, &entry, &mut lines);
                if lines.len() > TOGETHER {
                    out.write_all(lines.as_bytes()).map_err(Wrong::Output)?;
                    lines.clear();
                }
                Ok(())
            });
            match done {
                Ok(()) => {}
                Err(Wrong::File(error)) => {
                    let place = format!("{}: column {path}, row group {}", file.name, group + 1);
                    return Err(Failure::of_parquet(place, error));
                }
                Err(Wrong::Output(error)) => return Err(out.failed(&error)),
            }
            out.write_all(lines.as_bytes()).map_err(|error| out.failed(&error))?;
        }
    }
    Ok(())
}

fn line(number: u64, entry: &Entry<'_>, out: &mut String) {
    let (repetition, definition) = (entry.repetition, entry.definition);
    let _ = write!(out, "value {number}: R:{repetition} D:{definition} V:");
    let _ = match entry.value {
        None => write!(out, "<null>"),
        Some(Stored::Boolean(value)) => write!(out, "{value}"),
        Some(Stored::Int(value)) => write!(out, "{value}"),
        Some(Stored::Long(value)) => write!(out, "{value}"),
        Some(Stored::Float(value)) => write!(out, "{value:?}"),
        Some(Stored::Double(value)) => write!(out, "{value:?}"),
        Some(Stored::Int96([low, middle, high])) => write!(out, "0x{high:08x}{middle:08x}{low:08x}"),
        Some(Stored::Bytes(bytes)) => match std::str::from_utf8(bytes) {
            Ok(text) => write!(out, "{}", shown(text)),
            Err(_) => bytes.iter().try_fold((), |(), byte| write!(out, "{byte:02x}")),
        },
        Some(_) => write!(out, "?"),
    };
    out.push('\n');
}
