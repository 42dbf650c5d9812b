//! Avro to Trevni: the schema stays as it is, to the letter.

use super::super::args::Convert;
use crate::dialect;
use crate::failure::Failure;
use crate::human::{count, thousands};
use crate::interrupt;
use crate::output::{self, Columns};
use crate::progress::{self, Progress};
use crate::text::TextSource;
use std::io::{self, Read};
use std::path::Path;
use trevni::{Batch, Reader, Writer, WriterBuilder};
use trevni_avro::{Reader as Rows, schema_of};
use trevni_query::paths::{Pattern, chosen};

/// Rows, which may be without bytes, between two looks at Ctrl-C.
const ROWS_BETWEEN_CHECKS: u64 = 1 << 16;

/// Writes the rows of an Avro file to a Trevni file.
pub(in crate::commands::convert) fn run(
    args: &Convert,
    source: &TextSource,
    output: &Path,
) -> Result<(), Failure> {
    if args.check && !args.columns.is_empty() {
        let failure = Failure::usage(format!("{}: --check is for all fields of a file", source.name));
        return Err(failure.hint("To leave some out later: trevni recode --columns"));
    }
    let size = source.size().unwrap_or(0);
    let counted = |label| {
        source.reader().map(|input| Counted { input, count: 0, progress: Progress::bytes(label, size) })
    };
    let mut input = counted("writing")?;
    let rows = convert(args, &source.name, &mut input, output)?;
    let read = input.count;
    drop(input);
    output::made(&source.name, output, count(rows, "row"), read);
    if args.check {
        check(&source.name, counted("checking")?, output, rows)?;
    }
    Ok(())
}

fn convert(args: &Convert, name: &str, input: impl Read, output: &Path) -> Result<u64, Failure> {
    if args.columns.is_empty() {
        return write(args, name, input, args.encoding.builder()?, output);
    }
    // All fields in columns, and of these some: choosing them is the work of columns.
    let folder = tempfile::tempdir().map_err(|error| Failure::io("a temporary folder", &error))?;
    let whole = folder.path().join("whole.trv");
    write(args, name, input, Writer::builder().threads(0), &whole)?;
    let failed = |error: trevni::Error| Failure::of(Path::new(name), &error);
    let reader = Reader::builder().threads(0).open(&whole).map_err(failed)?;
    let rows = match chosen(reader.shape(), &Pattern::all(&args.columns))? {
        Some(chosen) => reader.project_paths(chosen).map_err(failed)?,
        None => reader.clone(),
    };
    let builder = args.encoding.builder()?.schema(schema_of(&reader, rows.shape()));
    let mut columns = Columns::new(described(builder, reader.metadata().iter()), output, args.force)?;
    for batch in rows.batches().map_err(failed)? {
        batch.and_then(|batch| columns.write_batch(&batch)).map_err(failed)?;
    }
    let count = columns.row_count();
    columns.finish()?;
    Ok(count)
}

/// Writes the first rows, with all fields.
fn write(
    args: &Convert,
    name: &str,
    input: impl Read,
    builder: WriterBuilder,
    output: &Path,
) -> Result<u64, Failure> {
    let limit = args.number.unwrap_or(u64::MAX);
    let failed = |error| Failure::of_avro(name, error);
    let mut rows = Rows::new(input).map_err(failed)?;
    let own = rows.metadata().iter().map(|(key, value)| (key.as_str(), value.as_slice()));
    let builder = described(builder.schema(rows.schema()), own);
    let builder = args.meta.iter().fold(builder, |builder, (key, value)| builder.metadata(key, value));
    let mut columns = Columns::new(builder, output, args.force)?;
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

/// Adds metadata of another file, except for what the format says itself.
fn described<'m>(
    builder: WriterBuilder,
    metadata: impl Iterator<Item = (&'m str, &'m [u8])>,
) -> WriterBuilder {
    let copied = metadata.filter(|(key, _)| !dialect::is_own_key(key));
    copied.fold(builder, |builder, (key, value)| builder.metadata(key, value))
}

/// Reads back what was written, and compares it with the source, value by value.
fn check(name: &str, input: impl Read, output: &Path, row_count: u64) -> Result<(), Failure> {
    let failed = |error: trevni::Error| Failure::of(output, &error);
    let reader = Reader::builder().threads(0).open(output).map_err(failed)?;
    let mut batches = reader.batches().map_err(failed)?;
    let (mut checked, mut batch, mut at) = (0u64, None::<Batch>, 0);
    let mut differs = false;
    let mut rows = Rows::new(input).map_err(|error| Failure::of_avro(name, error))?;
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
        return Err(Failure::new(format!("{name}: row {row} is another one in {output}")));
    }
    progress::note(format_args!("checked {}: equal", count(checked, "row")));
    Ok(())
}

/// A stream that counts what is read.
struct Counted<R> {
    input: R,
    count: u64,
    progress: Progress,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.count += count as u64;
        self.progress.add(count as u64);
        Ok(count)
    }
}
