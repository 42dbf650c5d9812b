//! Prints rows: all of them, the first, the last, some by chance.

use crate::args::{Printing, RowFormat};
use crate::failure::Failure;
use crate::input::{self, Input};
use crate::output::Output;
use crate::parallel;
use crate::paths;
use crate::progress::Progress;
use crate::rows::Printer;
use crate::selecting::{self, Which, condition};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use trevni::Reader;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni head flights.trv -c 'dep_*,!dep_time'
  trevni tail -n 3 flights.trv
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
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// Rows that are worth a thread.
const MANY: u64 = 10_000;

/// Rows that head and tail print.
const FEW: u64 = 10;

pub(crate) fn cat(args: &Rows) -> Result<u8, Failure> {
    print(args, RowFormat::Jsonl, Which::First { skip: args.skip, count: args.number.unwrap_or(u64::MAX) })
}

pub(crate) fn head(args: &Rows) -> Result<u8, Failure> {
    print(args, RowFormat::Table, Which::First { skip: args.skip, count: args.number.unwrap_or(FEW) })
}

pub(crate) fn tail(args: &Rows) -> Result<u8, Failure> {
    print(args, RowFormat::Table, Which::Last { skip: args.skip, count: args.number.unwrap_or(FEW) })
}

pub(super) fn sample(args: &Rows, seed: u64) -> Result<u8, Failure> {
    let count = args.number.unwrap_or(FEW);
    print(args, RowFormat::Table, Which::Random { skip: args.skip, count, seed })
}

fn print(args: &Rows, usual: RowFormat, which: Which) -> Result<u8, Failure> {
    let mut out = args.printing.output()?;
    let format = args.printing.format.unwrap_or(usual);
    let condition = condition(args.filter.as_deref())?;
    let style = args.printing.style();
    let mut printer: Option<Printer> = None;
    for path in &input::files(&args.files)? {
        let Input { name, reader, .. } = input::open(path)?;
        let failed = |error: trevni::Error| Failure::of(Path::new(&name), &error);
        let chosen = paths::chosen(reader.shape(), &args.columns)?;
        let mut rows = selecting::chosen(&reader, &name, condition.as_ref(), which)?;
        if let Some(chosen) = &chosen {
            rows = rows.project(chosen).map_err(failed)?;
        }
        let paths = chosen.as_deref();
        let printer = match &mut printer {
            Some(printer) => {
                printer.turn_to(&rows, paths);
                printer
            }
            None => printer.insert(Printer::new(format, &rows, paths, &style)),
        };
        let total = rows.row_count().min(args.number.unwrap_or(u64::MAX));
        let progress =
            if out.is_terminal() { Progress::default() } else { Progress::rows("printing", total) };
        let mut left = match which {
            Which::First { count, .. } => usize::try_from(count).unwrap_or(usize::MAX),
            Which::All | Which::Last { .. } | Which::Random { .. } => usize::MAX,
        };
        if left == usize::MAX && total >= MANY && printer.streams() && parallel::threads() > 1 {
            print_all(&rows, &name, printer, &progress, &mut out)?;
            continue;
        }
        for batch in rows.batches().map_err(failed)? {
            let batch = batch.map_err(failed)?;
            printer.batch(&batch, left, &mut out).map_err(|error| out.failed(&error))?;
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

/// Prints all rows, which several threads turn into text.
fn print_all(
    rows: &Reader<'static>,
    name: &str,
    printer: &Printer,
    progress: &Progress,
    out: &mut Output,
) -> Result<(), Failure> {
    let failed = |error: trevni::Error| Failure::of(Path::new(name), &error);
    let batches = rows.batches().map_err(failed)?;
    // Buffers that have been printed are used again: fresh memory costs as much as what is put into it.
    let spare = Mutex::new(Vec::new());
    let buffers = || spare.lock().unwrap_or_else(PoisonError::into_inner);
    parallel::fold(
        |full| {
            let mut batches = batches.map(|batch| full.send(batch.map_err(failed)));
            // It ends early where nobody wants more.
            let _ = batches.find(Result::is_err);
        },
        |batch| {
            let buffer = buffers().pop().unwrap_or_default();
            let rows = printer.format(&batch, usize::MAX, buffer);
            rows.map(|rows| (rows, batch.len())).map_err(|error| Failure::io(name, &error))
        },
        |(text, rows)| {
            printer.put(&text, out).map_err(|error| out.failed(&error))?;
            buffers().push(text);
            progress.add(rows as u64);
            Ok(true)
        },
    )
}
