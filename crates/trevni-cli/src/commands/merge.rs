//! Several files in one, and one file in several; blocks are copied where that is possible.

use crate::expression;
use crate::failure::Failure;
use crate::human::thousands;
use crate::input;
use crate::output::refuse_existing;
use crate::progress::{self, Progress};
use clap::Args;
use std::path::{Path, PathBuf};
use trevni::Reader;

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  trevni merge january.trv february.trv -o winter.trv")]
pub(crate) struct Merge {
    /// Files of equal schema
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The result
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Replaces an output that is there
    #[arg(long)]
    pub(crate) force: bool,
    /// Only rows for which this is true
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION")]
    pub(crate) filter: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "Example:\n  trevni split --rows 1000000 year.trv -o parts/")]
pub(crate) struct Split {
    /// File
    pub(crate) file: PathBuf,
    /// The folder for part-00000.trv, part-00001.trv, …
    #[arg(short, long, value_name = "FOLDER")]
    pub(crate) output: PathBuf,
    /// Rows of a part
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) rows: u64,
}

pub(crate) fn merge(args: &Merge) -> Result<u8, Failure> {
    refuse_existing(&args.output, args.force)?;
    let filter = args.filter.as_deref().map(expression::parse).transpose()?;
    let sizes = args.files.iter().filter_map(|path| std::fs::metadata(path).ok()).map(|file| file.len());
    let progress = Progress::bytes("merging", sizes.sum());
    let mut readers: Vec<Reader<'static>> = Vec::new();
    for path in &args.files {
        let input = input::open_with(path, progress.clone())?;
        let reader = match &filter {
            Some(filter) => input.reader.filter(filter.clone()),
            None => Ok(input.reader),
        };
        readers.push(reader.map_err(|error| Failure::of(Path::new(&input.name), &error))?);
    }
    let merged = trevni::Merge::new().create(&readers, &args.output);
    let merged = merged.map_err(|error| Failure::of(&args.output, &error))?;
    drop((progress, readers));
    progress::note(format_args!(
        "{}: {} rows of {} files, {} blocks copied, {} written anew",
        args.output.display(),
        thousands(merged.rows),
        args.files.len(),
        thousands(merged.blocks_copied),
        thousands(merged.blocks_recoded + merged.blocks_rewritten)
    ));
    Ok(0)
}

pub(crate) fn split(args: &Split) -> Result<u8, Failure> {
    let size = std::fs::metadata(&args.file).map_or(0, |file| file.len());
    let input = input::open_with(&args.file, Progress::bytes("splitting", size))?;
    let parts = trevni::split(&input.reader, args.rows, &args.output);
    let parts = parts.map_err(|error| Failure::of(&args.output, &error))?;
    let rows = thousands(input.reader.row_count());
    progress::note(format_args!("{}: {rows} rows in {} parts", args.output.display(), parts.len()));
    Ok(0)
}
