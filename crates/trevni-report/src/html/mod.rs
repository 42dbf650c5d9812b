//! A page about a file, to look at in a browser: one HTML file that needs no other.

mod cards;
mod escape;
mod facts;
mod first_rows;
mod glance;
mod page;
mod parts;
mod picture;
mod schema;
mod sizes;
mod treemap;

use super::size;
use super::stats;
use crate::failure::Failure;
use crate::input::{self, Input};
use crate::output::Output;
use crate::progress::Progress;
use clap::Args;
use facts::Facts;
use first_rows::FirstRows;
use page::Page;
use std::path::{Path, PathBuf};
use trevni_query::paths::{Pattern, chosen};

/// Options of `trevni report`.
#[derive(Debug, Args)]
#[command(
    after_help = "The page needs no network: share it as a file. It has the values of the first rows, and the most frequent ones.
Of a file of many columns it shows the first, the last and the largest ones; -c chooses others.

Example:
  trevni report flights.trv -o flights.html"
)]
pub struct ReportPage {
    /// File, or a folder of files as one table; - for standard input
    pub(crate) file: PathBuf,
    /// The page; - for standard output [default: NAME.html]
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Fields: paths such as sender.host and globs such as dep_*; !x excludes x, `a.b` is a name with a dot
    #[arg(short, long, value_name = "PATHS", allow_hyphen_values = true)]
    pub(crate) columns: Vec<String>,
    /// Title of the page [default: the name of the file]
    #[arg(long, value_name = "TEXT")]
    pub(crate) title: Option<String>,
    /// How many of the first rows are shown
    #[arg(short = 'n', long, value_name = "ROWS", default_value_t = 100)]
    pub(crate) number: u64,
    /// Replace an existing output
    #[arg(long)]
    pub(crate) force: bool,
}

/// Writes the page. `to_file` writes the rows of a folder of files to a column file.
///
/// # Errors
///
/// What cannot be read or written.
pub fn run(args: &ReportPage, to_file: fn(&Path, &Path) -> Result<(), Failure>) -> Result<u8, Failure> {
    let output = match (&args.output, input::is_standard(&args.file)) {
        (Some(output), _) => output.clone(),
        (None, false) => args.file.with_extension("html"),
        (None, true) => {
            let failure = Failure::usage("the page needs a name, for standard input has no name");
            return Err(failure.hint("To give it one: -o FILE"));
        }
    };
    let ending = output.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    if ending.is_some_and(|ending| !["html", "htm"].contains(&&*ending)) {
        let failure = Failure::usage(format!("{}: the page is HTML", output.display()));
        return Err(failure.hint("Its name ends in .html or .htm"));
    }
    let mut out = Output::new(Some(&output), args.force)?;
    // The file, or one with the rows of all files of a folder.
    let (mut file, mut all) = (args.file.clone(), None);
    if file.is_dir() {
        let folder = tempfile::tempdir().map_err(|error| Failure::io("a temporary file", &error))?;
        file = folder.path().join("rows.trv");
        to_file(&args.file, &file)?;
        all = Some(folder);
    }
    let opened = input::open_rows(&file, Progress::default())?;
    // What is no name of a column may be one of a field.
    let sizes = size::of_columns(&opened, &args.columns).or_else(|_| size::of_columns(&opened, &[]))?;
    let mut facts = Facts::of(&opened);
    let input = opened.columns()?;
    let failed = |error: trevni::Error| Failure::of(Path::new(&input.name), &error);
    let chosen = chosen(input.reader.shape(), &Pattern::all(&args.columns)?)?;
    let reader = match &chosen {
        Some(paths) => input.reader.project_paths(paths).map_err(failed)?,
        None => input.reader.clone(),
    };
    facts.add_sizes(&sizes);
    match std::fs::metadata(&args.file) {
        Ok(_) if all.is_some() => facts.add_files(input::files(std::slice::from_ref(&args.file))?.len()),
        Ok(source) => facts.add_source(&source),
        Err(_) => {}
    }
    let folder = args.file.display().to_string();
    let name = if all.is_some() { &folder } else { &input.name };
    let page = Page {
        name: args.title.as_deref().unwrap_or(name),
        facts,
        shape: reader.shape(),
        sizes,
        columns: stats::of_all(&reader).map_err(failed)?,
        rows: FirstRows::of(&Input { reader: reader.clone(), ..input.clone() }, args.number)?,
    };
    page.write(&mut out).map_err(|error| out.failed(&error))?;
    out.finish().map(|()| 0)
}
