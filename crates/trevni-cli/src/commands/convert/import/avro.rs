//! Avro to Trevni: the schema stays as it is, to the letter.

use super::super::args::Convert;
use crate::avro::Rows;
use crate::failure::Failure;
use crate::human::{bytes, count};
use crate::input::is_standard;
use crate::output::Columns;
use crate::progress::{self, Progress};
use crate::text::Source;
use std::io::{self, Read};
use std::path::Path;

/// Writes the rows of an Avro file to a Trevni file.
pub(in crate::commands::convert) fn run(
    args: &Convert,
    source: &Source,
    output: &Path,
) -> Result<(), Failure> {
    let progress = Progress::bytes("writing", source.size().unwrap_or(0));
    let mut read = 0;
    let rows = {
        let mut input = Counted { input: source.reader()?, count: &mut read, progress };
        convert(args, &source.name, &mut input, output)?
    };
    if !is_standard(output) {
        let written = std::fs::metadata(output).map_or(0, |file| file.len());
        let (name, rows, output) = (&source.name, count(rows, "row"), output.display());
        progress::note(format_args!("{name} → {output}: {rows}, {} → {}", bytes(read), bytes(written)));
    }
    Ok(())
}

fn convert(args: &Convert, name: &str, input: impl Read, output: &Path) -> Result<u64, Failure> {
    let limit = args.number.unwrap_or(u64::MAX);
    let mut rows = Rows::new(name, input)?;
    let mut builder = args.encoding.builder()?.schema(rows.schema());
    for (key, value) in rows.metadata().iter().filter(|(key, _)| !key.starts_with("trevni.")) {
        builder = builder.metadata(key, value);
    }
    for (key, value) in &args.meta {
        builder = builder.metadata(key, value);
    }
    let mut columns = Columns::new(builder, output, args.force)?;
    rows.each(|row| {
        if columns.row_count() < limit {
            columns.write(row)?;
        }
        Ok(columns.row_count() < limit)
    })?;
    let count = columns.row_count();
    columns.finish()?;
    Ok(count)
}

/// A stream that counts what is read.
struct Counted<'c, R> {
    input: R,
    count: &'c mut u64,
    progress: Progress,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        *self.count += count as u64;
        self.progress.add(count as u64);
        Ok(count)
    }
}
