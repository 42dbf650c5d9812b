//! Prints rows: all of them, the first, the last, some by chance.

use super::sample::random;
use crate::args::RowFormat;
use crate::expression;
use crate::failure::Failure;
use crate::input::{self, Input};
use crate::output::Output;
use crate::paths;
use crate::progress::Progress;
use crate::rows::{Printer, Style, View};
use clap::Args;
use std::path::{Path, PathBuf};
use trevni::{Predicate, Reader, RowSelection};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni head flights.trv -c 'dep_*,!dep_time'
  trevni cat flights.trv -w 'dep_delay > 60 and dest in (\"HNL\", \"SFO\")' -f csv -o late.csv")]
pub(crate) struct Rows {
    /// Files, or folders of them; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Number of rows
    #[arg(short = 'n', long, value_name = "ROWS")]
    pub(crate) number: Option<u64>,
    /// Leaves out so many rows first
    #[arg(long, value_name = "ROWS", default_value_t = 0)]
    pub(crate) skip: u64,
    /// Fields: paths such as sender.host, globs such as dep_*, !x to leave out; comma-separated
    #[arg(short, long, value_name = "PATHS", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) columns: Vec<String>,
    /// Only rows for which this is true, such as: delay > 60 and any(stops, item = "JFK")
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION")]
    pub(crate) filter: Option<String>,
    /// How to print rows; cat prints jsonl, others a table
    #[arg(short, long, value_enum)]
    pub(crate) format: Option<RowFormat>,
    /// Writes to a file, not to standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replaces an output that is there
    #[arg(long)]
    pub(crate) force: bool,
    /// The text for null in CSV and TSV
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub(crate) null: String,
    /// No names of fields in CSV and TSV
    #[arg(long)]
    pub(crate) no_header: bool,
}

/// Rows that head and tail print.
const FEW: u64 = 10;

pub(crate) fn cat(args: &Rows) -> Result<u8, Failure> {
    print(args, RowFormat::Jsonl, Which::First(args.number.unwrap_or(u64::MAX)))
}

pub(crate) fn head(args: &Rows) -> Result<u8, Failure> {
    print(args, RowFormat::Table, Which::First(args.number.unwrap_or(FEW)))
}

pub(crate) fn tail(args: &Rows) -> Result<u8, Failure> {
    print(args, RowFormat::Table, Which::Last(args.number.unwrap_or(FEW)))
}

pub(super) fn sample(args: &Rows, seed: u64) -> Result<u8, Failure> {
    print(args, RowFormat::Table, Which::Random(args.number.unwrap_or(FEW), seed))
}

/// Which rows of a file.
#[derive(Clone, Copy)]
enum Which {
    First(u64),
    Last(u64),
    /// Some by chance, which a number chooses.
    Random(u64, u64),
}

fn print(args: &Rows, usual: RowFormat, which: Which) -> Result<u8, Failure> {
    let mut out = Output::new(args.output.as_deref(), args.force)?;
    let format = args.format.unwrap_or(usual);
    let filter = args.filter.as_deref().map(expression::parse).transpose()?;
    let style = Style { header: !args.no_header, null: args.null.clone() };
    let mut printer: Option<Printer> = None;
    for path in &input::files(&args.files)? {
        let Input { name, reader, .. } = input::open(path)?;
        let failed = |error: trevni::Error| Failure::of(Path::new(&name), &error);
        let chosen = paths::chosen(reader.shape(), &args.columns)?;
        let projected = match &chosen {
            Some(chosen) => reader.project(chosen).map_err(failed)?,
            None => reader.clone(),
        };
        let rows = rows(&projected, filter.as_ref(), args.skip, which).map_err(failed)?;
        let (shape, paths) = (rows.shape(), chosen.as_deref());
        let printer = match &mut printer {
            Some(printer) => {
                printer.turn_to(shape, paths);
                printer
            }
            None => printer.insert(Printer::new(format, shape, paths, &style)),
        };
        let total = rows.row_count().min(args.number.unwrap_or(u64::MAX));
        let progress =
            if out.is_terminal() { Progress::default() } else { Progress::rows("printing", total) };
        let mut left = most(which);
        for batch in rows.batches().map_err(failed)? {
            let batch = batch.map_err(failed)?;
            for index in 0..batch.len().min(left) {
                printer.row(View::row(&batch, index), &mut out).map_err(|error| out.failed(&error))?;
            }
            progress.add(batch.len() as u64);
            left = left.saturating_sub(batch.len());
            if left == 0 {
                break;
            }
        }
    }
    if let Some(printer) = printer {
        printer.finish(&mut out).map_err(|error| out.failed(&error))?;
    }
    out.finish().map(|()| 0)
}

fn most(which: Which) -> usize {
    match which {
        Which::First(count) | Which::Last(count) | Which::Random(count, _) => {
            usize::try_from(count).unwrap_or(usize::MAX)
        }
    }
}

/// The rows of a reader that are asked for.
fn rows<'s>(
    reader: &Reader<'s>,
    filter: Option<&Predicate>,
    skip: u64,
    which: Which,
) -> Result<Reader<'s>, trevni::Error> {
    let end = reader.row_count();
    let Some(filter) = filter else {
        return match which {
            Which::First(count) => reader.select(skip.min(end)..skip.saturating_add(count).min(end)),
            Which::Last(count) => {
                let end = end.saturating_sub(skip);
                reader.select(end.saturating_sub(count)..end)
            }
            Which::Random(count, seed) => {
                reader.select(random(&RowSelection::from(skip.min(end)..end), count, seed))
            }
        };
    };
    let reader = reader.filter(filter.clone())?;
    match which {
        Which::First(_) if skip == 0 => Ok(reader),
        Which::First(_) => reader.select(skipped(&reader.matching()?, skip)),
        Which::Random(count, seed) => reader.select(random(&skipped(&reader.matching()?, skip), count, seed)),
        Which::Last(count) => {
            let matching = reader.matching()?;
            let end = matching.row_count().saturating_sub(skip);
            reader.select(skipped(&kept(&matching, end), end.saturating_sub(count)))
        }
    }
}

/// A selection without its first rows.
fn skipped(rows: &RowSelection, mut count: u64) -> RowSelection {
    let part = |range: &std::ops::Range<u64>| {
        let skip = count.min(range.end - range.start);
        count -= skip;
        range.start + skip..range.end
    };
    rows.ranges().iter().map(part).collect()
}

/// The first rows of a selection.
fn kept(rows: &RowSelection, mut count: u64) -> RowSelection {
    let part = |range: &std::ops::Range<u64>| {
        let keep = count.min(range.end - range.start);
        count -= keep;
        range.start..range.start + keep
    };
    rows.ranges().iter().map(part).collect()
}
