//! Makes a Trevni file of an Avro file: the schema stays as it is, to the letter.

use crate::avro::Rows;
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::human::{bytes, thousands};
use crate::input::{StandardInput, is_standard};
use crate::interrupt;
use crate::output::Columns;
use crate::progress::{self, Progress};
use clap::Args;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use trevni::WriterBuilder;

#[derive(Debug, Args)]
pub(crate) struct FromAvro {
    /// Avro file; - for standard input
    pub(crate) file: PathBuf,
    /// The result; - for standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) encoding: Encoding,
    /// Number of rows
    #[arg(short = 'n', long, value_name = "ROWS")]
    pub(crate) number: Option<u64>,
    /// Replaces an output that is there
    #[arg(long)]
    pub(crate) force: bool,
}

pub(crate) fn run(args: &FromAvro) -> Result<u8, Failure> {
    let limit = args.number.unwrap_or(u64::MAX);
    let progress = Progress::bytes("writing", std::fs::metadata(&args.file).map_or(0, |file| file.len()));
    let (name, input): (String, Box<dyn Read>) = if is_standard(&args.file) {
        ("standard input".to_owned(), Box::new(StandardInput::new()))
    } else {
        let file = File::open(&args.file).map_err(|error| Failure::io(args.file.display(), &error))?;
        (args.file.display().to_string(), Box::new(file))
    };
    let mut input = Counted { input, count: 0, progress };
    let builder = args.encoding.builder()?;
    let rows = convert(&name, &mut input, builder, limit, &args.output, args.force)?;
    let read = input.count;
    drop(input);
    if !is_standard(&args.output) {
        let written = std::fs::metadata(&args.output).map_or(0, |file| file.len());
        let (rows, output) = (thousands(rows), args.output.display());
        progress::note(format_args!("{name} → {output}: {rows} rows, {} → {}", bytes(read), bytes(written)));
    }
    Ok(0)
}

/// Writes the first rows of an Avro file to a Trevni file; returns how many there were.
pub(crate) fn convert(
    name: &str,
    input: impl Read,
    builder: WriterBuilder,
    limit: u64,
    output: &Path,
    force: bool,
) -> Result<u64, Failure> {
    let mut rows = Rows::new(name, input)?;
    let mut builder = builder.schema(rows.schema());
    for (key, value) in rows.metadata().iter().filter(|(key, _)| !key.starts_with("trevni.")) {
        builder = builder.metadata(key, value);
    }
    let mut columns = Columns::new(builder, output, force)?;
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

/// A stream that counts what is read, and ends with Ctrl-C.
struct Counted<R> {
    input: R,
    count: u64,
    progress: Progress,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        interrupt::check()?;
        let count = self.input.read(buffer)?;
        self.count += count as u64;
        self.progress.add(count as u64);
        Ok(count)
    }
}
