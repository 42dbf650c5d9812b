//! Writes random rows of a schema: to try things out, and for tests.

mod source;
#[cfg(test)]
mod tests;

use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::human::{bytes, thousands};
use crate::input::{self, StandardInput, is_standard};
use crate::interrupt;
use crate::output::Columns;
use crate::progress::{self, Progress};
use clap::Args;
use source::RandomValues;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use trevni_avro::Schema;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni random order.avsc 1000 orders.trv
  trevni random flights.trv -n 50000 --seed 7 -o more.trv")]
pub(crate) struct Random {
    /// Avro schema, or a file that has one; - for standard input
    pub(crate) schema: PathBuf,
    /// Number of rows [default: 1000]
    pub(crate) rows: Option<u64>,
    /// Output file; - for standard output
    #[arg(required_unless_present = "output")]
    pub(crate) out: Option<PathBuf>,
    /// Number of rows
    #[arg(short = 'n', long, value_name = "ROWS", conflicts_with = "rows")]
    pub(crate) number: Option<u64>,
    /// Output file; - for standard output
    #[arg(short, long, value_name = "FILE", conflicts_with = "out")]
    pub(crate) output: Option<PathBuf>,
    /// Seed: equal seeds give equal rows
    #[arg(long, default_value_t = 0)]
    pub(crate) seed: u64,
    #[command(flatten)]
    pub(crate) encoding: Encoding,
    /// Replace an existing output
    #[arg(long)]
    pub(crate) force: bool,
}

/// Rows, where no number is given.
const USUAL: u64 = 1000;

pub(crate) fn run(args: &Random) -> Result<u8, Failure> {
    let name = args.schema.display();
    let schema = schema(&args.schema)?;
    let types = Schema::parse(&schema).map_err(|error| Failure::of_avro_schema(&name, error))?;
    let Some(output) = args.output.as_deref().or(args.out.as_deref()) else {
        return Err(Failure::usage("there is no name for the output").hint("To give one: -o FILE"));
    };
    let number = args.number.or(args.rows).unwrap_or(USUAL);
    let mut columns = Columns::new(args.encoding.builder()?.schema(schema), output, args.force)?;
    let progress = Progress::rows("writing", number);
    let source = RandomValues::new(args.seed);
    for _ in 0..number {
        interrupt::check().map_err(|error| Failure::io(output.display(), &error))?;
        source.start_row();
        columns.write(&types.value(&source)).map_err(|error| Failure::of(&args.schema, &error))?;
        progress.add(1);
    }
    columns.finish()?;
    drop(progress);
    if !is_standard(output) {
        let (rows, size) = (thousands(number), bytes(input::size(output)));
        progress::note(format_args!("{}: {rows} rows, {size}", output.display()));
    }
    Ok(0)
}

/// The most bytes that a schema may have.
const LARGEST: u64 = 64 << 20;

/// The schema in a file: its text, or what a file with rows says of them.
fn schema(path: &Path) -> Result<String, Failure> {
    let failed = |error| Failure::io(path.display(), &error);
    let mut input: Box<dyn Read> = match is_standard(path) {
        true => Box::new(StandardInput::new()),
        false => Box::new(File::open(path).map_err(failed)?),
    };
    let mut start = Vec::new();
    (&mut input).take(4).read_to_end(&mut start).map_err(failed)?;
    if start.starts_with(b"Trv") && !is_standard(path) {
        let reader = input::open(path)?.reader;
        return Ok(trevni_avro::schema_of(&reader, reader.shape()));
    }
    let whole = Cursor::new(start.clone()).chain(input);
    if start == trevni_avro::MAGIC {
        let rows = trevni_avro::Reader::new(whole);
        let rows = rows.map_err(|error| Failure::of_avro(path.display(), error))?;
        return Ok(rows.schema().to_owned());
    }
    let mut text = String::new();
    match whole.take(LARGEST).read_to_string(&mut text) {
        Ok(_) => Ok(text),
        Err(error) => Err(failed(error).hint("What is wanted is an Avro schema, or a Trevni or Avro file")),
    }
}
