//! The picture of a file: its parts in order, and the blocks of a column.

mod blocks;
#[cfg(feature = "parquet")]
mod parquet;

use crate::columns::{self, Column};
use crate::extents::{Extent, What, extents};
use crate::failure::Failure;
use crate::human::{bytes, count, thousands};
use crate::input::{self, Input, Opened};
use crate::output::Output;
use crate::progress::Progress;
use crate::report::{Cell, Report, Set};
use clap::Args;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use trevni::Dialect;
use trevni::column::ZoneMap;

/// Options of `trevni dev layout`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni dev layout flights.trv
  trevni dev layout flights.trv -c dep_time")]
pub struct Layout {
    /// File; - for standard input
    pub(crate) file: PathBuf,
    /// Show the blocks of these columns: paths such as sender.host and globs; `a.b` is a name with a dot; or names of columns
    #[arg(short, long, value_name = "PATHS", allow_hyphen_values = true)]
    pub(crate) columns: Vec<String>,
    /// Print at most this many lines (of a column, with -c): the first and the last [default: 100 on a terminal, else all]
    #[arg(short = 'n', long, value_name = "LINES", conflicts_with = "json")]
    pub(crate) number: Option<usize>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Runs `trevni dev layout`; the exit code.
///
/// # Errors
///
/// What cannot be read or written.
pub fn run(args: &Layout) -> Result<u8, Failure> {
    let input = match input::open_any(&args.file, Progress::default())? {
        Opened::Columns(input) => input,
        #[cfg(feature = "parquet")]
        Opened::Parquet(file) => return parquet::run(args, &file),
    };
    let failed = |error: trevni::Error| Failure::of(Path::new(&input.name), &error);
    let mut out = Output::new(None, false)?;
    let written = if args.columns.is_empty() {
        let columns = columns::columns(&input.reader);
        let parts = parts(&input, &columns).map_err(failed)?;
        match args.json {
            true => writeln!(out, "{}", as_json(&input, &parts)),
            false => write(&parts, args.number, &mut out),
        }
    } else {
        let chosen = columns::chosen(&input.reader, &args.columns)?;
        let blocks = blocks::of(&input.reader, &chosen).map_err(failed)?;
        match args.json {
            true => writeln!(out, "{}", blocks::as_json(&input, &blocks)),
            false => blocks::write(&blocks, args.number, &mut out),
        }
    };
    written.map_err(|error| out.failed(&error))?;
    out.finish().map(|()| 0)
}

/// A part of the file, with what people know of it.
struct FilePart<'c> {
    extent: Extent,
    column: Option<&'c Column<'c>>,
    /// What is notable of the values.
    values: Option<&'static str>,
}

impl FilePart<'_> {
    fn name(&self) -> &str {
        match (&self.extent.what, self.column) {
            (What::Header, _) => "header",
            (What::Footer, _) => "footer",
            (What::Column(_), Some(column)) => &column.label,
            _ => "unused",
        }
    }
}

fn parts<'c>(input: &Input, columns: &'c [Column<'c>]) -> Result<Vec<FilePart<'c>>, trevni::Error> {
    let mut parts = Vec::new();
    for extent in extents(input)? {
        let (mut column, mut values) = (None, None);
        if let What::Column(stored) = &extent.what {
            column = columns.get(stored.number);
            values = input.reader.zone_map(stored.number)?.and_then(|map| notable(&map));
        }
        parts.push(FilePart { extent, column, values });
    }
    Ok(parts)
}

/// What zone maps say of all values of a column.
fn notable(map: &ZoneMap) -> Option<&'static str> {
    let mut zones = map.zones.iter();
    let first = zones.next()?;
    let values: u64 = map.zones.iter().map(|zone| zone.values).sum();
    if values == 0 {
        return Some("no values");
    }
    let constant = first.min.is_some()
        && map.zones.iter().all(|zone| !zone.nan && zone.min == first.min && zone.max == first.min);
    match (constant, map.ascending) {
        (true, _) => Some("1 value"),
        (false, true) => Some("ascending"),
        (false, false) => None,
    }
}

fn write(parts: &[FilePart<'_>], most: Option<usize>, out: &mut Output) -> io::Result<()> {
    let set = [Set::Left, Set::Path(16), Set::Right, Set::Cut(4), Set::Right, Set::Left];
    let mut report = Report::unnamed(&set);
    let largest = parts.iter().map(|part| part.extent.bytes).max().unwrap_or(1).max(1);
    for part in parts {
        let Extent { start, bytes: size, what } = &part.extent;
        let bar = Cell::Bar(*size as f64 / largest as f64);
        let mut cells = vec![format!("{start:#09x}").into(), part.name().into(), bytes(*size).into(), bar];
        if let (What::Column(stored), Some(column)) = (what, part.column) {
            cells.push(match stored.group {
                Some(group) => format!("row group {}", thousands(group as u64)).into(),
                None => count(stored.blocks.len() as u64, "block").into(),
            });
            let codec = column.info.codec_name();
            let width =
                column.info.array_width().map(|width| format!("{} each", count(width as u64, "value")));
            let notes = [codec.to_owned()].into_iter().chain(part.values.map(str::to_owned)).chain(width);
            cells.push(notes.collect::<Vec<_>>().join(", ").into());
        }
        report.line(cells);
    }
    report.write_ends(most, out)
}

/// `{"file", "rows", "bytes", "parts": [{"part": "header", "footer", "column" or "unused", "offset", "bytes", …}]}`; of
/// a column also its name, path, block table, codec and blocks, and what only some formats have.
fn as_json(input: &Input, parts: &[FilePart<'_>]) -> Value {
    let has_levels = input.reader.dialect() != Dialect::Trevni;
    let part = |part: &FilePart<'_>| {
        let Extent { start, bytes, what } = &part.extent;
        match (what, part.column) {
            (What::Column(stored), Some(column)) => json!({
                "part": "column",
                "offset": start,
                "bytes": bytes,
                "column": column.info.name(),
                "path": column.label,
                "holds": column.content().name(),
                "type": column.info.value_type().name(),
                "codec": column.info.codec_name(),
                "table_bytes": stored.table,
                "blocks": stored.blocks.len(),
                "values": part.values,
                "row_group": stored.group,
                "max_repetition": has_levels.then(|| column.info.max_repetition()),
                "max_definition": has_levels.then(|| column.info.max_definition()),
                "array_width": column.info.array_width(),
            }),
            _ => json!({"part": part.name(), "offset": start, "bytes": bytes}),
        }
    };
    json!({
        "file": input.name,
        "rows": input.reader.row_count(),
        "bytes": input.bytes,
        "parts": parts.iter().map(part).collect::<Vec<_>>(),
    })
}
