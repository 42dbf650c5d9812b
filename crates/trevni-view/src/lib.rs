//! Rows on a full screen. Only what is on the screen is read: the `table` reads cells, the `model` knows what is
//! shown, `update` changes it by keys, `draw` draws it, and `job`s go through all rows step by step. State, events and a
//! buffer: so tests need no terminal.
//!
//! It is for `trevni`, and promises no interface.

#![forbid(unsafe_code)]

mod draw;
mod job;
mod model;
mod order;
mod page;
mod prompt;
mod table;
mod terminal;
#[cfg(test)]
mod tests;
mod tree;
mod update;

use crate::failure::Failure;
use crate::human::count;
use crate::input::DataFile;
use clap::Args;
use model::Model;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use table::Table;
use trevni::Reader;
use trevni_files::{failure, format, input, interrupt, output, rows, sorter};
use trevni_print::{drawing, human, shown};

/// Writes the rows of readers, each with the name of its file, to a file of the format that its name says. Returns their
/// number.
pub type Write = fn(&[(Reader<'static>, String)], &Path) -> Result<u64, Failure>;

/// Options of `trevni view`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni view flights.trv
  trevni view flights.trv -w 'dep_delay > 60' -c 'carrier,dep_*'
  trevni view folder

? shows the keys, q quits. Only what is on the screen is read, so files of any size open at once.
Sorting uses 256 MiB of memory, and temporary files beyond it.")]
pub struct View {
    /// Files, or folders of them, as one table; - for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Show these columns first: paths such as sender.host and globs such as dep_*; !x excludes x. + shows the others
    #[arg(short, long, value_name = "PATHS", allow_hyphen_values = true)]
    columns: Vec<String>,
    /// Begin with the rows that match, such as: delay > 60 and any(stops, item = "JFK")
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION", allow_hyphen_values = true)]
    filter: Option<String>,
}

/// Shows the rows until the user ends it; the exit code. `write` is for the rows that the user writes to a file.
///
/// # Errors
///
/// No terminal, and files that cannot be read.
pub fn run(args: &View, write: Write) -> Result<u8, Failure> {
    let reads_stream = args.files.iter().any(|path| input::is_standard(path));
    if !io::stdout().is_terminal() || !reads_stream && !io::stdin().is_terminal() {
        let failure = Failure::usage("view needs a terminal");
        return Err(failure.hint("To print rows elsewhere: trevni head, or trevni cat"));
    }
    let files = input::files(&args.files)?;
    let table = Table::open(&files)?;
    terminal::run(model(table, name(&files), &args.columns, args.filter.as_deref(), write)?)
}

/// What is shown first.
fn model(
    table: Table,
    name: String,
    columns: &[String],
    filter: Option<&str>,
    write: Write,
) -> Result<Model, Failure> {
    let chosen = table.chosen(columns)?;
    let mut model = Model::new(table, name, write);
    if let Some(chosen) = chosen {
        model.columns = chosen;
    }
    if let Some(text) = filter {
        model.job = Some(job::Job::Filter(Box::new(job::Filter::new(&model.table, text)?)));
    }
    Ok(model)
}

/// The name of the file, or how many there are.
fn name(files: &[DataFile]) -> String {
    let of = |path: &Path| path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
    match files {
        [one] => of(one.path()),
        files => count(files.len() as u64, "file"),
    }
}
