//! A page about a file, to look at in a browser: one HTML file that needs no other.

mod escape;
mod page;

use super::size::largest;
use super::stats;
use crate::failure::Failure;
use crate::input::{self, Input};
use crate::output::Output;
use crate::rows::{Shown, fields, json_text, names};
use clap::Args;
use page::Page;
use std::path::{Path, PathBuf};
use trevni::Reader;
use trevni_query::paths::{FieldPath, Pattern, chosen};

#[derive(Debug, Args)]
#[command(
    after_help = "The page needs no network: share it as a file. It has the values of the first rows, and the most frequent ones.

Example:
  trevni report flights.trv -o flights.html"
)]
pub(crate) struct ReportPage {
    /// File; - for standard input
    pub(crate) file: PathBuf,
    /// The page; - for standard output [default: NAME.html]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Fields: paths such as sender.host and globs such as dep_*; !x excludes x, \. is a dot in a name
    #[arg(short, long, value_name = "PATHS", allow_hyphen_values = true)]
    pub(crate) columns: Vec<String>,
    /// How many of the first rows are shown
    #[arg(short = 'n', long, value_name = "ROWS", default_value_t = 100)]
    pub(crate) number: u64,
    /// Replace an existing output
    #[arg(long)]
    pub(crate) force: bool,
}

pub(crate) fn run(args: &ReportPage) -> Result<u8, Failure> {
    let output = match (&args.output, input::is_standard(&args.file)) {
        (Some(output), _) => output.clone(),
        (None, false) => args.file.with_extension("html"),
        (None, true) => {
            let failure = Failure::usage("standard input has no name that the page could have");
            return Err(failure.hint("To give it one: -o FILE"));
        }
    };
    let mut out = Output::new(Some(&output), args.force)?;
    let input = input::open(&args.file)?;
    let failed = |error: trevni::Error| Failure::of(Path::new(&input.name), &error);
    let chosen = chosen(input.reader.shape(), &Pattern::all(&args.columns))?;
    let reader = match &chosen {
        Some(paths) => input.reader.project_paths(paths).map_err(failed)?,
        None => input.reader.clone(),
    };
    let page = Page {
        input: &input,
        columns: stats::of_all(&reader).map_err(failed)?,
        sizes: largest(&input, usize::MAX)?,
        rows: rows(&input, &reader, args.number)?,
    };
    page.write(&mut out).map_err(|error| out.failed(&error))?;
    out.finish().map(|()| 0)
}

/// The first rows as texts; none where a cell is null.
pub(super) struct FirstRows {
    names: Vec<String>,
    rows: Vec<Vec<Option<String>>>,
}

fn rows(input: &Input, reader: &Reader<'static>, most: u64) -> Result<FirstRows, Failure> {
    let failed = |error: trevni::Error| Failure::of(Path::new(&input.name), &error);
    let all = fields(reader.shape());
    let paths: Vec<FieldPath> = all.iter().map(|field| field.path.clone()).collect();
    let mut first = FirstRows { names: names(&paths), rows: Vec::new() };
    let part = reader.select(0..reader.row_count().min(most)).map_err(failed)?;
    for batch in part.batches().map_err(failed)? {
        let shown = Shown::owned(batch.map_err(failed)?).map_err(|error| Failure::io(&input.name, &error))?;
        for row in (0..shown.len()).map_while(|at| shown.row(at)) {
            let cells = all.iter().map(|field| field.of(row).map(|value| json_text(&value)).transpose());
            let cells = cells.collect::<serde_json::Result<_>>();
            first.rows.push(cells.map_err(|error| Failure::new(error.to_string()))?);
        }
    }
    Ok(first)
}
