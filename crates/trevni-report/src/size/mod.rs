//! What the bytes of a file are for: columns, fields, codecs, or values and lengths.

mod columns;
mod groups;
#[cfg(feature = "parquet")]
mod parquet;

use crate::drawing::drawing;
use crate::failure::Failure;
use crate::human::{bytes, count};
use crate::input::{self, Input, Opened};
use crate::output::Output;
use crate::progress::Progress;
use crate::report::{Cell, Report, Set};
use crate::shown::shown;
use clap::{Args, ValueEnum};
pub(crate) use columns::{ColumnSize, Kind};
use groups::{Group, groups};
use serde_json::{Map, Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Options of `trevni size`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni size -n 10 flights.trv
  trevni size --by part flights.trv")]
pub struct Size {
    /// Files, or folders of them; - for standard input
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Print at most this many lines; the others are summed up [default: 20 on a terminal, else all]
    #[arg(short = 'n', long, value_name = "LINES")]
    pub(crate) number: Option<usize>,
    /// Only these columns: paths such as sender.host and globs such as dep_*; !x excludes x,
    /// `a.b` is a name with a dot
    #[arg(short, long, value_name = "PATHS", allow_hyphen_values = true)]
    pub(crate) columns: Vec<String>,
    /// What each line shows
    #[arg(long, value_enum, default_value_t = By::Column)]
    pub(crate) by: By,
    /// Order of the lines
    #[arg(long, value_enum, default_value_t = Sort::Bytes)]
    pub(crate) sort: Sort,
    /// Print one JSON object per file
    #[arg(long)]
    pub(crate) json: bool,
}

/// What each line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum By {
    /// A column
    Column,
    /// An outermost field, with all its columns
    Field,
    /// Values, lengths, nulls, the index and the header: all bytes of the file
    Part,
    /// A codec
    Codec,
}

impl By {
    fn name(self) -> &'static str {
        match self {
            Self::Column => "column",
            Self::Field => "field",
            Self::Part => "part",
            Self::Codec => "codec",
        }
    }
}

/// The order of lines.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum Sort {
    /// The largest first
    Bytes,
    /// By name
    Name,
    /// As in the file
    File,
}

/// What is said of a file as a whole.
struct Subject<'f> {
    name: &'f str,
    rows: u64,
    columns: usize,
    /// Bytes of the file.
    bytes: u64,
    /// What it has beside its columns.
    rest: &'static str,
}

impl<'f> Subject<'f> {
    fn of(input: &'f Input) -> Self {
        let Input { name, reader, bytes } = input;
        let (rows, columns) = (reader.row_count(), reader.columns().len());
        Self { name, rows, columns, bytes: *bytes, rest: "header and index" }
    }
}

/// Runs `trevni size`; the exit code.
///
/// # Errors
///
/// What cannot be read or written.
pub fn run(args: &Size) -> Result<u8, Failure> {
    let mut out = Output::new(None, false)?;
    for (number, file) in input::files(&args.files)?.iter().enumerate() {
        let opened = input::open_any(file.path(), Progress::default())?;
        let (subject, mut groups) = match &opened {
            Opened::Columns(input) => (Subject::of(input), groups(input, args.by, &args.columns)?),
            #[cfg(feature = "parquet")]
            Opened::Parquet(file) => (parquet::subject(file), parquet::groups(file, args.by, &args.columns)?),
        };
        match args.sort {
            Sort::Bytes => groups.sort_by_key(|group| std::cmp::Reverse(group.stored)),
            Sort::Name => groups.sort_by(|one, two| one.name.cmp(&two.name)),
            Sort::File => {}
        }
        let gap = if number > 0 && !args.json { out.write_all(b"\n") } else { Ok(()) };
        let written = gap.and_then(|()| match args.json {
            true => writeln!(out, "{}", as_json(&subject, &groups, args)),
            false => write(&subject, &groups, args, &mut out),
        });
        written.map_err(|error| out.failed(&error))?;
    }
    out.finish().map(|()| 0)
}

/// Lines that are shown on a terminal, unless it is said otherwise.
const FEW: usize = 20;

fn ratio(size: u64, stored: u64) -> String {
    match stored {
        0 => drawing().unknown.to_owned(),
        stored => format!("{:.2}{}", size as f64 / stored as f64, drawing().times),
    }
}

fn write(subject: &Subject<'_>, groups: &[Group], args: &Size, out: &mut Output) -> io::Result<()> {
    let stored: u64 = groups.iter().map(|group| group.stored).sum();
    let size: u64 = groups.iter().filter_map(|group| group.size).sum();
    let rows = count(subject.rows, "row");
    let columns = count(subject.columns as u64, "column");
    let total = match args.by {
        By::Part => bytes(stored),
        _ => format!("{} from {} ({})", bytes(stored), bytes(size), ratio(size, stored)),
    };
    writeln!(out, "{}  {rows}  {columns}  {total}{}", shown(subject.name), beside(subject, stored, args))?;
    let named = [(args.by.name(), Set::Path(16)), ("bytes", Set::Right), ("share", Set::Right)];
    let mut set = named.to_vec();
    match args.by {
        By::Part => {}
        By::Codec => set.push(("ratio", Set::Right)),
        By::Column | By::Field => set.extend([("ratio", Set::Right), ("codec", Set::Left)]),
    }
    set.push(("", Set::Cut(6)));
    let mut report = Report::new(&set);
    // A terminal shows the largest; what is written elsewhere has all.
    let most =
        args.number.unwrap_or(if out.is_terminal() && groups.len() > FEW + 1 { FEW } else { usize::MAX });
    let shown = groups.get(..most.min(groups.len())).unwrap_or_default();
    let largest = groups.iter().map(|group| group.stored).max().unwrap_or(1).max(1);
    let share = |bytes: u64| format!("{:.1}%", 100.0 * bytes as f64 / stored.max(1) as f64);
    for group in shown {
        let mut cells: Vec<Cell> =
            vec![group.name.clone().into(), bytes(group.stored).into(), share(group.stored).into()];
        if args.by != By::Part {
            cells.push(ratio(group.size.unwrap_or(0), group.stored).into());
        }
        if matches!(args.by, By::Column | By::Field) {
            cells.push(group.codecs.join(", ").into());
        }
        cells.push(Cell::Bar(group.stored as f64 / largest as f64));
        report.line(cells);
    }
    let rest = groups.get(shown.len()..).unwrap_or_default();
    if !rest.is_empty() {
        let more: u64 = rest.iter().map(|group| group.stored).sum();
        report.line([format!("{} more", rest.len()), bytes(more), share(more)]);
    }
    report.write(out)?;
    match args.number.is_none() && !rest.is_empty() {
        true => writeln!(out, "all {}: -n {}", groups.len(), groups.len()),
        false => Ok(()),
    }
}

/// What of the file is no column, with its share of all bytes.
fn beside(subject: &Subject<'_>, stored: u64, args: &Size) -> String {
    let rest = subject.bytes.saturating_sub(stored);
    match args.by == By::Part || !args.columns.is_empty() {
        true => String::new(),
        false => {
            let share = 100.0 * rest as f64 / subject.bytes.max(1) as f64;
            format!("; {} {} ({share:.1}% of the file)", subject.rest, bytes(rest))
        }
    }
}

/// `{"file", "rows", "bytes", "columns": [{"name", "bytes", …}]}`, with `fields`, `parts` or `codecs` where a
/// line is one of these.
fn as_json(subject: &Subject<'_>, groups: &[Group], args: &Size) -> Value {
    let group = |group: &Group| {
        let mut object = Map::new();
        object.insert("name".to_owned(), json!(group.name));
        if let Some(column) = &group.column {
            object.insert("column".to_owned(), json!(column));
        }
        object.insert("bytes".to_owned(), json!(group.stored));
        if let Some(size) = group.size {
            object.insert("uncompressed_bytes".to_owned(), json!(size));
            object.insert("blocks".to_owned(), json!(group.blocks));
        }
        match args.by {
            By::Column => object.insert("codec".to_owned(), json!(group.codecs.first())),
            By::Field => object.insert("codecs".to_owned(), json!(group.codecs)),
            By::Part | By::Codec => None,
        };
        Value::Object(object)
    };
    let shown = groups.iter().take(args.number.unwrap_or(usize::MAX));
    let mut object = Map::new();
    object.insert("file".to_owned(), json!(subject.name));
    object.insert("rows".to_owned(), json!(subject.rows));
    object.insert("bytes".to_owned(), json!(groups.iter().map(|group| group.stored).sum::<u64>()));
    object.insert("file_bytes".to_owned(), json!(subject.bytes));
    object.insert(format!("{}s", args.by.name()), shown.map(group).collect::<Vec<_>>().into());
    Value::Object(object)
}

/// The bytes of the columns that patterns name, in the order of the file.
pub(crate) fn of_columns(opened: &Opened, patterns: &[String]) -> Result<Vec<ColumnSize>, Failure> {
    match opened {
        Opened::Columns(input) => columns::of_columns(input, patterns),
        #[cfg(feature = "parquet")]
        Opened::Parquet(file) => parquet::of_columns(file, patterns),
    }
}

/// The largest columns and their shares of all columns' bytes, the largest first.
pub(crate) fn largest(input: &Input, count: usize) -> Result<Vec<(String, f64)>, Failure> {
    let mut groups = groups(input, By::Column, &[])?;
    groups.sort_by_key(|group| std::cmp::Reverse(group.stored));
    let all = groups.iter().map(|group| group.stored).sum::<u64>().max(1) as f64;
    Ok(groups.into_iter().take(count).map(|group| (group.name, group.stored as f64 / all)).collect())
}

/// Names the file in errors.
fn failed(input: &Input) -> impl Fn(trevni::Error) -> Failure + '_ {
    |error| Failure::of(Path::new(&input.name), &error)
}
