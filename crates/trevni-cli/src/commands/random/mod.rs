//! Writes random rows of a schema: to try things out, and for tests.

mod source;
#[cfg(test)]
mod tests;

use super::by_name;
use super::written::Written;
use crate::dialect;
use crate::failure::Failure;
use crate::format::Format;
use crate::human::{bytes, count};
use crate::input::{self, Stream, is_standard};
use crate::interrupt;
use crate::output::Columns;
use crate::progress::{self, Progress};
use crate::schema_text;
use clap::Args;
use source::RandomValues;
use std::borrow::Cow;
use std::fs::File;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use trevni::Shape;
use trevni_avro::Schema;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni dev random order.avsc 1000 orders.trv
  trevni dev random flights.trv -n 50000 --seed 7 -o more.trv")]
pub(crate) struct Random {
    /// Avro schema, message { } as RedElm has it, or a file that has rows; - for standard input
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
    pub(crate) written: Written,
    /// Replace an existing output
    #[arg(long)]
    pub(crate) force: bool,
}

/// Rows, where no number is given.
const USUAL: u64 = 1000;

pub(crate) fn run(args: &Random) -> Result<u8, Failure> {
    let name = args.schema.display();
    let given = given(&args.schema)?;
    let types = Schema::parse(&given.avro()).map_err(|error| Failure::of_avro_schema(&name, error))?;
    let Some(output) = args.output.as_deref().or(args.out.as_deref()) else {
        return Err(Failure::usage("the output needs a name").hint("To give one: -o FILE"));
    };
    let number = args.number.or(args.rows).unwrap_or(USUAL);
    by_name(output, args.force, &[Format::Parquet], |output| {
        let target = args.written.target(None, output)?.with(|builder| match given {
            Given::Avro(text) => builder.schema(text),
            Given::Shape(shape) => builder.shape(&shape),
        });
        let mut columns = Columns::new(target, output, args.force)?;
        let progress = Progress::rows("writing", number);
        let source = RandomValues::new(args.seed);
        for _ in 0..number {
            interrupt::check().map_err(|error| Failure::io(output.display(), &error))?;
            source.start_row();
            columns.write(&types.value(&source)).map_err(|error| Failure::of(&args.schema, &error))?;
            progress.add(1);
        }
        columns.finish()
    })?;
    if !is_standard(output) {
        let (rows, size) = (count(number, "row"), bytes(input::size(output)));
        progress::note(format_args!("{}: {rows}, {size}", output.display()));
    }
    Ok(0)
}

/// The most bytes that a schema may have.
const LARGEST: u64 = 64 << 20;

/// What is said of the rows.
enum Given {
    /// The text of an Avro schema.
    Avro(String),
    Shape(Shape),
}

impl Given {
    fn avro(&self) -> Cow<'_, str> {
        match self {
            Self::Avro(text) => text.into(),
            Self::Shape(shape) => shape.to_avro().into(),
        }
    }
}

/// Whether a file that starts with these bytes has rows, and is no Avro file.
fn may_have_rows(start: &[u8]) -> bool {
    #[cfg(feature = "parquet")]
    if crate::parquet::is_start(start) {
        return true;
    }
    dialect::is_start(start)
}

/// The schema in a file: its text, or what a file with rows says of them.
fn given(path: &Path) -> Result<Given, Failure> {
    let failed = |error| Failure::io(path.display(), &error);
    let mut input: Box<dyn Read> = match is_standard(path) {
        true => Box::new(Stream::standard()),
        false => Box::new(File::open(path).map_err(failed)?),
    };
    let mut start = Vec::new();
    (&mut input).take(dialect::START).read_to_end(&mut start).map_err(failed)?;
    if may_have_rows(&start) && !is_standard(path) {
        let reader = input::without_rows(path)?.reader;
        return Ok(match reader.metadata().contains(trevni_avro::SCHEMA) {
            true => Given::Avro(trevni_avro::schema_of(&reader, reader.shape())),
            false => Given::Shape(reader.shape().clone()),
        });
    }
    let whole = Cursor::new(start.clone()).chain(input);
    if start.starts_with(&trevni_avro::MAGIC) {
        let rows = trevni_avro::Reader::new(whole);
        let rows = rows.map_err(|error| Failure::of_avro(path.display(), error))?;
        return Ok(Given::Avro(rows.schema().to_owned()));
    }
    let mut text = String::new();
    match whole.take(LARGEST).read_to_string(&mut text) {
        Ok(_) if schema_text::is_message(&text) => {
            let shape = Shape::from_message(&text).map_err(|error| Failure::of(path, &error))?;
            Ok(Given::Shape(shape))
        }
        Ok(_) => Ok(Given::Avro(text)),
        Err(error) => {
            let wanted = "Expected: an Avro schema, a message { }, or a Trevni, RedElm or Avro file";
            Err(failed(error).hint(wanted))
        }
    }
}
