//! Prints rows: all of them, the first, the last, some by chance.

use crate::failure::Failure;
use crate::input::{self, Several};
use crate::output::Output;
use crate::parallel;
use crate::progress::Progress;
use crate::rows::{Printer, Printing, RowFormat, fields_of_all};
use crate::selecting::{Picked, Which, condition, picked};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use trevni::Reader;
use trevni_query::paths::{Choice, Pattern};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni head flights.trv -c 'dep_*,!dep_time'
  trevni tail -n 3 flights.trv
  trevni cat flights.trv -w 'dep_delay > 60 and dest in (\"HNL\", \"SFO\")' -f csv -o late.csv")]
pub(crate) struct PrintRows {
    /// Files, or folders of them; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Print at most this many rows
    #[arg(short = 'n', long, value_name = "ROWS")]
    pub(crate) number: Option<u64>,
    /// Skip this many rows
    #[arg(long, value_name = "ROWS", default_value_t = 0)]
    pub(crate) skip: u64,
    /// Fields: paths such as sender.host and globs such as dep_*; !x excludes x, `a.b` is a name with a dot
    #[arg(short, long, value_name = "PATHS", allow_hyphen_values = true)]
    pub(crate) columns: Vec<String>,
    /// Keep only rows that match, such as: delay > 60 and any(stops, item = "JFK")
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) filter: Option<String>,
    #[command(flatten)]
    pub(crate) printing: Printing,
}

/// Rows that are worth a thread.
const MANY: u64 = 10_000;

/// Rows that head and tail print.
const FEW: u64 = 10;

pub(crate) fn cat(args: &PrintRows) -> Result<u8, Failure> {
    print(args, RowFormat::Jsonl, Which::First { skip: args.skip, count: args.number.unwrap_or(u64::MAX) })
}

pub(crate) fn head(args: &PrintRows) -> Result<u8, Failure> {
    print(args, RowFormat::Table, Which::First { skip: args.skip, count: args.number.unwrap_or(FEW) })
}

pub(crate) fn tail(args: &PrintRows) -> Result<u8, Failure> {
    print(args, RowFormat::Table, Which::Last { skip: args.skip, count: args.number.unwrap_or(FEW) })
}

pub(super) fn sample(args: &PrintRows, seed: u64) -> Result<u8, Failure> {
    let count = args.number.unwrap_or(FEW);
    print(args, RowFormat::Table, Which::Random { skip: args.skip, count, seed })
}

fn print(args: &PrintRows, usual: RowFormat, which: Which) -> Result<u8, Failure> {
    let format = args.printing.form(usual)?;
    let mut out = args.printing.output()?;
    let condition = condition(args.filter.as_deref())?;
    let files = Several::open(&input::files(&args.files)?, &which.wanted(&args.columns, condition.as_ref()))?;
    let choice = Choice::of(files.shapes(), &Pattern::all(&args.columns)?)?;
    let all = choice.as_ref().map(|choice| choice.all.as_slice());
    let mut printer = Printer::new(format, fields_of_all(files.shapes(), all), &args.printing.style(&out));
    let mut left = match which {
        Which::First { count, .. } => count,
        Which::Last { .. } | Which::Random { .. } => u64::MAX,
    };
    let all_picked = picked(&files, condition.as_ref(), which)?;
    let is_empty = all_picked.iter().all(Picked::is_empty);
    for (number, picked) in all_picked.into_iter().enumerate() {
        if left == 0 {
            break;
        }
        // One of them shows what there is.
        if picked.is_empty() && (number > 0 || !is_empty) {
            continue;
        }
        let input = files.input(number)?;
        let mut rows = picked.reader(&input, condition.as_ref(), files.len() > 1)?;
        let paths = choice.as_ref().and_then(|choice| choice.fields.get(number)).map(Vec::as_slice);
        if let Some(paths) = paths {
            rows = rows.project_paths(paths).map_err(|error| Failure::of(Path::new(&input.name), &error))?;
        }
        printer.turn_to(&rows, paths);
        let printed = print_file(&rows, &input.name, left, &mut printer, &mut out)?;
        left = if left == u64::MAX { left } else { left - printed };
    }
    printer.finish(&mut out).map_err(|error| out.failed(&error))?;
    out.finish().map(|()| 0)
}

/// Prints rows of a file, so many at most; returns how many that were.
fn print_file(
    rows: &Reader<'static>,
    name: &str,
    most: u64,
    printer: &mut Printer,
    out: &mut Output,
) -> Result<u64, Failure> {
    let failed = |error: trevni::Error| Failure::of(Path::new(name), &error);
    let total = rows.row_count().min(most);
    let progress = if out.is_terminal() { Progress::default() } else { Progress::rows("printing", total) };
    if most == u64::MAX && total >= MANY && parallel::threads() > 1 {
        return print_all(rows, name, printer, &progress, out).map(|()| total);
    }
    let mut printed = 0;
    for batch in rows.batches().map_err(failed)? {
        let batch = batch.map_err(failed)?;
        let wanted = usize::try_from(most - printed).unwrap_or(usize::MAX).min(batch.len());
        printer.batch(&batch, wanted, out).map_err(|error| out.failed(&error))?;
        progress.add(batch.len() as u64);
        printed += wanted as u64;
        if printed == most {
            break;
        }
    }
    Ok(printed)
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
    let mut batches = rows.batches().map_err(failed)?;
    // Buffers that have been printed are used again: fresh memory costs as much as what is put into it.
    let spare = Mutex::new(Vec::new());
    let buffers = || spare.lock().unwrap_or_else(PoisonError::into_inner);
    parallel::fold(
        |full| {
            // It ends early where nobody wants more.
            let _ = batches.all(|batch| full.send(batch.map_err(failed)).is_ok());
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
