//! Lines of a text, each with the place where it begins: what Hadoop's text input gives a job.

use super::written::{self, Written};
use crate::failure::{DAMAGED, Failure};
use crate::format::Format;
use crate::human::{count, thousands};
use crate::output::{self, Columns};
use crate::progress::Progress;
use crate::text::TextSource;
use clap::Args;
use serde::Serialize;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni dev from-text quangle.txt quangle.trv
  trevni dev from-text log.txt.gz log.parquet --row-group-size 16MiB -z zstd")]
pub(crate) struct FromText {
    /// Text in UTF-8, also in .gz, .zst, .xz or .bz2; - for standard input
    pub(crate) file: PathBuf,
    /// Output file; - for standard output
    pub(crate) output: PathBuf,
    /// Output format: trv or parquet [default: by name]
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    pub(crate) to: Option<Format>,
    /// Replace an existing output
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) written: Written,
}

/// The schema of the rows.
const SCHEMA: &str = r#"{"type":"record","name":"Line","fields":[{"name":"offset","type":"long"},{"name":"line","type":"string"}]}"#;

/// The longest line: one that has no end would take all memory.
const LONGEST: u64 = 256 << 20;

/// Bytes that are read at once.
const BUFFER: usize = 1 << 17;

#[derive(Serialize)]
struct Line<'t> {
    /// Bytes before the line.
    offset: u64,
    line: &'t str,
}

pub(crate) fn run(args: &FromText) -> Result<u8, Failure> {
    let to = written::format(args.to, Some(&args.output)).unwrap_or(Format::Trv);
    if !matches!(to, Format::Trv | Format::Parquet) {
        let failure = Failure::usage(format!("from-text does not write {to}"));
        return Err(failure.hint("It writes Trevni or Parquet: --to trv, --to parquet"));
    }
    let target = args.written.target(args.to, &args.output)?.with(|builder| builder.schema(SCHEMA));
    let source = TextSource::open(&args.file)?;
    let mut columns = Columns::new(target, &args.output, args.force)?;
    let bytes = write(&source, &mut columns, &args.output)?;
    let rows = columns.row_count();
    columns.finish()?;
    output::made(&source.name, &args.output, count(rows, "line"), bytes);
    Ok(0)
}

/// Writes all lines, and returns the number of bytes.
fn write(source: &TextSource, columns: &mut Columns, output: &Path) -> Result<u64, Failure> {
    let failed = |error: std::io::Error| Failure::io(&source.name, &error);
    let progress = Progress::bytes("writing", source.size().unwrap_or(0));
    let mut text = BufReader::with_capacity(BUFFER, source.reader()?);
    let (mut offset, mut bytes) = (0u64, Vec::new());
    loop {
        bytes.clear();
        let read = text.by_ref().take(LONGEST + 1).read_until(b'\n', &mut bytes).map_err(failed)? as u64;
        if read == 0 {
            return Ok(offset);
        }
        if read > LONGEST {
            let line = thousands(columns.row_count() + 1);
            return Err(Failure::new(format!("{}, line {line}: it is longer than 256 MiB", source.name)));
        }
        let line = std::str::from_utf8(without_end(&bytes)).map_err(|_| {
            let line = thousands(columns.row_count() + 1);
            Failure::new(format!("{}, line {line}: it is not UTF-8", source.name)).with_code(DAMAGED)
        })?;
        columns.write(&Line { offset, line }).map_err(|error| Failure::of(output, &error))?;
        offset += read;
        progress.add(read);
    }
}

/// A line without its end: a line feed, with or without a carriage return.
fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_a_line_feed_with_or_without_a_carriage_return() {
        for (line, expected) in
            [("a\n", "a"), ("a\r\n", "a"), ("a", "a"), ("\n", ""), ("a\rb\n", "a\rb"), ("a\n\n", "a\n")]
        {
            assert_eq!(without_end(line.as_bytes()), expected.as_bytes(), "{line:?}");
        }
    }
}
