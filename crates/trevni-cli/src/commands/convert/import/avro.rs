//! Avro to Trevni: the schema stays as it is, to the letter.

use super::super::args::Convert;
use super::whole::{self, Counted, described};
use crate::failure::Failure;
use crate::human::{count, thousands};
use crate::interrupt;
use crate::limits::limits;
use crate::output::{self, Columns, Target};
use crate::progress::{self, Progress};
use crate::rows::Mixed;
use crate::text::TextSource;
use std::io::{self, Read};
use std::path::Path;
use trevni::{Batch, Reader};
use trevni_avro::Reader as Rows;

/// Rows, which may be without bytes, between two looks at Ctrl-C.
const ROWS_BETWEEN_CHECKS: u64 = 1 << 16;

/// Writes the rows of an Avro file to a Trevni file.
pub(in crate::commands::convert) fn run(
    args: &Convert,
    source: &TextSource,
    output: &Path,
) -> Result<(), Failure> {
    let (rows, read) = unchecked(args, source, output)?;
    output::made(&source.name, output, count(rows, "row"), read);
    checked(args, source, output, rows)
}

/// As [`run`], to a temporary file, without a summary.
pub(in crate::commands::convert) fn to_temporary(
    args: &Convert,
    source: &TextSource,
    output: &Path,
) -> Result<(), Failure> {
    let (rows, _) = unchecked(args, source, output)?;
    checked(args, source, output, rows)
}

/// Writes the rows. Returns the numbers of rows and of bytes that were read.
fn unchecked(args: &Convert, source: &TextSource, output: &Path) -> Result<(u64, u64), Failure> {
    if args.check && (!args.columns.is_empty() || args.types.mixed != Mixed::Union) {
        let failure =
            Failure::usage(format!("{}: --check is for all fields of a file, as they are", source.name));
        return Err(
            failure.hint("To leave some out or change them afterwards: trevni recode --columns, --mixed")
        );
    }
    let size = source.size().unwrap_or(0);
    let mut input = Counted::new(source.reader()?, Progress::bytes("writing", size));
    let rows = whole::convert(args, &source.name, output, |target, output| {
        write(args, &source.name, &mut input, target, output)
    })?;
    let read = input.count();
    Ok((rows, read))
}

/// Compares what was written with the source, where that is asked for.
fn checked(args: &Convert, source: &TextSource, output: &Path, rows: u64) -> Result<(), Failure> {
    if !args.check {
        return Ok(());
    }
    let progress = Progress::bytes("checking", source.size().unwrap_or(0));
    check(&source.name, Counted::new(source.reader()?, progress), output, rows)
}

/// Writes the first rows, with all fields.
fn write(
    args: &Convert,
    name: &str,
    input: impl Read,
    target: Target,
    output: &Path,
) -> Result<u64, Failure> {
    let limit = args.number.unwrap_or(u64::MAX);
    let failed = |error| Failure::of_avro(name, error);
    let mut rows = Rows::new(input).map_err(failed)?.limits(limits());
    let own = rows.metadata().iter().map(|(key, value)| (key.as_str(), value.as_slice()));
    let target = target.with(|builder| {
        let builder = described(builder.schema(rows.schema()), own);
        args.meta.iter().fold(builder, |builder, (key, value)| builder.metadata(key, value))
    });
    let mut columns = Columns::new(target, output, args.force)?;
    let done = rows.each(|row| {
        if columns.row_count().is_multiple_of(ROWS_BETWEEN_CHECKS) {
            interrupt::check()?;
        }
        if columns.row_count() < limit {
            columns.write(row)?;
        }
        Ok::<_, trevni::Error>(columns.row_count() < limit)
    });
    done.map_err(failed)?;
    let count = columns.row_count();
    columns.finish()?;
    Ok(count)
}

/// Reads back what was written, and compares it with the source, value by value.
fn check(name: &str, input: impl Read, output: &Path, row_count: u64) -> Result<(), Failure> {
    let failed = |error: trevni::Error| Failure::of(output, &error);
    let reader = Reader::builder().limits(limits()).threads(0).open(output).map_err(failed)?;
    let mut batches = reader.batches().map_err(failed)?;
    let (mut checked, mut batch, mut at) = (0u64, None::<Batch>, 0);
    let mut differs = false;
    let mut rows = Rows::new(input).map_err(|error| Failure::of_avro(name, error))?.limits(limits());
    let done = rows.each(|row| {
        if checked.is_multiple_of(ROWS_BETWEEN_CHECKS) {
            interrupt::check()?;
        }
        if batch.as_ref().is_none_or(|batch| at >= batch.len()) {
            (batch, at) = (batches.next().transpose()?, 0);
        }
        // Where the file has no more rows, the source may have rows that were not asked for.
        differs = match &batch {
            Some(batch) => !row.equals(batch, at).map_err(io::Error::other)?,
            None => return Ok(false),
        };
        checked += u64::from(!differs);
        at += 1;
        Ok::<_, trevni::Error>(!differs)
    });
    done.map_err(|error| Failure::of_avro(name, error))?;
    if differs || checked != row_count || row_count != reader.row_count() {
        let (row, output) = (thousands(checked), output.display());
        return Err(Failure::new(format!("{name}: row {row} differs in {output}")));
    }
    progress::note(format_args!("checked {}: equal", count(checked, "row")));
    Ok(())
}
