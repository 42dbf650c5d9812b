//! Several files in one table; blocks are copied where that is possible.

use super::by_name;
use crate::dialect;
use crate::failure::Failure;
use crate::human::{count, thousands};
use crate::input;
use crate::output::{Output, refuse_existing, refuse_packed, unwritten};
use crate::progress::{self, Progress};
use crate::remote;
use crate::selecting::{condition, filtered};
use clap::Args;
use std::path::{Path, PathBuf};
use trevni::merge::Merged;
use trevni::{Dialect, ErrorKind, Reader};

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  trevni merge january.trv february.trv -o winter.trv
  trevni merge parts/ -o year.trv
  trevni merge part-m-0000*.redelm -o all.trv")]
pub(crate) struct Merge {
    /// Files, or folders of them: a column that a file lacks is null for its rows, integers beside floats are floats
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// Output file
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Replace an existing output
    #[arg(long)]
    pub(crate) force: bool,
    /// File format: trevni, levels or redelm [default: by the name of the output, or that of the first file]
    #[arg(long, value_name = "DIALECT", hide_short_help = true)]
    pub(crate) dialect: Option<Dialect>,
    /// Keep only rows that match this condition
    #[arg(short = 'w', long = "where", value_name = "EXPRESSION", allow_hyphen_values = true)]
    pub(crate) filter: Option<String>,
}

pub(crate) fn run(args: &Merge) -> Result<u8, Failure> {
    refuse_existing(&args.output, args.force)?;
    let condition = condition(args.filter.as_deref())?;
    let files = files(args)?;
    let sizes = files.iter().map(|path| input::size(path));
    let progress = Progress::bytes("merging", sizes.sum());
    let mut readers: Vec<Reader<'static>> = Vec::new();
    for path in &files {
        let input = input::open_with(path, progress.clone())?;
        readers.push(filtered(&input.reader, &input.name, condition.as_ref())?);
    }
    let first = readers.first().map(Reader::dialect).unwrap_or_default();
    let dialect = args.dialect.unwrap_or_else(|| dialect::of_output(&args.output, first));
    let merged = by_name(&args.output, args.force, &[], |output| {
        in_one(&readers, &files, dialect, output, args.force)
    })?;
    drop((progress, readers));
    progress::note(format_args!(
        "{}: {} of {}, {} copied, {} written again",
        args.output.display(),
        count(merged.rows, "row"),
        count(files.len() as u64, "file"),
        count(merged.blocks_copied, "block"),
        thousands(merged.blocks_recoded + merged.blocks_rewritten)
    ));
    Ok(0)
}

/// Writes the rows of readers to one column file. The names are those that errors have.
pub(super) fn in_one(
    readers: &[Reader<'static>],
    names: &[PathBuf],
    dialect: Dialect,
    output: &Path,
    force: bool,
) -> Result<Merged, Failure> {
    refuse_packed(output)?;
    let merge = trevni::merge::Merge::new().promote().dialect(dialect);
    let merged = match (remote::is_url(output), force) {
        (true, force) => {
            let mut out = Output::new(Some(output), force)?;
            let merged = merge.write(readers, &mut out);
            if merged.is_ok() {
                out.finish()?;
            }
            merged
        }
        (false, true) => merge.create(readers, output),
        (false, false) => merge.create_new(readers, output),
    };
    merged.map_err(|error| differ(names, &error).unwrap_or_else(|| unwritten(output, &error)))
}

/// What is said of files that differ, by their names: the library knows readers by their numbers.
fn differ(files: &[PathBuf], error: &trevni::Error) -> Option<Failure> {
    let ErrorKind::PartMismatch { reason, other } = error.kind() else {
        return None;
    };
    let path = |name: &str| files.get(name.strip_prefix("file ")?.parse::<usize>().ok()?);
    let own = path(&error.location().file.as_ref()?.display().to_string())?;
    let (own, other) = (own.display(), path(other)?.display());
    Some(Failure::usage(format!("{own}: {reason}, with the rows of {other} in one file")))
}

/// The files; what an earlier merge wrote into a folder is not among them.
fn files(args: &Merge) -> Result<Vec<PathBuf>, Failure> {
    let files = input::files(&args.files)?;
    if let Some(file) = files.iter().find(|file| file.is_in_partition()) {
        let failure = format!(
            "{} is in a folder of a partition, whose keys are not in the file",
            file.path().display()
        );
        return Err(Failure::usage(failure).hint("To have them in the rows: trevni cat FOLDER -o all.trv"));
    }
    let mut files: Vec<PathBuf> = files.into_iter().map(|file| file.path().to_owned()).collect();
    if let Ok(output) = args.output.canonicalize() {
        files.retain(|file| args.files.contains(file) || file.canonicalize().ok().as_ref() != Some(&output));
    }
    Ok(files)
}
