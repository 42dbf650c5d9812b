//! What the values of each column are like: nulls, different values, least, greatest, mean, percentiles and shape.

mod along;
mod column;
mod distinct;
mod edge;
mod histogram;
mod numbers;
mod recorded;
mod sketch;
mod spread;
mod summary;
mod texts;
mod values;
mod zones;

use crate::failure::Failure;
use crate::human::count;
use crate::input::{self, Input, Opened};
use crate::output::Output;
use crate::progress::Progress;
pub use crate::report_value::ReportValue;
use crate::selecting::{condition, filtered};
use crate::shown::shown;
use along::Along;
use clap::Args;
use distinct::Bound;
pub use distinct::Count;
pub use histogram::{Histogram, Sample};
use serde::Serialize;
pub(crate) use spread::{Order, Spread, Stretch};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
pub(crate) use summary::Percentile;
pub use summary::{Summary, Top};
use trevni::shape::FieldShape;
use trevni::{Reader, Shape};
use trevni_query::paths::{FieldPath, Pattern, chosen};

/// Options of `trevni stats`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni stats flights.trv -c month,dep_delay,tailnum
  trevni stats --recorded --json *.trv")]
pub struct Stats {
    /// Files, or folders of them; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Fields: paths such as sender.host and globs such as dep_*; !x excludes x, `a.b` is a name with a dot
    #[arg(short, long, value_name = "PATHS", allow_hyphen_values = true)]
    pub(crate) columns: Vec<String>,
    /// Keep only rows that match this condition
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) filter: Option<String>,
    /// Count all distinct values, rather than estimating (~) above 10,000; needs memory for them
    #[arg(long)]
    pub(crate) exact: bool,
    /// Show only recorded statistics (nulls, min and max), without reading values
    #[arg(long, conflicts_with_all = ["filter", "exact"])]
    pub(crate) recorded: bool,
    /// Print at most this many lines of a file: the first and the last [default: 100 on a terminal, else all]
    #[arg(short = 'n', long, value_name = "LINES", conflicts_with = "json")]
    pub(crate) number: Option<usize>,
    /// Print one JSON object per file
    #[arg(long)]
    pub(crate) json: bool,
}

/// Terminals of fewer characters get smaller pictures.
const NARROW: usize = 110;

/// What is said of a file.
#[derive(Serialize)]
struct Report<'r> {
    file: &'r str,
    /// Rows that were looked at.
    rows: u64,
    columns: &'r [Summary],
}

/// Runs `trevni stats`; the exit code.
///
/// # Errors
///
/// What cannot be read or written.
pub fn run(args: &Stats) -> Result<u8, Failure> {
    let condition = condition(args.filter.as_deref())?;
    let mut out = Output::new(None, false)?;
    let files = input::files(&args.files)?;
    for (number, file) in files.iter().enumerate() {
        let size = input::size(file.path());
        let progress = if args.recorded { Progress::default() } else { Progress::bytes("reading", size) };
        let Input { name, reader, .. } = match file.open(progress)? {
            Opened::Columns(input) => input,
            #[cfg(feature = "parquet")]
            Opened::Parquet(file) => columns_of(&file, args, condition.as_ref())?,
        };
        let failed = |error: trevni::Error| Failure::of(Path::new(&name), &error);
        let chosen = chosen(reader.shape(), &Pattern::all(&args.columns)?)?;
        let (mut reader, mut rows) = (reader.clone(), reader.row_count());
        if condition.is_some() {
            let matching = filtered(&reader, &name, condition.as_ref())?.matching().map_err(failed)?;
            rows = matching.row_count();
            reader = reader.select(matching).map_err(failed)?;
        }
        if let Some(chosen) = &chosen {
            reader = reader.project_paths(chosen).map_err(failed)?;
        }
        let bound = if args.exact { Bound::NONE } else { Bound::USUAL };
        let mut columns = match args.recorded {
            true => recorded::summaries(&reader).map_err(failed)?,
            false => summaries(&reader, |field| of_field(field, bound)).map_err(failed)?,
        };
        tell_apart(&mut columns);
        if let Some(chosen) = &chosen {
            put_in_order(&mut columns, chosen);
        }
        let report = Report { file: &name, rows, columns: &columns };
        let written = match args.json {
            true => as_json(&report, &mut out),
            false => write(&report, (number, files.len()), args.number, &mut out),
        };
        written.map_err(|error| out.failed(&error))?;
    }
    out.finish().map(|()| 0)
}

/// What is said of all columns of a reader, with where along the rows their values lie.
pub(super) fn of_all(reader: &Reader<'_>) -> trevni::Result<Vec<Summary>> {
    let mut columns = summaries(reader, with_spread)?;
    tell_apart(&mut columns);
    Ok(columns)
}

/// Computes the statistics of all columns of a reader, and returns the number of columns.
pub fn summarized(reader: &Reader<'_>) -> trevni::Result<usize> {
    summaries(reader, |field| of_field(field, Bound::USUAL)).map(|columns| columns.len())
}

/// What is gathered of the columns of a shape, batch after batch.
pub struct Gathered {
    shape: Shape,
    columns: Vec<column::ColumnStats>,
}

impl Gathered {
    /// For rows of a shape.
    pub fn new(shape: &Shape) -> Self {
        Self { shape: shape.clone(), columns: column::columns(shape, Bound::USUAL) }
    }

    /// Whether values of a shape can be added.
    pub fn fits(&self, shape: &Shape) -> bool {
        self.shape == *shape
    }

    /// Adds the rows of a batch of the shape.
    pub fn add(&mut self, batch: &trevni::Batch) -> trevni::Result<()> {
        column::add(batch.shape(), batch.vector(), batch.len(), &mut self.columns.iter_mut())
    }

    /// What is said of each column.
    pub fn summaries(&self) -> Vec<Summary> {
        self.columns.iter().map(column::ColumnStats::summary).collect()
    }
}

/// The columns that are looked at of a Parquet file.
#[cfg(feature = "parquet")]
fn columns_of(
    file: &input::ParquetInput,
    args: &Stats,
    condition: Option<&trevni_query::Condition>,
) -> Result<Input, Failure> {
    if args.recorded {
        let failure = Failure::usage(format!("--recorded is for column files, and {} is Parquet", file.name));
        return Err(failure.hint("To read the values: trevni stats without --recorded"));
    }
    let fields = input::fields_of_rows(&args.columns, condition);
    file.columns(input::Part { fields: file.needed(fields)?, ..input::Part::default() })
}

/// Gives columns that are called alike their exact paths.
fn tell_apart(columns: &mut [Summary]) {
    let mut exact: HashMap<String, HashSet<String>> = HashMap::new();
    for column in columns.iter() {
        exact.entry(column.path.clone()).or_default().insert(column.exact.clone());
    }
    for column in columns {
        if exact.get(&column.path).is_some_and(|exact| exact.len() > 1) {
            column.path.clone_from(&column.exact);
        }
    }
}

/// Sorts columns as the paths that they were chosen by.
fn put_in_order(columns: &mut [Summary], paths: &[FieldPath]) {
    let place = |summary: &Summary| {
        let around = |path: &FieldPath| summary.field.starts_with(path.names());
        paths.iter().position(around).unwrap_or(usize::MAX)
    };
    columns.sort_by_key(place);
}

fn as_json(report: &Report<'_>, out: &mut Output) -> io::Result<()> {
    serde_json::to_writer(&mut *out, report)?;
    out.write_all(b"\n")
}

/// Writes what is said of a file, by its number and that of all files.
fn write(
    report: &Report<'_>,
    (number, files): (usize, usize),
    most: Option<usize>,
    out: &mut Output,
) -> io::Result<()> {
    if files > 1 {
        let gap = if number > 0 { "\n" } else { "" };
        writeln!(out, "{gap}{}  {}", shown(report.file), count(report.rows, "row"))?;
    }
    let narrow = out.width().is_some_and(|width| width < NARROW);
    summary::report(report.columns, narrow).write_ends(most, out)
}

/// Parts of the fields that are read one after the other.
const TURNS: usize = 256;

/// What the values of a reader's rows are like. Threads share the fields, so that no more than one field for
/// each of them is in memory, or a 256th of very many.
fn summaries<'s>(
    reader: &Reader<'s>,
    of_field: impl Fn(&Reader<'s>) -> Result<Vec<Summary>, trevni::Error> + Sync,
) -> Result<Vec<Summary>, trevni::Error> {
    let fields = by_field(&reader.limited_together());
    let threads = std::thread::available_parallelism().map_or(1, NonZero::get).min(fields.len());
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(fields.len()));
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(field) = fields.get(number) else {
                return;
            };
            let summaries = of_field(field);
            if summaries.is_err() {
                // What is not begun yet need not be.
                next.store(fields.len(), Ordering::Relaxed);
            }
            if let Ok(mut done) = done.lock() {
                done.push((number, summaries));
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let mut done = done.into_inner().unwrap_or_default();
    done.sort_by_key(|(number, _)| *number);
    let summaries = done.into_iter().map(|(_, summaries)| summaries);
    Ok(summaries.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// A reader for each outermost field, or for some of very many.
fn by_field<'s>(reader: &Reader<'s>) -> Vec<Reader<'s>> {
    let Shape::Record(record) = reader.shape() else {
        return vec![reader.clone()];
    };
    let together = record.fields.chunks(record.fields.len().div_ceil(TURNS).max(1));
    let part = |fields: &[FieldShape]| reader.project_paths(fields.iter().map(|field| [&*field.name]));
    let fields: Result<Vec<Reader<'s>>, _> = together.map(part).collect();
    match fields {
        Ok(fields) if !fields.is_empty() => fields,
        _ => vec![reader.clone()],
    }
}

fn of_field(reader: &Reader<'_>, bound: Bound) -> Result<Vec<Summary>, trevni::Error> {
    let mut columns = column::columns(reader.shape(), bound);
    if columns.is_empty() {
        return Ok(Vec::new());
    }
    for batch in reader.batches()? {
        let batch = batch?;
        column::add(batch.shape(), batch.vector(), batch.len(), &mut columns.iter_mut())?;
    }
    Ok(columns.iter().map(column::ColumnStats::summary).collect())
}

/// Values of all columns of a field that are decoded at once.
const AT_ONCE: usize = 1 << 20;

/// As [`of_field`], with where along the rows the values lie. The values are read once; what is kept does not grow with
/// the rows.
fn with_spread(reader: &Reader<'_>) -> Result<Vec<Summary>, trevni::Error> {
    let count = column::columns(reader.shape(), Bound::USUAL).len();
    let mut columns = column::columns(reader.shape(), Bound::of(count));
    if columns.is_empty() {
        return Ok(Vec::new());
    }
    let rows = reader.row_count();
    for column in &mut columns {
        column.along = Some(Along::new(rows, count));
    }
    let part = usize::try_from(rows / along::PARTS).unwrap_or(usize::MAX).max(1);
    // No batch is longer than a part, so that none of these is passed over.
    let most = (AT_ONCE / count).clamp(1, 4096);
    let mut first = 0;
    for batch in reader.batches()?.batch_rows(part.div_ceil(part.div_ceil(most))) {
        let batch = batch?;
        let along = columns.iter_mut().filter_map(|column| column.along.as_mut());
        along.for_each(|along| along.turn_to(first, batch.len() as u64));
        first += batch.len() as u64;
        column::add(batch.shape(), batch.vector(), batch.len(), &mut columns.iter_mut())?;
    }
    let by_path = recorded::ByPath::of(reader);
    let summary = |column: &column::ColumnStats| {
        let zones = zones::zones(reader, &by_path, column)?;
        let spread = column.along.as_ref().and_then(|along| along.spread(zones));
        Ok(Summary { spread, ..column.summary() })
    };
    columns.iter().map(summary).collect()
}
