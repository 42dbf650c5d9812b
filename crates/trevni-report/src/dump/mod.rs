//! The values of columns as they are stored, or with their repetition and definition levels.

mod levels;
#[cfg(feature = "parquet")]
mod parquet;
mod raw;

use crate::columns;
use crate::failure::Failure;
use crate::input::{self, Opened};
use crate::output::Output;
use crate::progress::Progress;
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};

/// Options of `trevni dev dump`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni dev dump flights.trv -c dep_delay
  trevni dev dump --format levels mails.trv")]
pub struct Dump {
    /// File; - for standard input
    pub(crate) file: PathBuf,
    /// What to print of each column [default: columns; levels of Parquet files]
    #[arg(short, long, value_enum)]
    pub(crate) format: Option<DumpFormat>,
    /// Columns: paths such as sender.host and globs such as dep_*; !x excludes x, `a.b` is a name with a dot; or names
    /// of columns
    #[arg(short, long, value_name = "PATHS", allow_hyphen_values = true)]
    pub(crate) columns: Vec<String>,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Replace an existing output
    #[arg(long)]
    pub(crate) force: bool,
}

/// What is printed of a column.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum DumpFormat {
    /// Each column by itself, without the schema: one row per line, with brackets for each array column (of files
    /// with levels, each list and optional) around the values; floats are the hexadecimal digits of their bits, bytes are hexadecimal
    Columns,
    /// Each field's values with repetition and definition levels: value 1: R:0 D:1 V:"text"; of Parquet files, each
    /// column's, as Parquet's own tools print them
    Levels,
}

/// Runs `trevni dev dump`; the exit code.
///
/// # Errors
///
/// What cannot be read or written.
pub fn run(args: &Dump) -> Result<u8, Failure> {
    let opened = input::open_any(&args.file, Progress::default())?;
    let mut out = Output::new(args.output.as_deref(), args.force)?;
    let input = match opened {
        Opened::Columns(input) => input,
        #[cfg(feature = "parquet")]
        Opened::Parquet(file) => {
            parquet::dump(args, &file, &mut out)?;
            return out.finish().map(|()| 0);
        }
    };
    let columns = columns::chosen(&input.reader, &args.columns)?;
    let done = match args.format.unwrap_or(DumpFormat::Columns) {
        DumpFormat::Columns => raw::dump(&input.reader, &columns, &mut out),
        DumpFormat::Levels => levels::dump(&input.reader, &columns, &mut out),
    };
    done.map_err(|error| match error {
        Trouble::File(error) => Failure::of(Path::new(&input.name), &error),
        Trouble::Output(error) => out.failed(&error),
    })?;
    out.finish().map(|()| 0)
}

/// What may go wrong: reading, or writing.
enum Trouble {
    File(trevni::Error),
    Output(std::io::Error),
}

impl From<trevni::Error> for Trouble {
    fn from(error: trevni::Error) -> Self {
        Self::File(error)
    }
}

impl From<std::io::Error> for Trouble {
    fn from(error: std::io::Error) -> Self {
        Self::Output(error)
    }
}

/// A value that is not in its batch, which the library does not make.
fn misplaced() -> Trouble {
    Trouble::Output(std::io::Error::other("a value that is not in its batch"))
}
