//! Prints rows: all of them, the first, the last, some by chance.

use super::convert::described;
use super::{by_name, merge};
use crate::dialect;
use crate::failure::Failure;
use crate::input::{self, Several};
use crate::output::{Columns, Output};
use crate::parallel;
use crate::progress::Progress;
use crate::rows::{Mixed, Printer, Printing, RowFormat, fields_of_all};
use crate::selecting::{Picked, Which, condition, picked};
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;
use trevni::{Dialect, Reader, Writer};
use trevni_avro::schema_of;
use trevni_query::Condition;
use trevni_query::paths::{Choice, FieldPath, Pattern};

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
    if let Some((output, force)) = args.printing.no_text() {
        return by_name(output, force, &[], |output| write(args, which, output, force)).map(|()| 0);
    }
    let mut out = args.printing.output()?;
    let rows = Rows::of(args, which)?;
    let all = rows.choice.as_ref().map(|choice| choice.all.as_slice());
    let fields = fields_of_all(rows.files.shapes(), all);
    let mut printer = Printer::new(args.printing.form(usual), fields, &args.printing.style(&out));
    rows.each(|rows, name, paths, most| {
        printer.turn_to(rows, paths);
        print_file(rows, name, most, &mut printer, &mut out)
    })?;
    printer.finish(&mut out).map_err(|error| out.failed(&error))?;
    out.finish().map(|()| 0)
}

/// Writes the rows to a file of columns.
fn write(args: &PrintRows, which: Which, output: &Path, force: bool) -> Result<(), Failure> {
    let rows = Rows::of(args, which)?;
    let mut parts = Parts::new(rows.files.count(), output, force)?;
    rows.each(|rows, name, _, most| parts.add(rows, name, most))?;
    parts.finish()
}

/// Writes the rows of readers to one column file: each to a file of its own, if there are several, which are then joined.
struct Parts<'o> {
    output: &'o Path,
    force: bool,
    is_one: bool,
    folder: TempDir,
    names: Vec<PathBuf>,
}

impl<'o> Parts<'o> {
    /// For a number of readers.
    fn new(count: usize, output: &'o Path, force: bool) -> Result<Self, Failure> {
        let folder = tempfile::tempdir().map_err(|error| Failure::io("a temporary folder", &error))?;
        Ok(Self { output, force, is_one: count == 1, folder, names: Vec::new() })
    }

    fn part(&self, number: usize) -> PathBuf {
        self.folder.path().join(format!("{number}.trv"))
    }

    fn dialect(&self) -> Dialect {
        dialect::of_output(self.output, Dialect::default())
    }

    /// Writes at most a number of rows; returns how many there were.
    fn add(&mut self, rows: &Reader<'static>, name: &str, most: u64) -> Result<u64, Failure> {
        let part = self.part(self.names.len());
        let failed = |error: trevni::Error| Failure::of(Path::new(name), &error);
        let builder = Writer::builder().schema(schema_of(rows, rows.shape()));
        let builder = described(builder, rows.metadata().iter());
        let mut columns = match self.is_one {
            true => Columns::new(builder.dialect(self.dialect()), self.output, self.force)?,
            false => Columns::new(builder.without_drop_notice(), &part, false)?,
        };
        for batch in rows.batches().map_err(failed)? {
            columns.write_first(&batch.map_err(failed)?, most - columns.row_count()).map_err(failed)?;
            if columns.row_count() == most {
                break;
            }
        }
        let count = columns.row_count();
        columns.finish()?;
        self.names.push(PathBuf::from(name));
        Ok(count)
    }

    fn finish(self) -> Result<(), Failure> {
        if self.is_one {
            return Ok(());
        }
        let open = |number| Ok(input::open_columns(&self.part(number), Progress::default())?.reader);
        let readers = (0..self.names.len()).map(open).collect::<Result<Vec<_>, Failure>>()?;
        merge::in_one(&readers, &self.names, self.dialect(), self.output, self.force).map(drop)
    }
}

/// Writes the rows of readers, each with the name of its file, in the format that the name of the output says. Returns
/// their number.
#[cfg(feature = "view")]
pub(super) fn to_named(rows: &[(Reader<'static>, String)], output: &Path) -> Result<u64, Failure> {
    by_name(output, false, &[], |output| {
        let mut parts = Parts::new(rows.len(), output, false)?;
        let counts = rows.iter().map(|(reader, name)| parts.add(reader, name, u64::MAX));
        let count = counts.sum::<Result<u64, Failure>>()?;
        parts.finish().map(|()| count)
    })
}

/// The options, as they are where none is given.
#[derive(clap::Parser)]
struct Defaults {
    #[command(flatten)]
    rows: PrintRows,
}

/// Writes all rows of files, or of folders of them, to a column file.
pub(super) fn to_file(path: &Path, output: &Path) -> Result<(), Failure> {
    use std::ffi::OsStr;
    let args = [OsStr::new("cat"), OsStr::new("--"), path.as_os_str()];
    let parsed = <Defaults as clap::Parser>::try_parse_from(args);
    let args = parsed.map_err(|error| Failure::usage(error.to_string()))?.rows;
    write(&args, Which::First { skip: 0, count: u64::MAX }, output, false)
}

/// The rows that are asked for.
struct Rows {
    files: Several,
    condition: Option<Condition>,
    /// The fields of each file, where they are chosen.
    choice: Option<Choice>,
    which: Which,
    mixed: Mixed,
}

impl Rows {
    fn of(args: &PrintRows, which: Which) -> Result<Self, Failure> {
        let condition = condition(args.filter.as_deref())?;
        let wanted = which.wanted(&args.columns, condition.as_ref());
        let files = Several::open(&input::files(&args.files)?, &wanted)?;
        let choice = Choice::of(files.shapes(), &Pattern::all(&args.columns)?)?;
        Ok(Self { files, condition, choice, which, mixed: args.printing.mixed })
    }

    /// Gives a function the rows of each file, its name, the fields that are chosen, and how many rows are wanted at most;
    /// it says how many there were.
    fn each(
        &self,
        mut rows_of: impl FnMut(&Reader<'static>, &str, Option<&[FieldPath]>, u64) -> Result<u64, Failure>,
    ) -> Result<(), Failure> {
        let Self { files, condition, choice, which, mixed } = self;
        let condition = condition.as_ref();
        let mut left = match which {
            Which::First { count, .. } => *count,
            Which::Last { .. } | Which::Random { .. } => u64::MAX,
        };
        let all_picked = picked(files, condition, *which)?;
        let is_empty = all_picked.iter().all(Picked::is_empty);
        for (number, picked) in all_picked.into_iter().enumerate() {
            // One of them shows what there is.
            let is_first = number == 0;
            if (left == 0 && !is_first) || picked.is_empty() && !(is_empty && is_first) {
                continue;
            }
            let input = files.input(number)?;
            let mut rows = picked.reader(&input, condition, files.count() > 1)?;
            let paths = choice.as_ref().and_then(|choice| choice.fields.get(number)).map(Vec::as_slice);
            if let Some(paths) = paths {
                let chosen = rows.project_paths(paths);
                rows = chosen.map_err(|error| Failure::of(Path::new(&input.name), &error))?;
            }
            let rows = mixed.rows(&rows, &input.name, left)?;
            let count = rows_of(&rows, &input.name, paths, left)?;
            left = if left == u64::MAX { left } else { left - count };
        }
        Ok(())
    }
}

/// Prints at most a number of rows of a file; returns their number.
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
