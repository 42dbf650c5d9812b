//! Writes the rows of a file anew: with another codec, other blocks, fewer fields, fewer rows.

use crate::encoding::Encoding;
use crate::expression;
use crate::failure::Failure;
use crate::input::{self, Input};
use crate::output::Columns;
use crate::paths;
use crate::progress::{self, Progress};
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  trevni recode -z zstandard flights.trv -o smaller.trv")]
pub(crate) struct Recode {
    /// File; - for standard input
    pub(crate) file: PathBuf,
    /// The result; - for standard output
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) encoding: Encoding,
    /// Fields: paths, globs, !x to leave out; comma-separated
    #[arg(short, long, value_name = "PATHS", value_delimiter = ',', allow_hyphen_values = true)]
    pub(crate) columns: Vec<String>,
    /// Only rows for which this is true
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION")]
    pub(crate) filter: Option<String>,
    /// Replaces an output that is there
    #[arg(long)]
    pub(crate) force: bool,
}

pub(crate) fn run(args: &Recode) -> Result<u8, Failure> {
    let filter = args.filter.as_deref().map(expression::parse).transpose()?;
    let Input { name, reader, .. } = input::open(&args.file)?;
    let failed = |error: trevni::Error| Failure::of(Path::new(&name), &error);
    let reader = match paths::chosen(reader.shape(), &args.columns)? {
        Some(chosen) => reader.project(chosen).map_err(failed)?,
        None => reader,
    };
    let reader = match filter {
        Some(filter) => reader.filter(filter).map_err(failed)?,
        None => reader,
    };
    let builder = args.encoding.builder()?.shape(reader.shape());
    let mut columns = Columns::new(builder, &args.output, args.force)?;
    let progress = Progress::rows("writing", reader.row_count());
    for batch in reader.batches().map_err(failed)? {
        let batch = batch.map_err(failed)?;
        columns.write_batch(&batch).map_err(|error| Failure::of(&args.output, &error))?;
        progress.set(batch.first_row() + batch.len() as u64);
    }
    let rows = columns.row_count();
    columns.finish()?;
    drop(progress);
    progress::note(format_args!("{} → {}: {rows} rows", name, args.output.display()));
    Ok(0)
}
